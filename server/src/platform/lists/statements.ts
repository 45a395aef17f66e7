import { type Filter, type ListInput, type ListWords, tabsOf } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, seesAllGroups } from "../calls/actor.ts"
import { searchPattern, soughtOf } from "../database/like.ts"
import { column, ListOrder } from "./order.ts"
import { type Asked, type Place, placeOf } from "./place.ts"
import { type Beside, type Compared, manyGroups, ownColumns, type SourceCx, type Within } from "./source.ts"

/** A search collects at most so many matches and sorts those, unless its list says otherwise. */
const collected = 10_000
/** … and so many of what another table finds for it: members, say, whose claims are looked for. */
const collectedElsewhere = 2_500

const all = (conditions: SQL[]): SQL => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)
const any = (conditions: SQL[]): SQL => sql`(${sql.join(conditions, sql` or `)})`
const other = (index: number): SQL => sql.raw(`others_${index + 1}`)
export const ids = (value: unknown): SQL => sql`${sql.param(String(value).split(","))}::uuid[]`

/** The statements of one list. */
export class ListStatements<D extends ListWords, Row> extends ListOrder<D, Row> {
  /** So many matches a search of this reader collects; of one with more they are a sample (`onward`). */
  protected collected = (cx: SourceCx, { search }: Pick<Asked, "search">): number =>
    this.source.collected?.(cx, search) ?? collected

