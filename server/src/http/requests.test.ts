import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { brotliCompressSync } from "node:zlib"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { serveApp } from "../app.ts"
import { FileStore } from "../platform/files/files.ts"
import { openTestApp, type TestApp } from "../test/app.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

type Options = Partial<Parameters<typeof serveApp>[0]>

async function serveTestApp(options: Options = {}) {
  const http = await serveApp({
    app: app.app,
    sessionActor: async (_, headers) => (headers.has("x-known") ? app.people.manager : null),
    sessionKey: (_, headers) => headers.get("x-known"),
    ...options,
  })
  onTestFinished(async () => {
    http.server.closeAllConnections()
    await http.close()
  })
  const url = await http.listen({ host: "127.0.0.1", port: 0 })
  return { http, url }
}

const knownHeaders = (session = "1") => ({ "x-known": session, "content-type": "application/json" })

async function countStatuses(many: number, ask: () => Promise<Response>): Promise<number[]> {
  const all: number[] = []
  while (all.length < many) {
    const answers = await Promise.all(Array.from({ length: Math.min(50, many - all.length) }, ask))
    for (const answer of answers) await answer.body?.cancel()
    all.push(...answers.map(({ status }) => status))
  }
  return all
}

describe("rate limits", () => {
  test("a route's limit covers every spelling of its path", async () => {
    const { url } = await serveTestApp()
    const pdf = "pi/invoices/3b1f0f4e-6c1f-4a5e-9d3e-5b8f6a2c1d00/pdf"
    expect(await countStatuses(180, () => fetch(`${url}/a${pdf}`))).not.toContain(429)
    expect((await fetch(`${url}/a${pdf}`)).status).toBe(429)
    expect((await fetch(`${url}/%61${pdf}`)).status).toBe(429)
  }, 30_000)

  test("each session has its own rate limit, even behind the same address", async () => {
    const { url } = await serveTestApp()
    const search = (session: string) => () =>
      fetch(`${url}/rpc/reports/search`, {
        method: "POST",
        headers: knownHeaders(session),
        body: '{"json":{"text":""}}',
      })
    expect(await countStatuses(301, search("ann"))).toContain(429)
    expect((await search("bea")()).status).toBe(200)
    // Searches have their own limit.
    const list = await fetch(`${url}/rpc/members/list`, {
      method: "POST",
      headers: knownHeaders("ann"),
      body: '{"json":{}}',
    })
    expect(list.status).toBe(200)
  }, 30_000)
})

describe("unusual requests", () => {
  test.each([
    "/rpc/users/entrance",
    "/api/v1/members",
  ])("a body nested 5,000 deep does not cause a server error: %s", async (path) => {
    const { url } = await serveTestApp()
    const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`
    const answer = await fetch(url + path, { method: "POST", headers: knownHeaders(), body: `{"json":${deep}}` })
    expect(answer.status, await answer.text()).toBeLessThan(500)
  })

  test("a HEAD request runs no procedure", async () => {
    const { http } = await serveTestApp()
    const { name } = app.people.manager
    for (const method of ["HEAD", "PUT", "OPTIONS"] as const) {
      const payload = { json: { name: "Another", phone: "" } }
      const answer = await http.inject({ method, url: "/rpc/users/updateProfile", headers: knownHeaders(), payload })
      expect(answer.statusCode).toBe(404)
    }
    await expect(app.sql.row(sql`select name from users where id = ${app.people.manager.userId}`)).resolves.toEqual({
      name,
    })
    const got = await http.inject({
      method: "GET",
      url: "/rpc/users/updateProfile?data=%7B%7D",
      headers: knownHeaders(),
    })
    expect(got.statusCode).toBe(405)
  })

  test("the server logs one warning about a proxy if PUBLIC_URL is not https", async () => {
    const warn = vi.spyOn(app.app.log, "warn")
    const { url } = await serveTestApp()
    for (const headers of [{}, { "x-forwarded-for": "203.0.113.9" }, { "x-forwarded-for": "203.0.113.9" }]) {
      await fetch(`${url}/api/health`, { headers })
    }
    expect(warn.mock.calls.filter(([text]) => String(text).includes("PUBLIC_URL"))).toHaveLength(1)
    warn.mockRestore()
  })

  test("a slow request ends after five minutes", async () => {
    const { http } = await serveTestApp()
    expect(http.server.requestTimeout).toBe(5 * 60_000)
  })
})

describe("a full disk", () => {
  test("a write to a full database disk returns DISK_FULL, and the server is not ready", async () => {
    const { url } = await serveTestApp()
    expect((await fetch(`${url}/api/ready`)).status).toBe(200)
    await app.sql.run(sql`
      create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
    await app.sql.run(sql`
      create trigger full_disk before insert on benefit_tiers for each row execute function full_disk()`)
    const answer = await fetch(`${url}/rpc/benefits/tiers/create`, {
      method: "POST",
      headers: knownHeaders(),
      body: JSON.stringify({ json: { name: "Gold", description: "" } }),
    })
    expect(answer.status).toBe(507)
    expect(await answer.json()).toMatchObject({
      json: { code: "DISK_FULL", message: expect.stringContaining("disk is full") },
    })
    await app.sql.run(sql`drop trigger full_disk on benefit_tiers`)
    await vi.waitUntil(async () => (await fetch(`${url}/api/ready`)).status === 503)
    expect(await (await fetch(`${url}/api/ready`)).json()).toEqual({
      status: "not ready",
      reason: "the disk is full",
    })
    const began = performance.now()
    const later = vi.spyOn(performance, "now").mockReturnValue(began + 10_500)
    onTestFinished(() => later.mockRestore())
    expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  })

  test("an upload to a full disk returns DISK_FULL", async () => {
    const { url } = await serveTestApp()
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" })
    const receive = vi.spyOn(app.app.files, "receive").mockImplementation(async (source) => {
      const disk = new Writable({ write: (_chunk, _encoding, done) => done(full) })
      // As in the file store, a failed write also destroys the upload stream.
      await pipeline(source, disk)
      throw full
    })
    onTestFinished(() => receive.mockRestore())
    const body = new FormData()
    body.set("policyId", "3b1f0f4e-6c1f-4a5e-9d3e-5b8f6a2c1d00")
    body.set("file", new Blob(["a,b\n".repeat(50_000)]), "a.csv")
    const answer = await fetch(`${url}/api/members/imports`, { method: "POST", headers: { "x-known": "1" }, body })
    expect(await answer.json()).toMatchObject({ code: "DISK_FULL", status: 507 })
  })
})

