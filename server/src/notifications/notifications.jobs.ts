import { keptDays } from "@milkwood/domain/notifications/notification"
import { sql } from "drizzle-orm"
import { job } from "../platform/work/jobs.ts"
import { remindOfClaims } from "./claim-news.ts"
import { mailNotices } from "./mail-notices.ts"
import { tellBrokenPromises, tellOverdue } from "./money-news.ts"
import { renewedPolicies } from "./policy-news.ts"

/**
 * Every morning: what the day itself brings (claims that wait, invoices past their day, promises not kept), then the
 * morning mail with it. Each is told once, so that the job may run again.
 */
export const notificationsDaily = job("notifications.daily", async ({ transaction }) => {
  await transaction(async (cx) => {
    await remindOfClaims(cx)
    await tellOverdue(cx)
    await tellBrokenPromises(cx)
    await renewedPolicies(cx)
    await cx.tx.run(
      sql`delete from notifications where at < ${cx.now}::timestamptz - make_interval(days => ${keptDays})`,
    )
  })
  let mailed = 0
  for (;;) {
    const taken = await transaction((cx) => mailNotices(cx, "digest"))
    mailed += taken
    if (taken === 0) return { mailed }
  }
})
