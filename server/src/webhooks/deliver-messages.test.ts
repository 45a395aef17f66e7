import { setTimeout as pause } from "node:timers/promises"
import { interruptedMessage, maxAttempts } from "@milkwood/domain/webhooks/webhook"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createSubmittedClaim } from "../claims/claims.samples.ts"
import { App } from "../platform/app.ts"
import { Database } from "../platform/database/database.ts"
import { MessageSender } from "./deliver-messages.ts"
import { Receiver } from "./receiver.samples.ts"
import { deliverAll, makeMessagesDue } from "./webhooks.samples.ts"

/* Tests tries with slow receivers, two servers, stopped or stalled servers, and failing storage. */

let app: ClaimApp
let scene: ClaimScene
let receiver: Receiver
const webhooksClient = () => app.as(app.people.admin).webhooks

beforeAll(async () => {
  app = await openClaimApp({ webhookNetworks: ["127.0.0.1/32"] })
  scene = await insureGroup(app, "Own Works")
})
afterAll(() => app.close())
beforeEach(async () => {
  receiver = await Receiver.started()
  await app.sql.run(sql`delete from webhook_deliveries`)
  await app.sql.run(sql`update webhooks set removed_at = now() where removed_at is null`)
  return () => receiver.close()
})

const createWebhook = ({ url } = receiver) =>
  webhooksClient().make({ name: "Payroll", url, events: ["claim.submitted"] })
const submitSampleClaim = () => createSubmittedClaim(scene.cast, scene.sample)
const readOnlyDelivery = async (webhookId: string) => (await webhooksClient().deliveries.list({ webhookId })).rows[0]!
const expireTries = () => app.sql.run(sql`update webhook_attempts set until = now() where ms is null`)
function holdReceiver() {
  const asked = Promise.withResolvers<void>()
  receiver.answer = () => asked.resolve()
  return asked.promise
}

function createOtherApp() {
  const database = new Database(app.app.database.ownerUrl, { maxConnections: 3 })
  const { clock, files, log, publicUrl, reactions, jobs, secretKey, webhookNetworks } = app.app
  return new App({ database, clock, files, log, publicUrl, reactions, jobs, secretKey, webhookNetworks })
}

test("two servers send each message once, and only one at a time to each receiver", async () => {
  const receivers = await Promise.all([Receiver.started(), Receiver.started(), Receiver.started()])
  const most = new Map<Receiver, number>()
  for (const one of receivers) {
    await createWebhook(one)
    let open = 0
    one.answer = (response) => {
      most.set(one, Math.max(most.get(one) ?? 0, ++open))
      void pause(150).then(() => {
        open--
        response.end()
      })
    }
  }
  for (let n = 0; n < 6; n++) await submitSampleClaim()
  const other = createOtherApp()
  const waiting = sql`select from webhook_deliveries where state = 'waiting'`
  const servers = [app.app, other].map(async (server) => {
    let tried = 0
    while ((await app.sql.rows(waiting)).length > 0) tried += await deliverAll(server)
    return tried
  })
  const tried = await Promise.all(servers)
  expect(tried[0]! + tried[1]!).toBe(18)
  const ids = receivers.flatMap(({ received }) => received.map(({ headers }) => headers["webhook-id"]))
  expect([ids.length, new Set(ids).size]).toEqual([18, 18])
  expect([...most.values()]).toEqual([1, 1, 1])
  for (const one of receivers) one.close()
  await other.database.close()
})

test("a slow receiver blocks neither other receivers nor database connections", async () => {
  const slow = await Promise.all(Array.from({ length: 4 }, () => Receiver.started()))
  const letGo = Promise.withResolvers<void>()
  for (const one of slow) {
    one.answer = (response) => void letGo.promise.then(() => response.end())
    await createWebhook(one)
  }
  await createWebhook()
  for (let n = 0; n < 3; n++) await submitSampleClaim()
  const delivering = deliverAll(app.app)
  await expect
    .poll(() => [receiver.received.length, ...slow.map(({ received }) => received.length)], { timeout: 20_000 })
    .toEqual([3, 1, 1, 1, 1])
  const held = () =>
    app.sql.row<{ count: number }>(sql`
      select count(*) as count from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`)
  await expect.poll(held, { timeout: 20_000 }).toEqual({ count: 0 })
  letGo.resolve()
  expect(await delivering).toBe(15)
  for (const one of slow) one.close()
})

