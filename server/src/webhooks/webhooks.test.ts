import { mostAttempts } from "@milkwood/domain/webhooks/webhook"
import { sql } from "drizzle-orm"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { approvedClaim, draftClaim, rejectedClaim, submittedClaim } from "../claims/claims.samples.ts"
import { startJob } from "../platform/work/jobs.ts"
import { Receiver } from "./receiver.samples.ts"
import { delivered, makeMessagesDue } from "./webhooks.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let receiver: Receiver
const admin = () => app.as(app.people.admin).webhooks

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

const made = (events: string[] = ["claim.submitted"], more: object = {}) =>
  admin().make({ name: "Payroll", url: receiver.url, events, ...more } as never)
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body))
const deliver = () => delivered(app.app)
const later = () => makeMessagesDue(app)
const only = async (webhookId: string) => (await admin().deliveries.list({ webhookId })).rows[0]!

test("an employer user's action sends a signed message with ids only", async () => {
  const { secret, webhook } = await made()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const claim = await submittedClaim(scene.cast, scene.sample)
  expect(receiver.received).toEqual([])
  expect(await deliver()).toBe(1)
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
    type: "claim.submitted",
    timestamp: app.clock.now().toString(),
    data: { kind: "claim", id: claim.id, number: claim.number, groupId: scene.groupId },
  })
  expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow()
  expect(headers["content-type"]).toBe("application/json")
  const row = await only(webhook.id)
  expect(row).toMatchObject({ id: headers["webhook-id"], event: "claim.submitted", label: claim.number })
  expect(row).toMatchObject({ state: "delivered", attempts: 1, answer: "200", allowedActions: ["resend"] })
  const { tries, webhook: told } = await admin().deliveries.detail({ deliveryId: row.id })
  expect(tries).toMatchObject([{ status: 200, said: "Thank you" }])
  expect(told).toMatchObject({ id: webhook.id, name: "Payroll" })
  expect(await deliver()).toBe(0)
})

test("each webhook receives only its events, and none that were rolled back", async () => {
  await made(["claim.approved", "claim.rejected", "payment.completed"])
  await made(["policy.activated"])
  await approvedClaim(scene.cast, scene.sample)
  await rejectedClaim(scene.cast, scene.sample)
  const draft = await draftClaim(scene.cast, { memberId: scene.memberId, diagnosis: "" })
  await expect(scene.cast.captures.claims.submit({ claimId: draft.id, version: draft.version })).rejects.toThrow()
  await deliver()
  expect(bodies().map(({ type }) => type)).toEqual(["claim.approved", "claim.rejected"])
  for (const { body } of receiver.received)
    expect(Object.keys(JSON.parse(body).data).sort()).toEqual(["groupId", "id", "kind", "number"])
})

test("a failing receiver is retried, then given up with a notice, and can be resent", async () => {
  const { webhook } = await made()
  await submittedClaim(scene.cast, scene.sample)
  receiver.answer = (response) => response.writeHead(400).end("No such payroll")
  expect(await deliver()).toBe(1)
  expect(await only(webhook.id)).toMatchObject({ state: "waiting", attempts: 1, answer: "400: No such payroll" })
  expect(await deliver()).toBe(0)
  for (let tried = 1; tried < mostAttempts; tried++) {
    await later()
    expect(await deliver()).toBe(1)
  }
  const row = await only(webhook.id)
  expect(row).toMatchObject({ state: "given_up", attempts: mostAttempts, nextAttemptAt: null })
  await later()
  expect(await deliver()).toBe(0)
  const { rows } = await app.as(app.people.admin).notifications.inbox({})
  expect(rows[0]).toMatchObject({
    kind: "webhook_failed",
    text: 'Webhook "Payroll" failed for three days and its message was dropped',
    path: `/settings/integrations/${webhook.id}`,
  })
  expect((await app.as(app.people.manager).notifications.inbox({})).rows.map(({ kind }) => kind)).not.toContain(
    "webhook_failed",
  )
  expect(await admin().detail({ webhookId: webhook.id })).toMatchObject({ givenUp: 1, waiting: 0 })
  receiver.answer = (response) => response.writeHead(204).end()
  await admin().deliveries.resend({ deliveryId: row.id })
  expect(await deliver()).toBe(1)
  const ids = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))
  expect(ids).toEqual(new Set([row.id]))
  const { tries, state } = await admin().deliveries.detail({ deliveryId: row.id })
  expect([tries.length, state]).toEqual([mostAttempts + 1, "delivered"])
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
  const { webhook } = await made()
  await made(["claim.submitted"], { url: other.url })
  for (let n = 0; n < 3; n++) await submittedClaim(scene.cast, scene.sample)
  await deliver()
  expect([receiver.received.length, other.received.length]).toEqual([1, 3])
  expect(await admin().detail({ webhookId: webhook.id })).toMatchObject({ waiting: 3, lastError: "503" })
  receiver.answer = (response) => response.end()
  await later()
  await deliver()
  expect(receiver.received.length).toBe(4)
  expect(await app.sql.row(sql`select failures, held_until as held from webhooks where id = ${webhook.id}`)).toEqual({
    failures: 0,
    held: null,
  })
  other.close()
})

