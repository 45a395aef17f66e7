import { ageBuckets, ageLimits } from "@milkwood/domain/billing/ageing"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { unallocated, unallocatedCents } from "../receipts/receipts.queries.ts"

/** The names of the figures of a policy, in cents. */
const figures = [
  "expectedCents",
  "collectedCents",
  "outstandingCents",
  "overdueCents",
  "paidOfOverdueCents",
  "creditCents",
  ...ageBuckets,
]

/**
 * What each policy was asked for and has paid, as a select (policy_id, figures): of the invoices of a month (its first
 * day) and the credit received in it, or, without one, of all that is open and all credit. Added up set by set from
 * what invoices and receipts keep.
 */
export function figuresOf(month: Day | undefined, today: Day): SQL {
  const within = (day: SQL) =>
    month ? sql`${day} >= ${month}::date and ${day} < (${month}::date + interval '1 month')` : sql`true`
  const asked = month ? sql`i.status = 'sent' and ${within(sql`i.period_start_on`)}` : sql`${isOpen}`
  const late = sql`i.due_on < ${today}::date`
  const buckets = ageBuckets.map((bucket) => {
    const { from, to } = ageLimits[bucket]
    const days = sql`(${today}::date - i.due_on)`
    const lower = from === null ? sql`true` : sql`${days} >= ${from}::int`
    const upper = to === null ? sql`true` : sql`${days} <= ${to}::int`
    return sql`case when ${lower} and ${upper} then ${openCents} else 0 end as ${sql.identifier(bucket)}`
  })
  const nothing = (name: string) => sql`0 as ${sql.identifier(name)}`
  return sql`
    select policy_id, ${sql.join(
      figures.map((name) => sql`sum(${sql.identifier(name)})::bigint as ${sql.identifier(name)}`),
      sql`, `,
    )}
    from (
      select i.policy_id, i.total_cents - i.credited_cents as "expectedCents", i.allocated_cents as "collectedCents",
        ${openCents} as "outstandingCents", case when ${late} then ${openCents} else 0 end as "overdueCents",
        case when ${late} and ${openCents} > 0 then i.allocated_cents else 0 end as "paidOfOverdueCents", 0 as "creditCents",
        ${sql.join(buckets, sql`, `)}
      from invoices i where ${asked}
      union all
      select r.policy_id, 0, ${unallocatedCents}, 0, 0, 0, ${unallocatedCents},
        ${sql.join(ageBuckets.map(nothing), sql`, `)}
      from receipts r
      where ${unallocated} and ${within(sql`r.received_on`)}
    ) moved group by policy_id`
}
