import { setImmediate } from "node:timers/promises"
import PDFDocument from "pdfkit"
import { fontFile, fontRunsOf, type Weight } from "./pdf-fonts.ts"
import { CharacterCache, type EmbeddedFont, ShapeCache, type ShapedText } from "./pdf-shapes.ts"

export const a4 = { width: 595.28, height: 841.89 }

export interface TextStyle {
  size?: number
  weight?: Weight
  color?: string
  align?: "left" | "right"
  width?: number
}

/** Parsed fonts, once a process: parsing one takes as long as drawing a page. */
const openFonts = new Map<string, { font: EmbeddedFont["font"]; signs: CharacterCache }>()

/**
 * A font links each glyph to the characters that first requested it. A font subset requests glyph components by number
 * only. Without this call, later documents would draw such a glyph without readable text.
 */
function nameGlyphs(font: EmbeddedFont["font"]): void {
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint)
}

interface TextStretch {
  font: string
  text: string
  shape: ShapedText | undefined
  /** In thousandths of the font size. */
  width: number
}

/**
 * A PDF of A4 pages in Inter; positions are in points from the top left. Pages are kept until the end, so that
 * `onEachPage` can draw on them. With `isLong` each page is written when the next begins; `take` returns the written
 * bytes.
 */
export class Sheet {
  readonly #doc: PDFKit.PDFDocument
  readonly #fonts = new Map<string, { embedded: EmbeddedFont; shapes: ShapeCache }>()
  readonly #done: Promise<Buffer>
  #chunks: Buffer[] = []
  /** The current fill colour; undefined if unknown. */
  #color: string | undefined

  constructor(about: { title: string; author: string; createdAt: string }, { isLong = false } = {}) {
    this.#doc = new PDFDocument({
      size: [a4.width, a4.height],
      margin: 0,
      autoFirstPage: false,
      bufferPages: !isLong,
      lang: "en-ZA",
      displayTitle: true,
      pdfVersion: "1.7",
      // Without this option pdfkit embeds Helvetica.
      font: "",
      info: { Title: about.title, Author: about.author, Creator: "Milkwood", CreationDate: new Date(about.createdAt) },
    })
    this.#done = new Promise((resolve, reject) => {
      this.#doc.on("data", (chunk: Buffer) => this.#chunks.push(chunk))
      this.#doc.on("end", () => resolve(this.#taken()))
      this.#doc.on("error", reject)
    })
  }

  async take(): Promise<Buffer> {
    // A stream emits its data in later turns of the event loop.
    await setImmediate()
    return this.#taken()
  }

  #taken(): Buffer {
    const taken = Buffer.concat(this.#chunks)
    this.#chunks = []
    return taken
  }

  addPage(way: "portrait" | "landscape" = "portrait"): void {
    const { width, height } = a4
    this.#doc.addPage({ size: way === "portrait" ? [width, height] : [height, width], margin: 0 })
    this.#color = undefined
  }

  get pageCount(): number {
    return this.#doc.bufferedPageRange().count
  }

  #font(name: string): { embedded: EmbeddedFont; shapes: ShapeCache } {
    let font = this.#fonts.get(name)
    if (!font) {
      const opened = openFonts.get(name)
      this.#doc.registerFont(name, (opened?.font ?? fontFile(name)) as Buffer).font(name)
      if (!opened) setFeatures(this.#doc)
      const { _font: embedded } = this.#doc as unknown as { _font: EmbeddedFont }
      if (!opened) nameGlyphs(embedded.font)
      const { signs } = opened ?? { signs: new CharacterCache() }
      openFonts.set(name, { font: embedded.font, signs })
      font = { embedded, shapes: new ShapeCache(embedded, signs) }
      this.#fonts.set(name, font)
    }
    return font
  }

  #stretches(text: string, weight: Weight = "regular"): TextStretch[] {
    return fontRunsOf(text, weight).map((run) => {
      const { embedded, shapes } = this.#font(run.font)
      const shape = shapes.of(run.text)
      return { ...run, shape, width: shape?.width ?? embedded.layout(run.text).advanceWidth }
    })
  }

  /** The text's width on one line, in points. */
  measure(text: string, style: Pick<TextStyle, "size" | "weight"> = {}): number {
    return widthOf(this.#stretches(text, style.weight), style.size ?? 9)
  }

  text(text: string, x: number, y: number, style: TextStyle = {}): void {
    const { size = 9, weight, color = ink, align = "left", width = 0 } = style
    const stretches = this.#stretches(text, weight)
    let at = align === "right" ? x + width - widthOf(stretches, size) : x
    this.#fill(color)
    for (const stretch of stretches) {
      this.#write(stretch, at, y, size)
      at += widthOf([stretch], size)
    }
  }

  #write({ font: name, text, shape, width }: TextStretch, x: number, y: number, size: number): void {
    const { embedded } = this.#font(name)
    if (!shape) {
      const known: PDFKit.Mixins.TextOptions & { textWidth: number; wordCount: number } = {
        lineBreak: false,
        textWidth: (width * size) / 1_000,
        wordCount: 1,
      }
      this.#doc.font(name).fontSize(size).text(text, x, y, known)
      return
    }
    const { fonts } = this.#doc.page as unknown as { fonts: Record<string, unknown> }
    fonts[embedded.id] ??= embedded.ref()
    // pdfkit's y axis points down, so text must be flipped.
    const base = y + (embedded.ascender * size) / 1_000
    this.#doc.addContent(
      `BT /${embedded.id} ${size} Tf 1 0 0 -1 ${roundCoordinate(x)} ${roundCoordinate(base)} Tm ${shape.operand} TJ ET`,
    )
  }

  #fill(color: string): void {
    if (this.#color === color) return
    this.#doc.fillColor(color)
    this.#color = color
  }

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
    this.#color = color
  }

  /** `file`: PNG or JPEG. */
  picture(file: Uint8Array, x: number, y: number, size: { width: number; height: number }): void {
    this.#doc.image(file as Buffer, x, y, size)
  }

  watermark(text: string): void {
    const size = 110
    this.#doc.save()
    this.#doc.rotate(-35, { origin: [a4.width / 2, a4.height / 2] })
    const width = this.measure(text, { size, weight: "bold" })
    this.text(text, (a4.width - width) / 2, a4.height / 2 - size / 2, { size, weight: "bold", color: "#eef2f4" })
    this.#doc.restore()
    this.#color = undefined
  }

  onEachPage(draw: (page: number, pages: number) => void): void {
    const { start, count } = this.#doc.bufferedPageRange()
    for (let index = 0; index < count; index++) {
      this.#doc.switchToPage(start + index)
      this.#color = undefined
      draw(index + 1, count)
    }
  }

  finish(): Promise<Buffer> {
    this.#doc.end()
    return this.#done
  }
}

