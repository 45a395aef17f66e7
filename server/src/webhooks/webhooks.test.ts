import { maxAttempts } from "@milkwood/domain/webhooks/webhook"
import { sql } from "drizzle-orm"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import {
  createApprovedClaim,
  createDraftClaim,
  createRejectedClaim,
  createSubmittedClaim,
} from "../claims/claims.samples.ts"
import { startJob } from "../platform/work/jobs.ts"
import { Receiver } from "./receiver.samples.ts"
import { deliverAll, makeMessagesDue } from "./webhooks.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let receiver: Receiver
const webhooksClient = () => app.as(app.people.admin).webhooks

beforeAll(async () => {
  // The signature library uses the real time.
  app = await openClaimApp({ now: Temporal.Now.instant().toString(), webhookNetworks: ["127.0.0.1/32"] })
  scene = await insureGroup(app, "Own Works")
})
afterAll(() => app.close())
beforeEach(async () => {
  receiver?.close()
  receiver = await Receiver.started()
  await app.sql.run(sql`delete from webhook_deliveries`)
  await app.sql.run(sql`update webhooks set removed_at = now() where removed_at is null`)
  return () => receiver.close()
})

const createWebhook = (events: string[] = ["claim.submitted"], more: object = {}) =>
  webhooksClient().make({ name: "Payroll", url: receiver.url, events, ...more } as never)
const receivedBodies = () => receiver.received.map(({ body }) => JSON.parse(body))
const deliverMessages = () => deliverAll(app.app)
const makeDue = () => makeMessagesDue(app)
const readOnlyDelivery = async (webhookId: string) => (await webhooksClient().deliveries.list({ webhookId })).rows[0]!

test("an employer user's action sends a signed message with ids only", async () => {
  const { secret, webhook } = await createWebhook()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  expect(receiver.received).toEqual([])
  expect(await deliverMessages()).toBe(1)
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
    type: "claim.submitted",
    timestamp: app.clock.now().toString(),
    data: { kind: "claim", id: claim.id, number: claim.number, groupId: scene.groupId },
  })
  expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow()
  expect(headers["content-type"]).toBe("application/json")
  const row = await readOnlyDelivery(webhook.id)
  expect(row).toMatchObject({ id: headers["webhook-id"], event: "claim.submitted", label: claim.number })
  expect(row).toMatchObject({ state: "delivered", attempts: 1, answer: "200", allowedActions: ["resend"] })
  const { tries, webhook: told } = await webhooksClient().deliveries.detail({ deliveryId: row.id })
  expect(tries).toMatchObject([{ status: 200, said: "Thank you" }])
  expect(told).toMatchObject({ id: webhook.id, name: "Payroll" })
  expect(await deliverMessages()).toBe(0)
})

test("each webhook receives only its events, and none that were rolled back", async () => {
  await createWebhook(["claim.approved", "claim.rejected", "payment.completed"])
  await createWebhook(["policy.activated"])
  await createApprovedClaim(scene.cast, scene.sample)
  await createRejectedClaim(scene.cast, scene.sample)
  const draft = await createDraftClaim(scene.cast, { memberId: scene.memberId, diagnosis: "" })
  await expect(scene.cast.captures.claims.submit({ claimId: draft.id, version: draft.version })).rejects.toThrow()
  await deliverMessages()
  expect(receivedBodies().map(({ type }) => type)).toEqual(["claim.approved", "claim.rejected"])
  for (const { body } of receiver.received)
    expect(Object.keys(JSON.parse(body).data).sort()).toEqual(["groupId", "id", "kind", "number"])
})