  /** What a filter compares: records by their ids and marks are no columns of the rows, and nobody's answer. */
  #filterColumn(key: string, { kind, of }: Filter): string {
    return of ?? (kind === "record" || kind === "flag" ? `_${key}` : key)
  }

  #condition(key: string, filter: Filter, asked: Asked, cx: SourceCx): SQL[] {
    const value = asked[key]
    const special = this.source.filters?.[key]
    if (filter.kind === "days") {
      const by = column(this.#filterColumn(key, filter))
      // The day's ends as moments, so that an index of the moment serves.
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

  /** As a reader of one group asks: within it, so that nothing is put in order by what all their rows share. */
  inOwnGroup(asked: Asked, actor: Actor): Asked {
    const { filters = {} } = this.declared
    const isOne = this.source.ofGroups && actor.kind === "user" && !seesAllGroups(actor) && actor.groupIds.length === 1
    return isOne && "groupId" in filters && asked.groupId === undefined
      ? { ...asked, groupId: actor.groupIds[0] }
      : asked
  }

  /** What every row has to be, whatever the tab: of the reader's groups, and what the filters ask for. */
  #matching(asked: Asked, cx: SourceCx): SQL[] {
    const { actor } = cx
    const conditions = this.#filters(asked, cx, false)
    if (this.source.ofGroups && actor.kind === "user" && !seesAllGroups(actor)) {
      const [only, more] = actor.groupIds
      // Of a reader of many it multiplies what both leave, and would sort what another table's index has in order.
      const [first] = this.orderColumns(asked)
      if (actor.groupIds.length > manyGroups && this.source.own && !(first! in this.source.own.columns))
        return conditions
      // Row-level security says so, too; said here, the planner knows how few there are.
      const own = column("_groupId")
      if (asked.groupId === only && !more) return conditions
      conditions.push(only && !more ? sql`${own} = ${only}` : sql`${own} = any (${sql.param(actor.groupIds)}::uuid[])`)
    }
    return conditions
  }

  /** The values of the tabs' column that are shown: those of the tab, and of them the one that was chosen. */
  shownValues(asked: Asked, tab: string | undefined = asked.tab): readonly string[] | undefined {
    const { tabs, filters } = this.declared
    if (!tabs) return undefined
    const [key] = Object.entries(filters ?? {}).find(([name, { of = name }]) => of === tabs.by) ?? []
    const chosen = key === undefined ? undefined : asked[key]
    const values = tabs.views[tab ?? tabsOf(this.declared)[0]]!.values
    return chosen === undefined ? values : values.filter((value) => value === chosen)
  }

  /** Every value of the tabs' column that a tab shows. */
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

  /** What no other table's sort leaves out: with it PostgreSQL may begin at that table's index. */
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
   * Where rows are read that are only counted, filtered and put in order by these columns: in their own table, when it
   * has all that takes. An index alone would do for that, but PostgreSQL asks the table too where a join was left out.
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

  /** The rows that match, as `from … where …` of `s`, which have the columns `used`: of a search, those collected. */
  #base(asked: Asked, cx: SourceCx, used: readonly string[], more: SQL[]): SQL {
    if (asked.search) return sql`from hits s where ${all(more)}`
    return sql`from ${this.#rows(asked, cx, used)} s where ${all([...this.#matching(asked, cx), ...more])}`
  }

  /** The columns that put rows in order and into tabs. */
  #placing(asked: Asked): string[] {
    const { tabs } = this.declared
    return [...this.orderColumns(asked), ...(tabs ? [tabs.by] : [])]
  }

  /** The rows that match a search, each compared as it comes along. */
  #compare(asked: Asked, cx: SourceCx, more: SQL[]): SQL {
    const search = any(this.#compared(asked, cx).map(({ like }) => like))
    return sql`from source s where ${all([...this.#matching(asked, cx), search, ...more])}`
  }

  /** What matches a search, with what it is sorted, counted and summed by: as `hits`, and whether there is more of it. */
  #hits(asked: Asked, cx: SourceCx, beyond?: { more: SQL[]; within?: Within }): { ctes: SQL; overflow: SQL } {
    const { sums = [], filters = {} } = this.declared
    const { ofView = [], judged = [] } = this.source
    // Where nothing says what figures and filters of the view are made of, every column is kept.
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

  /** The rows, as `source`, of this select. */
  #source(asked: object, cx: SourceCx, select = this.source.select, isOnce = this.source.once === true): SQL {
    return sql`
with source as ${sql.raw(isOnce ? "materialized" : "not materialized")} (${select(cx, asked as ListInput<D>)}
)`
  }

  /** One statement: `ctes` that end in `found`, the ids of the page, and its rows with what else is `answered`. */
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
   * The rows of the page, and the figures of every value of the tabs' column. A search collects its matches first, and
   * says whether there are more of them, and which is the last that a page with a number can hold (`bound`). What is
   * said `beside` of all rows is read from the same ones, which may have taken long to work out.
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
   * Of each of the records that the order begins with, the rows that can be on the page. Along the ids of all rows those
   * of a record with many are met soon; those of one with few are sorted.
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
   * The rows of a page of a search with more matches than are collected. Those that were bound it: the page ends no
   * later than where theirs would. If only a few rows stand so early in the order (or follow the page's neighbour), it
   * is walked, comparing each; else all matches up to there are looked up, and sorted. That keeps a name that sorts
   * late, say, from being looked for among all that sort before it.
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

  /** The figures alone, counted to their end. */
  counted(input: object, cx: SourceCx): SQL {
    const figures = this.#figures(input as Asked, cx, true)
    return sql`${this.#source(input, cx)}
select (select coalesce(jsonb_object_agg(value, figures), '{}') from (${figures}) each) as figures`
  }

  /** Whether counts are kept for all that narrows the rows. */
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

  /** Every row that the input matches, of `source`, or the rows of some ids; in their order unless that is nothing to their reader. */
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

  /** The same as a statement of its own, for a file. */
  whole(input: object, cx: SourceCx, columns: readonly string[], read: Read = {}): SQL {
    const source = this.#source(input, cx, this.source.file ?? this.source.select, false)
    return sql`${source}
      ${this.#all(input as Asked, cx, columns, read)}`
  }
}

/** Which rows are read whole, and whether in their order. */
interface Read {
  only?: string[] | undefined
  isOrdered?: boolean
}
