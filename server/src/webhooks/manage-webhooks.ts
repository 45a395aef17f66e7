import { randomBytes, randomUUID } from "node:crypto"
import { diffFields } from "@milkwood/domain/kernel/changes"
import { maxWebhooks, oldSecretHours } from "@milkwood/domain/webhooks/webhook"
import type { WebhookFact } from "@milkwood/domain/webhooks/webhook-facts"
import { webhooksContract } from "@milkwood/domain/webhooks/webhooks.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, invalidInput, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { sealSecret } from "../platform/secrets.ts"
import { record } from "../platform/trail/facts.ts"
import { secretPurpose } from "./deliver-messages.ts"
import { formatSecret } from "./post-message.ts"
import { findAddressProblem } from "./reach.ts"
import { findWebhook } from "./webhooks.queries.ts"

/** The secret is returned once and stored encrypted. */
export const makeWebhook = command(webhooksContract.make, async (cx) => {
  expectProof(cx)
  const { app, tx, now, input } = cx
  const said = validateWebhook(cx, input)
  const there = await tx.row<{ count: number }>(sql`select count(*) from webhooks where removed_at is null`)
  if (there!.count >= maxWebhooks) throw refused("TOO_MANY_WEBHOOKS")
  const id = randomUUID()
  const secret = createSecret()
  await tx.run(sql`
    insert into webhooks (id, name, url, events, secret, made_by, made_at, updated_at)
    values (${id}, ${said.name}, ${said.url}, ${sql.param(said.events)}::text[], ${sealSecret(app, secretPurpose(id), secret)},
      ${actorUserId(cx.actor)}, ${now}, ${now})`)
  await record(cx, [{ type: "WebhookMade", ...webhookRecord(id, said.name), after: said }])
  return { secret, webhook: await findWebhook(cx, id) }
})

export const editWebhook = command(webhooksContract.edit, async (cx) => {
  expectProof(cx)
  const { tx, now, input } = cx
  const before = await lockWebhook(cx)
  const after = validateWebhook(cx, input)
  const changed = diffFields<WebhookInput>(before, after, ["name", "url", "events"])
  if (Object.keys(changed.after).length > 0) {
    await tx.run(sql`
      update webhooks set name = ${after.name}, url = ${after.url}, events = ${sql.param(after.events)}::text[],
        failures = 0, held_until = null, version = version + 1, updated_at = ${now} where id = ${before.id}`)
    await record(cx, [{ type: "WebhookChanged", ...webhookRecord(before.id, after.name), ...changed }])
    await tx.run(sql`notify milkwood_webhooks`)
  }
  return findWebhook(cx, before.id)
})

export const pauseWebhook = command(webhooksContract.pause, async (cx) => {
  const { id, name, isPaused } = await lockWebhook(cx)
  if (!isPaused) {
    await cx.tx.run(sql`
      update webhooks set paused_at = ${cx.now}, version = version + 1, updated_at = ${cx.now} where id = ${id}`)
    await record(cx, [{ type: "WebhookPaused", ...webhookRecord(id, name) }])
  }
  return findWebhook(cx, id)
})

export const resumeWebhook = command(webhooksContract.resume, async (cx) => {
  const { id, name, isPaused } = await lockWebhook(cx)
  if (isPaused) {
    await cx.tx.run(sql`
      update webhooks set paused_at = null, failures = 0, held_until = null, version = version + 1, updated_at = ${cx.now}
      where id = ${id}`)
    await cx.tx.run(sql`notify milkwood_webhooks`)
    await record(cx, [{ type: "WebhookResumed", ...webhookRecord(id, name) }])
  }
  return findWebhook(cx, id)
})

export const rotateSecret = command(webhooksContract.rotate, async (cx) => {
  expectProof(cx)
  const { app, tx, now } = cx
  const { id, name } = await lockWebhook(cx)
  const secret = createSecret()
  await tx.run(sql`
    update webhooks set old_secret = secret, old_secret_until = ${now.add({ hours: oldSecretHours })},
      secret = ${sealSecret(app, secretPurpose(id), secret)}, version = version + 1, updated_at = ${now} where id = ${id}`)
  await record(cx, [{ type: "WebhookSecretRenewed", ...webhookRecord(id, name) }])
  return { secret, webhook: await findWebhook(cx, id) }
})

/** The webhook's messages are kept as long as those of other webhooks. */
export const removeWebhook = command(webhooksContract.remove, async (cx) => {
  const { id, name } = await lockWebhook(cx)
  await cx.tx.run(sql`
    update webhooks set removed_at = ${cx.now}, version = version + 1, updated_at = ${cx.now} where id = ${id}`)
  await record(cx, [{ type: "WebhookRemoved", ...webhookRecord(id, name) }])
  return {}
})

const createSecret = (): string => formatSecret(randomBytes(32))

interface WebhookInput {
  name: string
  url: string
  events: string[]
}

/** Removes duplicate events; INVALID for a forbidden address. */
function validateWebhook({ app }: Pick<Cx, "app">, { name, url, events }: WebhookInput): WebhookInput {
  const problem = findAddressProblem(url, app.webhookNetworks)
  if (problem) throw invalidInput([{ path: "url", message: problem }])
  return { name, url, events: [...new Set(events)].sort() }
}

export const webhookRecord = (id: string, label: string): Pick<WebhookFact, "record" | "groupId"> => ({
  record: { kind: "webhook", id, label },
  groupId: null,
})

interface LockedWebhook extends WebhookInput {
  id: string
  isPaused: boolean
  version: number
}

async function lockWebhook({
  tx,
  input,
}: {
  tx: Cx["tx"]
  input: { webhookId: string; version: number }
}): Promise<LockedWebhook> {
  const found = await tx.row<LockedWebhook>(sql`
    select id, name, url, events, paused_at is not null as "isPaused", version from webhooks
    where id = ${input.webhookId} and removed_at is null for no key update`)
  if (!found) throw refused("NOT_FOUND", "This webhook does not exist.")
  expectVersion(found, input.version)
  return found
}
