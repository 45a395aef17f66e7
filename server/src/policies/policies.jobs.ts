import type { Policy } from "@milkwood/domain/policies/policy"
import { sql } from "drizzle-orm"
import { record } from "../platform/trail/facts.ts"
import { job } from "../platform/work/jobs.ts"
import { refreshPremiums } from "./policy-periods.ts"

/**
 * Every day: policies whose end date is over expire, one transaction each, and the copies of today's premium follow
 * the dated ones. Finds only what is still to be done, so a day that was missed is made up for and a second run does
 * nothing.
 */
export const policiesDaily = job("policies.daily", async ({ transaction, signal }) => {
  let expired = 0
  while (await transaction(expireOne)) {
    expired++
    signal.throwIfAborted()
  }
  await transaction((cx) => refreshPremiums(cx))
  return { expired }
})

async function expireOne(cx: Parameters<typeof record>[0]): Promise<boolean> {
  const { tx, now, today } = cx
  const policy = await tx.row<Pick<Policy, "id" | "groupId" | "number"> & { endOn: string }>(sql`
    update policies set status = 'Expired', updated_at = ${now}, version = version + 1
    where id = (
      select id from policies where status = 'Active' and end_on < ${today}::date
      order by end_on, id limit 1 for update skip locked
    )
    returning id, group_id as "groupId", number, end_on as "endOn"`)
  if (!policy) return false
  await record(cx, [
    {
      type: "PolicyExpired",
      record: { kind: "policy", id: policy.id, label: policy.number },
      groupId: policy.groupId,
      on: policy.endOn,
    },
  ])
  return true
}
