import { type Filter, type ListWords, tabsOf } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { seesAllGroups } from "../calls/actor.ts"
import { searchPattern, soughtOf } from "../database/like.ts"
import { column, ListOrder } from "./order.ts"
import type { Asked } from "./place.ts"
import { type Compared, manyGroups, ownColumns, type SourceCx } from "./source.ts"

export const all = (conditions: SQL[]): SQL => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)
export const any = (conditions: SQL[]): SQL => sql`(${sql.join(conditions, sql` or `)})`
export const ids = (value: unknown): SQL => sql`${sql.param(String(value).split(","))}::uuid[]`

/** Which rows of one list are asked for: of whom, filtered, searched, of which tab. */
export class ListConditions<D extends ListWords, Row> extends ListOrder<D, Row> {
  /** What a filter compares: records by their ids and marks are no columns of the rows, and nobody's answer. */
  protected filterColumn(key: string, { kind, of }: Filter): string {
    return of ?? (kind === "record" || kind === "flag" ? `_${key}` : key)
  }

  protected condition(key: string, filter: Filter, asked: Asked, cx: SourceCx): SQL[] {
    const value = asked[key]
    const special = this.source.filters?.[key]
    if (filter.kind === "days") {
      const by = column(this.filterColumn(key, filter))
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
    const by = column(this.filterColumn(key, filter))
    if (filter.kind === "record")
      return [String(value).includes(",") ? sql`${by} = any (${ids(value)})` : sql`${by} = ${value}`]
    return [filter.kind === "flag" ? by : sql`${by} = ${value}`]
  }

  protected filters(asked: Asked, cx: SourceCx, ofView: boolean): SQL[] {
    return Object.entries(this.declared.filters ?? {}).flatMap(([key, filter]) =>
      (this.source.ofView?.includes(key) ?? false) === ofView ? this.condition(key, filter, asked, cx) : [],
    )
  }

  /** What every row has to be, whatever the tab: of the reader's groups, and what the filters ask for. */
  protected matching(asked: Asked, cx: SourceCx): SQL[] {
    const { actor } = cx
    const conditions = this.filters(asked, cx, false)
    if (this.source.ofGroups && actor.kind === "user" && !seesAllGroups(actor)) {
      const [only, more] = actor.groupIds
      // Of a reader of many it multiplies what both leave, and would sort what another table's index has in order.
      const [first] = this.orderColumns(asked)
      if (actor.groupIds.length > manyGroups && this.source.own && !(first! in this.source.own.columns))
        return conditions
      // Row-level security says so, too; said here, the planner knows how few there are.
      const own = column("_groupId")
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
  protected get everyValue(): string[] {
    return [...new Set(Object.values(this.declared.tabs?.views ?? {}).flatMap((view) => view.values))]
  }

  protected inView(asked: Asked, cx: SourceCx): SQL[] {
    const conditions = this.filters(asked, cx, true)
    const { tabs } = this.declared
    const values = this.shownValues(asked)
    if (tabs && values && values.length < this.everyValue.length) {
      conditions.push(sql`${column(tabs.by)} = any (${sql.param([...values])}::text[])`)
    }
    return conditions
  }

  /** What no other table's sort leaves out: with it PostgreSQL may begin at that table's index. */
  protected joined(asked: Asked): SQL[] {
    if (this.mayBeEmpty(asked.sort)) return []
    return this.orderColumns(asked)
      .filter((name) => name.startsWith("_"))
      .slice(0, 1)
      .map((name) => sql`${column(name)} is not null`)
  }

  protected compared(asked: Asked, cx: SourceCx): Compared[] {
    const search = soughtOf(asked.search)
    return this.source.search!(searchPattern(search), cx, search)
  }

  /**
   * Where rows are read that are only counted, filtered and put in order by these columns: in their own table, when it
   * has all that takes. An index alone would do for that, but PostgreSQL asks the table too where a join was left out.
   */
  protected rows(asked: Asked, cx: SourceCx, used: readonly string[]): SQL {
    const { own, filters = {}, ofGroups } = this.source
    const asks = Object.entries(this.declared.filters ?? {}).filter(
      ([key, filter]) => this.condition(key, filter, asked, cx).length > 0,
    )
    const needed = new Set([...used, ...asks.map(([key, filter]) => this.filterColumn(key, filter))])
    if (ofGroups) needed.add("_groupId")
    const isOwn = own && [...needed].every((name) => name in own.columns) && !asks.some(([key]) => filters[key])
    return isOwn ? sql`(select ${ownColumns(own, needed)} from ${sql.raw(own.table)})` : sql`source`
  }

  /** The columns that put rows in order and into tabs. */
  protected placing(asked: Asked): string[] {
    const { tabs } = this.declared
    return [...this.orderColumns(asked), ...(tabs ? [tabs.by] : [])]
  }

  /** The rows that match a search, each compared as it comes along. */
  protected compare(asked: Asked, cx: SourceCx, more: SQL[]): SQL {
    const search = any(this.compared(asked, cx).map(({ like }) => like))
    return sql`from source s where ${all([...this.matching(asked, cx), search, ...more])}`
  }
}
