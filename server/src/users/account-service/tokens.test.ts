import { roles } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { App } from "../../platform/app.ts"
import { createActivePolicy } from "../../policies/policies.samples.ts"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { minimumAnswerDelay } from "../attempts.ts"
import { findLink, readNewestMail } from "../browser.samples.ts"
import { scryptParameters } from "../passwords.ts"
import { readSessionActor } from "../session.ts"
import { readSessionKey } from "../session-key.ts"
import { sessionOfToken } from "./access-tokens.ts"
import { readAccount } from "./account.queries.ts"
import { currentCode, type Programs, startPrograms } from "./program.samples.ts"
import { publishedKeys, signingKey } from "./signing-keys.ts"

const password = "Jacaranda-77-avenue"
let app: TestApp
let programs: Programs
let serial = 0

beforeAll(async () => {
  scryptParameters.cost = 16
  minimumAnswerDelay.afterMs = 0
  app = await openTestApp()
  programs = await startPrograms(app)
})
afterAll(async () => {
  await programs.close()
  await app.close()
})
beforeEach(() => app.clock.advance({ hours: 13 }))

type TestRole = (typeof roles)[number] | null

async function createUser(role: TestRole = "manager", groupIds: string[] = []) {
  const email = `lindiwe.${++serial}@acme.example`
  const { link } = await app.as(app.people.admin).users.invite({ email, role: role ?? "manager", groupIds })
  const token = findLink(link).token
  await app.as(null).users.acceptInvitation({ token, fullName: "Lindiwe Khumalo", password })
  if (role === null) await app.sql.run(sql`update users set role = null where email = ${email}`)
  const { id } = (await app.sql.row<{ id: string }>(sql`select id from users where email = ${email}`))!
  return { id, email }
}

interface Tokens {
  access_token: string
  refresh_token: string
}
const signInWith = (email: string, typed = password) =>
  programs.ask("POST", "/token?grant_type=password", { email, password: typed })
const refreshWith = (refresh_token: string) =>
  programs.ask("POST", "/token?grant_type=refresh_token", { refresh_token })
async function signInUser(role: TestRole = "manager", groupIds: string[] = []) {
  const { id, email } = await createUser(role, groupIds)
  const answer = await signInWith(email)
  expect(answer.status).toBe(200)
  return { id, email, ...(answer.body as Tokens) }
}
const isTokenAccepted = async (token: string) => (await programs.api("/users/me", token)).status === 200
const readVersion = async (id: string) =>
  (await app.sql.row<{ version: number }>(sql`select version from users where id = ${id}`))!.version
const readFacts = async (id: string) =>
  (await app.sql.rows<{ fact: string }>(sql`select fact from audit_log where record_id = ${id} order by id`)).map(
    ({ fact }) => fact,
  )

