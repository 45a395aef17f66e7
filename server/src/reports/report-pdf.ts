import { formatDay, todayIn } from "@milkwood/domain/kernel/calendar"
import { a4, muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"
import type { ReportDocument } from "./report-document.ts"

const margin = 36
const size = 7.5
const leading = 10
const padding = 6
const fewColumns = 6
const colors = [teal, "#7fb5b1"]

interface Page {
  way: "portrait" | "landscape"
  width: number
  bottom: number
}

const pageOf = ({ columns }: ReportDocument): Page => {
  const isWide = columns.length > fewColumns
  const [width, height] = isWide ? [a4.height, a4.width] : [a4.width, a4.height]
  return { way: isWide ? "landscape" : "portrait", width: width - 2 * margin, bottom: height - 48 }
}

const template: PdfTemplate<ReportDocument> = {
  about: ({ title, organisation, madeAt }) => ({ title, author: organisation.name, createdAt: madeAt }),
  draw(sheet, document) {
    const page = pageOf(document)
    sheet.addPage(page.way)
    const widths = widthsOf(sheet, document, page.width)
    let y = titled(sheet, document, page)
    if (document.chart) y = picture(sheet, document.chart, page, y)
    y = heads(sheet, document, widths, y)
    for (const row of document.rows) y = line(sheet, document, page, widths, row, y, "regular")
    if (document.rows.length === 0) {
      sheet.text(`There are no ${document.noun} for this.`, margin, y + 8, { size: 9, color: muted })
    }
    if (document.totals) line(sheet, document, page, widths, withWord(document.totals), y + 2, "bold")
    feet(sheet, document, page)
  },
}
export default template

const withWord = (totals: string[]): string[] => (totals[0] === "" ? ["Total", ...totals.slice(1)] : totals)

/** Organisation, title, parameters, who and when. Answers the y under it. */
function titled(sheet: Sheet, document: ReportDocument, { width }: Page): number {
  const { organisation, title, words, madeAt, madeBy, timezone, dateFormat, rows, noun } = document
  sheet.box(0, 0, width + 2 * margin, 5, teal)
  sheet.text(organisation.name, margin, 24, { size: 9, weight: "bold", color: teal })
  sheet.text(title, margin, 38, { size: 16, weight: "bold" })
  const instant = Temporal.Instant.from(madeAt)
  const time = instant.toZonedDateTimeISO(timezone).toPlainTime().toString({ smallestUnit: "minute" })
  const made = `Made by ${madeBy} on ${formatDay(todayIn(instant, timezone), dateFormat)} at ${time} · ${rows.length.toLocaleString("en-ZA")} ${noun}`
  const lines = [...(words ? sheet.wrap(words, width, { size: 8.5 }) : []), ...sheet.wrap(made, width, { size: 8.5 })]
  return sheet.lines(lines, margin, 62, 12, { size: 8.5, color: muted }) + 10
}

/** Bars beside each other's names, as many as have room; each with its figures. Answers the y under them. */
function picture(
  sheet: Sheet,
  { names, points }: NonNullable<ReportDocument["chart"]>,
  { width }: Page,
  top: number,
): number {
  const most = Math.max(1, ...points.flatMap(({ values }) => values.map(Math.abs)))
  const labels = Math.min(170, Math.max(...points.map(({ label }) => sheet.measure(label, { size }))) + 8)
  const figures = Math.max(...points.flatMap(({ shown }) => shown.map((text) => sheet.measure(text, { size })))) + 8
  const room = width - labels - figures
  let y = top
  let x = margin
  names.forEach((name, index) => {
    sheet.box(x, y + 1.5, 7, 7, colors[index]!)
    sheet.text(name, x + 11, y, { size, color: muted })
    x += sheet.measure(name, { size }) + 26
  })
  y += 15
  for (const { label, values, shown } of points.slice(0, 12)) {
    sheet.text(cut(sheet, label, labels - 6), margin, y, { size })
    values.forEach((value, index) => {
      const length = Math.max(0.5, (Math.abs(value) / most) * room)
      sheet.box(margin + labels, y + 0.5, length, 7, colors[index]!)
      sheet.text(shown[index]!, margin + labels + length + 4, y, { size, color: muted })
      y += 10
    })
    y += 2
  }
  if (points.length > 12) {
    sheet.text("The rest stands in the table.", margin, y, { size, color: muted })
    y += 12
  }
  return y + 8
}

/** Each column as wide as what it holds, the widest giving way where there is no room for all. */
function widthsOf(sheet: Sheet, { columns, rows, totals }: ReportDocument, width: number): number[] {
  const sample = [...rows.slice(0, 200), ...(totals ? [totals] : [])]
  const wanted = columns.map(({ title, isNumber }, index) => {
    const longest = Math.max(
      0,
      ...sample.map((row) => sheet.measure(row[index]!, { size, weight: isNumber ? "bold" : "regular" })),
    )
    const words = Math.max(...title.split(" ").map((word) => sheet.measure(word, { size, weight: "bold" })))
    return Math.max(longest, words) + padding + 2
  })
  const all = wanted.reduce((sum, each) => sum + each, 0)
  if (all <= width) return wanted.map((each) => (each * width) / all)
  // Figures are never cut; names are.
  const fixed = wanted.map((each, index) => (columns[index]!.isNumber || each < 60 ? each : 0))
  const left = width - fixed.reduce((sum, each) => sum + each, 0)
  const flexible = all - fixed.reduce((sum, each) => sum + each, 0)
  if (left <= 0.2 * width || flexible === 0) return wanted.map((each) => (each * width) / all)
  return wanted.map((each, index) => (fixed[index]! > 0 ? each : (each * left) / flexible))
}

/** The titles of the columns, on each page. Answers the y under them. */
function heads(sheet: Sheet, { columns }: ReportDocument, widths: number[], top: number): number {
  const wrapped = columns.map(({ title }, index) =>
    sheet.wrap(title, widths[index]! - padding, { size, weight: "bold" }),
  )
  const height = Math.max(...wrapped.map((lines) => lines.length)) * leading + 6
  sheet.box(
    margin,
    top,
    widths.reduce((sum, each) => sum + each, 0),
    height,
    "#e9f3f2",
  )
  let x = margin
  wrapped.forEach((lines, index) => {
    const { isNumber } = columns[index]!
    for (const [nth, text] of lines.entries())
      sheet.text(text, x + padding / 2, top + 4 + nth * leading, {
        ...{ size, weight: "bold", color: teal },
        ...(isNumber && { align: "right", width: widths[index]! - padding }),
      })
    x += widths[index]!
  })
  return top + height + 3
}

/** One row, on a new page where this one is full. Answers the y under it. */
function line(
  sheet: Sheet,
  document: ReportDocument,
  { way, bottom }: Page,
  widths: number[],
  row: string[],
  top: number,
  weight: "regular" | "bold",
): number {
  let y = top
  if (y + leading > bottom) {
    sheet.addPage(way)
    sheet.text(`${document.title}, continued`, margin, 22, { size: 8, color: muted })
    y = heads(sheet, document, widths, 36)
  }
  const all = widths.reduce((sum, each) => sum + each, 0)
  sheet.rule(margin, y - 1.5, all, weight === "bold" ? teal : "#e3e8ec", weight === "bold" ? 0.8 : 0.4)
  let x = margin
  row.forEach((text, index) => {
    const width = widths[index]! - padding
    const { isNumber } = document.columns[index]!
    if (text !== "")
      sheet.text(isNumber ? text : cut(sheet, text, width, weight), x + padding / 2, y, {
        ...{ size, weight },
        ...(isNumber && { align: "right", width }),
      })
    x += widths[index]!
  })
  return y + leading + 1.5
}

/** The text as far as there is room for it on one line. */
function cut(sheet: Sheet, text: string, width: number, weight: "regular" | "bold" = "regular"): string {
  if (sheet.measure(text, { size, weight }) <= width) return text
  const [first] = sheet.wrap(text.replaceAll(" ", "\u00a0"), width - 6, { size, weight })
  return `${first}…`
}

/** Which page it is and of how many, at the foot of every page; once all of them are there. */
function feet(sheet: Sheet, { organisation, title }: ReportDocument, { width, bottom }: Page): void {
  const style = { size: 7.5, color: muted } as const
  sheet.onEachPage((page, pages) => {
    sheet.text(`${organisation.name} · ${title}`, margin, bottom + 16, style)
    sheet.text(`Page ${page} of ${pages}`, margin, bottom + 16, { ...style, align: "right", width })
  })
}
