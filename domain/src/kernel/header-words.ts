/** `row` counts from 0, -1 without a header row; `hits` is the number of fields named. */
export type FindHeader = (rows: readonly { cells: readonly string[] }[]) => { row: number; hits: number }

/** "RSA ID No." is `rsaidno`, "E-mail address" `emailaddress`. */
export function headerKey(header: string): string {
  return header
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
}

const maxSearchedRows = 40

/** Assigns a column (from 0; null = none) to one field and removes it from others. */
export function assignColumn<Columns extends object>(
  columns: Columns,
  field: keyof Columns & string,
  column: number | null,
): Columns {
  const others = Object.entries(columns).filter(([name, at]) => name !== field && at !== column)
  return Object.fromEntries(column === null ? others : [...others, [field, column]]) as Columns
}

/**
 * Known header texts per field, in `headerKey` form. On conflicts the first field wins; within a field, earlier texts.
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

  /** Suggests a column (from 0) per field: the remembered header, otherwise known texts. Each column at most once. */
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
   * The row among the first forty that names the most fields. If none names two, the first row with two filled cells,
   * for the user to assign columns.
   */
  find: FindHeader = (rows) => {
    let best = { row: -1, hits: 1 }
    for (const [row, { cells }] of rows.slice(0, maxSearchedRows).entries()) {
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
