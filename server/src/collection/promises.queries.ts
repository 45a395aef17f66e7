import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

/**
 * Cents that came in since the promise `c`, dated from the day on which it was made up to the day for which it was
 * given, and were not taken back.
 */
const receivedSince = (timezone: string): SQL => sql`
  (select coalesce(sum(r.amount_cents), 0) from receipts r
   where r.policy_id = c.policy_id and r.reversed_at is null and r.created_at > c.made_at
     and r.received_on between (c.made_at at time zone ${timezone})::date and c.promised_on)`

/** How the promise of `c` stands, as `promiseState` of the domain has it; null where `c` is none. */
export const promiseOf = (today: Day, timezone: string): SQL => sql`
  case when c.outcome = 'promise' then
    case when ${receivedSince(timezone)} >= c.promised_cents then 'kept'
         when c.promised_on < ${today}::date then 'broken' else 'open' end end`

/**
 * What was said last of each policy, as a select (policy_id, standing, promised_cents, promised_on): a promise with how
 * it stands, or a dispute that no call has ended since.
 */
export const standingsOn = (today: Day, timezone: string): SQL => sql`
  select c.policy_id, c.promised_cents, c.promised_on,
    case when c.outcome = 'promise' then case ${promiseOf(today, timezone)} when 'open' then 'promised' else ${promiseOf(today, timezone)} end
         when not exists (select from premium_contacts l
           where l.policy_id = c.policy_id and l.outcome = 'reached' and l.made_at > c.made_at) then 'disputed' end as standing
  from (select distinct on (policy_id) * from premium_contacts where outcome in ('promise', 'dispute')
    order by policy_id, made_at desc, id desc) c`