const widthOf = (stretches: readonly TextStretch[], size: number): number =>
  (stretches.reduce((width, stretch) => width + stretch.width, 0) * size) / 1_000

const roundCoordinate = (place: number): number => Math.round(place * 1_000) / 1_000

interface GlyphRun {
  glyphs: { id: number }[]
  positions: { xAdvance: number }[]
}

interface TextShaping {
  _font: { font: { layout(text: string, features?: unknown): GlyphRun } }
}

/**
 * Sets the font features for shaping: tabular figures, so that amounts align, and no contextual alternates. Features
 * passed with each text would disable pdfkit's word cache, which is ten times as slow for 1,200 lines.
 *
 * Inter's tabular figures include a hyphen as wide as a digit ("INV - 2026"), so hyphens keep their normal glyph.
 */
export function setFeatures(doc: PDFKit.PDFDocument): void {
  const { font } = (doc as unknown as TextShaping)._font
  const layout = font.layout.bind(font)
  const features = { tnum: true, kern: true, calt: false, liga: false, clig: false }
  const wide = layout("-", features).glyphs[0]!
  const { glyphs, positions } = layout("-", { ...features, tnum: false })
  const [hyphen, { xAdvance: hyphenAdvance }] = [glyphs[0]!, positions[0]!]
  font.layout = (text) => {
    const run = layout(text, features)
    run.glyphs.forEach((glyph, index) => {
      if (glyph.id !== wide.id) return
      run.glyphs[index] = hyphen
      run.positions[index]!.xAdvance = hyphenAdvance
    })
    return run
  }
}

export const ink = "#17212b"
export const muted = "#5b6875"
export const teal = "#0f5f5c"