test("messages wait while the webhook is paused and are sent on resume", async () => {
  const { webhook } = await made()
  const paused = await admin().pause({ webhookId: webhook.id, version: webhook.version })
  expect(paused.isPaused).toBe(true)
  await submittedClaim(scene.cast, scene.sample)
  expect(await deliver()).toBe(0)
  await expect(admin().test({ webhookId: webhook.id })).rejects.toMatchObject({ code: "PAUSED" })
  await expect(admin().resume({ webhookId: webhook.id, version: webhook.version })).rejects.toMatchObject({
    code: "STALE",
  })
  await admin().resume({ webhookId: webhook.id, version: paused.version })
  expect(await deliver()).toBe(1)
})

test("a test message is delivered like other messages", async () => {
  const { secret, webhook } = await made()
  const sent = await admin().test({ webhookId: webhook.id })
  expect(sent).toMatchObject({ event: "webhook.test", state: "waiting", allowedActions: [] })
  await deliver()
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "webhook.test",
    data: { webhookId: webhook.id },
  })
})

test("both secrets sign for a day, then the new one; both are stored encrypted", async () => {
  const { secret, webhook } = await made()
  const renewed = await admin().rotate({ webhookId: webhook.id, version: webhook.version })
  expect(renewed.secret).not.toBe(secret)
  const verifies = async () => {
    receiver.received.length = 0
    await admin().test({ webhookId: webhook.id })
    await deliver()
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

test("a secret sealed with another key does not block other messages", async () => {
  const { webhook } = await made()
  await app.sql.run(sql`update webhooks set secret = 'v1:AAAA:AAAA:AAAA' where id = ${webhook.id}`)
  await made()
  await submittedClaim(scene.cast, scene.sample)
  await deliver()
  expect(receiver.received).toHaveLength(1)
  expect((await only(webhook.id)).answer).toBe(
    "The webhook's secret cannot be decrypted with the key of this data folder. Create a new secret.",
  )
})

test("a removed webhook receives no messages and is not found", async () => {
  const { webhook } = await made()
  await submittedClaim(scene.cast, scene.sample)
  await admin().remove({ webhookId: webhook.id, version: webhook.version })
  await submittedClaim(scene.cast, scene.sample)
  expect(await deliver()).toBe(0)
  for (const gone of [
    () => admin().detail({ webhookId: webhook.id }),
    () => admin().test({ webhookId: webhook.id }),
    () => admin().edit({ webhookId: webhook.id, version: 1, name: "A", url: receiver.url, events: ["claim.paid"] }),
  ])
    await expect(gone()).rejects.toMatchObject({ code: "NOT_FOUND" })
  expect((await admin().list({})).webhooks).toEqual([])
})

test("an edit needs version and proof, and waiting messages use the new address", async () => {
  const other = await Receiver.started()
  const { webhook } = await made()
  await submittedClaim(scene.cast, scene.sample)
  const change = { webhookId: webhook.id, version: 1, name: "Payroll", url: other.url, events: ["claim.paid" as const] }
  const unproven = app.as({ ...app.people.admin, session: undefined } as never).webhooks
  for (const refused of [
    () => unproven.edit(change),
    () => unproven.rotate({ webhookId: webhook.id, version: 1 }),
    () => unproven.make({ name: "A", url: receiver.url, events: ["claim.paid"] }),
  ])
    await expect(refused()).rejects.toMatchObject({ code: "PROOF_REQUIRED" })
  await expect(admin().edit({ ...change, version: 7 })).rejects.toMatchObject({ code: "STALE" })
  await expect(admin().edit({ ...change, url: "https://10.0.0.1/" })).rejects.toMatchObject({
    data: { fields: [{ path: "url" }] },
  })
  await expect(admin().edit({ ...change, events: [] })).rejects.toMatchObject({
    data: { fields: [{ path: "events", message: "Choose at least one event" }] },
  })
  expect(await admin().edit(change)).toMatchObject({ url: other.url, events: ["claim.paid"], version: 2 })
  await deliver()
  expect([receiver.received.length, other.received.length]).toEqual([0, 1])
  other.close()
})

test("employer users trigger messages but cannot read webhooks or messages", async () => {
  await made()
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
  const { webhook } = await made()
  for (let n = 0; n < 2; n++) await submittedClaim(scene.cast, scene.sample)
  receiver.answer = (response) => response.writeHead(receiver.received.length === 1 ? 200 : 400).end()
  await deliver()
  const nightly = async () => {
    await app.transaction(app.people.admin, (cx) => startJob(cx, { kind: "webhooks.daily", label: "Old", payload: {} }))
    await app.runJobs()
    return (await admin().deliveries.list({ webhookId: webhook.id })).counts
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
  await expect(made()).rejects.toMatchObject({ code: "TOO_MANY_WEBHOOKS" })
})
