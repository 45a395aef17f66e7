import {
  type ListInput,
  type ListWords,
  numberedPages,
  type SumOf,
  startOf,
  type TabOf,
  tabsOf,
} from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { seesAllGroups } from "../calls/actor.ts"
import type { Cx } from "../calls/commands.ts"
import type { Tx } from "../database/database.ts"
import { type Prepared, prepared } from "../database/tx.ts"
import { instants, recordNames, withoutOwn } from "./list-rows.ts"
import { type Asked, fromEnd, nowhere, placeOf } from "./place.ts"
import type { Beside, Figures, SourceCx } from "./source.ts"
import { ids, ListStatements } from "./statements.ts"

export const sumOf = (figures: Figures | null, values: readonly string[], name: string): number =>
  values.reduce((sum, value) => sum + (figures?.[value]?.[name] ?? 0), 0)

const keptStatements = 100

export class List<D extends ListWords, Row> extends ListStatements<D, Row> {
  readonly #opened = new Map<string, Prepared>()

  /** A page with its tabs, counts and sums; `known` is extra context for `present`. */
  async answer(cx: Cx, input: object, known: object = {}, beside?: Beside) {
    const { declared } = this
    const said = (declared.search ? input : { ...input, search: "" }) as Asked
    const asked = this.inOwnGroup(said, cx.actor)
    const scope = { actor: cx.actor, today: cx.today, timezone: cx.timezone, currency: cx.currency, ...known }
    const numbered = asked.page <= numberedPages || (asked.after ?? asked.before) !== undefined
    const first = () => this.statement(asked, scope, numbered ? placeOf(asked) : nowhere, true, beside)
    const isOpened = !beside && seesAllGroups(cx.actor) && this.#isAsOpened(asked)
    const opened = () => this.#asOpened(JSON.stringify([asked.pageSize, scope]), first)
    const found = (await (isOpened ? cx.tx.preparedRow<Read>(opened()) : cx.tx.row<Read>(first())))!
    const { figures, overflows = false, bound = null } = found
    const limit = this.countTo(asked, scope)
    const counted = (values: readonly string[] = Object.keys(figures)) => {
      const counts = values.map((value) => figures[value]?.count ?? 0)
      const count = counts.reduce((sum, each) => sum + Math.min(each, limit ?? each), 0)
      return {
        count: overflows ? Math.min(count, this.collected(scope, asked)) : count,
        capped: overflows || counts.some((each) => limit !== undefined && each > limit),
      }
    }
    const shown = this.shownValues(asked) ?? [""]
    const { count: total, capped } = counted(shown)
    const place = numbered ? placeOf(asked) : fromEnd(asked, capped ? undefined : total)
    const rest = () =>
      overflows ? this.onward(asked, scope, bound, place) : this.statement(asked, scope, place, false)
    const { rows } = numbered && !overflows ? found : (await cx.tx.row<Read>(rest()))!
    const tabs = tabsOf(declared).map((tab) => [tab, counted(this.shownValues(asked, tab))] as const)
    const { sums: summed = [] } = declared
    const isSummed = limit === undefined || (summed.length > 0 && !capped)
    const of = limit !== undefined && isSummed ? (await cx.tx.row<Read>(this.counted(asked, scope)))!.figures : figures
    const sums = summed.map((name) => [name, shown.reduce((sum, value) => sum + (of[value]?.[name] ?? 0), 0)])
    return {
      rows: rows.map((row) => this.presented(row, scope)),
      ends: rows.length > 0 ? { first: rows[0]!.id, last: rows.at(-1)!.id } : null,
      total,
      totalIsCapped: capped,
      counts: Object.fromEntries(tabs.map(([tab, { count }]) => [tab, count])) as Record<TabOf<D>, number>,
      cappedTabs: tabs.flatMap(([tab, { capped }]) => (capped ? [tab] : [])),
      sums: isSummed && !overflows ? (Object.fromEntries(sums) as Record<SumOf<D>, number>) : null,
      filteredBy: await this.#names(cx.tx, said),
      figures: limit === undefined && !overflows ? figures : null,
      ...(beside && { beside: found.beside }),
    }
  }

  async page(cx: Cx, input: object, known: object = {}) {
    const { figures: _, ...answer } = await this.answer(cx, input, known)
    return answer
  }

  presented(stored: object, scope: SourceCx): Row {
    return withoutOwn(this.source.present(this.hidden(stored, scope) as never, scope as never) as object) as Row
  }

  hidden(stored: object, scope: SourceCx): object {
    const row = instants(stored)
    return this.source.hide ? this.source.hide(row as never, scope) : row
  }

  async #names(tx: Tx, asked: Asked): Promise<Record<string, { id: string; name: string }[]>> {
    const named: Record<string, { id: string; name: string }[]> = {}
    for (const [key, filter] of Object.entries(this.declared.filters ?? {})) {
      const name = filter.kind === "record" && asked[key] !== undefined && recordNames[filter.record]
      if (name) named[key] = await tx.rows(sql`${name} where id = any (${ids(asked[key])}) order by 2`)
    }
    return named
  }

  #asOpened(key: string, statement: () => SQL): Prepared {
    const known = this.#opened.get(key)
    if (known) return known
    if (this.#opened.size >= keptStatements) this.#opened.clear()
    const made = prepared(statement())
    this.#opened.set(key, made)
    return made
  }

  /** Default inputs are prepared, because planning takes as long as running. */
  #isAsOpened(asked: Asked): boolean {
    const start = this.start as Partial<Asked>
    return Object.entries(asked).every(
      ([name, value]) => name === "pageSize" || value === undefined || value === start[name],
    )
  }

  get start(): ListInput<D> {
    return startOf(this.declared)
  }
}

interface Read {
  rows: { id: string }[]
  figures: Figures
  beside?: unknown
  overflows?: boolean
  bound?: string | null
}
