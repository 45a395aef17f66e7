import type { SheetRow } from "@milkwood/domain/staff-lists/staff-list-rows"

/** What stands between cells, and between rows: control characters, which no field keeps. */
const betweenCells = "\u001f"
const betweenRows = "\u001e"

/** A row held as one text: as many small ones, a long list would take several times the memory. */
export class HeldRow implements SheetRow {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  static of(line: number, cells: readonly string[]): HeldRow {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a cell must not hold.
    const plain = cells.map((cell) => (/[\u001e\u001f]/.test(cell) ? cell.replace(/[\u001e\u001f]/g, " ") : cell))
    return new HeldRow(`${line}${betweenCells}${plain.join(betweenCells)}`)
  }

  get line(): number {
    return Number.parseInt(this.#text, 10)
  }

  get cells(): string[] {
    return this.#text.split(betweenCells).slice(1)
  }

  /** Rows as one text that `parse` reads again. */
  static write(rows: readonly HeldRow[]): string {
    return rows.map((row) => row.#text + betweenRows).join("")
  }

  static parse(text: string): HeldRow[] {
    return text
      .split(betweenRows)
      .slice(0, -1)
      .map((row) => new HeldRow(row))
  }
}
