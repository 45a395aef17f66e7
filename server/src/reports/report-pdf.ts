import { formatDay, todayInTimezone } from "@milkwood/domain/kernel/calendar"
import { printedLogoSize } from "@milkwood/domain/platform/logo"
import { a4, muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { LongPdfTemplate } from "../platform/pdf/pdf-worker.ts"
import type { ReportHead, ReportLine } from "./report-document.ts"

const margin = 36
const size = 7.5
const lineHeight = 10
const padding = 6
const maxPortraitColumns = 6
/** Tables with more columns than this begin with a smaller type size. */
const smallerFontThreshold = 11
const fontSizes = [size, 6.5, 6]
const minColumnWidth = 56
const maxBars = 12
const colors = [teal, "#7fb5b1"]

const logoTop = 14

const rowHeight = lineHeight + 1.5
const nextPageTop = 36

interface PageLayout {
  way: "portrait" | "landscape"
  width: number
  bottom: number
}

const pageLayoutOf = ({ columns }: ReportHead): PageLayout => {
  const isWide = columns.length > maxPortraitColumns
  const [width, height] = isWide ? [a4.height, a4.width] : [a4.width, a4.height]
  return { way: isWide ? "landscape" : "portrait", width: width - 2 * margin, bottom: height - 48 }
}

const template: LongPdfTemplate<ReportHead, ReportLine[]> = {
  about: ({ title, organisation, madeAt }) => ({ title, author: organisation.name, createdAt: madeAt }),
  begin(sheet, head) {
    const page = pageLayoutOf(head)
    sheet.addPage(page.way)
    const table = new Table(sheet, head, page)
    let y = drawTitle(sheet, head, page, table.leftOut)
    if (head.chart) y = drawChart(sheet, head.chart, page, y)
    table.begin(y)
    return {
      part: (rows) => {
        for (const row of rows) {
          if (Array.isArray(row)) table.line(row, "regular")
          else table.line(row.cells, "bold", `Subtotal ${row.subtotal}`)
        }
      },
      end: () => table.end(),
    }
  },
}
export default template

class Table {
  readonly #sheet: Sheet
  readonly #head: ReportHead
  readonly #page: PageLayout
  readonly #widths: number[]
  readonly #titles: string[][]
  readonly #size: number
  #y = 0
  #number = 1
  #pages = 1

  constructor(sheet: Sheet, head: ReportHead, page: PageLayout) {
    this.#sheet = sheet
    this.#head = head
    this.#page = page
    const { size, widths } = fitColumns(sheet, head, page.width)
    this.#size = size
    this.#widths = widths
    this.#titles = widths.map((width, index) =>
      sheet.wrap(head.columns[index]!.title, width - padding, { size, weight: "bold" }),
    )
  }

  get leftOut(): string[] {
    return this.#head.columns.slice(this.#widths.length).map(({ title }) => title)
  }

  get #headsHeight(): number {
    return Math.max(...this.#titles.map((lines) => lines.length)) * lineHeight + 6
  }

  begin(top: number): void {
    this.#pages = this.#pagesFrom(top + this.#headsHeight + 3)
    this.#heads(top)
    drawFooter(this.#sheet, this.#head, this.#page, 1, this.#pages)
  }

  /** The page count is calculated from the fixed row height, because each page shows it before the last page exists. */
  #pagesFrom(top: number): number {
    const { count, subtotals, totals } = this.#head
    const lines = count + subtotals
    let [y, pages] = [top, 1]
    for (let nth = 0; nth < lines + (totals ? 1 : 0); nth++) {
      const at = nth === lines ? y + 2 : y
      if (this.#isFull(at)) [y, pages] = [nextPageTop + this.#headsHeight + 3 + rowHeight, pages + 1]
      else y = at + rowHeight
    }
    return pages
  }

  #isFull(y: number): boolean {
    return y + lineHeight > this.#page.bottom
  }

  #heads(top: number): void {
    const height = this.#headsHeight
    let x = margin
    this.#sheet.box(x, top, sumWidths(this.#widths), height, "#e9f3f2")
    this.#titles.forEach((lines, index) => {
      const width = this.#widths[index]!
      const { isNumber } = this.#head.columns[index]!
      for (const [nth, text] of lines.entries())
        this.#sheet.text(text, x + padding / 2, top + 4 + nth * lineHeight, {
          ...{ size: this.#size, weight: "bold", color: teal },
          ...(isNumber && { align: "right", width: width - padding }),
        })
      x += width
    })
    this.#y = top + height + 3
  }

  line(row: string[], weight: "regular" | "bold", words = ""): void {
    const sheet = this.#sheet
    if (this.#isFull(this.#y)) {
      sheet.addPage(this.#page.way)
      sheet.text(`${this.#head.title}, continued`, margin, 22, { size: 8, color: muted })
      this.#heads(nextPageTop)
      drawFooter(sheet, this.#head, this.#page, ++this.#number, this.#pages)
    }
    const y = this.#y
    sheet.rule(
      margin,
      y - 1.5,
      sumWidths(this.#widths),
      weight === "bold" ? teal : "#e3e8ec",
      weight === "bold" ? 0.8 : 0.4,
    )
    const first = row.findIndex((text) => text !== "")
    const room = sumWidths(this.#widths.slice(0, first === -1 ? this.#widths.length : first)) - padding
    if (words !== "" && room > 0)
      sheet.text(truncateText(sheet, words, room, this.#size, weight), margin + padding / 2, y, {
        size: this.#size,
        weight,
      })
    let x = margin
    row.slice(0, this.#widths.length).forEach((text, index) => {
      const width = this.#widths[index]! - padding
      const { isNumber } = this.#head.columns[index]!
      if (text !== "")
        sheet.text(isNumber ? text : truncateText(sheet, text, width, this.#size, weight), x + padding / 2, y, {
          ...{ size: this.#size, weight },
          ...(isNumber && { align: "right", width }),
        })
      x += this.#widths[index]!
    })
    this.#y += rowHeight
  }

  end(): void {
    const { count, noun, totals } = this.#head
    if (count === 0) this.#sheet.text(`No ${noun} found.`, margin, this.#y + 8, { size: 9, color: muted })
    if (totals) {
      this.#y += 2
      this.line(totals, "bold", "Total")
    }
    if (this.#number !== this.#pages) throw new Error(`counted ${this.#pages} pages, but drew ${this.#number}`)
  }
}

const sumWidths = (widths: readonly number[]): number => widths.reduce((sum, each) => sum + each, 0)

function drawTitle(sheet: Sheet, head: ReportHead, { width }: PageLayout, leftOut: readonly string[]): number {
  const { organisation, title, words, madeAt, madeBy, timezone, dateFormat, count, noun } = head
  sheet.box(0, 0, width + 2 * margin, 5, teal)
  const { logo } = organisation
  const logoSize = logo ? printedLogoSize(logo) : { width: 0, height: 0 }
  const besideLogo = logo ? width - logoSize.width - 16 : width
  if (logo) sheet.picture(logo.image, margin + width - logoSize.width, logoTop, logoSize)
  const name = truncateText(sheet, organisation.name, besideLogo, 9, "bold")
  sheet.text(name, margin, 24, { size: 9, weight: "bold", color: teal })
  const titleStyle = { size: 16, weight: "bold" } as const
  const underTitle = sheet.lines(sheet.wrap(title, besideLogo, titleStyle), margin, 38, 20, titleStyle) + 4
  const instant = Temporal.Instant.from(madeAt)
  const time = instant.toZonedDateTimeISO(timezone).toPlainTime().toString({ smallestUnit: "minute" })
  const made = `Generated by ${madeBy} on ${formatDay(todayInTimezone(instant, timezone), dateFormat)} at ${time} · ${count.toLocaleString("en-ZA")} ${noun}`
  const lines = [...(words ? sheet.wrap(words, width, { size: 8.5 }) : []), ...sheet.wrap(made, width, { size: 8.5 })]
  const linesTop = Math.max(underTitle, logoTop + logoSize.height + 8)
  let y = sheet.lines(lines, margin, linesTop, 12, { size: 8.5, color: muted })
  if (leftOut.length > 0) {
    const notice = sheet.wrap(omittedColumnsText(leftOut), width, { size: 8.5, weight: "bold" })
    y = sheet.lines(notice, margin, y + 3, 12, { size: 8.5, weight: "bold" })
  }
  return drawHeadlineFigures(sheet, head.figures, y) + 10
}

const omittedColumnsText = (titles: readonly string[]): string =>
  `${titles.length} ${titles.length === 1 ? "column does" : "columns do"} not fit on this page: ${titles.join(", ")}. The Excel file has all columns.`

function drawHeadlineFigures(sheet: Sheet, figures: ReportHead["figures"], top: number): number {
  if (figures.length === 0) return top
  let x = margin
  for (const { label, value } of figures) {
    sheet.text(label, x, top + 8, { size: 7.5, color: muted })
    sheet.text(value, x, top + 19, { size: 12, weight: "bold" })
    x += Math.max(sheet.measure(label, { size: 7.5 }), sheet.measure(value, { size: 12, weight: "bold" })) + 28
  }
  return top + 38
}

function drawChart(
  sheet: Sheet,
  { names, points: all }: NonNullable<ReportHead["chart"]>,
  { width }: PageLayout,
  top: number,
): number {
  // Only the drawn bars determine the scale.
  const points = all.slice(0, maxBars)
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
  for (const { label, values, shown } of points) {
    sheet.text(truncateText(sheet, label, labels - 6, size), margin, y, { size })
    values.forEach((value, index) => {
      const length = Math.max(0.5, (Math.abs(value) / most) * room)
      sheet.box(margin + labels, y + 0.5, length, 7, colors[index]!)
      sheet.text(shown[index]!, margin + labels + length + 4, y, { size, color: muted })
      y += 10
    })
    y += 2
  }
  if (all.length > points.length) {
    sheet.text(`The chart shows the first ${maxBars} of ${all.length}; the table has all of them.`, margin, y, {
      size,
      color: muted,
    })
    y += 12
  }
  return y + 8
}

/**
 * Names are truncated first; numbers, days and references never are. Columns that do not fit at the smallest size are
 * dropped from the right.
 */
function fitColumns(sheet: Sheet, head: ReportHead, width: number): { size: number; widths: number[] } {
  const start = head.columns.length > smallerFontThreshold ? 1 : 0
  const tried = fontSizes.slice(start).map((size) => ({ size, columns: measureColumns(sheet, head, size) }))
  const { size, columns } =
    tried.find(({ columns }) => sumWidths(columns.map(({ least }) => least)) <= width) ?? tried.at(-1)!
  const kept = [...columns]
  while (kept.length > 1 && sumWidths(kept.map(({ least }) => least)) > width) kept.pop()
  const wanted = sumWidths(kept.map((each) => each.wanted))
  if (wanted <= width) return { size, widths: kept.map((each) => (each.wanted * width) / wanted) }
  const least = sumWidths(kept.map((each) => each.least))
  const share = wanted > least ? Math.max(0, width - least) / (wanted - least) : 0
  return { size, widths: kept.map((each) => each.least + (each.wanted - each.least) * share) }
}

function measureColumns(sheet: Sheet, head: ReportHead, size: number): { wanted: number; least: number }[] {
  const { columns, sample: rows, totals } = head
  const sample = [...rows, ...(totals ? [totals] : [])]
  return columns.map(({ title, isNumber, isWhole }, index) => {
    const longest = Math.max(
      0,
      ...sample.map((row) => sheet.measure(row[index]!, { size, weight: isNumber ? "bold" : "regular" })),
    )
    const words = Math.max(...title.split(" ").map((word) => sheet.measure(word, { size, weight: "bold" })))
    const wanted = Math.max(longest, words) + padding + 2
    return { wanted, least: isWhole ? wanted : Math.min(wanted, Math.max(minColumnWidth, words + padding + 2)) }
  })
}

function truncateText(
  sheet: Sheet,
  text: string,
  width: number,
  size: number,
  weight: "regular" | "bold" = "regular",
): string {
  if (sheet.measure(text, { size, weight }) <= width) return text
  const [first] = sheet.wrap(text.replaceAll(" ", "\u00a0"), width - 6, { size, weight })
  return `${first}…`
}

function drawFooter(
  sheet: Sheet,
  { organisation, title }: ReportHead,
  { width, bottom }: PageLayout,
  page: number,
  pages: number,
): void {
  const style = { size: 7.5, color: muted } as const
  sheet.text(`${organisation.name} · ${title}`, margin, bottom + 16, style)
  sheet.text(`Page ${page} of ${pages}`, margin, bottom + 16, { ...style, align: "right", width })
}