describe("an access token", () => {
  it("is refused when expired, tampered with, unsigned, or signed by another key or for another service", async () => {
    const { access_token: good, id } = await signInUser()
    const [head, body, signature] = good.split(".") as [string, string, string]
    const claims = JSON.parse(Buffer.from(body, "base64url").toString())
    const kid = JSON.parse(Buffer.from(head, "base64url").toString()).kid as string
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const stranger = await generateKeyPair("ES256", { extractable: true })
    const signed = (changed: object, key = stranger.privateKey, header: object = {}) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: "ES256", kid, ...header }).sign(key)
    const ours = (await signingKey(app.app)).key
    const [published] = (await publishedKeys(app.app)).keys
    const bad = {
      tampered: `${head}.${encoded({ ...claims, sub: app.people.admin.userId })}.${signature}`,
      "another session's id": `${head}.${encoded({ ...claims, session_id: "3a1c0ce5-4f34-4a6c-a3f1-6c7d1a7a2a00" })}.${signature}`,
      unsigned: new UnsecuredJWT(claims).encode(),
      "unsigned, with our key's id": `${encoded({ alg: "none", kid })}.${body}.`,
      "signed with what is published": await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", kid })
        .sign(new TextEncoder().encode(JSON.stringify(published))),
      "another key": await signed({}),
      "another key that it brings along": await signed({}, stranger.privateKey, {
        jwk: await exportJWK(stranger.publicKey),
      }),
      "a key that nobody has": await signed({}, ours, { kid: "nobody" }),
      "without a key's id": await signed({}, ours, { kid: undefined }),
      "another issuer": await signed({ iss: "https://evil.example/auth/v1" }, ours),
      "for somebody else": await signed({ aud: "anon" }, ours),
      "without an end": await signed({ exp: undefined }, ours),
      "no token": "lorem-ipsum",
      "too many parts": `${good}.${signature}.${signature}`,
    }
    expect(await isTokenAccepted(await signed({}, ours))).toBe(true)
    for (const [what, token] of Object.entries(bad)) {
      expect((await programs.api("/users/me", token)).status, what).toBe(401)
      expect(await programs.ask("GET", "/user", undefined, token), what).toMatchObject({
        status: 401,
        body: { error_code: "invalid_jwt" },
      })
    }
    expect(await isTokenAccepted(good)).toBe(true)
    // Activity extends the session, but not the token.
    for (let n = 0; n < 3; n++) {
      app.clock.advance({ minutes: 19 })
      expect(await isTokenAccepted(good)).toBe(true)
    }
    app.clock.advance({ minutes: 3 })
    expect(await isTokenAccepted(good)).toBe(false)
    expect(await readFacts(id)).toContain("UserSignedIn")
  })

  it("is used alone: a cookie neither replaces a token nor rescues an invalid one", async () => {
    const { access_token } = await signInUser()
    const { email } = await createUser()
    const answer = await fetch(`${programs.url}/rpc/users/signIn`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ json: { email, password } }),
    })
    const [cookie = ""] = answer.headers.getSetCookie().map((set) => set.split(";")[0]!)
    const me = (headers: Record<string, string>) => fetch(`${programs.url}/api/v1/users/me`, { headers })
    expect((await me({ cookie })).status).toBe(200)
    expect((await me({ cookie, authorization: "Bearer lorem" })).status).toBe(401)
    expect(await (await me({ cookie, authorization: `Bearer ${access_token}` })).json()).not.toMatchObject({ email })
    expect((await me({ cookie, authorization: "Basic Zm9vOmJhcg==" })).status).toBe(200)
    const key = await readSessionKey(app.app, new Headers({ authorization: `Bearer ${access_token}` }))
    // The database also refuses a session that belongs to both a browser and a program.
    for (const both of [sql`token = 'a cookie'`, sql`level = null`, sql`id = gen_random_uuid()`]) {
      await expect(app.sql.run(sql`update sessions set ${both} where token = ${key}`)).rejects.toMatchObject({
        constraint: "sessions_of_programs",
      })
    }
    for (const forged of [key!, `${key}.`, `${key}.AAAA`]) {
      const headers = { cookie: `milkwood.session_token=${encodeURIComponent(forged)}` }
      expect((await me(headers)).status).toBe(401)
    }
  })

  it("loses its rights when the user is disabled, demoted, or gets other groups or another password", async () => {
    const admin = app.as(app.people.admin)
    const disabled = await signInUser()
    await admin.users.disable({ id: disabled.id, version: await readVersion(disabled.id) })
    expect(await isTokenAccepted(disabled.access_token)).toBe(false)
    expect(await refreshWith(disabled.refresh_token)).toMatchObject({
      status: 400,
      body: { error_code: "session_not_found" },
    })
    expect(await signInWith(disabled.email)).toMatchObject({ status: 400, body: { error_code: "user_banned" } })

    const demoted = await signInUser("admin")
    const users = (token: string) => programs.api("/users?pageSize=25&sort=name", token)
    expect((await users(demoted.access_token)).status).toBe(200)
    await admin.users.setRole({ id: demoted.id, role: "underwriter", version: await readVersion(demoted.id) })
    expect((await users(demoted.access_token)).status).toBe(403)

    const changed = await signInUser()
    // Advances the clock, so that the next mail is the newest, whatever its id.
    app.clock.advance({ seconds: 1 })
    await app.as(null).users.requestPasswordReset({ email: changed.email })
    const { token } = findLink((await readNewestMail(app, changed.email)).text)
    await app.as(null).users.resetPassword({ token, password: "Kalahari-Rain-23" })
    expect(await isTokenAccepted(changed.access_token)).toBe(false)
    expect((await refreshWith(changed.refresh_token)).status).toBe(400)

    const out = await signInUser()
    await admin.users.signOutEverywhere({ id: out.id })
    expect(await isTokenAccepted(out.access_token)).toBe(false)
  })

  it("ends with the session time-out of the settings, and after twelve hours", async () => {
    const idle = await signInUser()
    app.clock.advance({ minutes: 59 })
    expect((await refreshWith(idle.refresh_token)).status).toBe(200)
    const left = await signInUser()
    app.clock.advance({ minutes: 61 })
    expect(await refreshWith(left.refresh_token)).toMatchObject({
      status: 400,
      body: { error_code: "session_not_found", msg: "Auth session missing!" },
    })
    let { refresh_token } = await signInUser()
    for (let halfHours = 0; halfHours < 23; halfHours++) {
      app.clock.advance({ minutes: 30 })
      const answer = await refreshWith(refresh_token)
      expect(answer.status).toBe(200)
      ;({ refresh_token } = answer.body)
    }
    app.clock.advance({ minutes: 30 })
    expect((await refreshWith(refresh_token)).status).toBe(400)
  })

  it("gives each role its user's rights, under row-level security", async () => {
    const manager = app.as(app.people.manager)
    const [mine, theirs] = [
      await createActivePolicy(manager, { groupName: "Own Works" }),
      await createActivePolicy(manager, { groupName: "Other Works" }),
    ]
    for (const role of [...roles, null]) {
      const groupIds = role === "group_admin" || role === "policy_holder" ? [mine.groupId] : []
      const { access_token } = await signInUser(role, groupIds)
      const found = await programs.api("/policies?pageSize=25&sort=groupName", access_token)
      const other = await programs.api(`/policies/${theirs.id}`, access_token)
      if (role === null) expect([found.status, other.status]).toEqual([403, 403])
      else if (groupIds.length > 0) {
        expect(found.body.rows?.map(({ id }) => id)).toEqual([mine.id])
        expect(other.status).toBe(404)
      } else {
        expect(found.body.rows).toHaveLength(2)
        expect(other.status).toBe(200)
      }
      const { status } = await programs.api("/users?pageSize=25&sort=name", access_token)
      expect(status, String(role)).toBe(role === "admin" ? 200 : 403)
    }
    expect((await programs.api("/policies?pageSize=25&sort=groupName", undefined)).status).toBe(401)
  })

  it("needs a proof for changes of rights after ten minutes, and can give one", async () => {
    const { access_token } = await signInUser("admin")
    app.clock.advance({ minutes: 11 })
    const invite = () => programs.api("/users/invitations", access_token, { email: "n@acme.example", role: "manager" })
    expect(await invite()).toMatchObject({ status: 403, body: { code: "PROOF_REQUIRED", data: { by: "password" } } })
    expect((await programs.api("/users/me/proof", access_token, { password })).status).toBe(200)
    expect((await invite()).status).toBe(200)
  })
})

