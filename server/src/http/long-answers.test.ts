import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { list, text } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest"
import { serveApp } from "../app.ts"
import { List } from "../platform/lists/list.ts"
import { Limit } from "../platform/work/limit.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { exportList } from "./list-export.ts"

/** Tests that slow responses and slow readers leave database connections to other callers. */

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const listOf = (key: string, select: SQL) =>
  exportList(
    new List(
      list({
        key,
        noun: { one: key, many: key },
        permission: "members.read",
        order: "id",
        sorts: ["id"],
        columns: { text: text("Text") },
      }),
      { select: () => select, present: (row: object) => row },
    ),
  )
/** A list larger than any buffer. */
const long = listOf(
  "long",
  sql`select gen_random_uuid() as id, repeat('x', 20000) as text from generate_series(1, 3000)`,
)
const short = listOf("short", sql`select gen_random_uuid() as id, 'x' as text from pg_sleep(0.05)`)
const slow = listOf("slow", sql`select gen_random_uuid() as id, '' as text from pg_sleep(60)`)

async function serveTestApp(patienceMs: number) {
  const http = await serveApp({
    app: app.app,
    routes: [...long, ...short, ...slow],
    sessionActor: async (_, headers) => (headers.get("x-known") === "2" ? app.people.manager2 : app.people.manager),
    patienceMs,
  })
  onTestFinished(async () => {
    http.server.closeAllConnections()
    await http.close()
  })
  const url = await http.listen({ host: "127.0.0.1", port: 0 })
  return { url, port: Number(new URL(url).port) }
}

async function openStalledDownload(port: number, known = 1): Promise<{ socket: Socket; head: string }> {
  const socket = connect(port, "127.0.0.1")
  socket.on("error", () => {})
  socket.write(`GET /api/long.csv HTTP/1.1\r\nhost: a\r\nx-known: ${known}\r\n\r\n`)
  await once(socket, "readable")
  return { socket, head: String(socket.read(12)) }
}

