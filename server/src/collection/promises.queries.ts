import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

/** Receipts in cents dated from the promise `c` up to its day and captured after it, without reversed ones. */
const receivedSince = (timezone: string): SQL => sql`
  (select coalesce(sum(r.amount_cents), 0) from receipts r
   where r.policy_id = c.policy_id and r.reversed_at is null and r.created_at > c.made_at
     and r.received_on between (c.made_at at time zone ${timezone})::date and c.promised_on)`

/** SQL version of the domain's `promiseState`; null if `c` is not a promise. */
export const promiseSql = (today: Day, timezone: string): SQL => sql`
  case when c.outcome = 'promise' then
    case when ${receivedSince(timezone)} >= c.promised_cents then 'kept'
         when c.promised_on < ${today}::date then 'broken' else 'open' end end`

/**
 * Per policy the last promise, with its state, or the open dispute. Columns: policy_id, standing, promised_cents,
 * promised_on.
 */
export const standingsSql = (today: Day, timezone: string): SQL => sql`
  select c.policy_id, c.promised_cents, c.promised_on,
    case when c.outcome = 'promise' then case ${promiseSql(today, timezone)} when 'open' then 'promised' else ${promiseSql(today, timezone)} end
         when not exists (select from premium_contacts l
           where l.policy_id = c.policy_id and l.outcome = 'reached' and l.made_at > c.made_at) then 'disputed' end as standing
  from (select distinct on (policy_id) * from premium_contacts where outcome in ('promise', 'dispute')
    order by policy_id, made_at desc, id desc) c`