describe("a refresh token", () => {
  it("works once: using an old one ends the session and is audited", async () => {
    const { id, access_token, refresh_token: first } = await signInUser()
    const second = (await refreshWith(first)).body as Tokens
    const third = (await refreshWith(second.refresh_token)).body as Tokens
    expect(await isTokenAccepted(third.access_token)).toBe(true)
    expect(await refreshWith(first)).toMatchObject({
      status: 400,
      body: { error_code: "refresh_token_already_used", msg: "Invalid Refresh Token: Already Used" },
    })
    for (const token of [access_token, second.access_token, third.access_token])
      expect(await isTokenAccepted(token)).toBe(false)
    expect(await refreshWith(third.refresh_token)).toMatchObject({
      status: 400,
      body: { error_code: "refresh_token_not_found" },
    })
    expect(await readFacts(id)).toContain("RefreshTokenReused")
  })

  it("gives the same answer again for half a minute", async () => {
    const { refresh_token: first } = await signInUser()
    const both = await Promise.all([refreshWith(first), refreshWith(first)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both[0]!.body.refresh_token).toBe(both[1]!.body.refresh_token)
    app.clock.advance({ seconds: 29 })
    expect((await refreshWith(first)).body.refresh_token).toBe(both[0]!.body.refresh_token)
    app.clock.advance({ seconds: 1 })
    expect(await refreshWith(first)).toMatchObject({ body: { error_code: "refresh_token_already_used" } })
    expect(await refreshWith(both[0]!.body.refresh_token)).toMatchObject({
      body: { error_code: "refresh_token_not_found" },
    })
  })

  it("still works after a gateway's 502, when the published client retries", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: app.clock.now().epochMilliseconds })
    try {
      const { email } = await createUser()
      const kept = new Map<string, string>()
      const lost: number[] = []
      const { GoTrueClient } = await import("@supabase/auth-js")
      const client = new GoTrueClient({
        url: `${programs.url}/auth/v1`,
        autoRefreshToken: false,
        storage: {
          getItem: (key) => kept.get(key) ?? null,
          setItem: (key, value) => void kept.set(key, value),
          removeItem: (key) => void kept.delete(key),
        },
        async fetch(address, init) {
          const answer = await fetch(address, init)
          if (!String(address).includes("refresh_token") || lost.length >= 2) return answer
          lost.push(answer.status)
          return new Response("<h1>Bad gateway</h1>", { status: 502 + lost.length })
        },
      })
      await client.signInWithPassword({ email, password })
      const { data, error } = await client.refreshSession()
      expect(error).toBeNull()
      expect(lost).toEqual([200, 200])
      expect(await isTokenAccepted(data.session!.access_token)).toBe(true)
      await app.sql.run(sql`delete from sessions`)
      // The client keeps its tokens until the access token has expired as well.
      vi.setSystemTime(app.clock.now().add({ minutes: 61 }).epochMilliseconds)
      expect((await client.refreshSession()).error).toMatchObject({ code: "refresh_token_not_found" })
      expect((await client.getSession()).data.session).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it("refresh tokens and private signing keys are not readable in the database", async () => {
    const { refresh_token } = await signInUser()
    const rows = await app.sql.rows(sql`select to_jsonb(r) as row from refresh_tokens r`)
    expect(JSON.stringify(rows)).not.toContain(refresh_token)
    const keys = await app.sql.rows<{ publicKey: JWK; privateKey: string }>(
      sql`select public_key as "publicKey", private_key as "privateKey" from signing_keys`,
    )
    for (const { publicKey, privateKey } of keys) {
      expect(Object.keys(publicKey).sort()).toEqual(["crv", "kty", "x", "y"])
      expect(privateKey).toMatch(/^v1:/)
    }
    for (const role of ["staff", "scoped"] as const) {
      for (const table of ["signing_keys", "refresh_tokens"]) {
        await expect(app.app.database.direct(role).rows(sql`select from ${sql.raw(table)}`)).rejects.toThrow()
      }
    }
  })
})

describe("signing keys", () => {
  const kidOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString()).kid as string
  const published = async () =>
    (await programs.ask("GET", "/.well-known/jwks.json")).body.keys.map(({ kid }: JWK) => kid)

  it("change every month without invalidating a token", async () => {
    const before = kidOf((await signInUser()).access_token)
    app.clock.advance({ hours: 30 * 24 })
    const early = await signInUser()
    expect(kidOf(early.access_token)).toBe(before)
    const [, next] = await published()
    expect(await published()).toEqual([before, next])
    app.clock.advance({ minutes: 20 })
    const late = await signInUser()
    expect(kidOf(late.access_token)).toBe(next)
    expect(await isTokenAccepted(early.access_token)).toBe(true)
    expect(await published()).toEqual([before, next])
    app.clock.advance({ hours: 2 })
    expect(await published()).toEqual([next])
    expect(await isTokenAccepted(late.access_token)).toBe(false)
  })

  it("are shared by processes on one database and separate per data folder", async () => {
    const { access_token } = await signInUser()
    const { database, clock, files, log, publicUrl, reactions, jobs, secretKey } = app.app
    const options = { database, clock, files, log, publicUrl, reactions, jobs }
    const another = new App({ ...options, secretKey })
    expect(await sessionOfToken(another, access_token)).not.toBeNull()
    expect((await signingKey(another)).id).toBe(kidOf(access_token))
    const elsewhere = new App({ ...options, secretKey: Buffer.alloc(32, 7) })
    expect(await sessionOfToken(elsewhere, access_token)).not.toBeNull()
    const own = await signingKey(elsewhere)
    expect(own.id).not.toBe(kidOf(access_token))
    await app.sql.run(sql`delete from signing_keys where id = ${own.id}`)
  })

  it("are created once when many first requests arrive together", async () => {
    await app.sql.run(sql`delete from signing_keys`)
    const { database, clock, files, log, publicUrl, reactions, jobs, secretKey } = app.app
    const options = { database, clock, files, log, publicUrl, reactions, jobs, secretKey }
    const ids = await Promise.all(Array.from({ length: 4 }, async () => (await signingKey(new App(options))).id))
    expect(new Set(ids).size).toBe(1)
  })
})

