import { type Day, type DayFormat, formatDay, formatMonth, todayInTimezone } from "@milkwood/domain/kernel/calendar"
import { type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { type CheckFigure, checkTitles, type SignedCheck } from "@milkwood/domain/month-end/checklist"
import { addPage, drawFooters, type Letterhead, letterhead, pageBounds } from "../platform/pdf/letter.ts"
import { muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

export interface ChecklistDocument {
  organisation: Letterhead
  dateFormat: DayFormat
  currency: Currency
  timezone: string
  month: Day
  closedAt: string
  closedBy: string
  checks: SignedCheck[]
}

const { left, right, width, bottom } = pageBounds
const title = "Month end"

const template: PdfTemplate<ChecklistDocument> = {
  about: (document) => ({
    title: `${title} ${formatMonth(document.month)}`,
    author: document.organisation.name,
    createdAt: document.closedAt,
  }),
  draw(sheet, document) {
    addPage(sheet)
    const top = letterhead(sheet, document.organisation, title, formatMonth(document.month))
    const instant = Temporal.Instant.from(document.closedAt)
    const on = formatDay(todayInTimezone(instant, document.timezone), document.dateFormat)
    const at = instant.toZonedDateTimeISO(document.timezone).toPlainTime().toString({ smallestUnit: "minute" })
    sheet.text(`Closed by ${document.closedBy} on ${on} at ${at}`, left, top, { size: 10, color: muted })
    let y = top + 28
    for (const check of document.checks) y = drawCheck(sheet, document, check, y)
    drawFooters(sheet, document.organisation)
  },
}
export default template

const figureText = ({ label, kind, value }: CheckFigure, currency: Currency): string =>
  `${label}: ${kind === "cents" ? formatMoney(value, currency) : value}`

/** Returns the y position below the row. */
function drawCheck(sheet: Sheet, { month, currency }: ChecklistDocument, check: SignedCheck, top: number): number {
  const titled = sheet.wrap(checkTitles[check.key], width - 110, { size: 10.5, weight: "bold" })
  const under = [
    check.figures.map((figure) => figureText(figure, currency)).join("   ·   "),
    ...check.notes,
    ...(check.reason === null ? [] : [`Closed with this check open: ${check.reason}`]),
  ].flatMap((words) => sheet.wrap(words, width - 16))
  const height = titled.length * 14 + under.length * 12.5 + 20
  let y = top
  if (y + height > bottom) {
    addPage(sheet)
    sheet.text(`${title} ${formatMonth(month)}, continued`, left, 30, { size: 8.5, color: muted })
    y = 48
  }
  sheet.lines(titled, left, y, 14, { size: 10.5, weight: "bold" })
  const state = check.isDone ? "Done" : "Not done"
  sheet.text(state, right - 100, y, {
    align: "right",
    width: 100,
    weight: "bold",
    ...(check.isDone && { color: teal }),
  })
  sheet.lines(under, left, y + titled.length * 14 + 3, 12.5, { color: muted })
  y += height - 8
  sheet.rule(left, y, width)
  return y + 8
}
