import type { Filter, ListInput, ListWords } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { seesAllGroups } from "../calls/actor.ts"
import type { Tx } from "../database/database.ts"
import { normalizeSearchText, searchPattern } from "../database/like.ts"
import { cursorCondition, orderBy, type SortColumns, type SortOrder, sortOrderOf, sourceColumn } from "./order.ts"
import { type ListRequest, type PagePosition, pagePositionOf } from "./place.ts"
import { isInitialRequest, PreparedPages } from "./prepared-pages.ts"
import type { Figures, ListSource, OrderBound, SearchMatch, SourceCx, Summary } from "./source.ts"
import {
  type ExportOptions,
  type FoundPage,
  idArray,
  type ListStatements,
  type StoredRow,
  selectedTabValues,
  tabValues,
} from "./statements.ts"

/** Maximum matches that a search collects, and maximum ids that it reads from another table. */
const maxSearchHits = 10_000
const maxOtherTableHits = 2_500

const all = (conditions: SQL[]): SQL => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)
const any = (conditions: SQL[]): SQL => sql`(${sql.join(conditions, sql` or `)})`
const otherHitsTable = (index: number): SQL => sql.raw(`others_${index + 1}`)

/**
 * The statements of a list composed from one select, in this shape:
 *
 *     with source as (select …),
 *       hits as (…),                      -- only with a search: up to 10 000 matches
 *       found as (select id from source where … order by … limit …)
 *     select (…) as rows, (…) as figures  -- the rows of the page; counts and sums by tab
 */
export class SelectStatements<D extends ListWords, Row> implements ListStatements {
  readonly declared: D
  readonly source: ListSource<D, Row>
  readonly #prepared = new PreparedPages()
  /** Filters that do not narrow the totals (see `CardStatements`). */
  protected readonly viewFilters: ViewFilters = { names: [], columns: [] }

  constructor(declared: D, source: ListSource<D, Row>) {
    this.declared = declared
    this.source = source
  }

  async page(tx: Tx, asked: ListRequest, cx: SourceCx, place: PagePosition, summary?: Summary): Promise<FoundPage> {
    const statement = () => this.pageStatement(asked, cx, place, { summary })
    const isPrepared = !summary && seesAllGroups(cx.actor) && isInitialRequest(this.declared, asked)
    return (await (isPrepared
      ? tx.preparedRow<FoundPage>(this.#prepared.get(asked, cx, statement))
      : tx.row<FoundPage>(statement())))!
  }

  async rows(
    tx: Tx,
    asked: ListRequest,
    cx: SourceCx,
    place: PagePosition,
    { overflows, bound = null }: FoundPage,
  ): Promise<StoredRow[]> {
    const statement = overflows
      ? this.overflowStatement(asked, cx, bound, place)
      : this.pageStatement(asked, cx, place, { hasFigures: false })
    return (await tx.row<FoundPage>(statement))!.rows
  }

  async figures(tx: Tx, asked: ListRequest, cx: SourceCx): Promise<Figures> {
    const figures = this.figuresOf(asked, cx, true)
    return (await tx.row<FoundPage>(sql`${this.#source(asked, cx)}
select (select coalesce(jsonb_object_agg(value, figures), '{}') from (${figures}) each) as figures`))!.figures
  }

  searchLimit(_asked: ListRequest, _cx: SourceCx): number {
    return maxSearchHits
  }

  countLimit({ search }: ListRequest, _cx: SourceCx): number | undefined {
    return search ? undefined : this.source.countLimit
  }

  written(asked: object, cx: SourceCx): Record<string, SQL> {
    return { page: this.pageStatement(asked as ListRequest, cx) }
  }

  order(asked: { sort: string }): SortOrder {
    return sortOrderOf(this.declared, (this.source.sortColumns ?? {}) as SortColumns, asked.sort)
  }

  /** Records and flags use internal `_` columns. */
  #filterColumn(key: string, { kind, of }: Filter): string {
    return of ?? (kind === "record" || kind === "flag" ? `_${key}` : key)
  }

  #condition(key: string, filter: Filter, asked: ListRequest, cx: SourceCx): SQL[] {
    const value = asked[key]
    const own = this.source.filters?.[key]
    const by = sourceColumn(this.#filterColumn(key, filter))
    if (filter.kind === "days") {
      // Instants instead of days, so that an index on the instant is used.
      const at = (day: unknown, later: string) =>
        filter.of?.endsWith("At")
          ? sql`((${day}::date${sql.raw(later)})::timestamp at time zone ${cx.timezone})`
          : sql`(${day}::date${sql.raw(later)})`
      const [from, to] = [asked[`${key}From`], asked[`${key}To`]]
      return [...(from ? [sql`${by} >= ${at(from, "")}`] : []), ...(to ? [sql`${by} < ${at(to, " + 1")}`] : [])]
    }
    if (value === undefined || value === false || (filter.of ?? key) === this.declared.tabs?.by) return []
    if (own) return [own(value as never, cx)]
    if (filter.kind === "record")
      return [String(value).includes(",") ? sql`${by} = any (${idArray(value)})` : sql`${by} = ${value}`]
    return [filter.kind === "flag" ? by : sql`${by} = ${value}`]
  }

