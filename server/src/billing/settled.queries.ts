import { addMonths, type Day, minDay } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { compared } from "./difference.queries.ts"

/**
 * What is recorded bears the moment at which it was asked for, and is written when its turn has come: this is more than
 * anything waits. A margin too wide costs time, and nothing else.
 */
const margin = "1 day"

/**
 * Records that a policy was billed all that it owes up to a month. Whoever says so holds the policy's lock, has just laid
 * the two side by side, and has written the bill.
 */
export const settle = (
  { tx, now }: Pick<Cx, "tx" | "now">,
  { policyId, month }: { policyId: string; month: Day },
): Promise<number> =>
  tx.run(sql`
    insert into policy_settled (policy_id, group_id, month, settled_at, invoice_ids)
    select p.id, p.group_id, ${month}::date, ${now}::timestamptz, array(
      select i.id from invoices i where i.policy_id = p.id and i.created_at >= ${now}::timestamptz - ${margin}::interval)
    from policies p where p.id = ${policyId}
    on conflict (policy_id) do update
      set month = excluded.month, settled_at = excluded.settled_at, invoice_ids = excluded.invoice_ids
      where excluded.month >= policy_settled.month`)

export interface Settled {
  /** The last month that is settled. */
  month: Day
  /** For whom something was recorded or billed since. */
  touched: string[]
}

/** Of more than these, everybody's months are laid side by side sooner than theirs one by one. */
const touchedAtMost = 10_000

/**
 * Up to which month a policy was billed what it owes, but for some members, by its last premium run; asked about now.
 * Undefined where no run did, where the policy's own terms have changed since, where its premium goes by rates, which rest
 * on more than cover, or where very many are touched: then everything is to be laid side by side. `before` is how long
 * before the run something may have been asked for that was written after it, as an interval.
 */
export async function settledMonths(
  tx: Tx,
  policyId: string,
  now: Temporal.Instant,
  before = margin,
): Promise<Settled | undefined> {
  const isSince = (moment: string) => sql`${sql.raw(moment)} between s.since and ${now}::timestamptz`
  const isChanged = sql`(${isSince("f.recorded_at")} or ${isSince("f.superseded_at")})`
  const settled = await tx.row<Settled>(sql`
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
      ) touched limit ${touchedAtMost + 1}) as touched
    from (select *, settled_at - ${before}::interval as since from policy_settled) s
    where s.policy_id = ${policyId}
      and not exists (select from policy_premiums f
        where f.policy_id = s.policy_id and (f.rate_table_id is not null or ${isChanged}))
      and not exists (select from policy_periods f where f.policy_id = s.policy_id and ${isChanged})
      and not exists (select from policy_end_rules f where f.policy_id = s.policy_id and ${isChanged})
      and not exists (select from policy_billed_from f where f.policy_id = s.policy_id and ${isChanged})`)
  return settled && settled.touched.length <= touchedAtMost ? settled : undefined
}

/** The same rows as `compared`: up to the settled month of those who are touched, from then on of everybody. */
export function comparedSince(
  { month, touched }: Settled,
  asked: { policies: SQL; month: Day; knownAt: Temporal.Instant },
): SQL {
  const members = sql`select unnest(${sql.param(touched)}::uuid[])`
  return sql`
    select * from (${compared({ ...asked, month: minDay(asked.month, month), members })}) touched
    union all
    select * from (${compared({ ...asked, from: addMonths(month, 1) })}) since`
}
