import { deliveryRetentionDays } from "@milkwood/domain/webhooks/webhook"
import { sql } from "drizzle-orm"
import { job } from "../platform/work/jobs.ts"

/** Nightly: deletes old finished messages and those of removed webhooks. */
export const webhooksDaily = job("webhooks.daily", ({ transaction }) =>
  transaction(async ({ tx, now }) => {
    const before = now.subtract({ hours: 24 * deliveryRetentionDays })
    const deliveries = await tx.run(sql`
      delete from webhook_deliveries d where (d.state <> 'waiting' and d.finished_at < ${before})
        or d.webhook_id in (select id from webhooks where removed_at < ${before})`)
    return { deliveries }
  }),
)
