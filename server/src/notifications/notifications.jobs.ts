import { notificationRetentionDays } from "@milkwood/domain/notifications/notification"
import { sql } from "drizzle-orm"
import { settleClocks } from "../claims/claim-clocks.ts"
import { job } from "../platform/work/jobs.ts"
import { notifyClaimsDue, remindOfClaims } from "./claim-news.ts"
import { mailNotices } from "./mail-notices.ts"
import { notifyBrokenPromises, notifyOverdue } from "./money-news.ts"
import { settleExpiryNotifications } from "./policy-news.ts"

/**
 * Runs every morning: waiting and due claims, overdue invoices, broken promises, then the morning mail. Each is notified once,
 * so the job can be repeated.
 */
export const notificationsDaily = job("notifications.daily", async ({ transaction }) => {
  await transaction(async (cx) => {
    await settleClocks(cx)
    await remindOfClaims(cx)
    await notifyClaimsDue(cx)
    await notifyOverdue(cx)
    await notifyBrokenPromises(cx)
    await settleExpiryNotifications(cx)
    await cx.tx.run(
      sql`delete from notifications where at < ${cx.now}::timestamptz - make_interval(days => ${notificationRetentionDays})`,
    )
  })
  let mailed = 0
  for (;;) {
    const taken = await transaction((cx) => mailNotices(cx, "digest"))
    mailed += taken
    if (taken === 0) return { mailed }
  }
})
