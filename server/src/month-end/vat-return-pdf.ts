import { type VatClass, vatClasses, vatClassNames } from "@milkwood/domain/benefits/vat"
import { type Day, type DayFormat, formatDay, formatMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { type VatKind, vatKindNames, vatTotal } from "@milkwood/domain/month-end/vat-return"
import { addPage, drawFooters, type Letterhead, letterhead, pageBounds } from "../platform/pdf/letter.ts"
import { muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

export interface VatReturnDocument {
  organisation: Letterhead
  dateFormat: DayFormat
  currency: Currency
  createdAt: string
  month: Day
  lines: { kind: VatKind; vatClass: VatClass; rate: string; documents: number; netCents: Cents; vatCents: Cents }[]
  ledgerCents: Cents
}

const { left, right, width, bottom } = pageBounds
const title = "VAT for the month"

const template: PdfTemplate<VatReturnDocument> = {
  about: (document) => ({
    title: `${title} ${formatMonth(document.month)}`,
    author: document.organisation.name,
    createdAt: document.createdAt,
  }),
  draw(sheet, document) {
    addPage(sheet)
    let y = letterhead(sheet, document.organisation, title, formatMonth(document.month))
    const day = (on: Day) => formatDay(on, document.dateFormat)
    sheet.text(`Tax points from ${day(document.month)} to ${day(lastOfMonth(document.month))}`, left, y, {
      color: muted,
    })
    y = drawHead(sheet, y + 22)
    for (const vatClass of vatClasses) {
      const lines = document.lines.filter((line) => line.vatClass === vatClass)
      for (const { kind, rate, documents, netCents, vatCents } of lines) {
        const words = `${vatClassNames[vatClass]}${rate && `, ${rate}`}`
        y = drawRow(sheet, y, [
          words,
          vatKindNames[kind],
          String(documents),
          formatMoney(netCents, document.currency),
          formatMoney(vatCents, document.currency),
        ])
      }
      if (lines.length > 1)
        y = drawRow(
          sheet,
          y,
          [`${vatClassNames[vatClass]}, total`, "", "", ...amountTexts(lines, document.currency)],
          true,
        )
    }
    y = drawRow(sheet, y, ["Total", "", "", ...amountTexts(document.lines, document.currency)], true)
    const difference = document.ledgerCents - vatTotal(document.lines).vatCents
    y = drawRow(sheet, y + 10, [
      "VAT output (ledger)",
      "",
      "",
      "",
      formatMoney(document.ledgerCents, document.currency),
    ])
    const [words, cents] =
      difference === 0 ? ["The two agree", ""] : ["They differ by", formatMoney(difference, document.currency)]
    drawRow(sheet, y, [words, "", "", "", cents], true)
    drawFooters(sheet, document.organisation)
  },
}
export default template

function amountTexts(lines: VatReturnDocument["lines"], currency: Currency): [string, string] {
  const { netCents, vatCents } = vatTotal(lines)
  return [formatMoney(netCents, currency), formatMoney(vatCents, currency)]
}

const columns = [
  { x: left + 8, width: 170, title: "CLASS" },
  { x: left + 182, width: 130, title: "DOCUMENTS" },
  { x: left + 312, width: 40, title: "NUMBER" },
  { x: left + 356, width: 80, title: "EXCL. VAT" },
  { x: right - 84, width: 76, title: "VAT" },
] as const
/** Columns from this index are numeric. */
const textColumnCount = 2

function drawHead(sheet: Sheet, y: number): number {
  const style = { size: 7.5, weight: "bold", color: "#ffffff" } as const
  sheet.box(left, y, width, 21, teal, 3)
  for (const [at, { x, width: wide, title: words }] of columns.entries())
    sheet.text(words, x, y + 6.2, at < textColumnCount ? style : { ...style, align: "right", width: wide })
  return y + 21
}

function drawRow(sheet: Sheet, top: number, cells: readonly string[], bold = false): number {
  let y = top
  if (y + 20 > bottom) {
    addPage(sheet)
    y = drawHead(sheet, 48)
  }
  const style = bold ? ({ weight: "bold" } as const) : {}
  for (const [at, { x, width: wide }] of columns.entries())
    sheet.text(cells[at] ?? "", x, y + 4.5, at < textColumnCount ? style : { ...style, align: "right", width: wide })
  sheet.rule(left, y + 20, width)
  return y + 20
}
