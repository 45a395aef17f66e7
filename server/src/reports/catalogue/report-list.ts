import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { List } from "../../platform/lists/list.ts"
import type { ListSource, SourceCx } from "../../platform/lists/source.ts"

export interface ReportDates {
  asOf?: Day
  from?: Day
  to?: Day
}

export interface ReportRow {
  id: string
  opens?: { kind: string; id: string } | null
}

/** `groupId`: comma-separated employers. */
type ReportInput = Required<ReportDates> & { groupId: string | undefined }

type ReportSource<D extends ListWords> = Partial<Omit<ListSource<D, ReportRow>, "select" | "present">>
type ReportSelect = (asked: ReportInput, cx: SourceCx) => SQL

/** The select returns the declared columns, a stable id, and `opens`. */
export const reportList = <const D extends ListWords>(
  declared: D,
  select: ReportSelect,
  source: ReportSource<D> = {},
): List<D, ReportRow> =>
  new List<D, ReportRow>(declared, {
    select: (cx, asked) => {
      const { asOf = cx.today, from = cx.today, to = cx.today, groupId } = asked as Partial<ReportInput>
      return select({ asOf, from, to, groupId }, cx)
    },
    materialized: source.countLimit === undefined,
    present: (row: ReportRow) => row,
    ...source,
  })

/** For reports with many records: reads pages by index. Totals have a limit on screen but not in files. */
export const register = <const D extends ListWords>(
  declared: D,
  select: ReportSelect,
  source: ReportSource<D>,
): List<D, ReportRow> => reportList(declared, select, { ...source, countLimit: 10_000 })

export const recordLinkSql = (
  kind: "policy" | "member" | "claim" | "invoice" | "receipt" | "payout" | "refund",
  id: string,
): SQL => sql.raw(`jsonb_build_object('kind', '${kind}', 'id', ${id})`)

/** Per cent to one decimal; null without premium. Both in cents. */
export const lossRatio = (incurred: SQL, earned: SQL): SQL =>
  sql`(case when ${earned} > 0 then round(${incurred} * 100.0 / ${earned}, 1) end)::float8`

/**
 * Answers `policy_id, month, earned, incurred, ledger`. `earned` is premium by month covered, `ledger` is premium
 * income by posting month, and claims are as in the ledger.
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

/** Like `experienceByMonth`, summed over the months. */
export const experienceSql = (from: SQL, to: SQL): SQL => sql`
  select policy_id, sum(earned)::bigint as earned, sum(incurred)::bigint as incurred, sum(ledger)::bigint as ledger
  from (${experienceByMonth(from, to)}) months group by policy_id`

export const coversOn = (day: SQL): SQL => sql`
  select c.member_id, c.group_id, c.policy_id, c.tier_id, c.kind, c.valid from member_covers c
  where c.superseded_at is null and c.valid @> ${day}`
