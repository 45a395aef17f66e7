/** What pdfkit keeps of a font that it embeds, as far as texts are put into pages here. */
export interface EmbeddedFont {
  id: string
  /** In thousandths of the size, as all its measures. */
  ascender: number
  /** The font itself, as it was read; it may be handed to other documents. */
  font: { characterSet: readonly number[]; glyphForCodePoint(codePoint: number): unknown }
  /** The words that were shaped, for as long as the document lasts. */
  layoutCache: Record<string, Layout>
  ref(): unknown
  /** With one argument it keeps what it shaped, word by word. */
  layout(text: string): Layout
  /** The glyphs as the document's own subset of the font numbers them. */
  encode(text: string): [hexes: string[], positions: Position[]]
}

interface Layout {
  glyphs: { id: number }[]
  positions: Position[]
  advanceWidth: number
}

interface Position {
  xAdvance: number
  xOffset: number
  yOffset: number
}

/** A sign that is one glyph. */
interface Sign {
  layout: Layout
  glyph: number
  width: number
}

/**
 * The signs of a font and the kerning of each two of them, which are asked of it once a process: they are the same in every
 * document. There are no more of them than the font has signs, whatever the texts say.
 */
export class Signs {
  readonly #signs = new Map<string, Sign | undefined>()
  readonly #kernings = new Map<string, Map<string, number | undefined>>()

  /** Undefined of what is more than one glyph where it stands. */
  sign(font: EmbeddedFont, sign: string): Sign | undefined {
    if (!this.#signs.has(sign)) this.#signs.set(sign, askedSign(font, sign))
    return this.#signs.get(sign)
  }

  /** How much nearer two signs stand than side by side, below zero; undefined where they are more than two signs. */
  kerning(font: EmbeddedFont, one: string, other: string): number | undefined {
    const after = this.#kernings.get(one) ?? new Map<string, number | undefined>()
    if (after.size === 0) this.#kernings.set(one, after)
    if (!after.has(other)) after.set(other, this.#askedKerning(font, one, other))
    return after.get(other)
  }

  #askedKerning(font: EmbeddedFont, one: string, other: string): number | undefined {
    const [first, second] = [this.sign(font, one), this.sign(font, other)]
    const { glyphs, positions } = font.layout(one + other)
    const isPlain = glyphs.length === 2 && glyphs[0]!.id === first?.glyph && glyphs[1]!.id === second?.glyph
    if (!isPlain || positions.some(isMoved) || positions[1]!.xAdvance !== second?.width) return undefined
    return positions[0]!.xAdvance - first!.width
  }
}

function askedSign(font: EmbeddedFont, sign: string): Sign | undefined {
  const layout = font.layout(sign)
  const { glyphs, positions } = layout
  if (glyphs.length !== 1 || positions.some(isMoved)) return undefined
  return { layout, glyph: glyphs[0]!.id, width: positions[0]!.xAdvance }
}

const isMoved = ({ xOffset, yOffset }: Position): boolean => Boolean(xOffset || yOffset)

/** A text as a page shows it. */
export interface Shape {
  /** In thousandths of the size. */
  width: number
  /** What the operator TJ takes. */
  operand: string
}

/**
 * Texts of a document in one font, put together from its signs and their kerning: shaping each word anew took most of the
 * time of a long table, and keeping the words most of its memory. What is more than signs side by side (a mark above
 * another, signs that become one) has no shape here: pdfkit draws that.
 */
export class Shapes {
  readonly #font: EmbeddedFont
  readonly #signs: Signs
  /** Of each sign its glyph's number in the document's subset of the font, and its width. */
  readonly #embedded = new Map<string, { hex: string; width: number } | undefined>()

  constructor(font: EmbeddedFont, signs: Signs) {
    this.#font = font
    this.#signs = signs
  }

  of(text: string): Shape | undefined {
    let width = 0
    let glyphs = ""
    let before: string | undefined
    for (const sign of text) {
      const known = this.#sign(sign)
      const kerning = before === undefined ? 0 : this.#signs.kerning(this.#font, before, sign)
      if (known === undefined || kerning === undefined) return undefined
      if (kerning !== 0) glyphs += `> ${Math.round(-kerning * 1_000) / 1_000} <`
      glyphs += known.hex
      width += kerning + known.width
      before = sign
    }
    return { width, operand: `[<${glyphs}>]` }
  }

  #sign(sign: string): { hex: string; width: number } | undefined {
    if (!this.#embedded.has(sign)) this.#embedded.set(sign, this.#embed(sign))
    return this.#embedded.get(sign)
  }

  #embed(sign: string): { hex: string; width: number } | undefined {
    const known = this.#signs.sign(this.#font, sign)
    if (!known) return undefined
    // What another document has shaped is not shaped again to be numbered.
    this.#font.layoutCache[sign] ??= known.layout
    const [[hex]] = this.#font.encode(sign)
    return { hex: hex!, width: known.width }
  }
}
