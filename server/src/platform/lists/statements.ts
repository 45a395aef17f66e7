import { type ListWords, tabsOf } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../database/database.ts"
import type { Asked, Place } from "./place.ts"
import type { Figures, SourceCx, Summary } from "./source.ts"

/**
 * The statements of one list. Most lists have `SelectStatements`, composed from one select; lists with a million rows
 * have statements of their own (`SqlFileStatements`).
 */
export interface ListStatements {
  /** A page with the figures of every tab. */
  page(tx: Tx, asked: Asked, cx: SourceCx, place: Place, summary?: Summary): Promise<FoundPage>
  /** The rows of a page whose place depends on the figures, or of a search that matches more than it collects. */
  rows(tx: Tx, asked: Asked, cx: SourceCx, place: Place, found: FoundPage): Promise<StoredRow[]>
  /** The figures without a search, counted to the end. */
  figures(tx: Tx, asked: Asked, cx: SourceCx): Promise<Figures>
  /** Every matching row with these columns, or those of some ids, for a file. */
  export(asked: object, cx: SourceCx, columns: readonly string[], read?: ExportRead): SQL
  /** How many matches a search collects and counts. */
  searchLimit(asked: Asked, cx: SourceCx): number
  /** Where counting without a search stops. */
  countLimit(asked: Asked, cx: SourceCx): number | undefined
  /** The main statements by name, for docs/sql and tests. */
  written(asked: object, cx: SourceCx): Record<string, SQL>
}

export interface FoundPage {
  rows: StoredRow[]
  figures: Figures
  /** Whether a search matches more rows than it collects. */
  overflows?: boolean
  /** Of an overflowing search: the last collected row that the page can contain. */
  bound?: string | null
  summary?: unknown
}

export interface StoredRow {
  id: string
}

/** Which rows a file contains, and whether in the list's order. */
export interface ExportRead {
  only?: string[] | undefined
  isOrdered?: boolean
}

/** The ids of a filter, separated by commas, as an array. */
export const ids = (value: unknown): SQL => sql`${sql.param(String(value).split(","))}::uuid[]`

/** The values of the tabs' column in a tab, narrowed by a filter on the same column; undefined without tabs. */
export function shownValues(
  declared: ListWords,
  asked: object,
  tab = (asked as Partial<Asked>).tab,
): readonly string[] | undefined {
  const { tabs, filters } = declared
  if (!tabs) return undefined
  const [key] = Object.entries(filters ?? {}).find(([name, { of = name }]) => of === tabs.by) ?? []
  const chosen = key === undefined ? undefined : (asked as Asked)[key]
  const values = tabs.views[tab ?? tabsOf(declared)[0]!]!.values
  return chosen === undefined ? values : values.filter((value) => value === chosen)
}

/** All values of the tabs' column. */
export const tabValues = ({ tabs }: ListWords): string[] => [
  ...new Set(Object.values(tabs?.views ?? {}).flatMap((view) => view.values)),
]