describe("readiness", () => {
  test.each([
    "scoped",
    "auth",
  ] as const)("readiness also checks the database connection of the role %s", async (role) => {
    const { url } = await serveTestApp()
    const pool = app.app.database.pool(role)
    const away = vi.spyOn(pool, "query").mockImplementation(async () => {
      throw new Error("Connection terminated")
    })
    expect(await (await fetch(`${url}/api/ready`)).json()).toMatchObject({ reason: "the database cannot be reached" })
    away.mockRestore()
  })

  test("readiness checks whether files can be written", async () => {
    const folder = await mkdtemp(join(tmpdir(), "milkwood-ready-"))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, "files"), "not a folder")
    await expect(new FileStore(join(folder, "files")).fault()).resolves.toBe("files cannot be written")
  })
})

test("screens are served in the compressed form from the build", async () => {
  const screens = await mkdtemp(join(tmpdir(), "milkwood-screens-"))
  onTestFinished(() => rm(screens, { recursive: true }))
  await mkdir(join(screens, "assets"))
  const script = "export const a = 1\n".repeat(200)
  await writeFile(join(screens, "index.html"), "<!doctype html>")
  await writeFile(join(screens, "assets", "a.js"), script)
  const built = brotliCompressSync(script)
  await writeFile(join(screens, "assets", "a.js.br"), built)
  const { http } = await serveTestApp({ screens })
  const headers = { "accept-encoding": "gzip, deflate, br" }
  const answer = await http.inject({ url: "/assets/a.js", headers })
  expect(answer.rawPayload).toEqual(built)
  expect(answer.headers).toMatchObject({
    "content-encoding": "br",
    "content-type": expect.stringContaining("javascript"),
    "cache-control": "public, max-age=31536000, immutable",
    "permissions-policy": expect.stringContaining("camera=()"),
  })
  expect((await http.inject({ url: "/members", headers })).headers["cache-control"]).toBe("no-cache")
})

test("the API description is compressed only once", async () => {
  const { http } = await serveTestApp()
  const ask = () => http.inject({ url: "/api/openapi.json", headers: { "accept-encoding": "br" } })
  const [first, second] = [await ask(), await ask()]
  expect(first.headers["content-encoding"]).toBe("br")
  expect(second.rawPayload).toEqual(first.rawPayload)
  const { etag } = first.headers
  expect((await http.inject({ url: "/api/openapi.json", headers: { "if-none-match": String(etag) } })).statusCode).toBe(
    304,
  )
})