describe("limits", () => {
  it("equal those of the browser: five wrong passwords, five wrong codes, three mails an hour", async () => {
    const { email, access_token } = await signInUser()
    app.clock.advance({ seconds: 1 })
    for (let n = 0; n < 5; n++) expect((await signInWith(email, "Wrong-Password-1")).status).toBe(400)
    expect(await signInWith(email)).toMatchObject({
      status: 429,
      body: { error_code: "over_request_rate_limit", msg: expect.stringContaining("15 minutes") },
    })
    await expect(app.as(null).users.signIn({ email, password })).resolves.toBeDefined()

    const enrolled = await programs.ask("POST", "/factors", { factor_type: "totp" }, access_token)
    const { id, totp } = enrolled.body
    const asked = await programs.ask("POST", `/factors/${id}/challenge`, {}, access_token)
    const give = (code: string) =>
      programs.ask("POST", `/factors/${id}/verify`, { challenge_id: asked.body.id, code }, access_token)
    const right = currentCode(app, totp.secret)
    const wrong = right === "123456" ? "654321" : "123456"
    for (let n = 0; n < 5; n++)
      expect((await give(wrong)).body).toMatchObject({ error_code: "mfa_verification_failed" })
    expect((await give(right)).status).toBe(429)

    // Requests without a session do not use up an address's limit.
    for (let n = 0; n < 3; n++) expect((await programs.ask("PUT", "/user", { email })).status).toBe(400)
    const before = (await app.mails()).filter(({ to }) => to === email).length
    for (let n = 0; n < 5; n++)
      expect(await programs.ask("POST", "/recover", { email })).toMatchObject({ status: 200, body: {} })
    expect((await app.mails()).filter(({ to }) => to === email).length - before).toBe(3)
  })

  it("do not reveal which addresses have accounts, and a new program's sign-in is reported", async () => {
    const { email, id } = await createUser()
    expect((await signInWith("nobody@acme.example")).body).toEqual((await signInWith(email, "Wrong-Password-1")).body)
    await signInWith(email)
    await signInWith(email)
    const told = (await app.mails()).filter(
      ({ to, subject }) => to === email && subject === "A sign-in from a new device",
    )
    expect(told).toHaveLength(1)
    expect(told[0]!.text).toContain("A program (node), from the address 127.0.0.1")
    const { access_token } = (await signInWith(email)).body as Tokens
    expect((await programs.api("/users/me/sessions", access_token)).body).toContainEqual(
      expect.objectContaining({ device: "A program (node)", isThis: true }),
    )
    expect(await readFacts(id)).toEqual(expect.arrayContaining(["UserSignedIn"]))
  })
})

