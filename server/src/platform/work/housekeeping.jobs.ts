import { sql } from "drizzle-orm"
import { job } from "./jobs.ts"

/**
 * Runs nightly. Deletes unreferenced files and, after 7 days, idempotency keys, mailed links and passwords of former
 * mail servers. No link is valid that long.
 */
export const housekeeping = job("platform.housekeeping", async ({ transaction, app }) => {
  const forgotten = await transaction(async ({ tx, now }) => {
    const aWeekAgo = now.subtract({ hours: 24 * 7 })
    const keys = await tx.run(sql`delete from idempotency_keys where created_at < ${aWeekAgo}`)
    const secrets = await tx.run(sql`
      update mails set secret = null where secret is not null and created_at < ${aWeekAgo}`)
    await tx.run(sql`
      update mail_server_changes set former_password = null
      where former_password is not null and asked_at < ${aWeekAgo} and state <> 'waiting'`)
    return { keys, secrets }
  })
  return { ...forgotten, files: await app.files.sweep(app.database.direct("jobs"), app.clock.now()) }
})
