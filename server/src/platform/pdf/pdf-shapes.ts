/** What pdfkit keeps of a font that it embeds, as far as texts are put into pages here. */
export interface EmbeddedFont {
  id: string
  /** In thousandths of the size, as all its measures. */
  ascender: number
  ref(): unknown
  /** With one argument it keeps what it shaped, word by word, for as long as the document lasts. */
  layout(text: string): { glyphs: { id: number }[]; positions: Position[]; advanceWidth: number }
  /** The glyphs as the document's own subset of the font numbers them. */
  encode(text: string): [hexes: string[], positions: Position[]]
}

interface Position {
  xAdvance: number
  xOffset: number
  yOffset: number
}

interface Sign {
  hex: string
  glyph: number
  width: number
}

/** A text as a page shows it. */
export interface Shape {
  /** In thousandths of the size. */
  width: number
  /** What the operator TJ takes. */
  operand: string
}

/**
 * Texts in one font, put together from its signs and the kerning of each two of them, which are asked of the font once a
 * document: shaping each word anew took most of the time of a long table, and keeping the words most of its memory. What
 * is more than signs side by side (a mark above another, signs that become one) has no shape here: pdfkit draws that.
 */
export class Shapes {
  readonly #font: EmbeddedFont
  readonly #signs = new Map<string, Sign | undefined>()
  readonly #kernings = new Map<string, Map<string, number | undefined>>()

  constructor(font: EmbeddedFont) {
    this.#font = font
  }

  of(text: string): Shape | undefined {
    let width = 0
    let glyphs = ""
    let before: string | undefined
    for (const sign of text) {
      const known = this.#sign(sign)
      const kerning = before === undefined ? 0 : this.#kerning(before, sign)
      if (known === undefined || kerning === undefined) return undefined
      if (kerning !== 0) glyphs += `> ${Math.round(-kerning * 1_000) / 1_000} <`
      glyphs += known.hex
      width += kerning + known.width
      before = sign
    }
    return { width, operand: `[<${glyphs}>]` }
  }

  #sign(sign: string): Sign | undefined {
    if (!this.#signs.has(sign)) this.#signs.set(sign, this.#asked(sign))
    return this.#signs.get(sign)
  }

  #asked(sign: string): Sign | undefined {
    const { glyphs, positions } = this.#font.layout(sign)
    if (glyphs.length !== 1 || positions.some(isMoved)) return undefined
    const [[hex]] = this.#font.encode(sign)
    return { hex: hex!, glyph: glyphs[0]!.id, width: positions[0]!.xAdvance }
  }

  /** How much nearer two signs stand than side by side; below zero. */
  #kerning(one: string, other: string): number | undefined {
    const after = this.#kernings.get(one) ?? new Map<string, number | undefined>()
    this.#kernings.set(one, after)
    if (!after.has(other)) after.set(other, this.#askedOf(one, other))
    return after.get(other)
  }

  #askedOf(one: string, other: string): number | undefined {
    const [first, second] = [this.#sign(one), this.#sign(other)]
    const { glyphs, positions } = this.#font.layout(one + other)
    const isPlain = glyphs.length === 2 && glyphs[0]!.id === first?.glyph && glyphs[1]!.id === second?.glyph
    if (!isPlain || positions.some(isMoved) || positions[1]!.xAdvance !== second?.width) return undefined
    return positions[0]!.xAdvance - first!.width
  }
}

const isMoved = ({ xOffset, yOffset }: Position): boolean => Boolean(xOffset || yOffset)
