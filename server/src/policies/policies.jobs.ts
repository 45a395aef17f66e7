import { expirePolicy } from "@milkwood/domain/policies/policy-rules"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { job } from "../platform/work/jobs.ts"
import { refreshCopies } from "./policy-periods.ts"
import { lockPolicy, savePolicy } from "./policy-record.ts"

/**
 * Every day: policies whose end date is over expire, one transaction each, and the copies of today's premium and rule
 * follow the dated ones. Finds only what is still to be done, so a day that was missed is made up for and a second run does
 * nothing.
 */
export const policiesDaily = job("policies.daily", async ({ transaction, signal }) => {
  let expired = 0
  while (await transaction(expireNext)) {
    expired++
    signal.throwIfAborted()
  }
  await transaction((cx) => refreshCopies(cx))
  return { expired }
})

/** Lets the next policy expire that the rule of the domain would; a test holds the search against the rule. */
async function expireNext(cx: Cx): Promise<boolean> {
  const found = await cx.tx.row<{ id: string }>(sql`
    select id from policies where status in ('Active', 'Suspended') and end_on < ${cx.today}::date
    order by end_on, id limit 1 for update skip locked`)
  if (!found) return false
  const policy = await lockPolicy(cx.tx, found.id)
  await savePolicy(cx, policy, orRefuse(expirePolicy(policy, cx.today)))
  return true
}
