import type { SheetRow } from "@milkwood/domain/staff-lists/staff-list-rows"

/** Separators: control characters, which no field contains. */
const betweenCells = "\u001f"
const betweenRows = "\u001e"

/** One string per row: many small strings would need several times the memory. */
export class PackedRow implements SheetRow {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  static of(line: number, cells: readonly string[]): PackedRow {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: The pattern finds characters that a cell must not contain.
    const plain = cells.map((cell) => (/[\u001e\u001f]/.test(cell) ? cell.replace(/[\u001e\u001f]/g, " ") : cell))
    return new PackedRow(`${line}${betweenCells}${plain.join(betweenCells)}`)
  }

  get line(): number {
    return Number.parseInt(this.#text, 10)
  }

  get cells(): string[] {
    return this.#text.split(betweenCells).slice(1)
  }

  static write(rows: readonly PackedRow[]): string {
    return rows.map((row) => row.#text + betweenRows).join("")
  }

  static parse(text: string): PackedRow[] {
    return text
      .split(betweenRows)
      .slice(0, -1)
      .map((row) => new PackedRow(row))
  }
}