test("a failing receiver is retried, then given up with a notice, and can be resent", async () => {
  const { webhook } = await createWebhook()
  await createSubmittedClaim(scene.cast, scene.sample)
  receiver.answer = (response) => response.writeHead(400).end("No such payroll")
  expect(await deliverMessages()).toBe(1)
  expect(await readOnlyDelivery(webhook.id)).toMatchObject({
    state: "waiting",
    attempts: 1,
    answer: "400: No such payroll",
  })
  expect(await deliverMessages()).toBe(0)
  for (let tried = 1; tried < maxAttempts; tried++) {
    await makeDue()
    expect(await deliverMessages()).toBe(1)
  }
  const row = await readOnlyDelivery(webhook.id)
  expect(row).toMatchObject({ state: "given_up", attempts: maxAttempts, nextAttemptAt: null })
  await makeDue()
  expect(await deliverMessages()).toBe(0)
  const { rows } = await app.as(app.people.admin).notifications.inbox({})
  expect(rows[0]).toMatchObject({
    kind: "webhook_failed",
    text: 'Webhook "Payroll" failed for three days and its message was dropped',
    path: `/settings/integrations/${webhook.id}`,
  })
  expect((await app.as(app.people.manager).notifications.inbox({})).rows.map(({ kind }) => kind)).not.toContain(
    "webhook_failed",
  )
  expect(await webhooksClient().detail({ webhookId: webhook.id })).toMatchObject({ givenUp: 1, waiting: 0 })
  receiver.answer = (response) => response.writeHead(204).end()
  await webhooksClient().deliveries.resend({ deliveryId: row.id })
  expect(await deliverMessages()).toBe(1)
  const ids = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))
  expect(ids).toEqual(new Set([row.id]))
  const { tries, state } = await webhooksClient().deliveries.detail({ deliveryId: row.id })
  expect([tries.length, state]).toEqual([maxAttempts + 1, "delivered"])
  const facts = await app.sql.rows<{ fact: string; actor: string }>(sql`
    select fact, actor_name as actor from audit_log where record_id = ${webhook.id} order by id`)
  expect(facts).toEqual([
    { fact: "WebhookMade", actor: "Ada Admin" },
    { fact: "WebhookGaveUp", actor: "Milkwood" },
    { fact: "WebhookSentAgain", actor: "Ada Admin" },
  ])
})

test("an unresponsive address is paused without delaying other webhooks", async () => {
  const other = await Receiver.started()
  receiver.answer = (response) => response.writeHead(503).end()
  const { webhook } = await createWebhook()
  await createWebhook(["claim.submitted"], { url: other.url })
  for (let n = 0; n < 3; n++) await createSubmittedClaim(scene.cast, scene.sample)
  await deliverMessages()
  expect([receiver.received.length, other.received.length]).toEqual([1, 3])
  expect(await webhooksClient().detail({ webhookId: webhook.id })).toMatchObject({ waiting: 3, lastError: "503" })
  receiver.answer = (response) => response.end()
  await makeDue()
  await deliverMessages()
  expect(receiver.received.length).toBe(4)
  expect(await app.sql.row(sql`select failures, held_until as held from webhooks where id = ${webhook.id}`)).toEqual({
    failures: 0,
    held: null,
  })
  other.close()
})

test("messages wait while the webhook is paused and are sent on resume", async () => {
  const { webhook } = await createWebhook()
  const paused = await webhooksClient().pause({ webhookId: webhook.id, version: webhook.version })
  expect(paused.isPaused).toBe(true)
  await createSubmittedClaim(scene.cast, scene.sample)
  expect(await deliverMessages()).toBe(0)
  await expect(webhooksClient().test({ webhookId: webhook.id })).rejects.toMatchObject({ code: "PAUSED" })
  await expect(webhooksClient().resume({ webhookId: webhook.id, version: webhook.version })).rejects.toMatchObject({
    code: "STALE",
  })
  await webhooksClient().resume({ webhookId: webhook.id, version: paused.version })
  expect(await deliverMessages()).toBe(1)
})

test("a test message is delivered like other messages", async () => {
  const { secret, webhook } = await createWebhook()
  const sent = await webhooksClient().test({ webhookId: webhook.id })
  expect(sent).toMatchObject({ event: "webhook.test", state: "waiting", allowedActions: [] })
  await deliverMessages()
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "webhook.test",
    data: { webhookId: webhook.id },
  })
})

test("both secrets sign for a day, then the new one; both are stored encrypted", async () => {
  const { secret, webhook } = await createWebhook()
  const renewed = await webhooksClient().rotate({ webhookId: webhook.id, version: webhook.version })
  expect(renewed.secret).not.toBe(secret)
  const verifies = async () => {
    receiver.received.length = 0
    await webhooksClient().test({ webhookId: webhook.id })
    await deliverMessages()
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
    return [secret, renewed.secret].map((one) => {
      try {
        return Boolean(new Webhook(one).verify(body, headers as Record<string, string>))
      } catch {
        return false
      }
    })
  }
  expect(await verifies()).toEqual([true, true])
  await app.sql.run(sql`update webhooks set old_secret_until = ${app.clock.now()} where id = ${webhook.id}`)
  expect(await verifies()).toEqual([false, true])
  const kept = await app.sql.row<{ all: string }>(sql`
    select (select string_agg(w::text, '') from webhooks w) || (select string_agg(a::text, '') from audit_log a) as all`)
  for (const one of [secret, renewed.secret]) expect(kept!.all).not.toContain(one.slice("whsec_".length))
})

