import { type ListWords, tabsOf } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../database/database.ts"
import type { Asked, Place } from "./place.ts"
import type { Figures, SourceCx, Summary } from "./source.ts"

/**
 * The statements of one list: usually `SelectStatements`, composed from one select. Lists with a million rows use
 * `SqlFileStatements`.
 */
export interface ListStatements {
  page(tx: Tx, asked: Asked, cx: SourceCx, place: Place, summary?: Summary): Promise<FoundPage>
  rows(tx: Tx, asked: Asked, cx: SourceCx, place: Place, found: FoundPage): Promise<StoredRow[]>
  figures(tx: Tx, asked: Asked, cx: SourceCx): Promise<Figures>
  export(asked: object, cx: SourceCx, columns: readonly string[], read?: ExportRead): SQL
  searchLimit(asked: Asked, cx: SourceCx): number
  countLimit(asked: Asked, cx: SourceCx): number | undefined
  /** The main statements by name, for docs/sql and tests. */
  written(asked: object, cx: SourceCx): Record<string, SQL>
}

export interface FoundPage {
  rows: StoredRow[]
  figures: Figures
  overflows?: boolean
  /** In an overflowing search, the last collected row that the page can contain. */
  bound?: string | null
  summary?: unknown
}

export interface StoredRow {
  id: string
}

export interface ExportRead {
  only?: string[] | undefined
  isOrdered?: boolean
}

export const ids = (value: unknown): SQL => sql`${sql.param(String(value).split(","))}::uuid[]`

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

export const tabValues = ({ tabs }: ListWords): string[] => [
  ...new Set(Object.values(tabs?.views ?? {}).flatMap((view) => view.values)),
]
