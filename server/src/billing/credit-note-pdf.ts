import { type CreditKind, creditKindNames } from "@milkwood/domain/billing/credit-parts"
import { type Day, type DayFormat, formatDay, formatMonth } from "@milkwood/domain/kernel/calendar"
import { amountTitle, type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import {
  type Addressee,
  addPage,
  drawAddressee,
  drawFacts,
  drawFooters,
  type Letterhead,
  letterhead,
  pageBounds,
} from "../platform/pdf/letter.ts"
import { muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

export interface CreditNoteDocument {
  organisation: Letterhead
  dateFormat: DayFormat
  currency: Currency
  createdAt: string
  number: string
  creditedOn: Day
  invoiceNumber: string
  invoiceOn: Day
  policyNumber: string
  billTo: Addressee
  kind: CreditKind
  reason: string
  /** Without VAT and before discount; empty if too many for a PDF. */
  lines: { description: string; billedMonth: Day | null; netCents: Cents; vatCents: Cents }[]
  /** Share of discount and concessions. */
  discountCents: Cents
  /** VAT per rate; `percent` in per cent. */
  vat: { percent: number; vatCents: Cents }[]
  netCents: Cents
  vatCents: Cents
  totalCents: Cents
}

const { left, right, width, bottom } = pageBounds
const title = "Credit note"

const template: PdfTemplate<CreditNoteDocument> = {
  about: (document) => ({
    title: `${title} ${document.number}`,
    author: document.organisation.name,
    createdAt: document.createdAt,
  }),
  draw(sheet, document) {
    addPage(sheet)
    const top = letterhead(sheet, document.organisation, title, document.number)
    let y = drawParties(sheet, document, top)
    y = drawReason(sheet, document, y)
    y = drawLines(sheet, document, y)
    drawTotals(sheet, document, y)
    drawFooters(sheet, document.organisation)
  },
}
export default template

function drawParties(sheet: Sheet, document: CreditNoteDocument, top: number): number {
  const day = (on: Day) => formatDay(on, document.dateFormat)
  const under = drawAddressee(sheet, "CREDIT TO", document.billTo, top)
  const rows: [string, string][] = [
    ["Policy number", document.policyNumber],
    ["Credit note date", day(document.creditedOn)],
    ["Kind", creditKindNames[document.kind]],
    ["Invoice", document.invoiceNumber],
    ["Invoice date", day(document.invoiceOn)],
  ]
  return (
    Math.max(
      under,
      drawFacts(sheet, rows, top, { label: "Total credited", cents: document.totalCents, currency: document.currency }),
    ) + 24
  )
}

function ensureRoom(sheet: Sheet, y: number, height: number): number {
  if (y + height <= bottom) return y
  addPage(sheet)
  return 48
}

function drawReason(sheet: Sheet, document: CreditNoteDocument, top: number): number {
  sheet.text("Reason", left, top, { weight: "bold", color: teal, size: 9.5 })
  let y = top + 16
  // The reason of a run's credit note has one sentence per member.
  for (const line of document.reason.split(" · ").flatMap((sentence) => sheet.wrap(sentence, width))) {
    y = ensureRoom(sheet, y, 13)
    sheet.text(line, left, y)
    y += 13
  }
  return y + 14
}

const columns = {
  description: { x: left + 8, width: 250 },
  month: { x: left + 266, width: 80 },
  net: { x: left + 350, width: 70 },
  vat: { x: right - 72, width: 64 },
} as const

function drawLines(sheet: Sheet, document: CreditNoteDocument, top: number): number {
  if (document.lines.length === 0) return top
  let y = drawTableHead(sheet, ensureRoom(sheet, top, 60))
  for (const line of document.lines) {
    const description = sheet.wrap(line.description, columns.description.width)
    const height = description.length * 12 + 8
    if (y + height > bottom) {
      addPage(sheet)
      sheet.text(`${document.number}, continued`, left, 30, { size: 8.5, color: muted })
      y = drawTableHead(sheet, 48)
    }
    const at = y + 4.5
    const { net, vat } = columns
    sheet.lines(description, columns.description.x, at, 12)
    if (line.billedMonth) sheet.text(formatMonth(line.billedMonth), columns.month.x, at, { color: muted })
    sheet.text(formatMoney(line.netCents, document.currency), net.x, at, { align: "right", width: net.width })
    sheet.text(formatMoney(line.vatCents, document.currency), vat.x, at, { align: "right", width: vat.width })
    y += height
    sheet.rule(left, y, width)
  }
  return y + 14
}

function drawTableHead(sheet: Sheet, y: number): number {
  const style = { size: 7.5, weight: "bold", color: "#ffffff" } as const
  sheet.box(left, y, width, 21, teal, 3)
  const at = y + 6.2
  sheet.text("CREDITED", columns.description.x, at, style)
  sheet.text("MONTH", columns.month.x, at, style)
  sheet.text("EXCL. VAT", columns.net.x, at, { ...style, align: "right", width: columns.net.width })
  sheet.text("VAT", columns.vat.x, at, { ...style, align: "right", width: columns.vat.width })
  return y + 21
}

function drawTotals(sheet: Sheet, document: CreditNoteDocument, top: number): void {
  const x = left + width / 2 + 12
  const rows: [string, string][] = [
    ...(document.lines.length > 0 && document.discountCents !== 0
      ? ([["Less discount", formatMoney(-document.discountCents, document.currency)]] as [string, string][])
      : []),
    ["Excl. VAT", formatMoney(document.netCents, document.currency)],
    ...document.vat.map(({ percent, vatCents }): [string, string] => [
      `VAT (${String(percent).replace(".", ",")}%)`,
      formatMoney(vatCents, document.currency),
    ]),
  ]
  let y = ensureRoom(sheet, top, rows.length * 17 + 40)
  for (const [name, value] of rows) {
    sheet.text(name, x, y, { color: muted })
    sheet.text(value, x, y, { align: "right", width: right - x - 8 })
    y += 17
  }
  sheet.rule(x, y, right - x, teal, 1)
  sheet.text(amountTitle("Total credited", document.currency), x, y + 8, { size: 11, weight: "bold" })
  sheet.text(formatMoney(document.totalCents, document.currency), x, y + 7, {
    size: 12.5,
    weight: "bold",
    color: teal,
    align: "right",
    width: right - x - 8,
  })
}
