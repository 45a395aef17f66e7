import { sql } from "drizzle-orm"
import { job } from "../platform/work/jobs.ts"
import { storeMonthEnd } from "./member-counts.ts"
import { refreshMembers } from "./member-covers.ts"

/**
 * Runs daily: stores last month's end, then updates members' status and tier for changes due today, for example planned
 * suspensions. Each policy has its own transaction to keep locks short.
 */
export const membersDaily = job("members.daily", async ({ transaction, signal }) => {
  await transaction(async (cx) => storeMonthEnd(cx, cx.timezone))
  const policies = await transaction(({ tx }) => tx.rows<{ id: string }>(sql`select id from policies order by id`))
  let changed = 0
  for (const { id } of policies) {
    signal.throwIfAborted()
    changed += await transaction((cx) => refreshMembers(cx, { policyId: id }))
  }
  return { changed }
})
