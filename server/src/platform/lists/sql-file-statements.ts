import type { ListWords } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, seesAllGroups } from "../calls/actor.ts"
import type { Tx } from "../database/database.ts"
import { type SortColumns, type SortOrder, sortOrderOf } from "./order.ts"
import { type ListRequest, type PagePosition, pagePositionOf } from "./place.ts"
import { isInitialRequest, PreparedPages } from "./prepared-pages.ts"
import type { Figures, SourceCx } from "./source.ts"
import { SqlFile, type SqlFileSorting, type Values } from "./sql-file.ts"
import {
  type ExportOptions,
  type FoundPage,
  type ListStatements,
  type StoredRow,
  selectedTabValues,
  tabValues,
} from "./statements.ts"

const otherTableLimit = 2_500

export interface SqlFileList {
  /** Path of a file with the statements page, figures, search, near, walk, rows and export. */
  file: string
  /** As in `ListSource`; each column must also be in `key`. */
  sortColumns: SortColumns
  sharedColumns?: Record<string, readonly string[]>
  joinedColumns: readonly string[]
  /** `bound` limits the rows by the first sort column of `key`. */
  values: (asked: ListRequest, cx: SourceCx, bound: SortBound | null) => Values
  searchLimit: (asked: ListRequest, cx: SourceCx) => number
  countLimit?: (asked: ListRequest) => number | undefined
  page?: (asked: ListRequest, cx: SourceCx) => string
  figures?: (asked: ListRequest) => string
}

/** Limits rows by the first sort column of the row `key`: at most its value (`isLast`), or at least. */
export interface SortBound {
  column: string
  isLast: boolean
}

/** Statements of a list with a SQL file: find the ids of a page first, then read those rows. */
export class SqlFileStatements implements ListStatements {
  readonly #declared: ListWords
  readonly #list: SqlFileList
  readonly #file: SqlFile
  readonly #prepared = new PreparedPages()

  constructor(declared: ListWords, list: SqlFileList) {
    this.#declared = declared
    this.#list = list
    this.#file = new SqlFile(list.file)
  }

