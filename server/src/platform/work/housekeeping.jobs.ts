import { sql } from "drizzle-orm"
import { job } from "./jobs.ts"

/** Every night: forgets idempotency keys after 7 days, and files that no record names. */
export const housekeeping = job("platform.housekeeping", async ({ transaction, app }) =>
  transaction(async ({ tx, now }) => {
    const keys = await tx.run(sql`delete from idempotency_keys where created_at < ${now.subtract({ hours: 24 * 7 })}`)
    const files = await app.files.sweep(tx, now)
    return { keys, files }
  }),
)
