import { Writable } from "node:stream"
import { sql } from "drizzle-orm"
import pino from "pino"
import { afterAll, beforeAll, expect, it } from "vitest"
import { serveApp } from "../app.ts"
import { jobs } from "../jobs.ts"
import { App } from "../platform/app.ts"
import { reactions } from "../reactions.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { findLink } from "./browser.samples.ts"
import { scryptParameters } from "./passwords.ts"
import { readSessionActor } from "./session.ts"

const credentials = { email: "thandi@acme.example", password: "Jacaranda-77-avenue" }
let app: TestApp
let url: string
let stopServer: () => Promise<unknown>
const loggedLines: string[] = []

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openTestApp()
  const { link } = await app.as(app.people.admin).users.invite({ email: credentials.email, role: "manager" })
  const log = pino(
    { level: "trace" },
    new Writable({
      write(chunk, _encoding, done) {
        loggedLines.push(String(chunk))
        done()
      },
    }),
  )
  const { database, clock, files, publicUrl } = app.app
  const http = await serveApp({
    app: new App({ database, clock, files, log, publicUrl, reactions, jobs }),
    sessionActor: readSessionActor,
  })
  url = await http.listen({ host: "127.0.0.1", port: 0 })
  stopServer = () => {
    http.server.closeAllConnections()
    return http.close()
  }
  const accepted = await callOverHttp("users/acceptInvitation", {
    token: findLink(link).token,
    fullName: "Thandi Mokoena",
    password: credentials.password,
  })
  expect(accepted.status).toBe(200)
})
afterAll(async () => {
  await stopServer()
  await app.close()
})

const callOverHttp = (procedure: string, input: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/rpc/${procedure}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ json: input }),
  })

async function signInOverHttp(): Promise<Record<string, string>> {
  const answer = await callOverHttp("users/signIn", credentials)
  expect(answer.status).toBe(200)
  const [cookie = ""] = answer.headers.getSetCookie()
  return { cookie: cookie.split(";")[0]! }
}

it("the session cookie is sent and received over HTTP", async () => {
  const answer = await callOverHttp("users/signIn", credentials)
  const [cookie, device, ...more] = answer.headers.getSetCookie()
  expect(more).toEqual([])
  expect(device).toMatch(/^milkwood\.device=[\w-]{22}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(cookie).toMatch(/^milkwood\.session_token=.+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(answer.headers.get("cache-control")).toBe("no-store")
  expect(JSON.stringify(await answer.json())).not.toMatch(/token/i)
  const session = await signInOverHttp()
  expect(await (await callOverHttp("users/me", undefined, session)).json()).toMatchObject({ json: { role: "manager" } })
  const out = await callOverHttp("users/signOut", { scope: "global" }, session)
  expect(out.headers.getSetCookie()[0]).toMatch(/^milkwood\.session_token=; Max-Age=0/)
  expect((await callOverHttp("users/me", undefined, session)).status).toBe(401)
})

it("returns a typed refusal with its status and sets no cookie", async () => {
  const answer = await callOverHttp("users/signIn", { ...credentials, password: "Wrong-Password-1" })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({
    json: { defined: true, code: "INVALID_CREDENTIALS", message: "Invalid login credentials" },
  })
  expect(answer.headers.getSetCookie()).toEqual([])
})

it("does not serve the sign-in library's own routes", async () => {
  for (const path of ["/api/auth/sign-in/email", "/api/auth/get-session", "/api/auth/sign-up/email"]) {
    expect((await fetch(url + path, { method: "POST" })).status).toBe(404)
  }
})

it("refuses posts from another site", async () => {
  const session = await signInOverHttp()
  const foreigners: Record<string, string>[] = [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]
  for (const foreign of foreigners) {
    expect((await callOverHttp("users/signOut", { scope: "global" }, { ...session, ...foreign })).status).toBe(403)
  }
  expect((await callOverHttp("users/me", undefined, session)).status).toBe(200)
})

it("an open live stream does not extend a session", async () => {
  const session = await signInOverHttp()
  const lastActive = () =>
    app.sql.row<{ at: string }>(
      sql`select max(last_active_at) as at from sessions where started_at = ${app.clock.now()}`,
    )
  const before = await lastActive()
  app.clock.advance({ minutes: 30 })
  const leave = new AbortController()
  const stream = await fetch(`${url}/api/live`, { headers: session, signal: leave.signal })
  expect(stream.status).toBe(200)
  leave.abort()
  const after = await app.sql.row<{ at: string }>(sql`select max(last_active_at) as at from sessions`)
  expect(after).toEqual(before)
  app.clock.advance({ minutes: 31 })
  expect((await callOverHttp("users/me", undefined, session)).status).toBe(401)
})

it("keeps addresses, passwords, tokens and cookies out of the log", async () => {
  await callOverHttp("users/signUp", { fullName: "X", email: "stranger@acme.example", password: "Some-Secret-99-x" })
  await callOverHttp("users/requestPasswordReset", { email: credentials.email })
  const log = loggedLines.join("")
  expect(log).toContain("/rpc/users/signIn")
  const token = await app.sql.row<{ token: string }>(sql`select token from sessions limit 1`)
  for (const secret of [
    "acme.example",
    credentials.password,
    "Wrong-Password-1",
    "session_token",
    token?.token ?? "-",
  ]) {
    expect(log).not.toContain(secret)
  }
})