  #filters(asked: ListRequest, cx: SourceCx, isOfView: boolean): SQL[] {
    return Object.entries(this.declared.filters ?? {}).flatMap(([key, filter]) =>
      this.viewFilters.names.includes(key) === isOfView ? this.#condition(key, filter, asked, cx) : [],
    )
  }

  /** Conditions for every tab. */
  #conditions(asked: ListRequest, cx: SourceCx): SQL[] {
    const { actor } = cx
    const conditions = this.#filters(asked, cx, false)
    if (this.source.groupScoped && actor.kind === "user" && !seesAllGroups(actor)) {
      // Repeats the row-level security condition, so that the planner can estimate the number of rows.
      const [only, more] = actor.groupIds
      const own = sourceColumn("_groupId")
      conditions.push(only && !more ? sql`${own} = ${only}` : sql`${own} = any (${sql.param(actor.groupIds)}::uuid[])`)
    }
    return conditions
  }

  /** The tab and view filters, which do not affect the totals. */
  #inView(asked: ListRequest, cx: SourceCx): SQL[] {
    const conditions = this.#filters(asked, cx, true)
    const { tabs } = this.declared
    const values = selectedTabValues(this.declared, asked)
    if (!tabs || !values || values.length === tabValues(this.declared).length) return conditions
    return [...conditions, sql`${sourceColumn(tabs.by)} = any (${sql.param([...values])}::text[])`]
  }

  /** A not-null condition lets PostgreSQL start from the index of a joined table. */
  #isSorted(order: SortOrder): SQL[] {
    const [first] = order.columns
    return first!.startsWith("_") && !order.isNullsLast ? [sql`${sourceColumn(first!)} is not null`] : []
  }

  #matches(asked: ListRequest, cx: SourceCx): SearchMatch[] {
    const search = normalizeSearchText(asked.search)
    return this.source.search!(searchPattern(search), cx, search)
  }

  #placing(order: SortOrder): string[] {
    const { tabs } = this.declared
    return [...order.columns, ...(tabs ? [tabs.by] : [])]
  }

  /** Reads from the collected matches of a search, otherwise from the source. */
  #matching(asked: ListRequest, cx: SourceCx, more: SQL[]): SQL {
    if (asked.search) return sql`from hits s where ${all(more)}`
    return sql`from source s where ${all([...this.#conditions(asked, cx), ...more])}`
  }

  /** Compares every row with the search text; collects no matches first. */
  #compared(asked: ListRequest, cx: SourceCx, more: SQL[]): SQL {
    const search = any(this.#matches(asked, cx).map(({ like }) => like))
    return sql`from source s where ${all([...this.#conditions(asked, cx), search, ...more])}`
  }

  /**
   * The search matches as `hits`, with the columns that sort, count and sum them, and whether the limit was exceeded.
   * `within`: collects without a limit, up to a bound of the order.
   */
  #hits(asked: ListRequest, cx: SourceCx, within?: { more: SQL[]; bound?: OrderBound }): { ctes: SQL; overflow: SQL } {
    const { sums = [] } = this.declared
    const totals = Object.values(this.source.totals ?? {}).flatMap(({ of }) => of)
    const columns = new Set([...this.#placing(this.order(asked)), ...sums, ...totals, ...this.viewFilters.columns])
    const matches = this.#matches(asked, cx)
    const conditions = [...this.#conditions(asked, cx), ...(within?.more ?? [])]
    const limit = within ? sql`` : sql.raw(` limit ${maxSearchHits + 1}`)
    const limitOf = ({ column }: { column: string }) => (column === "id" ? maxSearchHits : maxOtherTableHits)
    const inOthers = matches.flatMap(({ by }, index) =>
      by
        ? [
            sql`\n${otherHitsTable(index)} as materialized (${by.ids(within ? undefined : limitOf(by) + 1, within?.bound)}\n),`,
          ]
        : [],
    )
    const branches = matches.map(({ like, by }, index) => {
      const is = by ? sql`${sourceColumn(by.column)} = any (array(select id from ${otherHitsTable(index)}))` : like
      const read = sql.join([...columns].map(sourceColumn), sql`, `)
      return sql`\n  (select ${read} from source s where ${all([...conditions, is])}${limit})`
    })
    const overflows = [
      sql`(select count(*) > ${sql.raw(String(maxSearchHits))} from hits)`,
      ...matches.flatMap(({ by }, index) =>
        by ? [sql`(select count(*) > ${sql.raw(String(limitOf(by)))} from ${otherHitsTable(index)})`] : [],
      ),
    ]
    return {
      ctes: sql`${sql.join(inOthers, sql``)}\nhits as materialized (${sql.join(branches, sql` union `)}\n),`,
      overflow: sql.join(overflows, sql` or `),
    }
  }

  #source(asked: object, cx: SourceCx): SQL {
    return sql`
with source as ${sql.raw(this.source.materialized ? "materialized" : "not materialized")} (${this.source.select(cx, asked as ListInput<D>)}
)`
  }

  /** Overridable, because an export may have columns that need a pass over all rows. */
  protected exportSelect(cx: SourceCx, asked: ListInput<D>): SQL {
    return this.source.select(cx, asked)
  }

  #key(order: SortOrder, id: string): SQL {
    return sql`
key as materialized (select ${sql.join(order.columns.map(sourceColumn), sql`, `)} from source s where s.id = ${id}
),`
  }

  #withRows(asked: ListRequest, cx: SourceCx, ctes: SQL, answers: SQL = sql``): SQL {
    const more = Object.entries(this.source.pageColumns?.(cx) ?? {}).map(
      ([name, value]) => sql`, ${value} as ${sql.identifier(name)}`,
    )
    return sql`${this.#source(asked, cx)},${ctes}
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.*${sql.join(more, sql``)} from found join source s on s.id = found.id order by ${orderBy(this.order(asked), asked.dir)}) shown) as rows${answers}`
  }

  /**
   * A page with figures by tab. A search also returns whether it exceeds the limit, and the last collected row that the
   * page can contain.
   */
  pageStatement(
    asked: ListRequest,
    cx: SourceCx,
    place: PagePosition = pagePositionOf(asked),
    { hasFigures = true, summary }: { hasFigures?: boolean; summary?: Summary | undefined } = {},
  ): SQL {
    const order = this.order(asked)
    const neighbour = asked.after ?? asked.before
    const beyond = neighbour ? [cursorCondition(order, asked.dir, asked.after ? "after" : "before")] : []
    const hits = asked.search ? this.#hits(asked, cx) : undefined
    const inView = this.#inView(asked, cx)
    const conditions = [...inView, ...this.#isSorted(order), ...beyond]
    const figures = sql`,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (${this.figuresOf(asked, cx)}) each) as figures`
    const overflow = sql`,
  ${hits?.overflow} as overflows, (
    select s.id from hits s where ${all(inView)}
    order by ${orderBy(order, asked.dir)} limit 1 offset ${sql.raw(String(place.skip + Math.max(place.take, 1) - 1))}) as bound`
    const summarised = summary
      ? sql`, (${summary.of(this.#allRows(asked, cx, summary.columns.map(sourceColumn), { isOrdered: summary.isOrdered }))}) as summary`
      : sql``
    return this.#withRows(
      asked,
      cx,
      sql`${neighbour ? this.#key(order, neighbour) : sql``}${hits?.ctes ?? sql``}
found as materialized (
  select s.id ${this.#matching(asked, cx, conditions)}
  order by ${orderBy(order, asked.dir, place.back)} limit ${sql.raw(`${place.take} offset ${place.skip}`)}
)`,
      sql`${hasFigures ? figures : sql``}${hasFigures && hits ? overflow : sql``}${summarised}`,
    )
  }

  /**
   * A page of a search with more matches than the limit. The last collected match that the page can contain is its
   * bound. With few rows before the bound (or after the previous page) each row is compared in order. Otherwise all
   * matches before the bound are found and sorted: for names that sort late, a walk in order would be slow.
   */
  overflowStatement(asked: ListRequest, cx: SourceCx, bound: string | null, place: PagePosition): SQL {
    const order = this.order(asked)
    const neighbour = asked.after ?? asked.before
    const inView = [...this.#inView(asked, cx), ...this.#isSorted(order)]
    const inOrder = sql`order by ${orderBy(order, asked.dir, place.back)} limit ${sql.raw(`${place.take} offset ${place.skip}`)}`
    if (neighbour) {
      const beyond = cursorCondition(order, asked.dir, asked.after ? "after" : "before")
      const walked = this.#compared(asked, cx, [...inView, beyond])
      return this.#withRows(
        asked,
        cx,
        sql`${this.#key(order, neighbour)}
found as materialized (
  select s.id ${walked} ${inOrder}
)`,
      )
    }
    const within = bound ? [cursorCondition(order, asked.dir, "before", "=")] : []
    const [first] = order.columns
    const firstBound: OrderBound = {
      column: first!,
      way: asked.dir === "asc" ? "<=" : ">=",
      value: sql`(select ${sql.identifier(first!)} from key)`,
    }
    const few = sql.raw(String(Math.min(800 * (place.skip + place.take), 100_000)))
    const isNear = sql`(select "isNear" from near)`
    const hits = this.#hits(asked, cx, {
      more: [sql`not ${isNear}`, ...within],
      ...(bound && !order.isNullsLast && { bound: firstBound }),
    })
    return this.#withRows(
      asked,
      cx,
      sql`${bound ? this.#key(order, bound) : sql``}
near as materialized (
  select count(*) < ${few} as "isNear" from (
    select from source s where ${all([...this.#conditions(asked, cx), ...within])} limit ${few}) counted
),${hits.ctes}
found as materialized (
  (select s.id ${this.#compared(asked, cx, [...inView, ...within, isNear])} ${inOrder})
  union all
  (select s.id from hits s where ${all(inView)} ${inOrder})
)`,
    )
  }

  /** A select of `value`, `figures`: count, sums and totals by tab. */
  protected figuresOf(asked: ListRequest, cx: SourceCx, isWhole = false): SQL {
    const { tabs, sums = [] } = this.declared
    const limit = isWhole ? undefined : this.countLimit(asked, cx)
    const view = this.#filters(asked, cx, true)
    const narrowed = view.length > 0 ? sql` filter (where ${all(view)})` : sql``
    if (limit !== undefined) {
      const counted = (more: SQL[]) =>
        sql`jsonb_build_object('count', (select count(*) from (select ${this.#matching(asked, cx, more)} limit ${limit + 1}) counted))`
      if (!tabs) return sql`select '' as value, ${counted([])} as figures`
      return sql`select value, ${counted([sql`${sourceColumn(tabs.by)} = value`])} as figures
      from unnest(${sql.param(tabValues(this.declared))}::text[]) as value`
    }
    const added = [
      sql`'count', count(*)${narrowed}`,
      ...sums.map((name) => sql`${sql.raw(`'${name}'`)}, coalesce(sum(${sourceColumn(name)})${narrowed}, 0)`),
      ...Object.entries(this.source.totals ?? {}).map(([name, { value }]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    ]
    return sql`
    select ${tabs ? sourceColumn(tabs.by) : sql`''`} as value, jsonb_build_object(${sql.join(added, sql`, `)}) as figures
    ${this.#matching(asked, cx, [])}${tabs ? sql` group by 1` : sql``}`
  }

  #allRows(asked: ListRequest, cx: SourceCx, read: SQL[], { only, isOrdered = true }: ExportOptions = {}): SQL {
    const order = this.order(asked)
    const conditions = [...this.#conditions(asked, cx), ...this.#inView(asked, cx)]
    if (isOrdered) conditions.push(...this.#isSorted(order))
    if (asked.search && this.source.search) {
      const likes = this.#matches(asked, cx).map(({ like }) => like)
      const ways = likes.map((like) => sql`select s.id from source s where ${like}`)
      conditions.push(seesAllGroups(cx.actor) ? sql`s.id in (${sql.join(ways, sql` union `)})` : any(likes))
    }
    if (only) conditions.push(sql`s.id = any (${sql.param(only)}::uuid[])`)
    return sql`select ${sql.join(read, sql`, `)} from source s
      where ${all(conditions)}${isOrdered ? sql` order by ${orderBy(order, asked.dir)}` : sql``}`
  }

  export(asked: object, cx: SourceCx, columns: readonly string[], read: ExportOptions = {}): SQL {
    const onPage = this.source.pageColumns?.(cx) ?? {}
    const values = columns.map((name) =>
      Object.hasOwn(onPage, name) ? sql`${onPage[name]!} as ${sql.identifier(name)}` : sourceColumn(name),
    )
    return sql`
with source as not materialized (${this.exportSelect(cx, asked as ListInput<D>)}
)
      ${this.#allRows(asked as ListRequest, cx, values, read)}`
  }
}

interface ViewFilters {
  names: readonly string[]
  columns: readonly string[]
}

/** Statements of a list whose cards count every row, regardless of its view filters. */
export class CardStatements<D extends ListWords, Row> extends SelectStatements<D, Row> {
  protected override readonly viewFilters: ViewFilters

  constructor(declared: D, source: ListSource<D, Row>, viewFilters: ViewFilters) {
    super(declared, source)
    this.viewFilters = viewFilters
  }
}
