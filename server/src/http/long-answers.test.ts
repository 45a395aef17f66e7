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

/** Answers that take long, and readers that take longer, cost nobody else a connection to the database. */

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
/** More than any buffer holds. */
const long = listOf(
  "long",
  sql`select gen_random_uuid() as id, repeat('x', 20000) as text from generate_series(1, 3000)`,
)
const short = listOf("short", sql`select gen_random_uuid() as id, 'x' as text from pg_sleep(0.05)`)
const slow = listOf("slow", sql`select gen_random_uuid() as id, '' as text from pg_sleep(60)`)

/** A server with these lists, which waits so long for its callers. */
async function listening(patienceMs: number) {
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

/** Asks for the long list and reads nothing but its first bytes. */
async function stall(port: number, known = 1): Promise<{ socket: Socket; head: string }> {
  const socket = connect(port, "127.0.0.1")
  socket.on("error", () => {})
  socket.write(`GET /api/long.csv HTTP/1.1\r\nhost: a\r\nx-known: ${known}\r\n\r\n`)
  await once(socket, "readable")
  return { socket, head: String(socket.read(12)) }
}

const busy = () =>
  app.sql.row<{ count: number }>(sql`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'milkwood staff' and state like 'idle in transaction%'`)

const answersOthers = async ({ url }: { url: string }) => {
  const headers = { "x-known": "1", "content-type": "application/json" }
  const answer = await fetch(`${url}/rpc/members/list`, { method: "POST", headers, body: '{"json":{}}' })
  expect(answer.status).toBe(200)
}

test("readers that stop reading hold a few places, nobody else's, and lose them", async () => {
  const server = await listening(600)
  const { exports } = app.app.limits
  // Counted where they have their place: PostgreSQL shows one whose connection was just given up until it has noticed.
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
  const asked = Array.from({ length: 8 }, (_, index) => stall(server.port, 1 + (index % 2)))
  /** Those that run their list: not the ones that record that they begin. */
  const exporting = async () =>
    (await app.sql.row<{ count: number }>(sql`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name = 'milkwood staff' and xact_start is not null
        and (query like 'declare%' or query like 'fetch%')`))!.count
  await vi.waitUntil(async () => (await exporting()) >= 2, { timeout: 15_000, interval: 5 })
  await answersOthers(server)
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

test("a reader that reads nothing keeps its place while nobody waits for it, and gives way to those who do", async () => {
  const { port, url } = await listening(120_000)
  const { limits } = app.app
  const { exports } = limits
  limits.exports = new Limit({ atOnce: 1, waiting: 10, patienceMs: 60_000 })
  onTestFinished(() => {
    limits.exports = exports
  })
  const standing = await stall(port)
  await pause(7_000)
  expect(standing.socket.closed).toBe(false)
  const answer = await fetch(`${url}/api/short.csv`, { headers: { "x-known": "2" } })
  expect(answer.status).toBe(200)
  expect((await answer.text()).trim().split("\r\n")).toHaveLength(2)
  standing.socket.destroy()
}, 60_000)

test("forty exports of one person wait for their turn and are all answered, and nobody stands behind them", async () => {
  const { url } = await listening(30_000)
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

test("who comes when the line is full is told so at once, in a sentence", async () => {
  const { port, url } = await listening(30_000)
  const exports = app.app.limits.exports
  app.app.limits.exports = new Limit({ atOnce: 1, waiting: 0, patienceMs: 1_000 })
  const reader = await stall(port)
  const answer = await fetch(`${url}/api/long.csv`, { headers: { "x-known": "1" } })
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(await answer.json()).toMatchObject({ code: "OVERLOADED", message: expect.stringContaining("try again") })
  reader.socket.destroy()
  app.app.limits.exports = exports
})

test("a list whose connection to the database is lost ends, and its place comes back", async () => {
  const server = await listening(30_000)
  const reader = await stall(server.port)
  const pool = app.app.database.pool("staff")
  expect(pool.totalCount - pool.idleCount).toBe(1)
  await vi.waitUntil(async () => (await busy())!.count === 1, { timeout: 5_000 })
  // It fills the buffers of the connection before it waits for its reader.
  const terminated = () =>
    app.sql.rows(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'milkwood staff' and state like 'idle in transaction%'`)
  await vi.waitUntil(async () => (await terminated()).length > 0, { timeout: 5_000 })
  await vi.waitUntil(() => pool.totalCount === pool.idleCount, { timeout: 5_000 })
  reader.socket.resume()
  await once(reader.socket, "close")
  await answersOthers(server)
})

test("a list that gets no connection is refused, and ends nothing else", async () => {
  const { url } = await listening(30_000)
  const release = Promise.withResolvers<void>()
  const held = Array.from({ length: 6 }, () => app.app.database.read("staff", () => release.promise))
  const answer = await fetch(`${url}/api/long.csv`, { headers: { "x-known": "1" } })
  expect(answer.status).toBe(429)
  expect(await answer.json()).toMatchObject({ code: "OVERLOADED" })
  release.resolve()
  await Promise.all(held)
}, 20_000)

test("a body that does not come ends its connection", async () => {
  const { port } = await listening(600)
  const socket = connect(port, "127.0.0.1")
  socket.write(
    "POST /rpc/users/signIn HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{",
  )
  await Promise.race([once(socket, "close"), pause(8_000).then(() => expect.fail("still open"))])
})

test("a list is cancelled in the database when its reader leaves before the first row", async () => {
  const { url } = await listening(30_000)
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
