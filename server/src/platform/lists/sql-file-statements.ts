import type { ListWords } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, seesAllGroups } from "../calls/actor.ts"
import type { Tx } from "../database/database.ts"
import { type SortColumns, type SortOrder, sortOrder } from "./order.ts"
import { type Asked, type Place, placeOf } from "./place.ts"
import { isAsOpened, PreparedPages } from "./prepared-pages.ts"
import type { Figures, SourceCx } from "./source.ts"
import { type Sorting, SqlFile, type Values } from "./sql-file.ts"
import {
  type ExportRead,
  type FoundPage,
  type ListStatements,
  type StoredRow,
  shownValues,
  tabValues,
} from "./statements.ts"

const otherTableLimit = 2_500

export interface SqlFileList {
  /** Path of a file with the statements page, figures, search, near, walk, rows and export. */
  file: string
  /** As in `ListSource`; each must also be a column of `key`. */
  sortColumns: SortColumns
  sharedColumns?: Record<string, readonly string[]>
  joinedColumns: readonly string[]
  /** `bound`: the first sort column of `key` bounds the rows. */
  values: (asked: Asked, cx: SourceCx, bound: Bound | null) => Values
  searchLimit: (asked: Asked, cx: SourceCx) => number
  countLimit?: (asked: Asked) => number | undefined
  page?: (asked: Asked, cx: SourceCx) => string
  figures?: (asked: Asked) => string
}

/** The first sort column is at most (`isLast`) or at least that of the row `key`. */
export interface Bound {
  column: string
  isLast: boolean
}

