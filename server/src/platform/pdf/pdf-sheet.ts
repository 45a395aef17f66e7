import PDFDocument from "pdfkit"
import { fontFile, runsOf, type Weight } from "./pdf-fonts.ts"

export const a4 = { width: 595.28, height: 841.89 }

export interface TextStyle {
  size?: number
  weight?: Weight
  color?: string
  /** Where the text stands in `width`; right-aligned text ends at x + width. */
  align?: "left" | "right"
  width?: number
}

/** A document of A4 pages in Inter, drawn by position in points from the top left corner. */
export class Sheet {
  readonly #doc: PDFKit.PDFDocument
  readonly #fonts = new Set<string>()
  readonly #done: Promise<Buffer>

  constructor(about: { title: string; author: string; createdAt: string }) {
    this.#doc = new PDFDocument({
      size: [a4.width, a4.height],
      margin: 0,
      autoFirstPage: false,
      bufferPages: true,
      lang: "en-ZA",
      displayTitle: true,
      pdfVersion: "1.7",
      // No standard font is ever used; without this pdfkit embeds Helvetica.
      font: "",
      info: { Title: about.title, Author: about.author, Creator: "Milkwood", CreationDate: new Date(about.createdAt) },
    })
    const chunks: Buffer[] = []
    this.#done = new Promise((resolve, reject) => {
      this.#doc.on("data", (chunk: Buffer) => chunks.push(chunk))
      this.#doc.on("end", () => resolve(Buffer.concat(chunks)))
      this.#doc.on("error", reject)
    })
  }

  addPage(way: "portrait" | "landscape" = "portrait"): void {
    const { width, height } = a4
    this.#doc.addPage({ size: way === "portrait" ? [width, height] : [height, width], margin: 0 })
  }

  get pageCount(): number {
    return this.#doc.bufferedPageRange().count
  }

  #use(font: string, size: number): void {
    const known = this.#fonts.has(font)
    if (!known) {
      this.#doc.registerFont(font, fontFile(font))
      this.#fonts.add(font)
    }
    this.#doc.font(font).fontSize(size)
    if (!known) setFeatures(this.#doc)
  }

  /** The width of a text on one line, in points. */
  measure(text: string, style: Pick<TextStyle, "size" | "weight"> = {}): number {
    return runsOf(text, style.weight ?? "regular").reduce((width, run) => {
      this.#use(run.font, style.size ?? 9)
      return width + this.#doc.widthOfString(run.text)
    }, 0)
  }

  /** One line of text with its top at y. */
  text(text: string, x: number, y: number, style: TextStyle = {}): void {
    const { size = 9, weight = "regular", color = ink } = style
    let at = style.align === "right" ? x + (style.width ?? 0) - this.measure(text, style) : x
    this.#doc.fillColor(color)
    for (const run of runsOf(text, weight)) {
      this.#use(run.font, size)
      const textWidth = this.#doc.widthOfString(run.text)
      const known: PDFKit.Mixins.TextOptions & { textWidth: number; wordCount: number } = {
        lineBreak: false,
        textWidth,
        wordCount: 1,
      }
      this.#doc.text(run.text, at, y, known)
      at += textWidth
    }
  }

  /** The text cut into lines no wider than `width`: between words, or inside one that is longer than a line. */
  wrap(text: string, width: number, style: Pick<TextStyle, "size" | "weight"> = {}): string[] {
    return text.split(/\r?\n/).flatMap((paragraph) => this.#wrapParagraph(paragraph, width, style))
  }

  #wrapParagraph(paragraph: string, width: number, style: Pick<TextStyle, "size" | "weight">): string[] {
    const lines: string[] = []
    let line = ""
    for (const word of paragraph.split(/ +/)) {
      const longer = line ? `${line} ${word}` : word
      if (this.measure(longer, style) <= width) {
        line = longer
        continue
      }
      if (line) lines.push(line)
      line = ""
      for (const sign of word) {
        if (line && this.measure(line + sign, style) > width) {
          lines.push(line)
          line = ""
        }
        line += sign
      }
    }
    return [...lines, line]
  }

  /** Lines of text below each other; answers the y under the last. */
  lines(lines: readonly string[], x: number, y: number, leading: number, style: TextStyle = {}): number {
    lines.forEach((line, index) => {
      this.text(line, x, y + index * leading, style)
    })
    return y + lines.length * leading
  }

  rule(x: number, y: number, width: number, color = "#d5dbe1", thickness = 0.6): void {
    this.#doc
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(thickness)
      .strokeColor(color)
      .stroke()
  }

  box(x: number, y: number, width: number, height: number, color: string, radius = 0): void {
    if (radius > 0) this.#doc.roundedRect(x, y, width, height, radius)
    else this.#doc.rect(x, y, width, height)
    this.#doc.fill(color)
  }

  /** A word across the page, behind whatever is drawn after it. */
  watermark(text: string): void {
    const size = 110
    this.#doc.save()
    this.#doc.rotate(-35, { origin: [a4.width / 2, a4.height / 2] })
    const width = this.measure(text, { size, weight: "bold" })
    this.text(text, (a4.width - width) / 2, a4.height / 2 - size / 2, { size, weight: "bold", color: "#eef2f4" })
    this.#doc.restore()
  }

  /** Draws on every page once all of them are there: page numbers know how many there are. */
  onEachPage(draw: (page: number, pages: number) => void): void {
    const { start, count } = this.#doc.bufferedPageRange()
    for (let index = 0; index < count; index++) {
      this.#doc.switchToPage(start + index)
      draw(index + 1, count)
    }
  }

  finish(): Promise<Buffer> {
    this.#doc.end()
    return this.#done
  }
}

interface Shaping {
  _font: { font: { layout(text: string, features?: unknown): unknown } }
}

/**
 * Makes figures of one width the current font's own way of shaping, so that amounts stand under each other, and leaves
 * out what Inter does for source code (contextual alternates). Asked for with each text, as pdfkit has it, features
 * would switch off its cache of shaped words: 1,200 lines then take ten times as long.
 */
export function setFeatures(doc: PDFKit.PDFDocument): void {
  const { font } = (doc as unknown as Shaping)._font
  const layout = font.layout.bind(font)
  font.layout = (text) => layout(text, { tnum: true, kern: true, calt: false, liga: false, clig: false })
}

export const ink = "#17212b"
export const muted = "#5b6875"
export const teal = "#0f5f5c"
