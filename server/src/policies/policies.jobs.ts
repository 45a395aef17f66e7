import { expirePolicy } from "@milkwood/domain/policies/policy-rules"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { job } from "../platform/work/jobs.ts"
import { refreshCurrentPremiums } from "./policy-periods.ts"
import { lockPolicy, savePolicy } from "./policy-record.ts"

/**
 * Daily: expires policies after their end date, one transaction each, and refreshes the copies of today's premium and
 * rule. Idempotent, and catches up on missed days.
 */
export const policiesDaily = job("policies.daily", async ({ transaction, signal }) => {
  let expired = 0
  while (await transaction(expireNext)) {
    expired++
    signal.throwIfAborted()
  }
  await transaction((cx) => refreshCurrentPremiums(cx))
  return { expired }
})

/** A test compares this query with the domain rule. */
async function expireNext(cx: Cx): Promise<boolean> {
  const found = await cx.tx.row<{ id: string }>(sql`
    select id from policies where status in ('Active', 'Suspended') and end_on < ${cx.today}::date
    order by end_on, id limit 1 for update skip locked`)
  if (!found) return false
  const policy = await lockPolicy(cx.tx, found.id)
  await savePolicy(cx, policy, orRefuse(expirePolicy(policy, cx.today)))
  return true
}
