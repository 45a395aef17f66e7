import { randomUUID } from "node:crypto"
import { readProcedure } from "@milkwood/domain/kernel/procedure"
import { call } from "@orpc/server"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest"
import { z } from "zod"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { query } from "./commands.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const shape = readProcedure("session").route({ method: "GET", path: "/slow", summary: "Slow" }).output(z.unknown())
const dashboard = query(shape, ({ tx }) => tx.rows(sql`select 'dashboard', pg_sleep(60)`), { heavy: true })

const callProcedure = (procedure: typeof dashboard, signal?: AbortSignal) =>
  call(procedure, undefined, {
    context: { app: app.app, actor: app.people.manager, requestId: randomUUID(), ...(signal && { signal }) },
  }).then(
    () => "answered",
    (error: { code?: string }) => error.code ?? String(error),
  )

const countRunningQueries = () =>
  app.sql.row<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%''dashboard''%' and pid <> pg_backend_pid()`)

test("a slow dashboard that refetches at every receipt does not block other calls", async () => {
  const leaving = new AbortController()
  const asked: Promise<string>[] = []
  const client = app.as(app.people.manager2)
  const receipts: number[] = []
  for (let receipt = 0; receipt < 12; receipt++) {
    const each = new AbortController()
    leaving.signal.addEventListener("abort", () => each.abort())
    if (receipt % 2 === 0) setTimeout(() => each.abort(), 150)
    asked.push(callProcedure(dashboard, each.signal))
    const began = performance.now()
    await client.benefits.tiers.create({ name: `Tier ${receipt}`, description: "" })
    await client.members.list({})
    receipts.push(performance.now() - began)
    await vi.waitUntil(async () => (await countRunningQueries())!.count <= 3, { timeout: 2_000 })
  }
  expect(Math.max(...receipts)).toBeLessThan(4_000)
  leaving.abort()
  expect(new Set(await Promise.all(asked))).toEqual(new Set(["CLIENT_CLOSED_REQUEST"]))
  await vi.waitUntil(async () => (await countRunningQueries())!.count === 0, { timeout: 5_000 })
})

test("a slow call is refused as overloaded when its queue is full", async () => {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const asked = Array.from({ length: 24 }, () => callProcedure(dashboard, leaving.signal))
  await expect(Promise.race(asked)).resolves.toBe("OVERLOADED")
  leaving.abort()
  const all = await Promise.all(asked)
  expect(all.filter((each) => each === "OVERLOADED")).toHaveLength(1)
})

test("a statement that runs too long is cancelled with a readable message", async () => {
  const slow = query(shape, ({ tx }) => tx.rows(sql`set statement_timeout = '50ms'; select pg_sleep(60)`))
  await expect(callProcedure(slow)).resolves.toBe("OVERLOADED")
  const settings = (role: "staff" | "scoped" | "auth" | "jobs") =>
    app.app.database.direct(role).row(sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`)
  await expect(settings("staff")).resolves.toEqual({ statement: "30s", lock: "10s" })
  await expect(settings("scoped")).resolves.toEqual({ statement: "30s", lock: "10s" })
  await expect(settings("auth")).resolves.toEqual({ statement: "10s", lock: "5s" })
  await expect(settings("jobs")).resolves.toEqual({ statement: "1h", lock: "0" })
})
