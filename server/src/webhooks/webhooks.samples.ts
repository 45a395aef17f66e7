import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { TestApp } from "../test/app.ts"
import { MessageSender } from "./deliver-messages.ts"

export async function deliverAll(app: App, signal = new AbortController().signal): Promise<number> {
  const sender = new MessageSender(app, (error) => {
    throw error
  })
  sender.look(signal)
  await sender.idle()
  return sender.tried
}

export async function makeMessagesDue(app: Pick<TestApp, "sql">): Promise<void> {
  await app.sql.run(sql`update webhook_deliveries set next_attempt_at = now() where state = 'waiting'`)
  await app.sql.run(sql`update webhooks set held_until = null`)
}
