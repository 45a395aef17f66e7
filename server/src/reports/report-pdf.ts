import { formatDay, todayIn } from "@milkwood/domain/kernel/calendar"
import { logoOnPaper } from "@milkwood/domain/platform/logo"
import { a4, muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { LongPdfTemplate } from "../platform/pdf/pdf-worker.ts"
import type { ReportHead, ReportLine } from "./report-document.ts"

const margin = 36
const size = 7.5
const leading = 10
const padding = 6
const fewColumns = 6
/** Above this number of columns a smaller size is tried. */
const manyColumns = 11
const sizes = [size, 6.5, 6]
const narrowest = 56
const mostBars = 12
const colors = [teal, "#7fb5b1"]

const logoTop = 14

const step = leading + 1.5
const nextTop = 36

interface Page {
  way: "portrait" | "landscape"
  width: number
  bottom: number
}

const pageOf = ({ columns }: ReportHead): Page => {
  const isWide = columns.length > fewColumns
  const [width, height] = isWide ? [a4.height, a4.width] : [a4.width, a4.height]
  return { way: isWide ? "landscape" : "portrait", width: width - 2 * margin, bottom: height - 48 }
}

const template: LongPdfTemplate<ReportHead, ReportLine[]> = {
  about: ({ title, organisation, madeAt }) => ({ title, author: organisation.name, createdAt: madeAt }),
  begin(sheet, head) {
    const page = pageOf(head)
    sheet.addPage(page.way)
    const table = new Table(sheet, head, page)
    let y = titled(sheet, head, page, table.leftOut)
    if (head.chart) y = picture(sheet, head.chart, page, y)
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
  readonly #page: Page
  readonly #widths: number[]
  readonly #titles: string[][]
  readonly #size: number
  #y = 0
  #number = 1
  #pages = 1

  constructor(sheet: Sheet, head: ReportHead, page: Page) {
    this.#sheet = sheet
    this.#head = head
    this.#page = page
    const { size, widths } = fitted(sheet, head, page.width)
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
    return Math.max(...this.#titles.map((lines) => lines.length)) * leading + 6
  }

  begin(top: number): void {
    this.#pages = this.#pagesFrom(top + this.#headsHeight + 3)
    this.#heads(top)
    foot(this.#sheet, this.#head, this.#page, 1, this.#pages)
  }

  /** Rows have a fixed height; pages are written before the last is known. */
  #pagesFrom(top: number): number {
    const { count, subtotals, totals } = this.#head
    const lines = count + subtotals
    let [y, pages] = [top, 1]
    for (let nth = 0; nth < lines + (totals ? 1 : 0); nth++) {
      const at = nth === lines ? y + 2 : y
      if (this.#isFull(at)) [y, pages] = [nextTop + this.#headsHeight + 3 + step, pages + 1]
      else y = at + step
    }
    return pages
  }

  #isFull(y: number): boolean {
    return y + leading > this.#page.bottom
  }

  #heads(top: number): void {
    const height = this.#headsHeight
    let x = margin
    this.#sheet.box(x, top, added(this.#widths), height, "#e9f3f2")
    this.#titles.forEach((lines, index) => {
      const width = this.#widths[index]!
      const { isNumber } = this.#head.columns[index]!
      for (const [nth, text] of lines.entries())
        this.#sheet.text(text, x + padding / 2, top + 4 + nth * leading, {
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
      this.#heads(nextTop)
      foot(sheet, this.#head, this.#page, ++this.#number, this.#pages)
    }
    const y = this.#y
    sheet.rule(
      margin,
      y - 1.5,
      added(this.#widths),
      weight === "bold" ? teal : "#e3e8ec",
      weight === "bold" ? 0.8 : 0.4,
    )
    const first = row.findIndex((text) => text !== "")
    const room = added(this.#widths.slice(0, first === -1 ? this.#widths.length : first)) - padding
    if (words !== "" && room > 0)
      sheet.text(cut(sheet, words, room, this.#size, weight), margin + padding / 2, y, { size: this.#size, weight })
    let x = margin
    row.slice(0, this.#widths.length).forEach((text, index) => {
      const width = this.#widths[index]! - padding
      const { isNumber } = this.#head.columns[index]!
      if (text !== "")
        sheet.text(isNumber ? text : cut(sheet, text, width, this.#size, weight), x + padding / 2, y, {
          ...{ size: this.#size, weight },
          ...(isNumber && { align: "right", width }),
        })
      x += this.#widths[index]!
    })
    this.#y += step
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

const added = (widths: readonly number[]): number => widths.reduce((sum, each) => sum + each, 0)

function titled(sheet: Sheet, head: ReportHead, { width }: Page, leftOut: readonly string[]): number {
  const { organisation, title, words, madeAt, madeBy, timezone, dateFormat, count, noun } = head
  sheet.box(0, 0, width + 2 * margin, 5, teal)
  const { logo } = organisation
  const logoSize = logo ? logoOnPaper(logo) : { width: 0, height: 0 }
  const besideLogo = logo ? width - logoSize.width - 16 : width
  if (logo) sheet.picture(logo.image, margin + width - logoSize.width, logoTop, logoSize)
  const name = cut(sheet, organisation.name, besideLogo, 9, "bold")
  sheet.text(name, margin, 24, { size: 9, weight: "bold", color: teal })
  const titleStyle = { size: 16, weight: "bold" } as const
  const underTitle = sheet.lines(sheet.wrap(title, besideLogo, titleStyle), margin, 38, 20, titleStyle) + 4
  const instant = Temporal.Instant.from(madeAt)
  const time = instant.toZonedDateTimeISO(timezone).toPlainTime().toString({ smallestUnit: "minute" })
  const made = `Generated by ${madeBy} on ${formatDay(todayIn(instant, timezone), dateFormat)} at ${time} · ${count.toLocaleString("en-ZA")} ${noun}`
  const lines = [...(words ? sheet.wrap(words, width, { size: 8.5 }) : []), ...sheet.wrap(made, width, { size: 8.5 })]
  const linesTop = Math.max(underTitle, logoTop + logoSize.height + 8)
  let y = sheet.lines(lines, margin, linesTop, 12, { size: 8.5, color: muted })
  if (leftOut.length > 0) {
    const notice = sheet.wrap(leftOutWords(leftOut), width, { size: 8.5, weight: "bold" })
    y = sheet.lines(notice, margin, y + 3, 12, { size: 8.5, weight: "bold" })
  }
  return opening(sheet, head.figures, y) + 10
}

const leftOutWords = (titles: readonly string[]): string =>
  `${titles.length} ${titles.length === 1 ? "column does" : "columns do"} not fit on this page: ${titles.join(", ")}. The Excel file has all columns.`

function opening(sheet: Sheet, figures: ReportHead["figures"], top: number): number {
  if (figures.length === 0) return top
  let x = margin
  for (const { label, value } of figures) {
    sheet.text(label, x, top + 8, { size: 7.5, color: muted })
    sheet.text(value, x, top + 19, { size: 12, weight: "bold" })
    x += Math.max(sheet.measure(label, { size: 7.5 }), sheet.measure(value, { size: 12, weight: "bold" })) + 28
  }
  return top + 38
}

function picture(
  sheet: Sheet,
  { names, points: all }: NonNullable<ReportHead["chart"]>,
  { width }: Page,
  top: number,
): number {
  // Only the drawn bars determine the scale.
  const points = all.slice(0, mostBars)
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
    sheet.text(cut(sheet, label, labels - 6, size), margin, y, { size })
    values.forEach((value, index) => {
      const length = Math.max(0.5, (Math.abs(value) / most) * room)
      sheet.box(margin + labels, y + 0.5, length, 7, colors[index]!)
      sheet.text(shown[index]!, margin + labels + length + 4, y, { size, color: muted })
      y += 10
    })
    y += 2
  }
  if (all.length > points.length) {
    sheet.text(`The chart shows the first ${mostBars} of ${all.length}; the table has all of them.`, margin, y, {
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
function fitted(sheet: Sheet, head: ReportHead, width: number): { size: number; widths: number[] } {
  const start = head.columns.length > manyColumns ? 1 : 0
  const tried = sizes.slice(start).map((size) => ({ size, columns: measured(sheet, head, size) }))
  const { size, columns } =
    tried.find(({ columns }) => added(columns.map(({ least }) => least)) <= width) ?? tried.at(-1)!
  const kept = [...columns]
  while (kept.length > 1 && added(kept.map(({ least }) => least)) > width) kept.pop()
  const wanted = added(kept.map((each) => each.wanted))
  if (wanted <= width) return { size, widths: kept.map((each) => (each.wanted * width) / wanted) }
  const least = added(kept.map((each) => each.least))
  const share = wanted > least ? Math.max(0, width - least) / (wanted - least) : 0
  return { size, widths: kept.map((each) => each.least + (each.wanted - each.least) * share) }
}

function measured(sheet: Sheet, head: ReportHead, size: number): { wanted: number; least: number }[] {
  const { columns, sample: rows, totals } = head
  const sample = [...rows, ...(totals ? [totals] : [])]
  return columns.map(({ title, isNumber, isWhole }, index) => {
    const longest = Math.max(
      0,
      ...sample.map((row) => sheet.measure(row[index]!, { size, weight: isNumber ? "bold" : "regular" })),
    )
    const words = Math.max(...title.split(" ").map((word) => sheet.measure(word, { size, weight: "bold" })))
    const wanted = Math.max(longest, words) + padding + 2
    return { wanted, least: isWhole ? wanted : Math.min(wanted, Math.max(narrowest, words + padding + 2)) }
  })
}

function cut(sheet: Sheet, text: string, width: number, size: number, weight: "regular" | "bold" = "regular"): string {
  if (sheet.measure(text, { size, weight }) <= width) return text
  const [first] = sheet.wrap(text.replaceAll(" ", "\u00a0"), width - 6, { size, weight })
  return `${first}…`
}

function foot(
  sheet: Sheet,
  { organisation, title }: ReportHead,
  { width, bottom }: Page,
  page: number,
  pages: number,
): void {
  const style = { size: 7.5, color: muted } as const
  sheet.text(`${organisation.name} · ${title}`, margin, bottom + 16, style)
  sheet.text(`Page ${page} of ${pages}`, margin, bottom + 16, { ...style, align: "right", width })
}