describe("a second factor", () => {
  it("needs a challenge of its session, valid once for five minutes; a code works once", async () => {
    const { access_token, email } = await signInUser()
    const { id, totp } = (await programs.ask("POST", "/factors", { factor_type: "totp" }, access_token)).body
    const challengeOf = async (token: string) =>
      (await programs.ask("POST", `/factors/${id}/challenge`, {}, token)).body.id as string
    const verify = (token: string, challenge_id: string, code = currentCode(app, totp.secret)) =>
      programs.ask("POST", `/factors/${id}/verify`, { challenge_id, code }, token)
    const other = (await signInWith(email)).body as Tokens
    const foreign = await challengeOf(other.access_token)
    const own = await challengeOf(access_token)
    expect((await verify(access_token, foreign)).status).toBe(404)
    app.clock.advance({ minutes: 5 })
    expect(await verify(access_token, own)).toMatchObject({
      status: 422,
      body: { error_code: "mfa_challenge_expired" },
    })
    const fresh = await challengeOf(access_token)
    const done = await verify(access_token, fresh)
    expect(done.status).toBe(200)
    expect((await verify(access_token, fresh)).status).toBe(404)
    // A code that was already used is refused with a new challenge too.
    expect((await verify(access_token, await challengeOf(access_token))).body).toMatchObject({
      error_code: "mfa_verification_failed",
    })
    const stranger = await signInUser()
    expect(await programs.ask("POST", `/factors/${id}/challenge`, {}, stranger.access_token)).toMatchObject({
      status: 404,
      body: { error_code: "mfa_factor_not_found" },
    })
    expect((await programs.ask("DELETE", `/factors/${id}`, undefined, stranger.access_token)).status).toBe(404)
    for (const type of ["phone", "webauthn"]) {
      expect(await programs.ask("POST", "/factors", { factor_type: type }, stranger.access_token)).toMatchObject({
        status: 422,
        body: { error_code: `mfa_${type}_enroll_not_enabled` },
      })
    }
  })

  it("must follow the password within ten minutes, and a partial session cannot sign others out", async () => {
    const { access_token, email } = await signInUser()
    const { id, totp } = (await programs.ask("POST", "/factors", { factor_type: "totp" }, access_token)).body
    const asked = await programs.ask("POST", `/factors/${id}/challenge`, {}, access_token)
    const code = currentCode(app, totp.secret)
    const whole = await programs.ask(
      "POST",
      `/factors/${id}/verify`,
      { challenge_id: asked.body.id, code },
      access_token,
    )
    const half = (await signInWith(email)).body as Tokens
    expect((await programs.ask("POST", "/logout?scope=global", undefined, half.access_token)).status).toBe(204)
    expect(await isTokenAccepted(whole.body.access_token)).toBe(true)
    const slow = (await signInWith(email)).body as Tokens
    app.clock.advance({ minutes: 10 })
    expect(await programs.ask("POST", `/factors/${id}/challenge`, {}, slow.access_token)).toMatchObject({
      status: 400,
      body: { error_code: "session_not_found" },
    })
    expect((await refreshWith(slow.refresh_token)).status).toBe(400)
  })
})

