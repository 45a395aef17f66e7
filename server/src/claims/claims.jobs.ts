import { claimTabs } from "@milkwood/domain/claims/claim"
import { sql } from "drizzle-orm"
import { job } from "../platform/work/jobs.ts"
import { lockClaim } from "./claim-record.ts"
import { moveReserve } from "./reserves.ts"

/** Runs daily: gives a reserve to open claims without one, which were submitted before claims had reserves. */
export const claimsDaily = job("claims.daily", async ({ transaction, signal }) => {
  const without = sql`c.status = any (${sql.param([...claimTabs.pending])}::text[])
    and not exists (select from claim_reserve_movements v where v.claim_id = c.id)`
  const claims = await transaction(({ tx }) =>
    tx.rows<{ id: string }>(sql`select id from claims c where ${without} order by id`),
  )
  let reserved = 0
  for (const { id } of claims) {
    signal.throwIfAborted()
    reserved += await transaction(async (cx) => {
      const claim = await lockClaim(cx, id)
      if (!(await cx.tx.row(sql`select from claims c where c.id = ${id} and ${without}`))) return 0
      await moveReserve(cx, claim, "taken_on")
      return 1
    })
  }
  return { reserved }
})
