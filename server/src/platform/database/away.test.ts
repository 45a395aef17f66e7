import { type AddressInfo, createServer } from "node:net"
import { safe } from "@orpc/server"
import { sql } from "drizzle-orm"
import pino from "pino"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { serveApp } from "../../app.ts"
import { jobs } from "../../jobs.ts"
import { reactions } from "../../reactions.ts"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { readSessionActor } from "../../users/session.ts"
import { App } from "../app.ts"
import { Database } from "./database.ts"

let real: TestApp
let http: Awaited<ReturnType<typeof serveApp>>
beforeAll(async () => {
  real = await openTestApp()
  const app = new App({
    reactions,
    jobs,
    database: new Database("postgresql://nobody:secret@127.0.0.1:1/nowhere"),
    clock: real.clock,
    files: real.app.files,
    log: pino({ level: "silent" }),
    publicUrl: real.app.publicUrl,
  })
  const actor = real.people.manager
  http = await serveApp({
    app,
    sessionActor: async (_house, headers) => (headers.has("x-known") ? actor : readSessionActor(app, headers)),
  })
})
afterAll(async () => {
  await http.close()
  await real.close()
})

const databaseUnavailableMessage = "The database cannot be reached at the moment. Nothing was changed."

test.each([
  ["signing in", "/rpc/users/signIn", { email: "a@example.test", password: "x" }, {}],
  ["a list", "/rpc/members/list", {}, { "x-known": "1" }],
  ["a command", "/rpc/benefits/tiers/create", { name: "Gold", description: "" }, { "x-known": "1" }],
])("%s", async (_, url, json, headers) => {
  const answer = await http.inject({ method: "POST", url, headers, payload: { json } })
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toMatchObject({
    json: { defined: true, code: "UNAVAILABLE", message: databaseUnavailableMessage },
  })
})

test("uploads, downloads and the integration API report an unavailable database", async () => {
  const id = "3b1f0f4e-6c1f-4a5e-9d3e-5b8f6a2c1d00"
  const boundary = "b"
  const payload = `--${boundary}\r\ncontent-disposition: form-data; name="policyId"\r\n\r\n${id}\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n1,2\n\r\n--${boundary}--\r\n`
  const known = { "x-known": "1" }
  for (const answer of [
    await http.inject({
      method: "POST",
      url: "/api/members/imports",
      headers: { ...known, "content-type": `multipart/form-data; boundary=${boundary}` },
      payload,
    }),
    await http.inject({ method: "GET", url: `/api/invoices/${id}/pdf`, headers: known }),
    await http.inject({ method: "GET", url: "/api/v1/members", headers: known }),
  ]) {
    expect(answer.statusCode, answer.body).toBe(503)
    expect(answer.json()).toMatchObject({ code: "UNAVAILABLE", message: databaseUnavailableMessage })
  }
})

test("the process is alive but not ready without a database", async () => {
  expect((await http.inject("/api/health")).statusCode).toBe(200)
  expect((await http.inject("/api/ready")).statusCode).toBe(503)
})

test("a process whose database hangs reports not ready in time", async () => {
  const hangs = createServer()
  await new Promise<void>((resolve) => hangs.listen(0, "127.0.0.1", resolve))
  const { port } = hangs.address() as AddressInfo
  const app = new App({
    reactions,
    jobs,
    database: new Database(`postgresql://nobody:secret@127.0.0.1:${port}/nowhere`),
    clock: real.clock,
    files: real.app.files,
    log: pino({ level: "silent" }),
    publicUrl: real.app.publicUrl,
  })
  const other = await serveApp({ app, sessionActor: readSessionActor })
  const asked = performance.now()
  expect((await other.inject("/api/ready")).statusCode).toBe(503)
  expect(performance.now() - asked).toBeLessThan(4_000)
  await other.close()
  hangs.close()
})

test("an interrupted commit is not reported as an unsaved change", async () => {
  await real.sql.run(sql`
    create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(10); return null; end $$`)
  await real.sql.run(sql`
    create constraint trigger slow after insert on benefit_tiers deferrable initially deferred
    for each row execute function slow()`)
  const called = safe(real.as(real.people.manager).benefits.tiers.create({ name: "Slow", description: "" }))
  await vi.waitUntil(
    async () =>
      (
        await real.sql.rows(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query = 'commit' and state = 'active'`)
      ).length > 0,
    { timeout: 5_000 },
  )
  expect((await called).error).toMatchObject({
    code: "UNAVAILABLE",
    message:
      "The connection to the database was lost while saving. Check whether your change was saved before you try again.",
  })
})
