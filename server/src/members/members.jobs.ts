import { sql } from "drizzle-orm"
import { job } from "../platform/work/jobs.ts"
import { keepMonthEnd } from "./member-counts.ts"
import { refreshMembers } from "./member-covers.ts"

/**
 * Every day: status and tier on the members' rows follow the dated facts, notice that has come, a suspension planned; a
 * policy at a time, so that nobody waits for all of them. Before it, last month's end is kept; after it, what the day's
 * changes added to the lives that are kept becomes one row for each of their kinds.
 */
export const membersDaily = job("members.daily", async ({ transaction, signal }) => {
  await transaction(async (cx) => keepMonthEnd(cx, cx.timezone))
  const policies = await transaction(({ tx }) => tx.rows<{ id: string }>(sql`select id from policies order by id`))
  let changed = 0
  for (const { id } of policies) {
    signal.throwIfAborted()
    changed += await transaction((cx) => refreshMembers(cx, { policyId: id }))
  }
  await transaction(({ tx }) => tx.run(sql`select fold_open_lives()`))
  return { changed }
})
