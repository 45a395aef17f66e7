import { type DayFormat, formatDay, formatMonth } from "@milkwood/domain/kernel/calendar"
import { type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import type { ReconciliationRow } from "@milkwood/domain/reconciliation/reconciliation.contract"
import { addPage, drawFooters, type Letterhead, letterhead, pageBounds } from "../platform/pdf/letter.ts"
import { muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

export type DocumentRow = Pick<
  ReconciliationRow,
  "month" | "groupName" | "expectedCents" | "receivedCents" | "differenceCents" | "status" | "reconciledOn" | "notes"
>

export interface ReconciliationDocument {
  organisation: Letterhead
  dateFormat: DayFormat
  currency: Currency
  createdAt: string
  filters: string
  rows: DocumentRow[]
}

const { left, right, width, bottom } = pageBounds
const title = "Premium reconciliation"

const template: PdfTemplate<ReconciliationDocument> = {
  about: ({ organisation, createdAt }) => ({ title, author: organisation.name, createdAt }),
  draw(sheet, { organisation, dateFormat, filters, rows, currency }) {
    addPage(sheet)
    const months = rows.map(({ month }) => month).sort()
    const [first, last] = [months[0], months.at(-1)]
    const period = first && last ? [...new Set([formatMonth(first), formatMonth(last)])].join(" to ") : ""
    let y = letterhead(sheet, organisation, title, period)
    if (filters) y = sheet.lines(sheet.wrap(filters, width), left, y, 13, { color: muted }) + 6
    y = head(sheet, y)
    for (const one of rows) {
      const { month, groupName, expectedCents, receivedCents, differenceCents, status, reconciledOn, notes } = one
      const reconciled = reconciledOn ? formatDay(reconciledOn, dateFormat) : ""
      const amounts = [expectedCents, receivedCents, differenceCents].map((cents) => formatMoney(cents, currency))
      y = row(sheet, y, [formatMonth(month), groupName, ...amounts, status, reconciled], { notes })
    }
    const sum = (of: "expectedCents" | "receivedCents" | "differenceCents") =>
      formatMoney(
        rows.reduce((cents, one) => cents + one[of], 0),
        currency,
      )
    const total = rows.length === 1 ? "1 month" : `${rows.length.toLocaleString("en-ZA")} months`
    row(sheet, y, ["Total", total, sum("expectedCents"), sum("receivedCents"), sum("differenceCents"), "", ""], {
      isBold: true,
    })
    drawFooters(sheet, organisation)
  },
}
export default template

const columns = [
  { x: left + 4, width: 46, title: "MONTH" },
  { x: left + 54, width: 142, title: "GROUP" },
  { x: left + 200, width: 70, title: "EXPECTED", isNumber: true },
  { x: left + 274, width: 70, title: "RECEIVED", isNumber: true },
  { x: left + 348, width: 66, title: "DIFFERENCE", isNumber: true },
  { x: left + 422, width: 46, title: "STATUS" },
  { x: right - 54, width: 52, title: "RECONCILED" },
] as const
const [, group] = columns

function head(sheet: Sheet, y: number): number {
  const style = { size: 7, weight: "bold", color: "#ffffff" } as const
  sheet.box(left, y, width, 20, teal, 3)
  for (const column of columns) cell(sheet, column.title, column, y + 6, style)
  return y + 20
}

type Style = Parameters<Sheet["text"]>[3] & object

function cell(sheet: Sheet, text: string, column: (typeof columns)[number], y: number, style: Style): void {
  sheet.text(text, column.x, y, "isNumber" in column ? { ...style, align: "right", width: column.width } : style)
}

/** Rows grow with the employer's name and note, and move to the next page if they do not fit. */
function row(sheet: Sheet, top: number, cells: readonly string[], { notes = "", isBold = false }): number {
  const style: Style = isBold ? { size: 8, weight: "bold" } : { size: 8 }
  const name = sheet.wrap(cells[1]!, group.width, style)
  const note = notes ? sheet.wrap(notes, right - group.x - 4, { size: 7.5 }) : []
  const height = name.length * 11 + note.length * 10 + 8
  let y = top
  if (y + height > bottom) {
    addPage(sheet)
    y = head(sheet, 48)
  }
  for (const [at, column] of columns.entries()) {
    if (column === group) sheet.lines(name, group.x, y + 4.5, 11, style)
    else cell(sheet, cells[at] ?? "", column, y + 4.5, style)
  }
  sheet.lines(note, group.x, y + 4.5 + name.length * 11, 10, { size: 7.5, color: muted })
  sheet.rule(left, y + height, width)
  return y + height
}
