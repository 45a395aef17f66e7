import { randomUUID } from "node:crypto"
import { messageBody, testEvent } from "@milkwood/domain/webhooks/webhook-events"
import { webhooksContract } from "@milkwood/domain/webhooks/webhooks.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { webhookRecord } from "./manage-webhooks.ts"
import { findDelivery, findWebhook } from "./webhooks.queries.ts"

export const sendTestMessage = command(webhooksContract.test, async (cx) => {
  const { tx, now, input } = cx
  const webhook = await findWebhook(cx, input.webhookId)
  if (webhook.isPaused) throw refused("PAUSED")
  const id = randomUUID()
  const body = messageBody(testEvent, now, { webhookId: webhook.id })
  await tx.run(sql`
    insert into webhook_deliveries (id, webhook_id, event, label, body, state, next_attempt_at, created_at)
    values (${id}, ${webhook.id}, ${testEvent}, '', ${body}, 'waiting', clock_timestamp(), ${now})`)
  await clearHold(cx, webhook.id)
  await record(cx, [{ type: "WebhookTested", ...webhookRecord(webhook.id, webhook.name) }])
  return findDelivery(tx, id)
})

export const resendMessage = command(webhooksContract.deliveries.resend, async (cx) => {
  const { tx, input } = cx
  const found = await tx.row<{ webhookId: string; event: string }>(sql`
    select webhook_id as "webhookId", event from webhook_deliveries where id = ${input.deliveryId} for update`)
  if (!found) throw refused("NOT_FOUND", "This message does not exist.")
  const { isUnderWay } = await findDelivery(tx, input.deliveryId)
  if (isUnderWay) throw refused("BUSY", "This message is being sent at the moment.")
  const webhook = await findWebhook(cx, found.webhookId)
  if (webhook.isPaused) throw refused("PAUSED")
  await tx.run(sql`
    update webhook_deliveries set state = 'waiting', attempts = 0, next_attempt_at = clock_timestamp(), finished_at = null
    where id = ${input.deliveryId}`)
  await clearHold(cx, webhook.id)
  await record(cx, [{ type: "WebhookSentAgain", ...webhookRecord(webhook.id, webhook.name), event: found.event }])
  return findDelivery(tx, input.deliveryId)
})

/** A user is waiting for the message, so it is sent despite the pause after failures. */
async function clearHold({ tx }: Cx, webhookId: string): Promise<void> {
  await tx.run(sql`update webhooks set held_until = null where id = ${webhookId}`)
  await tx.run(sql`notify milkwood_webhooks`)
}
