import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { interruptedMessage } from "@milkwood/domain/webhooks/webhook"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { ServerProcess } from "../test/server-process.ts"
import { Receiver } from "./receiver.samples.ts"

/* Kills a server (`npm start`) with SIGKILL while it sends a message of this test. */

const networks = "127.0.0.1/32"
let app: TestApp
let receiver: Receiver
let server: ServerProcess
const webhooksClient = () => app.as(app.people.admin).webhooks

beforeAll(async () => {
  app = await openTestApp({ now: Temporal.Now.instant().toString(), webhookNetworks: [networks] })
  receiver = await Receiver.started()
  server = new ServerProcess({ DATABASE_URL: app.app.database.ownerUrl, WEBHOOK_NETWORKS: networks })
  writeFileSync(join(server.folder, "secret-key"), `${app.app.secretKey!.toString("base64")}\n`, { mode: 0o600 })
  await server.start()
}, 120_000)
afterAll(async () => {
  await server?.close()
  receiver?.close()
  await app?.close()
})

test("a message whose server is killed is interrupted and retried after its time limit", async () => {
  const { webhook } = await webhooksClient().make({ name: "Payroll", url: receiver.url, events: ["claim.paid"] })
  receiver.answer = () => {}
  const { id: deliveryId } = await webhooksClient().test({ webhookId: webhook.id })
  const detail = () => webhooksClient().deliveries.detail({ deliveryId })
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1)
  expect(await detail()).toMatchObject({ isUnderWay: true, attempts: 1, tries: [{ isUnderWay: true, ms: null }] })
  await server.kill()
  receiver.answer = (response) => response.end("Thank you")
  await server.start()

  await pause(3_000)
  expect(receiver.received.length).toBe(1)
  expect(await detail()).toMatchObject({ isUnderWay: true, attempts: 1 })

  const passed = await app.sql.run(sql`update webhook_attempts set until = now() where ms is null and until > now()`)
  await app.sql.run(
    sql`update webhook_deliveries set next_attempt_at = now() + interval '3 seconds' where id = ${deliveryId}`,
  )
  expect(passed).toBe(1)
  expect(await detail()).toMatchObject({ isUnderWay: false, state: "waiting", answer: interruptedMessage })
  await expect.poll(async () => (await detail()).state, { timeout: 20_000 }).toBe("delivered")
  expect((await detail()).tries).toMatchObject([
    { isUnderWay: false, ms: null, status: null, said: interruptedMessage },
    { isUnderWay: false, status: 200, said: "Thank you" },
  ])
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([deliveryId, deliveryId])
}, 120_000)
