import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { requireOnceActive } from "@milkwood/domain/billing/invoice-steps"
import { addMonths, type Day, firstOfMonth, lastOfMonth, maxDay } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { payingMembers } from "../members/cover.queries.ts"
import { orRefuse, query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { isBilledTo } from "./billed.queries.ts"

export const readNextPeriod = query(billingContract.nextPeriod, async ({ tx, input, today }) => {
  const policy = await readPolicy(tx, input.policyId)
  const startOn = orRefuse(requireOnceActive(policy.startOn))
  const periodStartOn = await findNextMonthToBill(tx, { ...policy, startOn }, today)
  return { periodStartOn, periodEndOn: lastOfMonth(periodStartOn), dueDays: policy.dueDays }
})

/**
 * The first billable month without a premium invoice and with a paying member who is not billed otherwise. If there is
 * none: next month, or the policy's first billing month if later.
 */
export async function findNextMonthToBill(
  tx: Tx,
  policy: { id: string; startOn: Day; billedFromOn: Day | null },
  today: Day,
): Promise<Day> {
  const first = maxDay(firstOfMonth(policy.startOn), policy.billedFromOn ?? policy.startOn)
  const next = maxDay(addMonths(firstOfMonth(today), 1), firstOfMonth(first))
  const unbilled = await tx.row<{ first: Day }>(sql`
    with unbilled as materialized (
      select month.first from (
        select first::date from generate_series(date_trunc('month', ${first}::date),
          greatest(${next}::date, (select max(period_end_on) + 1 from invoices where policy_id = ${policy.id}))
            + interval '1 month', interval '1 month') first
      ) month
      where not exists (select from invoices i
        where i.policy_id = ${policy.id} and i.kind = 'premium' and i.status <> 'cancelled' and i.credited_whole_at is null
          and daterange(i.period_start_on, i.period_end_on, '[]')
            && daterange(month.first, (month.first + interval '1 month')::date))
    )
    select first from unbilled
    where exists (select from (${payingMembers(sql`unbilled.first`, policy.id)}) paying
      where not ${isBilledTo(sql`paying.member_id`, sql`unbilled.first`, sql`i.status <> 'cancelled'`)})
    order by first limit 1`)
  return unbilled?.first ?? next
}