describe("invalid requests to the account service", () => {
  it("are answered in the protocol's form", async () => {
    const { access_token } = await signInUser()
    const wrong: [string, string, unknown, string, number][] = [
      ["POST", "/token", { email: "a@acme.example", password }, "validation_failed", 400],
      ["POST", "/token?grant_type=id_token", {}, "validation_failed", 400],
      ["POST", "/token?grant_type=password", { email: "a\u0000b@acme.example", password }, "validation_failed", 400],
      ["POST", "/token?grant_type=password", { phone: "0215550100", password }, "validation_failed", 400],
      ["POST", "/token?grant_type=refresh_token", {}, "validation_failed", 400],
      ["POST", "/token?grant_type=refresh_token", { refresh_token: "nobody" }, "refresh_token_not_found", 400],
      ["POST", "/signup", { email: "x", password }, "validation_failed", 400],
      ["POST", "/logout?scope=planet", undefined, "validation_failed", 400],
      ["PUT", "/user", {}, "validation_failed", 400],
      ["PUT", "/user", { phone: "0215550100" }, "validation_failed", 400],
      ["PUT", "/user", { data: { shoe_size: 7 } }, "validation_failed", 400],
      ["PUT", "/user", { data: { full_name: "A" }, password }, "validation_failed", 400],
      ["POST", "/recover", { email: 7 }, "validation_failed", 400],
      ["POST", "/resend", { type: "sms", email: "a@acme.example" }, "validation_failed", 400],
      ["POST", "/verify", { type: "magiclink", token_hash: "x".repeat(43) }, "validation_failed", 400],
      ["POST", "/verify", { type: "signup", token_hash: "x".repeat(43) }, "otp_expired", 403],
      ["POST", "/factors", { factor_type: "dna" }, "validation_failed", 400],
      ["POST", "/factors/nobody/challenge", {}, "mfa_factor_not_found", 404],
    ]
    for (const [method, path, body, error_code, status] of wrong) {
      const answer = await programs.ask(method, path, body, access_token)
      expect(answer, `${method} ${path} ${JSON.stringify(answer.body)}`).toMatchObject({
        status,
        body: { code: status, error_code, msg: expect.any(String) },
      })
    }
    const text = await fetch(`${programs.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    })
    expect([text.status, await text.json()]).toMatchObject([400, { error_code: "bad_json" }])
    expect(text.headers.get("cache-control")).toBe("no-store")
    // Cannot happen while the session exists; tested for the error message.
    await expect(
      readAccount({ tx: app.sql, now: app.clock.now() }, "3a1c0ce5-4f34-4a6c-a3f1-6c7d1a7a2a00"),
    ).rejects.toMatchObject({
      status: 500,
      message: "Auth session or user missing",
    })
  })

  it("to functions that are not offered get 404", async () => {
    const { access_token } = await signInUser("admin")
    const absent = [
      "/otp",
      "/sso",
      "/admin/users",
      "/invite",
      "/magiclink",
      "/authorize",
      "/reauthenticate",
      "/storage",
    ]
    for (const path of absent) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        const answer = await programs.ask(method, path, method === "GET" ? undefined : {}, access_token)
        expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { error_code: "not_found" } })
      }
    }
  })
})

describe("behind a proxy that ends TLS", () => {
  it("staff are limited to the allowed addresses in every step", async () => {
    const house = await openTestApp({ publicUrl: "https://milkwood.example" })
    const served = await startPrograms(house)
    try {
      const { link } = await house.as(house.people.admin).users.invite({ email: "s@acme.example", role: "manager" })
      const { token } = findLink(link)
      await house.as(null).users.acceptInvitation({ token, fullName: "Sipho", password })
      const ask = async (path: string, address: string, body?: unknown, bearer?: string) =>
        fetch(`${served.url}${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: {
            "content-type": "application/json",
            "x-forwarded-for": address,
            ...(bearer && { authorization: `Bearer ${bearer}` }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      await house.sql.run(sql`insert into settings (key, value, saved_at) values
        ('limitAddresses', 'true', now()), ('allowedAddresses', '["196.25.0.0/16"]', now())`)
      const credentials = { email: "s@acme.example", password }
      const [office, home] = ["196.25.7.9", "41.13.0.5"]
      const refused = await ask("/auth/v1/token?grant_type=password", home, credentials)
      expect([refused.status, await refused.json()]).toMatchObject([403, { error_code: "address_not_allowed" }])
      const answer = await ask("/auth/v1/token?grant_type=password", office, credentials)
      const { access_token, refresh_token } = (await answer.json()) as Tokens
      expect((await ask("/api/v1/users/me", office, undefined, access_token)).status).toBe(200)
      expect((await ask("/api/v1/users/me", home, undefined, access_token)).status).toBe(401)
      expect((await ask("/auth/v1/user", home, undefined, access_token)).status).toBe(400)
      const path = "/auth/v1/token?grant_type=refresh_token"
      expect((await ask(path, home, { refresh_token })).status).toBe(403)
      expect((await ask(path, office, { refresh_token })).status).toBe(200)
      const key = await readSessionKey(house.app, new Headers({ authorization: `Bearer ${access_token}` }))
      expect(await readSessionActor(house.app, new Headers({ "x-client-address": office }), key)).toMatchObject({
        email: "s@acme.example",
      })
    } finally {
      await served.close()
      await house.close()
    }
  })
})
