export interface EmbeddedFont {
  id: string
  /** In thousandths of the font size, like all measures of the font. */
  ascender: number
  font: { characterSet: readonly number[]; glyphForCodePoint(codePoint: number): unknown }
  layoutCache: Record<string, GlyphLayout>
  ref(): unknown
  layout(text: string): GlyphLayout
  /** Glyphs as numbered in the document's font subset. */
  encode(text: string): [hexes: string[], positions: GlyphPosition[]]
}

interface GlyphLayout {
  glyphs: { id: number }[]
  positions: GlyphPosition[]
  advanceWidth: number
}

interface GlyphPosition {
  xAdvance: number
  xOffset: number
  yOffset: number
}

interface ShapedCharacter {
  layout: GlyphLayout
  glyph: number
  width: number
}

/**
 * Characters of a font and their kerning pairs, cached per process because they are the same in every document. The
 * font's number of characters bounds the cache.
 */
export class CharacterCache {
  readonly #signs = new Map<string, ShapedCharacter | undefined>()
  readonly #kernings = new Map<string, Map<string, number | undefined>>()

  /** Undefined if the character needs more than one glyph. */
  sign(font: EmbeddedFont, sign: string): ShapedCharacter | undefined {
    if (!this.#signs.has(sign)) this.#signs.set(sign, shapeCharacter(font, sign))
    return this.#signs.get(sign)
  }

  /** Kerning of a pair, negative if closer; undefined if the pair does not shape to two glyphs. */
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

function shapeCharacter(font: EmbeddedFont, sign: string): ShapedCharacter | undefined {
  const layout = font.layout(sign)
  const { glyphs, positions } = layout
  if (glyphs.length !== 1 || positions.some(isMoved)) return undefined
  return { layout, glyph: glyphs[0]!.id, width: positions[0]!.xAdvance }
}

const isMoved = ({ xOffset, yOffset }: GlyphPosition): boolean => Boolean(xOffset || yOffset)

export interface ShapedText {
  /** In thousandths of the font size. */
  width: number
  /** Operand of the PDF operator TJ. */
  operand: string
}

/**
 * Texts of a document in one font, built from cached characters and kerning. Shaping each word took most of the time of
 * a long table, and caching words most of its memory. Combining marks and ligatures have no shape here; pdfkit draws
 * them.
 */
export class ShapeCache {
  readonly #font: EmbeddedFont
  readonly #signs: CharacterCache
  readonly #embedded = new Map<string, { hex: string; width: number } | undefined>()

  constructor(font: EmbeddedFont, signs: CharacterCache) {
    this.#font = font
    this.#signs = signs
  }

  of(text: string): ShapedText | undefined {
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
    this.#font.layoutCache[sign] ??= known.layout
    const [[hex]] = this.#font.encode(sign)
    return { hex: hex!, width: known.width }
  }
}
