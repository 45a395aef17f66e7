import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { List } from "../../platform/lists/list.ts"
import type { ListSource, SourceCx } from "../../platform/lists/source.ts"

/** What a report is asked with beside what every list is: the day, or the first and the last one. Filled in before it is asked. */
export interface AskedDates {
  asOf?: Day
  from?: Day
  to?: Day
}

/** A row of a report: its columns by their names, and the record it leads to. */
export interface ReportRow {
  id: string
  opens?: { kind: string; id: string } | null
}

/** What a select is made for: the dates, and the employers, separated by commas, of a report that narrows itself by them. */
type AskedOf = Required<AskedDates> & { groupId: string | undefined }

/** What a report's list has beside its rows. */
type Source<D extends ListWords> = Partial<Omit<ListSource<D, ReportRow>, "select" | "present">>
type Select = (asked: AskedOf, cx: SourceCx) => SQL

/**
 * The list of a report, whose rows are worked out for the dates it is asked for. The select names each column as the
 * declaration does, an id that is the same whenever it is asked, and `opens`.
 */
export const reportList = <const D extends ListWords>(
  declared: D,
  select: Select,
  source: Source<D> = {},
): List<D, ReportRow> =>
  new List<D, ReportRow>(declared, {
    select: (cx, asked) => {
      const { asOf = cx.today, from = cx.today, to = cx.today, groupId } = asked as Partial<AskedOf>
      return select({ asOf, from, to, groupId }, cx)
    },
    once: source.countTo === undefined,
    present: (row: ReportRow) => row,
    ...source,
  })

/**
 * A report that lists records one by one, as many as there are: read in pages along their indexes as any list, and not
 * worked out whole. Its totals stand on screen up to so many rows, and in its files always.
 */
export const register = <const D extends ListWords>(
  declared: D,
  select: Select,
  source: Source<D>,
): List<D, ReportRow> => reportList(declared, select, { ...source, countTo: 10_000 })

/** A record that a row leads to. */
export const opens = (
  kind: "policy" | "member" | "claim" | "invoice" | "receipt" | "payout" | "refund",
  id: string,
): SQL => sql.raw(`jsonb_build_object('kind', '${kind}', 'id', ${id})`)

/** Claims in per cent of premium, to one decimal; nothing where there was no premium. Both in cents. */
export const lossRatio = (incurred: SQL, earned: SQL): SQL =>
  sql`(case when ${earned} > 0 then round(${incurred} * 100.0 / ${earned}, 1) end)::float8`

/**
 * Premium and claims by policy and month, in months from one to another: `policy_id, month, earned, incurred, ledger`.
 * Premium is earned in the month that it covers; `ledger` is premium income by the month in which it counts. Claims count
 * as the ledger has them.
 */
export const experienceByMonth = (from: SQL, to: SQL): SQL => sql`
  select policy_id, month, sum(earned)::bigint as earned, sum(incurred)::bigint as incurred, sum(ledger)::bigint as ledger
  from (
    select policy_id, month, net_cents as earned, 0 as incurred, 0 as ledger from premium_parts
    where earned_on is not null and month between ${from} and ${to}
    union all
    select policy_id, month, 0, case account when 'claims_expense' then debit_cents - credit_cents else 0 end,
      case account when 'premium_income' then credit_cents - debit_cents else 0 end
    from ledger_months
    where account in ('premium_income', 'claims_expense') and policy_id is not null and month between ${from} and ${to}
  ) moved
  group by policy_id, month`

/** The same over all the months: `policy_id, earned, incurred, ledger`. */
export const experienceOf = (from: SQL, to: SQL): SQL => sql`
  select policy_id, sum(earned)::bigint as earned, sum(incurred)::bigint as incurred, sum(ledger)::bigint as ledger
  from (${experienceByMonth(from, to)}) months group by policy_id`

/** The members that are covered on a day, with their covers: `member_id, policy_id, tier_id, kind, valid`. */
export const coversOn = (day: SQL): SQL => sql`
  select c.member_id, c.group_id, c.policy_id, c.tier_id, c.kind, c.valid from member_covers c
  where c.superseded_at is null and c.valid @> ${day}`
