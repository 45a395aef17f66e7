import { readFile } from "node:fs/promises"
import { Readable } from "node:stream"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { invoices } from "../billing/billing.tables.ts"
import { cleanName } from "../http/upload.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { isDatabaseUnavailable } from "./database/database.ts"
import { job, runDueJobs, startJob } from "./work/jobs.ts"
import { deliverMails, queueMail } from "./work/mail.ts"

let app: TestApp
let server: Awaited<ReturnType<TestApp["serve"]>>
beforeAll(async () => {
  app = await openTestApp()
  server = await app.serve()
})
afterAll(() => app.close())

async function callRpc(path: string, json: unknown): Promise<unknown> {
  const answer = await fetch(`${server.url}/rpc/${path}`, {
    method: "POST",
    headers: { ...server.headersOf(app.people.admin), "content-type": "application/json" },
    body: JSON.stringify({ json }),
  })
  return ((await answer.json()) as { json: unknown }).json
}

describe("text that PostgreSQL cannot store", () => {
  test.each([
    ["NUL", "a\0b"],
    ["half a surrogate pair", "a\ud800b"],
  ])("%s", async (_, text) => {
    const wrong = (path: string) => ({ code: "INVALID", status: 422, data: { fields: [{ path }] } })
    expect(await callRpc("users/signIn", { email: "a@example.test", password: text })).toMatchObject(wrong("password"))
    const view = { list: "members", name: "A", address: { search: text }, columns: null }
    expect(await callRpc("users/views/save", view)).toMatchObject(wrong("address.search"))
  })

  test.each(["a\0b", "a\ud800b"])("a form field with %j is stored with a space instead", async (text) => {
    expect(await callRpc("members/list", { search: text })).toMatchObject({ total: 0 })
    expect(await callRpc("reports/search", { text })).toEqual([])
    const { id } = (await callRpc("benefits/benefits/create", { name: text, description: "" })) as { id: string }
    expect(await callRpc("benefits/benefits/list", {})).toMatchObject({ rows: [{ id, name: "a b" }] })
    await callRpc("benefits/benefits/remove", { id, version: 1 })
  })

  test("a file name with such text is refused", () => {
    const cut = cleanName(`${"x".repeat(10)}\u{1f600}${"y".repeat(199)}`)
    expect(cut.isWellFormed()).toBe(true)
    expect(cleanName("a\0b.pdf")).toBe("ab.pdf")
  })
})

test("refuses a day in an implausible year as a wrong field", async () => {
  for (const asOf of ["0000-01-01", "9999-12-31"]) {
    expect(await callRpc("reports/debtorsAgeing", { asOf })).toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "asOf", message: "The year must be between 1800 and 2999" }] },
    })
  }
})

test("a procedure refuses form data, which would be read without a size limit", async () => {
  const body = new FormData()
  body.set("data", "x".repeat(3_000_000))
  for (const path of ["/rpc/users/signIn", "/api/v1/sign-in"]) {
    expect((await fetch(server.url + path, { method: "POST", body })).status).toBe(415)
  }
})