const countOpenTransactions = () =>
  app.sql.row<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'milkwood staff' and state like 'idle in transaction%'`)

const expectOthersAnswered = async ({ url }: { url: string }) => {
  const headers = { "x-known": "1", "content-type": "application/json" }
  const answer = await fetch(`${url}/rpc/members/list`, { method: "POST", headers, body: '{"json":{}}' })
  expect(answer.status).toBe(200)
}

test("stalled readers use at most two export slots and lose them after the time-out", async () => {
  const server = await serveTestApp(600)
  const { exports } = app.app.limits
  // Counted at the limit, because PostgreSQL still shows a connection shortly after its release.
  let [now, most] = [0, 0]
  const hold = exports.hold.bind(exports)
  const holding = vi.spyOn(exports, "hold").mockImplementation((work, ...rest) =>
    hold(
      async () => {
        now += 1
        most = Math.max(most, now)
        return work().finally(() => {
          now -= 1
        })
      },
      ...rest,
    ),
  )
  onTestFinished(() => holding.mockRestore())
  const asked = Array.from({ length: 8 }, (_, index) => openStalledDownload(server.port, 1 + (index % 2)))
  /** Running exports, without those still writing their audit record. */
  const exporting = async () =>
    (await app.sql.row<{ count: number }>(sql`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name = 'milkwood staff' and xact_start is not null
        and (query like 'declare%' or query like 'fetch%')`))!.count
  await vi.waitUntil(async () => (await exporting()) >= 2, { timeout: 15_000, interval: 5 })
  await expectOthersAnswered(server)
  const readers = Promise.all(asked)
  let all = false
  void readers.then(() => {
    all = true
  })
  await vi.waitUntil(async () => (await exporting()) === 0 && all, { timeout: 60_000, interval: 5 })
  expect(most).toBe(2)
  for (const { head, socket } of await readers) {
    expect(head).toBe("HTTP/1.1 200")
    socket.destroy()
  }
}, 90_000)

test("a stalled reader keeps its slot until another export waits for it", async () => {
  const { port, url } = await serveTestApp(120_000)
  const { limits } = app.app
  const { exports } = limits
  limits.exports = new Limit({ atOnce: 1, waiting: 10, patienceMs: 60_000 })
  onTestFinished(() => {
    limits.exports = exports
  })
  const standing = await openStalledDownload(port)
  await pause(7_000)
  expect(standing.socket.closed).toBe(false)
  const answer = await fetch(`${url}/api/short.csv`, { headers: { "x-known": "2" } })
  expect(answer.status).toBe(200)
  expect((await answer.text()).trim().split("\r\n")).toHaveLength(2)
  standing.socket.destroy()
}, 60_000)

test("forty exports by one user all complete without delaying another user's", async () => {
  const { url } = await serveTestApp(30_000)
  const ended: string[] = []
  const ask = async (known: string) => {
    const answer = await fetch(`${url}/api/short.csv`, { headers: { "x-known": known } })
    await answer.text()
    ended.push(known)
    return answer.status
  }
  const many = Array.from({ length: 40 }, () => ask("1"))
  await vi.waitUntil(() => app.app.limits.exports.isWanted, { timeout: 5_000, interval: 1 })
  const other = ask("2")
  expect(new Set(await Promise.all([...many, other]))).toEqual(new Set([200]))
  expect(ended.indexOf("2")).toBeLessThan(30)
}, 60_000)

test("an export beyond the full queue returns 429 with a retry time", async () => {
  const { port, url } = await serveTestApp(30_000)
  const exports = app.app.limits.exports
  app.app.limits.exports = new Limit({ atOnce: 1, waiting: 0, patienceMs: 1_000 })
  const reader = await openStalledDownload(port)
  const answer = await fetch(`${url}/api/long.csv`, { headers: { "x-known": "1" } })
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(await answer.json()).toMatchObject({ code: "OVERLOADED", message: expect.stringContaining("try again") })
  reader.socket.destroy()
  app.app.limits.exports = exports
})

test("an export that loses its database connection ends and frees its slot", async () => {
  const server = await serveTestApp(30_000)
  const reader = await openStalledDownload(server.port)
  const pool = app.app.database.pool("staff")
  expect(pool.totalCount - pool.idleCount).toBe(1)
  await vi.waitUntil(async () => (await countOpenTransactions())!.count === 1, { timeout: 5_000 })
  // Until it is interrupted, the export fills the connection's buffers.
  const terminated = () =>
    app.sql.rows(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'milkwood staff' and state like 'idle in transaction%'`)
  await vi.waitUntil(async () => (await terminated()).length > 0, { timeout: 5_000 })
  await vi.waitUntil(() => pool.totalCount === pool.idleCount, { timeout: 5_000 })
  reader.socket.resume()
  await once(reader.socket, "close")
  await expectOthersAnswered(server)
})

test("an export without a free connection returns 429 and interrupts no other export", async () => {
  const { url } = await serveTestApp(30_000)
  const release = Promise.withResolvers<void>()
  const held = Array.from({ length: 6 }, () => app.app.database.read("staff", () => release.promise))
  const answer = await fetch(`${url}/api/long.csv`, { headers: { "x-known": "1" } })
  expect(answer.status).toBe(429)
  expect(await answer.json()).toMatchObject({ code: "OVERLOADED" })
  release.resolve()
  await Promise.all(held)
}, 20_000)

test("a connection whose request body never arrives is closed", async () => {
  const { port } = await serveTestApp(600)
  const socket = connect(port, "127.0.0.1")
  socket.write(
    "POST /rpc/users/signIn HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{",
  )
  await Promise.race([once(socket, "close"), pause(8_000).then(() => expect.fail("still open"))])
})

test("an export's query is cancelled if its reader leaves before the first row", async () => {
  const { url } = await serveTestApp(30_000)
  const leaving = new AbortController()
  const { signal } = leaving
  const asked = fetch(`${url}/api/slow.csv`, { headers: { "x-known": "1" }, signal }).catch(() => {})
  const sleeping = () =>
    app.sql.rows(sql`
      select 1 from pg_stat_activity
      where datname = current_database() and state = 'active' and query like 'fetch%'`)
  await vi.waitUntil(async () => (await sleeping()).length === 1, { timeout: 5_000 })
  leaving.abort()
  await asked
  await vi.waitUntil(async () => (await sleeping()).length === 0, { timeout: 5_000 })
})
