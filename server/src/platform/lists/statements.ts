import { type Filter, type ListInput, type ListWords, tabsOf } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, seesAllGroups } from "../calls/actor.ts"
import { searchPattern, soughtOf } from "../database/like.ts"
import { column, ListOrder } from "./order.ts"
import { type Asked, type Place, placeOf } from "./place.ts"
import { type Beside, type Compared, manyGroups, ownColumns, type SourceCx, type Within } from "./source.ts"

/** A search collects and sorts at most this many matches, by default. */
const collected = 10_000
const collectedElsewhere = 2_500

const all = (conditions: SQL[]): SQL => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)
const any = (conditions: SQL[]): SQL => sql`(${sql.join(conditions, sql` or `)})`
const other = (index: number): SQL => sql.raw(`others_${index + 1}`)
export const ids = (value: unknown): SQL => sql`${sql.param(String(value).split(","))}::uuid[]`

export class ListStatements<D extends ListWords, Row> extends ListOrder<D, Row> {
  protected collected = (cx: SourceCx, { search }: Pick<Asked, "search">): number =>
    this.source.collected?.(cx, search) ?? collected

  #filterColumn(key: string, { kind, of }: Filter): string {
    return of ?? (kind === "record" || kind === "flag" ? `_${key}` : key)
  }

  #condition(key: string, filter: Filter, asked: Asked, cx: SourceCx): SQL[] {
    const value = asked[key]
    const special = this.source.filters?.[key]
    if (filter.kind === "days") {
      const by = column(this.#filterColumn(key, filter))
      const at = (day: unknown, later: string) =>
        filter.of?.endsWith("At")
          ? sql`((${day}::date${sql.raw(later)})::timestamp at time zone ${cx.timezone})`
          : sql`(${day}::date${sql.raw(later)})`
      const [from, to] = [asked[`${key}From`], asked[`${key}To`]]
      return [...(from ? [sql`${by} >= ${at(from, "")}`] : []), ...(to ? [sql`${by} < ${at(to, " + 1")}`] : [])]
    }
    if (value === undefined || value === false || (filter.of ?? key) === this.declared.tabs?.by) return []
    if (special) return [special(value as never, cx)]
    const by = column(this.#filterColumn(key, filter))
    if (filter.kind === "record")
      return [String(value).includes(",") ? sql`${by} = any (${ids(value)})` : sql`${by} = ${value}`]
    return [filter.kind === "flag" ? by : sql`${by} = ${value}`]
  }

  #filters(asked: Asked, cx: SourceCx, ofView: boolean): SQL[] {
    return Object.entries(this.declared.filters ?? {}).flatMap(([key, filter]) =>
      (this.source.ofView?.includes(key) ?? false) === ofView ? this.#condition(key, filter, asked, cx) : [],
    )
  }

  /** For a reader of one employer: filters by it, so that constant columns are not sorted by. */
  inOwnGroup(asked: Asked, actor: Actor): Asked {
    const { filters = {} } = this.declared
    const isOne = this.source.ofGroups && actor.kind === "user" && !seesAllGroups(actor) && actor.groupIds.length === 1
    return isOne && "groupId" in filters && asked.groupId === undefined
      ? { ...asked, groupId: actor.groupIds[0] }
      : asked
  }

  #matching(asked: Asked, cx: SourceCx): SQL[] {
    const { actor } = cx
    const conditions = this.#filters(asked, cx, false)
    if (this.source.ofGroups && actor.kind === "user" && !seesAllGroups(actor)) {
      const [only, more] = actor.groupIds
      // With many employers this join multiplies rows, and prevents the use of another table's index order.
      const [first] = this.orderColumns(asked)
      if (actor.groupIds.length > manyGroups && this.source.own && !(first! in this.source.own.columns))
        return conditions
      // Redundant with row-level security, but gives the planner a better estimate.
      const own = column("_groupId")
      if (asked.groupId === only && !more) return conditions
      conditions.push(only && !more ? sql`${own} = ${only}` : sql`${own} = any (${sql.param(actor.groupIds)}::uuid[])`)
    }
    return conditions
  }

  shownValues(asked: Asked, tab: string | undefined = asked.tab): readonly string[] | undefined {
    const { tabs, filters } = this.declared
    if (!tabs) return undefined
    const [key] = Object.entries(filters ?? {}).find(([name, { of = name }]) => of === tabs.by) ?? []
    const chosen = key === undefined ? undefined : asked[key]
    const values = tabs.views[tab ?? tabsOf(this.declared)[0]]!.values
    return chosen === undefined ? values : values.filter((value) => value === chosen)
  }

  get #everyValue(): string[] {
    return [...new Set(Object.values(this.declared.tabs?.views ?? {}).flatMap((view) => view.values))]
  }

  #inView(asked: Asked, cx: SourceCx): SQL[] {
    const conditions = this.#filters(asked, cx, true)
    const { tabs } = this.declared
    const values = this.shownValues(asked)
    if (tabs && values && values.length < this.#everyValue.length) {
      conditions.push(sql`${column(tabs.by)} = any (${sql.param([...values])}::text[])`)
    }
    return conditions
  }

  #joined(asked: Asked): SQL[] {
    if (this.mayBeEmpty(asked.sort)) return []
    return this.orderColumns(asked)
      .filter((name) => name.startsWith("_"))
      .slice(0, 1)
      .map((name) => sql`${column(name)} is not null`)
  }

  #compared(asked: Asked, cx: SourceCx): Compared[] {
    const search = soughtOf(asked.search)
    return this.source.search!(searchPattern(search), cx, search)
  }

  /**
   * Uses only the list's own table if it has all the columns needed. An index-only scan would be enough, but PostgreSQL
   * also reads the table after removing a join.
   */
  #rows(asked: Asked, cx: SourceCx, used: readonly string[]): SQL {
    const { own, filters = {}, ofGroups } = this.source
    const asks = Object.entries(this.declared.filters ?? {}).filter(
      ([key, filter]) => this.#condition(key, filter, asked, cx).length > 0,
    )
    const needed = new Set([...used, ...asks.map(([key, filter]) => this.#filterColumn(key, filter))])
    if (ofGroups) needed.add("_groupId")
    const isOwn = own && [...needed].every((name) => name in own.columns) && !asks.some(([key]) => filters[key])
    return isOwn ? sql`(select ${ownColumns(own, needed)} from ${sql.raw(own.table)})` : sql`source`
  }

  #base(asked: Asked, cx: SourceCx, used: readonly string[], more: SQL[]): SQL {
    if (asked.search) return sql`from hits s where ${all(more)}`
    return sql`from ${this.#rows(asked, cx, used)} s where ${all([...this.#matching(asked, cx), ...more])}`
  }

  #placing(asked: Asked): string[] {
    const { tabs } = this.declared
    return [...this.orderColumns(asked), ...(tabs ? [tabs.by] : [])]
  }

  #compare(asked: Asked, cx: SourceCx, more: SQL[]): SQL {
    const search = any(this.#compared(asked, cx).map(({ like }) => like))
    return sql`from source s where ${all([...this.#matching(asked, cx), search, ...more])}`
  }

  #hits(asked: Asked, cx: SourceCx, beyond?: { more: SQL[]; within?: Within }): { ctes: SQL; overflow: SQL } {
    const { sums = [], filters = {} } = this.declared
    const { ofView = [], judged = [] } = this.source
    const isTold =
      this.source.judged !== undefined || !(this.source.figures || ofView.some((key) => this.source.filters?.[key]))
    const filtered = Object.entries(filters).filter(([key]) => ofView.includes(key) && !this.source.filters?.[key])
    const columns = new Set([
      ...[...this.#placing(asked), ...sums, ...judged],
      ...filtered.map(([key, filter]) => this.#filterColumn(key, filter)),
    ])
    const ways = this.#compared(asked, cx)
    const conditions = [...this.#matching(asked, cx), ...(beyond?.more ?? [])]
    const limit = beyond ? sql`` : sql.raw(` limit ${this.collected(cx, asked) + 1}`)
    const most = ({ column }: { column: string }) =>
      column === "id" ? this.collected(cx, asked) : Math.min(this.collected(cx, asked), collectedElsewhere)
    const others = ways.flatMap(({ by }, index) =>
      by
        ? [sql`\n${other(index)} as materialized (${by.ids(beyond ? undefined : most(by) + 1, beyond?.within)}\n),`]
        : [],
    )
    const branches = ways.map(({ like, by }, index) => {
      const is = by ? sql`${column(by.column)} = any (array(select id from ${other(index)}))` : like
      const read = isTold ? sql.join([...columns].map(column), sql`, `) : sql`s.*`
      return sql`\n  (select ${read} from source s where ${all([...conditions, is])}${limit})`
    })
    const overflows = [
      sql`(select count(*) > ${sql.raw(String(this.collected(cx, asked)))} from hits)`,
      ...ways.flatMap(({ by }, index) =>
        by ? [sql`(select count(*) > ${sql.raw(String(most(by)))} from ${other(index)})`] : [],
      ),
    ]
    return {
      ctes: sql`${sql.join(others, sql``)}\nhits as materialized (${sql.join(branches, sql` union `)}\n),`,
      overflow: sql.join(overflows, sql` or `),
    }
  }

  #source(asked: object, cx: SourceCx, select = this.source.select, isOnce = this.source.once === true): SQL {
    return sql`
with source as ${sql.raw(isOnce ? "materialized" : "not materialized")} (${select(cx, asked as ListInput<D>)}
)`
  }

  #whole(asked: Asked, cx: SourceCx, ctes: SQL, answered: SQL): SQL {
    const read = this.source.read ? sql.join(this.source.read.map(column), sql`, `) : sql`s.*`
    const more = this.source.page ? sql`, ${this.source.page(cx)}` : sql``
    const ofPage = this.source.union
      ? sql`source s where s.id = any (array(select id from found))`
      : sql`found join source s on s.id = found.id`
    return sql`${this.#source(asked, cx)},${ctes}
select
  (select coalesce(json_agg(shown), '[]') from (
    select ${read}${more} from ${ofPage} order by ${this.order(asked)}) shown) as rows${answered}`
  }

  /**
   * The page's rows, and the figures of every tab value. A search collects its matches first, and returns whether there
   * are more and the last id for numbered pages (`bound`). The `beside` aggregate uses the same rows, which may be
   * expensive to compute.
   */
  statement(
    input: object,
    cx: SourceCx,
    place: Place = placeOf(input as Asked),
    isCounted = true,
    beside?: Beside,
  ): SQL {
    const asked = input as Asked
    const neighbour = asked.after ?? asked.before
    const beyond = neighbour ? [this.beside(asked, asked.after ? "after" : "before")] : []
    const hits = asked.search ? this.#hits(asked, cx) : undefined
    const view = this.#inView(asked, cx)
    const conditions = [...view, ...this.#joined(asked), ...beyond]
    const [first] = this.orderColumns(asked)
    const isNarrowed = hits !== undefined || neighbour !== undefined || this.#matching(asked, cx).length > 0
    const ranked = isNarrowed || !seesAllGroups(cx.actor) ? undefined : this.source.ranked?.[first!]
    const near = ranked
      ? this.#ofEach(ranked, asked, cx, place)
      : this.#base(asked, cx, this.#placing(asked), conditions)
    const figures = sql`,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (${this.#figures(asked, cx)}) each) as figures`
    const bound = sql`,
  ${hits?.overflow} as overflows, (
    select s.id from hits s where ${all(view)}
    order by ${this.order(asked)} limit 1 offset ${sql.raw(String(place.skip + Math.max(place.take, 1) - 1))}) as bound`
    const said = beside
      ? sql`, (${beside.of(this.#all(asked, cx, beside.columns, { isOrdered: beside.isOrdered }))}) as beside`
      : sql``
    return this.#whole(
      asked,
      cx,
      sql`${neighbour ? this.key(asked, neighbour) : sql``}${hits?.ctes ?? sql``}
found as materialized (
  select s.id ${near}
  order by ${this.order(asked, place.back)} limit ${sql.raw(`${place.take} offset ${place.skip}`)}
)`,
      sql`${isCounted ? figures : sql``}${isCounted && hits ? bound : sql``}${said}`,
    )
  }

  /**
   * Rows per record of the ranked column that can be on the page. Large records are read by id order; small ones are
   * sorted.
   */
  #ofEach({ by, records }: { by: string; records: SQL }, asked: Asked, cx: SourceCx, place: Place): SQL {
    const [first] = this.orderColumns(asked)
    const { tabs } = this.declared
    const rows = sql`${this.#rows(asked, cx, [by, "id", ...(tabs ? [tabs.by] : [])])} s
      where ${all([sql`${column(by)} = r.${sql.identifier(by)}`, ...this.#inView(asked, cx)])}`
    const few = sql.raw(String(Math.min(400 * (place.skip + place.take), 40_000)))
    const isFew = sql`(select count(*) < ${few} from (select from ${rows} limit ${few}) counted)`
    const inOrder = sql`order by ${this.order(asked, place.back, ["id"])} limit ${sql.raw(String(place.skip + place.take))}`
    return sql`from (
    select r.${sql.identifier(first!)}, m.id from (${records}) r cross join lateral (
      (select s.id from ${rows} and not ${isFew} ${inOrder})
      union all
      (select s.id from (select s.id from ${rows} and ${isFew} limit ${few}) s ${inOrder})
    ) m) s`
  }

  /**
   * A page of a search with more matches than are collected. The collected matches bound the page. If few rows precede
   * that bound, they are scanned and compared; otherwise all matches up to it are looked up and sorted. This avoids a
   * scan of all rows for a name that sorts late.
   */
  onward(input: object, cx: SourceCx, bound: string | null, place: Place): SQL {
    const asked = input as Asked
    const neighbour = asked.after ?? asked.before
    const view = [...this.#inView(asked, cx), ...this.#joined(asked)]
    const inOrder = sql`order by ${this.order(asked, place.back)} limit ${sql.raw(`${place.take} offset ${place.skip}`)}`
    if (neighbour) {
      const beyond = this.beside(asked, asked.after ? "after" : "before")
      return this.#whole(
        asked,
        cx,
        sql`${this.key(asked, neighbour)}
found as materialized (
  select s.id ${this.#compare(asked, cx, [...view, beyond])} ${inOrder}
)`,
        sql``,
      )
    }
    const within = bound ? [this.beside(asked, "before", "=")] : []
    const [first] = this.orderColumns(asked)
    const most = !this.mayBeEmpty(asked.sort) && {
      column: first!,
      way: asked.dir === "asc" ? ("<=" as const) : (">=" as const),
      value: sql`(select ${sql.identifier(first!)} from key)`,
    }
    const few = Math.min(800 * (place.skip + place.take), 100_000)
    const isNear = sql`(select "isNear" from near)`
    return this.#whole(
      asked,
      cx,
      sql`${bound ? this.key(asked, bound) : sql``}
near as materialized (
  select count(*) < ${sql.raw(String(few))} as "isNear" from (
    select from ${this.#rows(asked, cx, this.#placing(asked))} s where ${all([...this.#matching(asked, cx), ...within])}
    limit ${sql.raw(String(few))}) counted
),${this.#hits(asked, cx, { more: [sql`not ${isNear}`, ...within], within: (bound && most) || undefined }).ctes}
found as materialized (
  (select s.id ${this.#compare(asked, cx, [...view, ...within, isNear])} ${inOrder})
  union all
  (select s.id from hits s where ${all(view)} ${inOrder})
)`,
      sql``,
    )
  }

  counted(input: object, cx: SourceCx): SQL {
    const figures = this.#figures(input as Asked, cx, true)
    return sql`${this.#source(input, cx)}
select (select coalesce(jsonb_object_agg(value, figures), '{}') from (${figures}) each) as figures`
  }

  #isKept(asked: Asked, cx: SourceCx): boolean {
    const { kept } = this.source
    const isOpen = ([key, filter]: [string, Filter]) => this.#condition(key, filter, asked, cx).length === 0
    const filters = Object.entries(this.declared.filters ?? {}).filter(([key]) => !kept?.filters.includes(key))
    return kept !== undefined && !asked.search && filters.every(isOpen)
  }

  protected countTo = (asked: Asked, cx: SourceCx): number | undefined =>
    asked.search || this.#isKept(asked, cx) ? undefined : this.source.countTo

  #figures(asked: Asked, cx: SourceCx, isWhole = false): SQL {
    const { tabs, sums = [] } = this.declared
    if (this.#isKept(asked, cx)) {
      const summed = sums.map((name) => sql`, ${sql.raw(`'${name}'`)}, coalesce(sum(${column(name)}), 0)`)
      const value = tabs ? column(tabs.by) : sql`''`
      return sql`
    select ${value} as value, jsonb_build_object('count', coalesce(sum(s.count), 0)${sql.join(summed, sql``)}) as figures
    from (${this.source.kept!.select(cx, asked as unknown as ListInput<D>, all(this.#matching(asked, cx)))}) s group by 1`
    }
    const limit = isWhole ? undefined : this.countTo(asked, cx)
    const view = this.#filters(asked, cx, true)
    if (limit !== undefined) {
      const counted = (more: SQL[]) =>
        sql`jsonb_build_object('count', (select count(*) from (select ${this.#base(asked, cx, tabs ? [tabs.by] : [], [...view, ...more])} limit ${limit + 1}) counted))`
      if (!tabs) return sql`select '' as value, ${counted([])} as figures`
      return sql`select value, ${counted([sql`${column(tabs.by)} = value`])} as figures
      from unnest(${sql.param(this.#everyValue)}::text[]) as value`
    }
    const narrowed = view.length > 0 ? sql` filter (where ${all(view)})` : sql``
    const added = [
      sql`'count', count(*)${narrowed}`,
      ...sums.map((name) => sql`${sql.raw(`'${name}'`)}, coalesce(sum(${column(name)})${narrowed}, 0)`),
      ...Object.entries(this.source.figures ?? {}).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    ]
    const value = tabs ? column(tabs.by) : sql`''`
    const used = [...(tabs ? [tabs.by] : []), ...sums, ...(this.source.judged ?? [])]
    return sql`
    select ${value} as value, jsonb_build_object(${sql.join(added, sql`, `)}) as figures
    ${this.#base(asked, cx, used, [])}${tabs ? sql` group by 1` : sql``}`
  }

  #all(asked: Asked, cx: SourceCx, columns: readonly string[], { only, isOrdered = true }: Read = {}): SQL {
    const conditions = [...this.#matching(asked, cx), ...this.#inView(asked, cx)]
    if (isOrdered) conditions.push(...this.#joined(asked))
    if (asked.search && this.source.search) {
      const compared = this.#compared(asked, cx)
      const ways = compared.map(({ like }) => sql`select s.id from source s where ${like}`)
      conditions.push(
        seesAllGroups(cx.actor)
          ? sql`s.id in (${sql.join(ways, sql` union `)})`
          : any(compared.map(({ like }) => like)),
      )
    }
    if (only) conditions.push(sql`s.id = any (${sql.param(only)}::uuid[])`)
    return sql`select ${sql.join(columns.map(column), sql`, `)} from source s
      where ${all(conditions)}${isOrdered ? sql` order by ${this.order(asked)}` : sql``}`
  }

  whole(input: object, cx: SourceCx, columns: readonly string[], read: Read = {}): SQL {
    const source = this.#source(input, cx, this.source.file ?? this.source.select, false)
    return sql`${source}
      ${this.#all(input as Asked, cx, columns, read)}`
  }
}

interface Read {
  only?: string[] | undefined
  isOrdered?: boolean
}