  async page(tx: Tx, asked: ListRequest, cx: SourceCx, place: PagePosition): Promise<FoundPage> {
    const statement = () => this.#found(asked, cx, place)
    const isPrepared = seesAllGroups(cx.actor) && isInitialRequest(this.#declared, asked)
    const found = (await (isPrepared
      ? tx.preparedRow<FoundIds>(this.#prepared.get(asked, cx, statement))
      : tx.row<FoundIds>(statement())))!
    const { ids, ...page } = found
    return { ...page, rows: found.overflows ? [] : await this.#rows(tx, ids, place, asked, cx) }
  }

  async rows(tx: Tx, asked: ListRequest, cx: SourceCx, place: PagePosition, found: FoundPage): Promise<StoredRow[]> {
    const statement = found.overflows
      ? await this.#overflowing(tx, asked, cx, place, found.bound ?? undefined)
      : sql`select array(${this.#statement(this.#pageName(asked, cx), asked, cx, place)}) as ids`
    return this.#rows(tx, (await tx.row<FoundIds>(statement))!.ids, place, asked, cx)
  }

  async figures(tx: Tx, asked: ListRequest, cx: SourceCx): Promise<Figures> {
    return (await tx.row<FoundIds>(sql`select ${this.#figures(asked, cx)} as figures`))!.figures
  }

  searchLimit(asked: ListRequest, cx: SourceCx): number {
    return this.#list.searchLimit(asked, cx)
  }

  countLimit(asked: ListRequest): number | undefined {
    return asked.search ? undefined : this.#list.countLimit?.(asked)
  }

  export(asked: object, cx: SourceCx, columns: readonly string[], { only }: ExportOptions = {}): SQL {
    const read = sql.join(
      columns.map((name) => sql`s.${sql.identifier(name)}`),
      sql`, `,
    )
    const place = { skip: 0, take: 0, back: false }
    return sql`select ${read} from (${this.#statement("export", asked as ListRequest, cx, place, { ids: only })}) s`
  }

  written(asked: object, cx: SourceCx): Record<string, SQL> {
    const page = asked as ListRequest
    const rows = this.#statement("rows", page, cx, pagePositionOf(page), { ids: [] })
    return { page: this.#found(page, cx, pagePositionOf(page)), rows }
  }

  order(input: { sort: string }, actor: Actor): SortOrder {
    const asked = withOwnGroup(input as ListRequest, actor)
    const isShared = (column: string) => this.#list.sharedColumns?.[column]?.some((key) => isOneId(asked[key])) ?? false
    return sortOrderOf(this.#declared, this.#list.sortColumns, asked.sort, isShared)
  }

  #pageName(asked: ListRequest, cx: SourceCx): string {
    return this.#list.page?.(asked, cx) ?? "page"
  }

  #found(asked: ListRequest, cx: SourceCx, place: PagePosition): SQL {
    if (asked.search) return this.#statement("search", asked, cx, place, { figures: true })
    const ids = this.#statement(this.#pageName(asked, cx), asked, cx, place)
    return sql`select array(${ids}) as ids, ${this.#figures(asked, cx)} as figures`
  }

  #figures(asked: ListRequest, cx: SourceCx): SQL {
    // The joins of the order would prevent an index-only scan.
    const unsorted = { ...asked, sort: "id" }
    const figures = this.#statement(this.#list.figures?.(asked) ?? "figures", unsorted, cx, pagePositionOf(asked))
    return sql`(select coalesce(jsonb_object_agg(value, figures), '{}') from (${figures}) each)`
  }

  /**
   * Next to a neighbour, rows are compared one by one in order. Otherwise the last collected match that the page can
   * contain is the bound. Few rows before it are compared in order; many are collected and sorted.
   */
  async #overflowing(
    tx: Tx,
    asked: ListRequest,
    cx: SourceCx,
    place: PagePosition,
    bound: string | undefined,
  ): Promise<SQL> {
    const walked = (values: Values) => sql`select array(${this.#statement("walk", asked, cx, place, values)}) as ids`
    if (asked.after ?? asked.before) return walked({})
    const few = Math.min(800 * (place.skip + place.take), 100_000)
    const near = this.#statement("near", asked, cx, place, { few, bound })
    const { is_near } = (await tx.row<{ is_near: boolean }>(near))!
    return is_near
      ? walked({ bound })
      : this.#statement("search", asked, cx, place, { bound, limit_more: null, other_limit_more: null })
  }

  /** The SQL text is constant, so that its plan is cached. */
  async #rows(tx: Tx, found: string[], place: PagePosition, asked: ListRequest, cx: SourceCx): Promise<StoredRow[]> {
    if (found.length === 0) return []
    const ids = place.back ? found.toReversed() : found
    return tx.preparedRows<StoredRow>(this.#statement("rows", asked, cx, pagePositionOf(asked), { ids }))
  }

  #statement(name: string, input: ListRequest, cx: SourceCx, place: PagePosition, more: Values = {}): SQL {
    const asked = withOwnGroup(input, cx.actor)
    const order = this.order(asked, cx.actor)
    const { bound, ...values } = more
    const side = bound === undefined ? (asked.after ? "after" : asked.before ? "before" : undefined) : "until"
    const sorting: SqlFileSorting = { order, dir: asked.dir, back: place.back, side }
    const limit = this.searchLimit(asked, cx)
    const otherLimit = Math.min(limit, otherTableLimit)
    const reach = place.skip + place.take
    const statuses = selectedTabValues(this.#declared, asked)
    const isNarrowed = statuses && statuses.length < tabValues(this.#declared).length
    const [first] = order.columns
    return this.#file.statement(
      name,
      {
        ...Object.fromEntries(order.columns.filter((column) => column !== "id").map((column) => [column, true])),
        ...filterValues(this.#declared, asked, cx),
        // With many groups, this condition would prevent the use of the sort column's index.
        ...(hasManyGroups(cx.actor) && this.#list.joinedColumns.includes(first!)
          ? {}
          : ownGroupValues(asked, cx.actor)),
        ...(seesAllGroups(cx.actor) ? { all_groups: true } : { own_groups: true }),
        statuses: isNarrowed ? statuses : undefined,
        search: asked.search ? true : undefined,
        key_id: (bound ?? asked.after ?? asked.before) as string | undefined,
        take: place.take,
        skip: place.skip,
        last: Math.max(reach, 1) - 1,
        reach,
        few: Math.min(400 * reach, 40_000),
        limit,
        limit_more: limit + 1,
        other_limit: otherLimit,
        other_limit_more: otherLimit + 1,
        ...this.#list.values(
          asked,
          cx,
          bound && !order.isNullsLast ? { column: first!, isLast: asked.dir === "asc" } : null,
        ),
        ...values,
      },
      sorting,
    )
  }
}

interface FoundIds {
  ids: string[]
  figures: Figures
  overflows?: boolean
  bound?: string | null
}

const isOneId = (value: unknown): boolean => typeof value === "string" && !value.includes(",")

/** Adds the group filter for a reader of one group, so that rows are not sorted by a constant. */
function withOwnGroup(asked: ListRequest, actor: Actor): ListRequest {
  const isOne = actor.kind === "user" && !seesAllGroups(actor) && actor.groupIds.length === 1
  return isOne && asked.groupId === undefined ? { ...asked, groupId: actor.groupIds[0] } : asked
}

export const manyGroupsThreshold = 10

const hasManyGroups = (actor: Actor): boolean => actor.kind === "user" && actor.groupIds.length > manyGroupsThreshold

/**
 * Repeats the row-level security condition, to give the planner a row estimate. `withOwnGroup` covers a single group.
 */
function ownGroupValues(asked: ListRequest, actor: Actor): Values {
  const isOwn = actor.kind === "user" && !seesAllGroups(actor) && asked.groupId === undefined
  return isOwn ? { group_ids: actor.groupIds } : {}
}

function filterValues({ filters = {}, tabs }: ListWords, asked: ListRequest, { timezone }: SourceCx): Values {
  const values: Values = { timezone }
  for (const [key, filter] of Object.entries(filters)) {
    const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (filter.kind === "days") {
      values[`${name}_from`] = asked[`${key}From`] as string | undefined
      values[`${name}_to`] = asked[`${key}To`] as string | undefined
    } else if (filter.kind === "record") Object.assign(values, idValues(name, asked[key] as string | undefined))
    else if (filter.kind === "flag") values[name] = asked[key] ? true : undefined
    else if ((filter.of ?? key) !== tabs?.by) values[name] = asked[key] as string | undefined
  }
  return values
}

const idValues = (name: string, ids: string | undefined): Values =>
  ids === undefined || isOneId(ids) ? { [name]: ids } : { [`${name}s`]: ids.split(",") }