test("too many requests are refused in the format of each API", async () => {
  const other = await openTestApp()
  const { url } = await other.serve()
  let last = await fetch(`${url}/api/health`)
  for (let sent = 0; last.ok && sent < 30; sent++) {
    const [first] = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/api/health`)))
    last = first!
  }
  const refusal = { code: "TOO_MANY", status: 429, message: "Too many requests. Wait a minute and try again." }
  expect(await last.json()).toMatchObject(refusal)
  const called = await fetch(`${url}/rpc/users/me`, { method: "POST", body: "{}" })
  expect(await called.json()).toMatchObject({ json: refusal })
  await other.close()
})

test("a caller behind a proxy cannot spoof the address that sign-in attempts are counted for", async () => {
  const other = await openTestApp({ publicUrl: "https://milkwood.example.test" })
  const { url } = await other.serve()
  await fetch(`${url}/rpc/users/signIn`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "198.51.100.7, 203.0.113.9" },
    body: JSON.stringify({ json: { email: "a@example.test", password: "wrong" } }),
  })
  await expect(other.sql.rows(sql`select address from sign_in_attempts`)).resolves.toEqual([{ address: "203.0.113.9" }])
  await other.close()
})

test("a missing file is not reported as an unavailable database", async () => {
  const gone = await readFile("/no/such/file").catch((error: unknown) => error)
  expect(isDatabaseUnavailable(gone)).toBe(false)
  expect(isDatabaseUnavailable(Object.assign(new Error("no socket"), { code: "ENOENT", syscall: "connect" }))).toBe(
    true,
  )
})

describe("a job", () => {
  const run = async (kind: string, work: () => Promise<unknown>) => {
    const id = await app.transaction(app.people.manager, (cx) => startJob(cx, { kind, label: "A job", payload: {} }))
    await runDueJobs(app.app, [job(kind, work)], new AbortController().signal)
    return app.sql.row(sql`select state, attempts, message from jobs where id = ${id}`)
  }

  test("a job that misses a file is queued for a retry", async () => {
    await expect(run("test.gone", () => readFile("/no/such/file"))).resolves.toEqual({
      state: "queued",
      attempts: 1,
      message: "An unexpected error occurred; the server log has the details.",
    })
  })

  test("a failed statement's values are visible neither to users nor in the log", async () => {
    const logged = vi.spyOn(app.app.log, "error")
    const found = await run("test.refused", () =>
      app.app.database.transaction("staff", (tx) =>
        tx.update(invoices).set({ notes: "Sipho Dlamini" }).where(sql`1 / 0 = 1`),
      ),
    )
    expect(found).toMatchObject({ message: "An unexpected error occurred; the server log has the details." })
    expect(JSON.stringify(logged.mock.calls)).toMatch(/DrizzleQueryError.*22012|22012.*DrizzleQueryError/)
    expect(JSON.stringify(logged.mock.calls)).not.toMatch(/Dlamini|update/)
    logged.mockRestore()
  })

  test("a job that loses the database is not retried in a tight loop", async () => {
    let runs = 0
    const away = Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall: "connect" })
    const round = run("test.away", async () => {
      runs++
      throw away
    })
    await expect(round).rejects.toBe(away)
    expect(runs).toBe(1)
  })
})

test("a failed mail leaves no file open", async () => {
  const other = await openTestApp({ smtpUrl: "smtp://127.0.0.1:9" })
  await other.transaction(other.people.manager, async (cx) => {
    const { id } = await cx.app.files.save(cx, {
      kind: "invoice",
      name: "a.pdf",
      mime: "application/pdf",
      groupId: null,
      content: Buffer.from("%PDF"),
    })
    const attachments = [{ fileId: id, name: "a.pdf" }]
    await queueMail(cx, { to: "a@example.test", subject: "Invoice", text: "Hello", attachments })
  })
  const { files } = other.app
  const opened: Readable[] = []
  const read = files.read.bind(files)
  vi.spyOn(files, "read").mockImplementation(async (...asked) => {
    const file = await read(...asked)
    return { ...file, open: async () => opened[opened.push(await file.open()) - 1]! }
  })
  await deliverMails(other.app)
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true])
  await other.close()
})

test("a received file is saved when its transaction is retried", async () => {
  const content = await app.app.files.receive(Readable.from([Buffer.from("hello")]), 100)
  let tries = 0
  const { id } = await app.transaction(app.people.manager, async (cx) => {
    const saved = await cx.app.files.save(cx, {
      ...{ kind: "test", name: "a.txt", mime: "text/plain", groupId: null, content },
    })
    if (++tries === 1) throw Object.assign(new Error("serialization"), { code: "40001" })
    return saved
  })
  expect(tries).toBe(2)
  await app.app.files.discard(content)
  expect((await app.app.files.bytes(app.app.database.direct("staff"), id)).toString()).toBe("hello")
})
