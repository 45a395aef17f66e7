import { type ListWords, tabsOf } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../database/database.ts"
import type { ListRequest, PagePosition } from "./place.ts"
import type { Figures, SourceCx, Summary } from "./source.ts"

/**
 * The statements of one list: usually `SelectStatements`, composed from one select. Lists with a million rows use
 * `SqlFileStatements`.
 */
export interface ListStatements {
  page(tx: Tx, asked: ListRequest, cx: SourceCx, place: PagePosition, summary?: Summary): Promise<FoundPage>
  rows(tx: Tx, asked: ListRequest, cx: SourceCx, place: PagePosition, found: FoundPage): Promise<StoredRow[]>
  figures(tx: Tx, asked: ListRequest, cx: SourceCx): Promise<Figures>
  export(asked: object, cx: SourceCx, columns: readonly string[], read?: ExportOptions): SQL
  searchLimit(asked: ListRequest, cx: SourceCx): number
  countLimit(asked: ListRequest, cx: SourceCx): number | undefined
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

export interface ExportOptions {
  only?: string[] | undefined
  isOrdered?: boolean
}

export const idArray = (value: unknown): SQL => sql`${sql.param(String(value).split(","))}::uuid[]`

export function selectedTabValues(
  declared: ListWords,
  asked: object,
  tab = (asked as Partial<ListRequest>).tab,
): readonly string[] | undefined {
  const { tabs, filters } = declared
  if (!tabs) return undefined
  const [key] = Object.entries(filters ?? {}).find(([name, { of = name }]) => of === tabs.by) ?? []
  const chosen = key === undefined ? undefined : (asked as ListRequest)[key]
  const values = tabs.views[tab ?? tabsOf(declared)[0]!]!.values
  return chosen === undefined ? values : values.filter((value) => value === chosen)
}

export const tabValues = ({ tabs }: ListWords): string[] => [
  ...new Set(Object.values(tabs?.views ?? {}).flatMap((view) => view.values)),
]
