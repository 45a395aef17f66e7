import {
  defaultListInput,
  type ListInput,
  type ListWords,
  maxNumberedPages,
  type SumOf,
  type TabOf,
  tabsOf,
} from "@milkwood/domain/kernel/list"
import type { SQL } from "drizzle-orm"
import { sql } from "drizzle-orm"
import type { Cx } from "../calls/commands.ts"
import type { Tx } from "../database/database.ts"
import { formatInstants, omitInternalColumns, recordNames } from "./list-rows.ts"
import { emptyPosition, type ListRequest, pagePositionOf, positionFromEnd } from "./place.ts"
import { SelectStatements } from "./select-statements.ts"
import type { Figures, ListSource, SourceCx, Summary } from "./source.ts"
import { type ExportOptions, idArray, type ListStatements, type StoredRow, selectedTabValues } from "./statements.ts"

export const sumOf = (figures: Figures | null, values: readonly string[], name: string): number =>
  values.reduce((sum, value) => sum + (figures?.[value]?.[name] ?? 0), 0)

/**
 * new List(invoicesList, { select: …, present: … }) // from one select
 *     new List(claimsList, { present: … }, new SqlFileStatements(…))      // with its own statements
 */
export class List<D extends ListWords, Row> {
  readonly declared: D
  readonly statements: ListStatements
  readonly #present: ListSource<D, Row>["present"]

  constructor(declared: D, source: ListSource<D, Row>)
  constructor(declared: D, source: Pick<ListSource<D, Row>, "present">, statements: ListStatements)
  constructor(declared: D, source: ListSource<D, Row>, statements?: ListStatements) {
    this.declared = declared
    this.statements = statements ?? new SelectStatements(declared, source)
    this.#present = source.present
  }

  /** A page of rows with counts and sums by tab. `known`: extra context for `present`. */
  async answer(cx: Cx, input: object, known: object = {}, summary?: Summary) {
    const { declared, statements } = this
    const asked = this.#asked(input)
    const scope = { ...sourceCxOf(cx), ...known }
    const isNumbered = asked.page <= maxNumberedPages || (asked.after ?? asked.before) !== undefined
    const found = await statements.page(
      cx.tx,
      asked,
      scope,
      isNumbered ? pagePositionOf(asked) : emptyPosition,
      summary,
    )
    const { figures, overflows = false } = found
    const limit = statements.countLimit(asked, scope)
    const counted = (values: readonly string[] = Object.keys(figures)) => {
      const counts = values.map((value) => figures[value]?.count ?? 0)
      const count = counts.reduce((sum, each) => sum + Math.min(each, limit ?? each), 0)
      return {
        count: overflows ? Math.min(count, statements.searchLimit(asked, scope)) : count,
        capped: overflows || counts.some((each) => limit !== undefined && each > limit),
      }
    }
    const shown = selectedTabValues(declared, asked) ?? [""]
    const { count: total, capped } = counted(shown)
    const place = isNumbered ? pagePositionOf(asked) : positionFromEnd(asked, capped ? undefined : total)
    const rows = isNumbered && !overflows ? found.rows : await statements.rows(cx.tx, asked, scope, place, found)
    const tabs = tabsOf(declared).map((tab) => [tab, counted(selectedTabValues(declared, asked, tab))] as const)
    const { sums: summed = [] } = declared
    const isSummed = limit === undefined || (summed.length > 0 && !capped)
    const whole = limit !== undefined && isSummed ? await statements.figures(cx.tx, asked, scope) : figures
    const sums = summed.map((name) => [name, sumOf(whole, shown, name)])
    return {
      rows: rows.map((row) => this.presented(row, scope)),
      ends: rows.length > 0 ? { first: rows[0]!.id, last: rows.at(-1)!.id } : null,
      total,
      totalIsCapped: capped,
      counts: Object.fromEntries(tabs.map(([tab, { count }]) => [tab, count])) as Record<TabOf<D>, number>,
      cappedTabs: tabs.flatMap(([tab, { capped }]) => (capped ? [tab] : [])),
      sums: isSummed && !overflows ? (Object.fromEntries(sums) as Record<SumOf<D>, number>) : null,
      filteredBy: await this.#names(cx.tx, asked),
      /** Null if counting stopped at the limit. */
      figures: limit === undefined && !overflows ? figures : null,
      ...(summary && { summary: found.summary }),
    }
  }

  async page(cx: Cx, input: object, known: object = {}) {
    const { figures: _, ...answer } = await this.answer(cx, input, known)
    return answer
  }

  /** The first matching rows, before `present`. */
  async first(cx: Cx, input: object, take: number): Promise<StoredRow[]> {
    const [asked, scope] = [this.#asked({ ...input, pageSize: take }), sourceCxOf(cx)]
    const place = { skip: 0, take, back: false }
    const found = await this.statements.page(cx.tx, asked, scope, place)
    return found.overflows ? this.statements.rows(cx.tx, asked, scope, place, found) : found.rows
  }

  export(input: object, cx: SourceCx, columns: readonly string[], read?: ExportOptions): SQL {
    return this.statements.export(this.#asked(input), cx, columns, read)
  }

  presented(stored: object, scope: SourceCx): Row {
    return omitInternalColumns(this.#present(formatInstants(stored) as never, scope as never) as object) as Row
  }

  shownValues(input: object): readonly string[] | undefined {
    return selectedTabValues(this.declared, input)
  }

  #asked(input: object): ListRequest {
    return (this.declared.search ? input : { ...input, search: "" }) as ListRequest
  }

  async #names(tx: Tx, asked: ListRequest): Promise<Record<string, { id: string; name: string }[]>> {
    const named: Record<string, { id: string; name: string }[]> = {}
    for (const [key, filter] of Object.entries(this.declared.filters ?? {})) {
      const name = filter.kind === "record" && asked[key] !== undefined && recordNames[filter.record]
      if (name) named[key] = await tx.rows(sql`${name} where id = any (${idArray(asked[key])}) order by 2`)
    }
    return named
  }

  get start(): ListInput<D> {
    return defaultListInput(this.declared)
  }
}

const sourceCxOf = ({ actor, today, timezone, currency }: Cx): SourceCx => ({ actor, today, timezone, currency })
