import { addMonths, type Day, minDay } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { comparedMonthsSql } from "./difference.queries.ts"

/**
 * Facts have the time of the request, but are written later. This margin exceeds any wait; a larger one only costs
 * time.
 */
const requestTimeMargin = "1 day"

/** The caller must have locked the policy, compared it and written the bill. */
export const markMonthSettled = (
  { tx, now }: Pick<Cx, "tx" | "now">,
  { policyId, month }: { policyId: string; month: Day },
): Promise<number> =>
  tx.run(sql`
    insert into settled_months (policy_id, group_id, month, settled_at, invoice_ids)
    select p.id, p.group_id, ${month}::date, ${now}::timestamptz, array(
      select i.id from invoices i where i.policy_id = p.id and i.created_at >= ${now}::timestamptz - ${requestTimeMargin}::interval)
    from policies p where p.id = ${policyId}
    on conflict (policy_id) do update
      set month = excluded.month, settled_at = excluded.settled_at, invoice_ids = excluded.invoice_ids
      where excluded.month >= settled_months.month`)

export interface SettledBilling {
  /** Last settled month, inclusive. */
  month: Day
  /** Members with later facts or documents. */
  touched: string[]
}

/** Above this number, comparing all members is faster. */
const maxChangedMembers = 10_000

/**
 * The month up to which the last run billed everything, and the members changed since. Undefined if all must be
 * compared: no run, changed policy terms, rates, or too many changed members. `before`: an interval before the run, for
 * facts requested earlier but written after it.
 */
export async function loadSettledBilling(
  tx: Tx,
  policyId: string,
  now: Temporal.Instant,
  before = requestTimeMargin,
): Promise<SettledBilling | undefined> {
  const isSince = (moment: string) => sql`${sql.raw(moment)} between s.since and ${now}::timestamptz`
  const isChanged = sql`(${isSince("f.recorded_at")} or ${isSince("f.superseded_at")})`
  const settled = await tx.row<SettledBilling>(sql`
    select s.month, array(
      select member_id from (
        select f.member_id from member_covers f where f.policy_id = s.policy_id and ${isSince("f.recorded_at")}
        union
        select f.member_id from member_covers f where f.policy_id = s.policy_id and ${isSince("f.superseded_at")}
        union
        -- Lines are written with their invoice; taken off again, they settle nothing any more (0500).
        select l.member_id from invoices i join invoice_lines l on l.invoice_id = i.id
        where i.policy_id = s.policy_id and l.billed_month is not null
          and (i.cancelled_at >= s.since or i.created_at >= s.since and i.id <> all (s.invoice_ids))
        union
        select l.member_id from credit_notes c join credit_note_lines l on l.credit_note_id = c.id
        where c.policy_id = s.policy_id and c.created_at >= s.since and l.billed_month is not null
      ) touched limit ${maxChangedMembers + 1}) as touched
    from (select *, settled_at - ${before}::interval as since from settled_months) s
    where s.policy_id = ${policyId}
      and not exists (select from policy_premiums f
        where f.policy_id = s.policy_id and (f.rate_table_id is not null or ${isChanged}))
      and not exists (select from policy_periods f where f.policy_id = s.policy_id and ${isChanged})
      and not exists (select from policy_end_rules f where f.policy_id = s.policy_id and ${isChanged})
      and not exists (select from policy_billed_from f where f.policy_id = s.policy_id and ${isChanged})`)
  return settled && settled.touched.length <= maxChangedMembers ? settled : undefined
}

/** The rows of `comparedMonthsSql`: changed members up to the settled month, all members after it. */
export function changedMonthsSql(
  { month, touched }: SettledBilling,
  asked: { policies: SQL; month: Day; knownAt: Temporal.Instant },
): SQL {
  const members = sql`select unnest(${sql.param(touched)}::uuid[])`
  return sql`
    select * from (${comparedMonthsSql({ ...asked, month: minDay(asked.month, month), members })}) touched
    union all
    select * from (${comparedMonthsSql({ ...asked, from: addMonths(month, 1) })}) since`
}