/** A list with a SQL file: finds the ids of a page first, then reads its rows. */
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

  async page(tx: Tx, asked: Asked, cx: SourceCx, place: Place): Promise<FoundPage> {
    const statement = () => this.#found(asked, cx, place)
    const isPrepared = seesAllGroups(cx.actor) && isAsOpened(this.#declared, asked)
    const found = (await (isPrepared
      ? tx.preparedRow<Found>(this.#prepared.get(asked, cx, statement))
      : tx.row<Found>(statement())))!
    const { ids, ...page } = found
    return { ...page, rows: found.overflows ? [] : await this.#rows(tx, ids, place, asked, cx) }
  }

  async rows(tx: Tx, asked: Asked, cx: SourceCx, place: Place, found: FoundPage): Promise<StoredRow[]> {
    const statement = found.overflows
      ? await this.#overflowing(tx, asked, cx, place, found.bound ?? undefined)
      : sql`select array(${this.#statement(this.#pageName(asked, cx), asked, cx, place)}) as ids`
    return this.#rows(tx, (await tx.row<Found>(statement))!.ids, place, asked, cx)
  }

  async figures(tx: Tx, asked: Asked, cx: SourceCx): Promise<Figures> {
    return (await tx.row<Found>(sql`select ${this.#figures(asked, cx)} as figures`))!.figures
  }

  searchLimit(asked: Asked, cx: SourceCx): number {
    return this.#list.searchLimit(asked, cx)
  }

  countLimit(asked: Asked): number | undefined {
    return asked.search ? undefined : this.#list.countLimit?.(asked)
  }

  export(asked: object, cx: SourceCx, columns: readonly string[], { only }: ExportRead = {}): SQL {
    const read = sql.join(
      columns.map((name) => sql`s.${sql.identifier(name)}`),
      sql`, `,
    )
    const place = { skip: 0, take: 0, back: false }
    return sql`select ${read} from (${this.#statement("export", asked as Asked, cx, place, { ids: only })}) s`
  }

  written(asked: object, cx: SourceCx): Record<string, SQL> {
    const page = asked as Asked
    const rows = this.#statement("rows", page, cx, placeOf(page), { ids: [] })
    return { page: this.#found(page, cx, placeOf(page)), rows }
  }

  order(input: { sort: string }, actor: Actor): SortOrder {
    const asked = ownGroup(input as Asked, actor)
    const isShared = (column: string) => this.#list.sharedColumns?.[column]?.some((key) => isOneId(asked[key])) ?? false
    return sortOrder(this.#declared, this.#list.sortColumns, asked.sort, isShared)
  }

  #pageName(asked: Asked, cx: SourceCx): string {
    return this.#list.page?.(asked, cx) ?? "page"
  }

  #found(asked: Asked, cx: SourceCx, place: Place): SQL {
    if (asked.search) return this.#statement("search", asked, cx, place, { figures: true })
    const ids = this.#statement(this.#pageName(asked, cx), asked, cx, place)
    return sql`select array(${ids}) as ids, ${this.#figures(asked, cx)} as figures`
  }

  #figures(asked: Asked, cx: SourceCx): SQL {
    // The joins of the order would prevent an index-only scan.
    const unsorted = { ...asked, sort: "id" }
    const figures = this.#statement(this.#list.figures?.(asked) ?? "figures", unsorted, cx, placeOf(asked))
    return sql`(select coalesce(jsonb_object_agg(value, figures), '{}') from (${figures}) each)`
  }

  /**
   * Next to a neighbour, rows are walked in order and compared. Otherwise the last collected match that the page can
   * contain is the bound: few rows before it are walked, many are collected and sorted.
   */
  async #overflowing(tx: Tx, asked: Asked, cx: SourceCx, place: Place, bound: string | undefined): Promise<SQL> {
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
  async #rows(tx: Tx, found: string[], place: Place, asked: Asked, cx: SourceCx): Promise<StoredRow[]> {
    if (found.length === 0) return []
    const ids = place.back ? found.toReversed() : found
    return tx.preparedRows<StoredRow>(this.#statement("rows", asked, cx, placeOf(asked), { ids }))
  }

  #statement(name: string, input: Asked, cx: SourceCx, place: Place, more: Values = {}): SQL {
    const asked = ownGroup(input, cx.actor)
    const order = this.order(asked, cx.actor)
    const { bound, ...values } = more
    const side = bound === undefined ? (asked.after ? "after" : asked.before ? "before" : undefined) : "until"
    const sorting: Sorting = { order, dir: asked.dir, back: place.back, side }
    const limit = this.searchLimit(asked, cx)
    const otherLimit = Math.min(limit, otherTableLimit)
    const reach = place.skip + place.take
    const statuses = shownValues(this.#declared, asked)
    const isNarrowed = statuses && statuses.length < tabValues(this.#declared).length
    const [first] = order.columns
    return this.#file.statement(
      name,
      {
        ...Object.fromEntries(order.columns.filter((column) => column !== "id").map((column) => [column, true])),
        ...filterValues(this.#declared, asked, cx),
        // With many groups, the condition would prevent the use of the sorting table's index.
        ...(isOfManyGroups(cx.actor) && this.#list.joinedColumns.includes(first!)
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

interface Found {
  ids: string[]
  figures: Figures
  overflows?: boolean
  bound?: string | null
}

const isOneId = (value: unknown): boolean => typeof value === "string" && !value.includes(",")

/** Adds the group filter for a reader of one group, so that rows are not sorted by a constant. */
function ownGroup(asked: Asked, actor: Actor): Asked {
  const isOne = actor.kind === "user" && !seesAllGroups(actor) && actor.groupIds.length === 1
  return isOne && asked.groupId === undefined ? { ...asked, groupId: actor.groupIds[0] } : asked
}

export const manyGroups = 10

const isOfManyGroups = (actor: Actor): boolean => actor.kind === "user" && actor.groupIds.length > manyGroups

/** Row-level security has the same condition; this one gives the planner a row estimate. `ownGroup` adds a single group. */
function ownGroupValues(asked: Asked, actor: Actor): Values {
  const isOwn = actor.kind === "user" && !seesAllGroups(actor) && asked.groupId === undefined
  return isOwn ? { group_ids: actor.groupIds } : {}
}

function filterValues({ filters = {}, tabs }: ListWords, asked: Asked, { timezone }: SourceCx): Values {
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
