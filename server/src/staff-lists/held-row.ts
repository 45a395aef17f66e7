import type { SheetRow } from "@milkwood/domain/staff-lists/staff-list-rows"

/** Separators: control characters, which no field contains. */
const cellSeparator = "\u001f"
const rowSeparator = "\u001e"

/** Stores a row as one string, because many small strings would need several times the memory. */
export class PackedRow implements SheetRow {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  static of(line: number, cells: readonly string[]): PackedRow {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: The pattern finds characters that a cell must not contain.
    const plain = cells.map((cell) => (/[\u001e\u001f]/.test(cell) ? cell.replace(/[\u001e\u001f]/g, " ") : cell))
    return new PackedRow(`${line}${cellSeparator}${plain.join(cellSeparator)}`)
  }

  get line(): number {
    return Number.parseInt(this.#text, 10)
  }

  get cells(): string[] {
    return this.#text.split(cellSeparator).slice(1)
  }

  static write(rows: readonly PackedRow[]): string {
    return rows.map((row) => row.#text + rowSeparator).join("")
  }

  static parse(text: string): PackedRow[] {
    return text
      .split(rowSeparator)
      .slice(0, -1)
      .map((row) => new PackedRow(row))
  }
}