test("a secret encrypted with another key does not block other messages", async () => {
  const { webhook } = await createWebhook()
  await app.sql.run(sql`update webhooks set secret = 'v1:AAAA:AAAA:AAAA' where id = ${webhook.id}`)
  await createWebhook()
  await createSubmittedClaim(scene.cast, scene.sample)
  await deliverMessages()
  expect(receiver.received).toHaveLength(1)
  expect((await readOnlyDelivery(webhook.id)).answer).toBe(
    "The webhook's secret cannot be decrypted with the key of this data folder. Create a new secret.",
  )
})

test("a removed webhook receives no messages and is not found", async () => {
  const { webhook } = await createWebhook()
  await createSubmittedClaim(scene.cast, scene.sample)
  await webhooksClient().remove({ webhookId: webhook.id, version: webhook.version })
  await createSubmittedClaim(scene.cast, scene.sample)
  expect(await deliverMessages()).toBe(0)
  for (const gone of [
    () => webhooksClient().detail({ webhookId: webhook.id }),
    () => webhooksClient().test({ webhookId: webhook.id }),
    () =>
      webhooksClient().edit({
        webhookId: webhook.id,
        version: 1,
        name: "A",
        url: receiver.url,
        events: ["claim.paid"],
      }),
  ])
    await expect(gone()).rejects.toMatchObject({ code: "NOT_FOUND" })
  expect((await webhooksClient().list({})).webhooks).toEqual([])
})

test("an edit needs the current version and a fresh proof, and queued messages go to the new address", async () => {
  const other = await Receiver.started()
  const { webhook } = await createWebhook()
  await createSubmittedClaim(scene.cast, scene.sample)
  const change = { webhookId: webhook.id, version: 1, name: "Payroll", url: other.url, events: ["claim.paid" as const] }
  const unproven = app.as({ ...app.people.admin, session: undefined } as never).webhooks
  for (const refused of [
    () => unproven.edit(change),
    () => unproven.rotate({ webhookId: webhook.id, version: 1 }),
    () => unproven.make({ name: "A", url: receiver.url, events: ["claim.paid"] }),
  ])
    await expect(refused()).rejects.toMatchObject({ code: "PROOF_REQUIRED" })
  await expect(webhooksClient().edit({ ...change, version: 7 })).rejects.toMatchObject({ code: "STALE" })
  await expect(webhooksClient().edit({ ...change, url: "https://10.0.0.1/" })).rejects.toMatchObject({
    data: { fields: [{ path: "url" }] },
  })
  await expect(webhooksClient().edit({ ...change, events: [] })).rejects.toMatchObject({
    data: { fields: [{ path: "events", message: "Choose at least one event" }] },
  })
  expect(await webhooksClient().edit(change)).toMatchObject({ url: other.url, events: ["claim.paid"], version: 2 })
  await deliverMessages()
  expect([receiver.received.length, other.received.length]).toEqual([0, 1])
  other.close()
})

test("employer users trigger messages but cannot read webhooks or messages", async () => {
  await createWebhook()
  await app.transaction(scene.people.hr, async ({ tx }) => {
    expect(await tx.rows(sql`select id, events from webhooks where removed_at is null`)).toHaveLength(1)
  })
  for (const read of [
    sql`select url from webhooks`,
    sql`select secret from webhooks`,
    sql`select body from webhook_deliveries`,
  ])
    await expect(app.transaction(scene.people.hr, ({ tx }) => tx.rows(read))).rejects.toThrow()
})

test("finished messages are deleted after thirty days, waiting ones are kept", async () => {
  const { webhook } = await createWebhook()
  for (let n = 0; n < 2; n++) await createSubmittedClaim(scene.cast, scene.sample)
  receiver.answer = (response) => response.writeHead(receiver.received.length === 1 ? 200 : 400).end()
  await deliverMessages()
  const nightly = async () => {
    await app.transaction(app.people.admin, (cx) => startJob(cx, { kind: "webhooks.daily", label: "Old", payload: {} }))
    await app.runJobs()
    return (await webhooksClient().deliveries.list({ webhookId: webhook.id })).counts
  }
  app.clock.advance({ hours: 29 * 24 })
  expect(await nightly()).toMatchObject({ delivered: 1, waiting: 1 })
  app.clock.advance({ hours: 2 * 24 })
  expect(await nightly()).toMatchObject({ delivered: 0, waiting: 1 })
})

test("the number of webhooks is limited", async () => {
  await app.sql.run(sql`
    insert into webhooks (id, name, url, events, secret, made_by, made_at, updated_at)
    select gen_random_uuid(), 'x', 'https://x.example', '{claim.paid}', '', ${app.people.admin.userId}, now(), now()
    from generate_series(1, 50)`)
  await expect(createWebhook()).rejects.toMatchObject({ code: "TOO_MANY_WEBHOOKS" })
})