test("a stopped server leaves a try interrupted; resending is refused during the try", async () => {
  const { webhook } = await createWebhook()
  await submitSampleClaim()
  const asked = holdReceiver()
  const stopping = new AbortController()
  const delivering = deliverAll(app.app, stopping.signal)
  await asked
  const row = await readOnlyDelivery(webhook.id)
  expect(row).toMatchObject({ state: "waiting", attempts: 1, isUnderWay: true, answer: "", allowedActions: [] })
  await expect(webhooksClient().deliveries.resend({ deliveryId: row.id })).rejects.toMatchObject({ code: "BUSY" })
  expect(await webhooksClient().detail({ webhookId: webhook.id })).toMatchObject({ waiting: 1, lastError: null })
  stopping.abort()
  await delivering
  await expireTries()
  expect(await readOnlyDelivery(webhook.id)).toMatchObject({
    isUnderWay: false,
    answer: interruptedMessage,
    allowedActions: ["resend"],
  })
  receiver.answer = (response) => response.end()
  await makeMessagesDue(app)
  expect(await deliverAll(app.app)).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([row.id]))
})

test("an unrecorded outcome blocks no other message and is retried after its time limit", async () => {
  const other = await Receiver.started()
  const { webhook } = await createWebhook()
  await createWebhook(other)
  await app.sql.run(sql`
    create function keep_nothing() returns trigger language plpgsql as $$ begin
      if exists (select from webhook_deliveries d where d.id = new.delivery_id and d.webhook_id = '${sql.raw(webhook.id)}') then
        raise exception 'the disk is full'; end if;
      return new;
    end $$`)
  await app.sql.run(
    sql`create trigger keep_nothing before update on webhook_attempts for each row execute function keep_nothing()`,
  )
  for (let n = 0; n < 3; n++) await submitSampleClaim()
  const failures: unknown[] = []
  const sender = new MessageSender(app.app, (error) => failures.push(error))
  for (let looks = 0; looks < 3; looks++) {
    sender.look(new AbortController().signal)
    await sender.idle()
  }
  expect([receiver.received.length, other.received.length, failures.length]).toEqual([1, 3, 1])
  await app.sql.run(sql`drop function keep_nothing() cascade`)
  await expireTries()
  await makeMessagesDue(app)
  expect(await deliverAll(app.app)).toBe(3)
  const { rows } = await webhooksClient().deliveries.list({ webhookId: webhook.id })
  expect(rows.map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"])
  const twice = await webhooksClient().deliveries.detail({
    deliveryId: rows.find(({ attempts }) => attempts === 2)!.id,
  })
  expect(twice.tries).toMatchObject([
    { ms: null, status: null, said: interruptedMessage, isUnderWay: false },
    { status: 200, said: "Thank you" },
  ])
  other.close()
})

test("a message whose tries were all interrupted is also given up", async () => {
  const { webhook } = await createWebhook()
  await submitSampleClaim()
  for (let tried = 0; tried < maxAttempts; tried++) {
    const asked = holdReceiver()
    const stopping = new AbortController()
    const delivering = deliverAll(app.app, stopping.signal)
    await asked
    stopping.abort()
    await delivering
    await expireTries()
    await makeMessagesDue(app)
  }
  expect(await deliverAll(app.app)).toBe(0)
  expect(receiver.received.length).toBe(maxAttempts)
  expect(await readOnlyDelivery(webhook.id)).toMatchObject({
    state: "given_up",
    attempts: maxAttempts,
    answer: interruptedMessage,
  })
})

test("a stalled server does not overwrite a later try by another server", async () => {
  const { webhook } = await createWebhook()
  await submitSampleClaim()
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  receiver.answer = (response) => {
    asked.resolve()
    void goOn.promise.then(() => response.writeHead(400).end())
  }
  const standing = deliverAll(app.app)
  await asked.promise
  await expireTries()
  await makeMessagesDue(app)
  receiver.answer = (response) => response.writeHead(503).end("Later")
  const other = createOtherApp()
  await deliverAll(other)
  await expect.poll(async () => (await readOnlyDelivery(webhook.id)).answer, { timeout: 20_000 }).toBe("503: Later")
  goOn.resolve()
  await standing
  const row = await readOnlyDelivery(webhook.id)
  expect(row).toMatchObject({ state: "waiting", attempts: 2, answer: "503: Later" })
  const { tries } = await webhooksClient().deliveries.detail({ deliveryId: row.id })
  expect(tries.map(({ status }) => status)).toEqual([400, 503])
  await other.database.close()
})
