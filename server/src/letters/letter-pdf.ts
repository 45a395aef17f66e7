import { type Day, type DayFormat, formatDay } from "@milkwood/domain/kernel/calendar"
import type { LetterRow, LetterWording } from "@milkwood/domain/letters/letter"
import { addPage, drawFooters, type Letterhead, letterhead, pageBounds } from "../platform/pdf/letter.ts"
import { muted, type Sheet, teal } from "../platform/pdf/pdf-sheet.ts"
import type { PdfTemplate } from "../platform/pdf/pdf-worker.ts"

export interface LetterDocument {
  organisation: Letterhead
  dateFormat: DayFormat
  createdAt: string
  on: Day
  wording: LetterWording
}

const { left, right, width, bottom } = pageBounds
const body = { size: 10 } as const
const leading = 14.5
const paragraphGap = 9
const valueWidth = 170

const template: PdfTemplate<LetterDocument> = {
  about: ({ wording, organisation, createdAt }) => ({
    title: `${wording.title} ${wording.reference}`,
    author: organisation.name,
    createdAt,
  }),
  draw(sheet, document) {
    const { wording } = document
    const page = new Page(sheet, wording)
    addPage(sheet)
    page.y = letterhead(sheet, document.organisation, "", "") + 14
    page.head(formatDay(document.on, document.dateFormat))
    const closing = wording.blocks.at(-1)
    wording.blocks.forEach((block, at) => {
      if ("rows" in block) page.table(block.rows)
      else if (at === wording.blocks.length - 2 && closing && "text" in closing)
        page.paragraph(block.text, closing.text)
      else page.paragraph(block.text)
    })
    drawFooters(sheet, document.organisation)
  },
}
export default template

class Page {
  y = 0
  readonly #sheet: Sheet
  readonly #wording: LetterWording

  constructor(sheet: Sheet, wording: LetterWording) {
    this.#sheet = sheet
    this.#wording = wording
  }

  #room(height: number): void {
    if (this.y + height <= bottom) return
    addPage(this.#sheet)
    this.#sheet.text(`${this.#wording.reference}, continued`, left, 30, { size: 8.5, color: muted })
    this.y = 52
  }

  /** Addressee on the left, date and reference on the right, and the title. */
  head(day: string): void {
    const sheet = this.#sheet
    const { addressee, reference, title } = this.#wording
    const facts: [string, string][] = [
      ["Date", day],
      ["Our reference", reference],
    ]
    const x = right - 210
    facts.forEach(([name, value], index) => {
      sheet.text(name, x, this.y + index * leading, { color: muted })
      sheet.text(value, x, this.y + index * leading, { weight: "bold", align: "right", width: right - x })
    })
    const lines = addressee.flatMap((line) => sheet.wrap(line, x - left - 24, body))
    const under = sheet.lines(lines, left, this.y, leading, body)
    this.y = Math.max(under, this.y + facts.length * leading) + 26
    const words = sheet.wrap(title, width, { size: 15, weight: "bold" })
    this.y = sheet.lines(words, left, this.y, 20, { size: 15, weight: "bold", color: teal }) + 10
  }

  /**
   * The first line of a paragraph is never alone at the end of a page. The last two lines are on the page of `closing`,
   * the paragraph that follows.
   */
  paragraph(text: string, closing?: string): void {
    const lines = this.#sheet.wrap(text, width, body)
    const closingHeight = closing ? paragraphGap + this.#sheet.wrap(closing, width, body).length * leading : 0
    const keptFrom = closing ? (lines.length <= 3 ? 0 : lines.length - 2) : lines.length
    lines.forEach((line, index) => {
      const together = index === keptFrom ? lines.length - index : index === 0 ? Math.min(2, lines.length) : 1
      this.#room(leading * together + (index === keptFrom ? closingHeight : 0))
      this.#sheet.text(line, left, this.y, body)
      this.y += leading
    })
    this.y += paragraphGap
  }

  table(rows: readonly LetterRow[]): void {
    this.y += 2
    const labelWidth = width - valueWidth - 28
    for (const { label, value, isTotal } of rows) {
      const weight = isTotal ? "bold" : "regular"
      const labels = this.#sheet.wrap(label, value ? labelWidth : width - 16, { size: 9.5, weight })
      const values = this.#sheet.wrap(value, valueWidth, { size: 9.5, weight: isTotal ? "bold" : "regular" })
      const height = Math.max(labels.length, values.length) * 13 + 9
      this.#room(height)
      if (isTotal) this.#sheet.box(left, this.y, width, height, "#e9f3f2", 3)
      const color = isTotal ? { color: teal } : value ? {} : { color: muted }
      this.#sheet.lines(labels, left + 8, this.y + 5, 13, { size: 9.5, weight, ...color })
      this.#sheet.lines(values, right - valueWidth - 8, this.y + 5, 13, {
        ...{ size: 9.5, weight, ...color },
        ...{ align: "right", width: valueWidth },
      })
      this.y += height
      if (!isTotal) this.#sheet.rule(left, this.y, width)
    }
    this.y += 13
  }
}
