/** Where a sheet's header stands, from 0; -1 where it has no such row. `hits` is how many fields it names. */
export type FindHeader = (rows: readonly { cells: readonly string[] }[]) => { row: number; hits: number }

/** A header without case, accents, spaces and signs: "RSA ID No." is `rsaidno`, "E-mail address" `emailaddress`. */
export function headerKey(header: string): string {
  return header
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
}

/** In how many of a sheet's first rows the header is looked for. */
const searchedRows = 40

/** Has a column (from 0; null: none) stand for a field, and for that one alone: what stood for it before no longer does. */
export function assignColumn<Columns extends object>(
  columns: Columns,
  field: keyof Columns & string,
  column: number | null,
): Columns {
  const others = Object.entries(columns).filter(([name, at]) => name !== field && at !== column)
  return Object.fromEntries(column === null ? others : [...others, [field, column]]) as Columns
}

/**
 * What columns of people's lists are called: for each field the header texts that payroll programs and people use, as
 * `headerKey` writes them. The first field to claim one wins, and the first text of a field before its others.
 */
export class HeaderWords<Field extends string> {
  readonly #synonyms: Readonly<Record<Field, readonly string[]>>
  readonly #fieldOf: ReadonlyMap<string, Field>

  constructor(synonyms: Readonly<Record<Field, readonly string[]>>) {
    this.#synonyms = synonyms
    this.#fieldOf = new Map(
      [...this.#fields].reverse().flatMap((field) => synonyms[field].map((word) => [word, field] as const)),
    )
  }

  get #fields(): Field[] {
    return Object.keys(this.#synonyms) as Field[]
  }

  /**
   * Which column (from 0) stands for which field: what was used last time where that header is there again, then the
   * usual words. A column stands for one field at most.
   */
  suggest(headers: readonly string[], remembered: Partial<Record<Field, string>> = {}): Partial<Record<Field, number>> {
    const keys = headers.map(headerKey)
    const columns: Partial<Record<Field, number>> = {}
    const taken = new Set<number>()
    const claim = (field: Field, column: number) => {
      if (column < 0 || taken.has(column) || columns[field] !== undefined) return
      columns[field] = column
      taken.add(column)
    }
    for (const field of this.#fields) {
      const header = remembered[field]
      if (header) claim(field, keys.indexOf(headerKey(header)))
    }
    for (const field of this.#fields) for (const word of this.#synonyms[field]) claim(field, keys.indexOf(word))
    return columns
  }

  /**
   * Finds the header below titles and notes: the row among the first forty that names the most fields. Where none names
   * two, it is the first row with two filled cells, for people to say which column is what.
   */
  find: FindHeader = (rows) => {
    let best = { row: -1, hits: 1 }
    for (const [row, { cells }] of rows.slice(0, searchedRows).entries()) {
      const hits = this.#hits(cells)
      if (hits > best.hits) best = { row, hits }
    }
    if (best.row >= 0) return best
    return { row: rows.findIndex(({ cells }) => cells.filter((cell) => cell.trim()).length >= 2), hits: 0 }
  }

  #hits(cells: readonly string[]): number {
    return new Set(cells.flatMap((cell) => this.#fieldOf.get(headerKey(cell)) ?? [])).size
  }
}
