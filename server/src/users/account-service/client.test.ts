import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { minimumAnswerDelay } from "../attempts.ts"
import { Browser, findLink, readNewestMail } from "../browser.samples.ts"
import { scryptParameters } from "../passwords.ts"
import { currentCode, type Programs, startPrograms } from "./program.samples.ts"

/** Runs every function of the account service with the protocol's published client over a socket. */

const password = "Jacaranda-77-avenue"
const otherPassword = "Kalahari-Rain-23"
let app: TestApp
let programs: Programs
let serial = 0

beforeAll(async () => {
  scryptParameters.cost = 16
  minimumAnswerDelay.afterMs = 0
  // The client uses the machine's clock.
  app = await openTestApp({ now: Temporal.Now.instant().toString() })
  await app.sql.run(sql`insert into settings (key, value, saved_at) values ('userRegistration', 'true', now())`)
  programs = await startPrograms(app)
  vi.useFakeTimers({ toFake: ["Date"] })
})
afterAll(async () => {
  vi.useRealTimers()
  await programs.close()
  await app.close()
})
beforeEach(() => advanceTime({ hours: 13 }))

/** Advances both clocks. */
function advanceTime(duration: Temporal.DurationLike) {
  app.clock.advance(duration)
  vi.setSystemTime(app.clock.now().epochMilliseconds)
}

const createAddress = () => `thandi.${++serial}@acme.example`

async function createUser(role: "manager" | "underwriter" | null = "manager") {
  const email = createAddress()
  const client = programs.client()
  const signedUp = await client.signUp({ email, password, options: { data: { full_name: "Thandi Mokoena" } } })
  expect(signedUp.error).toBeNull()
  await app.sql.run(sql`update users set email_verified = true, role = ${role} where email = ${email}`)
  // `newestMail` sorts by creation time: give the next mail a later time.
  advanceTime({ seconds: 1 })
  return { email, client }
}

async function signInUser(role: "manager" | "underwriter" | null = "manager") {
  const { email, client } = await createUser(role)
  const { data, error } = await client.signInWithPassword({ email, password })
  expect(error).toBeNull()
  return { email, client, session: data.session!, user: data.user! }
}

describe("the published client", () => {
  it("signs in and uses its token for the product's API with the user's rights", async () => {
    const { email, session, user } = await signInUser()
    expect(session).toMatchObject({ token_type: "bearer", expires_in: 3600 })
    expect(user).toMatchObject({
      email,
      aud: "authenticated",
      user_metadata: { full_name: "Thandi Mokoena" },
      identities: [{ provider: "email", identity_data: { email } }],
      factors: [],
    })
    expect((await programs.api("/users/me", session.access_token)).body).toMatchObject({ email, role: "manager" })
    expect((await programs.api("/members?pageSize=25&sort=name", session.access_token)).body).toMatchObject({
      rows: [],
    })
    expect(await programs.api("/users?pageSize=25&sort=name", session.access_token)).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    })
    expect((await programs.api("/users/me", undefined)).status).toBe(401)
  })

  it("signs up and signs in only after confirming the e-mailed link", async () => {
    const email = createAddress()
    const client = programs.client()
    const { data, error } = await client.signUp({ email, password, options: { data: { full_name: "Sipho Ndlovu" } } })
    expect(error).toBeNull()
    expect(data).toMatchObject({ session: null, user: { email, user_metadata: { full_name: "Sipho Ndlovu" } } })
    expect(data.user!.email_confirmed_at).toBeUndefined()
    const early = await client.signInWithPassword({ email, password })
    expect(early.error).toMatchObject({ message: "Email not confirmed", code: "email_not_confirmed", status: 400 })

    const first = findLink((await readNewestMail(app, email)).text).token
    advanceTime({ seconds: 1 })
    expect((await client.resend({ type: "signup", email })).error).toBeNull()
    const stale = await client.verifyOtp({ type: "signup", token_hash: first })
    expect(stale.error).toMatchObject({ code: "otp_expired", status: 403 })
    const { token } = findLink((await readNewestMail(app, email)).text)
    const verified = await client.verifyOtp({ type: "signup", token_hash: token })
    expect(verified.error).toBeNull()
    expect(verified.data.user!.email_confirmed_at).toBeTruthy()
    expect((await client.signInWithPassword({ email, password })).data.session).not.toBeNull()
  })

  it("receives refusals for a known address, a weak password and closed registration", async () => {
    const { email, client } = await createUser()
    expect((await client.signUp({ email, password })).error).toMatchObject({
      message: "User already registered",
      code: "user_already_exists",
    })
    const weak = await client.signUp({ email: createAddress(), password: "secret" })
    expect(weak.error).toMatchObject({ name: "AuthWeakPasswordError", code: "weak_password" })
    expect((weak.error as unknown as { reasons: string[] }).reasons).toContain("Use at least 12 characters")
    await app.sql.run(sql`update settings set value = 'false' where key = 'userRegistration'`)
    const closed = await client.signUp({ email: createAddress(), password })
    await app.sql.run(sql`update settings set value = 'true' where key = 'userRegistration'`)
    expect(closed.error).toMatchObject({ code: "signup_disabled", status: 422 })
  })

  it("receives the specification's messages for missing fields", async () => {
    const { client, email } = await createUser()
    const message = "You must provide either an email or phone number and a password"
    expect((await client.signInWithPassword({} as never)).error).toMatchObject({ message })
    expect(await programs.ask("POST", "/token?grant_type=password", { email })).toMatchObject({
      status: 400,
      body: { msg: message, error_code: "validation_failed" },
    })
    expect((await client.signInWithPassword({ email, password: "Wrong-Password-1" })).error).toMatchObject({
      message: "Invalid login credentials",
      code: "invalid_credentials",
      status: 400,
    })
    expect((await client.getUser()).error).toMatchObject({ message: "Auth session missing!", status: 400 })
    expect(await programs.ask("GET", "/user")).toMatchObject({
      status: 400,
      body: { msg: "Auth session missing!", error_code: "session_not_found" },
    })
    expect((await client.updateUser({ data: { full_name: "X" } })).error).toMatchObject({
      message: "Auth session missing!",
    })
  })

  it("refreshes its tokens 90 seconds before expiry and continues with the new ones", async () => {
    const { client, session } = await signInUser()
    const events: string[] = []
    client.onAuthStateChange((event) => void events.push(event))
    advanceTime({ minutes: 58 })
    expect((await client.getSession()).data.session!.access_token).toBe(session.access_token)
    advanceTime({ seconds: 31 })
    const renewed = (await client.getSession()).data.session!
    expect(renewed.access_token).not.toBe(session.access_token)
    expect(renewed.refresh_token).not.toBe(session.refresh_token)
    expect(events).toContain("TOKEN_REFRESHED")
    expect((await programs.api("/users/me", renewed.access_token)).status).toBe(200)
  })

  it("verifies claims offline with the published key set", async () => {
    const { client, session, user, email } = await signInUser()
    const { data, error } = await client.getClaims(session.access_token)
    expect(error).toBeNull()
    expect(data!.header).toMatchObject({ alg: "ES256", typ: "JWT" })
    expect(data!.claims).toMatchObject({
      iss: `${app.app.publicUrl}/auth/v1`,
      sub: user.id,
      aud: "authenticated",
      role: "authenticated",
      email,
      aal: "aal1",
      amr: [{ method: "password" }],
    })
    const keys = await programs.ask("GET", "/.well-known/jwks.json")
    expect(keys.headers.get("cache-control")).toBe("public, max-age=600")
    expect(keys.body.keys).toHaveLength(1)
    expect(Object.keys(keys.body.keys[0]).sort()).toEqual(["alg", "crv", "key_ops", "kid", "kty", "use", "x", "y"])
    const half = session.access_token.slice(0, -20)
    expect((await client.getClaims(`${half}AAAAAAAAAAAAAAAAAAAA`)).error).toMatchObject({ code: "invalid_jwt" })
  })

  it("changes the name, the address by its link, and the password, which signs out", async () => {
    const { client, email, session } = await signInUser()
    const events: string[] = []
    client.onAuthStateChange((event) => void events.push(event))
    const renamed = await client.updateUser({ data: { full_name: "Thandi Dlamini" } })
    expect(renamed.data.user!.user_metadata.full_name).toBe("Thandi Dlamini")
    expect(events).toContain("USER_UPDATED")

    const newEmail = createAddress()
    expect((await client.updateUser({ email: newEmail })).data.user).toMatchObject({ email, new_email: newEmail })
    const { token } = findLink((await readNewestMail(app, newEmail)).text)
    const followed = await client.verifyOtp({ type: "email_change", token_hash: token })
    expect(followed.data.user).toMatchObject({ email: newEmail })
    expect((await client.getUser()).data.user).toMatchObject({ email: newEmail })

    advanceTime({ minutes: 11 })
    const unproven = await client.updateUser({ password: otherPassword })
    expect(unproven.error).toMatchObject({ code: "reauthentication_needed", status: 401 })
    const wrong = await client.updateUser({ password: otherPassword, current_password: "Wrong-Password-1" })
    expect(wrong.error).toMatchObject({ code: "invalid_credentials", message: "The current password is incorrect." })
    const weak = await client.updateUser({ password: "short", current_password: password })
    expect(weak.error).toMatchObject({ code: "weak_password" })
    expect((await client.updateUser({ password: otherPassword, current_password: password })).error).toBeNull()
    expect((await programs.api("/users/me", session.access_token)).status).toBe(401)
    expect((await client.getUser()).error).toMatchObject({ message: "Auth session missing!" })
    expect((await client.signInWithPassword({ email: newEmail, password: otherPassword })).error).toBeNull()
  })

  it("recovers a password by its link in a session that allows nothing else", async () => {
    const { email, client } = await createUser()
    const before = (await client.signInWithPassword({ email, password })).data.session!
    const elsewhere = programs.client()
    const events: string[] = []
    elsewhere.onAuthStateChange((event) => void events.push(event))
    expect((await elsewhere.resetPasswordForEmail(email)).error).toBeNull()
    expect((await elsewhere.resetPasswordForEmail("nobody@acme.example")).error).toBeNull()
    const { token } = findLink((await readNewestMail(app, email)).text)
    const isConfirmed = () =>
      app.sql.row<{ is: boolean }>(sql`select email_verified as is from users where email = ${email}`)
    await app.sql.run(sql`update users set email_verified = false where email = ${email}`)
    const { data, error } = await elsewhere.verifyOtp({ type: "recovery", token_hash: token })
    expect(error).toBeNull()
    // The account is not confirmed yet, because another person may have signed up with this address and know its
    // password.
    expect(await isConfirmed()).toEqual({ is: false })
    expect(events).toContain("PASSWORD_RECOVERY")
    expect((await programs.api("/users/me", data.session!.access_token)).status).toBe(401)
    expect((await elsewhere.updateUser({ data: { full_name: "Somebody" } })).error).toMatchObject({
      code: "insufficient_aal",
    })
    expect((await elsewhere.mfa.enroll({ factorType: "totp" })).error).toMatchObject({ code: "insufficient_aal" })
    expect((await elsewhere.updateUser({ password: otherPassword })).error).toBeNull()
    expect(await isConfirmed()).toEqual({ is: true })
    expect((await programs.api("/users/me", before.access_token)).status).toBe(401)
    expect((await elsewhere.getUser()).error).toMatchObject({ message: "Auth session missing!" })
    expect((await elsewhere.verifyOtp({ type: "recovery", token_hash: token })).error).toMatchObject({
      code: "otp_expired",
      message: "This link was already used.",
    })
    expect((await client.signInWithPassword({ email, password: otherPassword })).error).toBeNull()
  })

  it("enrols and verifies a second factor, which the next sign-in requires", async () => {
    const { email, client } = await signInUser()
    const { data: made, error } = await client.mfa.enroll({ factorType: "totp", friendlyName: "My phone" })
    expect(error).toBeNull()
    const { id, totp } = made!
    expect(made).toMatchObject({ type: "totp", friendly_name: "My phone" })
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/)
    expect(totp.uri).toContain(`secret=${totp.secret}`)
    expect((await client.mfa.listFactors()).data).toMatchObject({ all: [{ id, status: "unverified" }], totp: [] })
    const wrong = await client.mfa.challengeAndVerify({ factorId: id, code: "000000" })
    expect(wrong.error).toMatchObject({ code: "mfa_verification_failed", message: "Invalid TOTP code entered" })
    const done = await client.mfa.challengeAndVerify({ factorId: id, code: currentCode(app, totp.secret) })
    expect(done.error).toBeNull()
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal2",
      currentAuthenticationMethods: [{ method: "password" }, { method: "totp" }],
    })
    expect((await client.mfa.enroll({ factorType: "totp" })).error).toMatchObject({
      code: "too_many_enrolled_mfa_factors",
    })

    advanceTime({ seconds: 30 })
    const next = programs.client()
    const events: string[] = []
    next.onAuthStateChange((event) => void events.push(event))
    const half = (await next.signInWithPassword({ email, password })).data.session!
    expect((await next.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal1",
      nextLevel: "aal2",
    })
    expect((await programs.api("/users/me", half.access_token)).status).toBe(401)
    for (const change of [{ data: { full_name: "X" } }, { email: createAddress() }, { password: otherPassword }]) {
      expect((await next.updateUser(change)).error).toMatchObject({ code: "insufficient_aal" })
    }
    expect((await next.mfa.unenroll({ factorId: id })).error).toMatchObject({ code: "insufficient_aal" })
    const asked = await next.mfa.challenge({ factorId: id })
    const { data: whole } = await next.mfa.verify({
      factorId: id,
      challengeId: asked.data!.id,
      code: currentCode(app, totp.secret),
    })
    expect(events).toContain("MFA_CHALLENGE_VERIFIED")
    expect((await programs.api("/users/me", whole!.access_token)).body).toMatchObject({ email })
    // Tokens of a partial session stay invalid after it is completed.
    expect((await programs.api("/users/me", half.access_token)).status).toBe(401)
    expect(await programs.ask("POST", "/token?grant_type=refresh_token", half)).toMatchObject({ status: 400 })

    advanceTime({ minutes: 11 })
    expect((await next.mfa.unenroll({ factorId: id })).error).toMatchObject({ code: "reauthentication_needed" })
    expect((await next.mfa.challengeAndVerify({ factorId: id, code: currentCode(app, totp.secret) })).error).toBeNull()
    expect((await next.mfa.unenroll({ factorId: id })).error).toBeNull()
    expect((await next.mfa.listFactors()).data).toMatchObject({ all: [] })
    expect((await next.refreshSession()).data.session).not.toBeNull()
    expect((await next.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal1",
      nextLevel: "aal1",
    })
  })

  it("must set up a required second factor before anything else", async () => {
    const { email, client } = await createUser("manager")
    await app.sql.run(sql`insert into settings (key, value, saved_at) values ('secondFactorOf', '"everybody"', now())`)
    try {
      const half = (await client.signInWithPassword({ email, password })).data.session!
      expect((await programs.api("/users/me", half.access_token)).status).toBe(401)
      const { id, totp } = (await client.mfa.enroll({ factorType: "totp" })).data!
      const code = currentCode(app, totp.secret)
      const { data } = await client.mfa.challengeAndVerify({ factorId: id, code })
      expect((await programs.api("/users/me", data!.access_token)).status).toBe(200)
      expect((await programs.api("/users/me", half.access_token)).status).toBe(401)
    } finally {
      await app.sql.run(sql`delete from settings where key = 'secondFactorOf'`)
    }
  })

  it("can end this session, all others, or all including browser sessions", async () => {
    const { email, client } = await signInUser()
    const [second, third] = [programs.client(), programs.client()]
    for (const one of [second, third]) await one.signInWithPassword({ email, password })
    const browser = new Browser(app.app)
    await (await browser.api()).users.signIn({ email, password })
    const holds = async (one: typeof client) => (await one.getUser()).error === null
    const inBrowser = async () => (await browser.api()).users.me().then(Boolean, () => false)

    expect((await second.signOut({ scope: "local" })).error).toBeNull()
    expect([await holds(client), await holds(second), await holds(third), await inBrowser()]).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect((await client.signOut({ scope: "others" })).error).toBeNull()
    expect([await holds(client), await holds(third), await inBrowser()]).toEqual([true, false, false])
    await (await browser.api()).users.signIn({ email, password })
    await third.signInWithPassword({ email, password })
    expect((await client.signOut()).error).toBeNull()
    expect([await holds(client), await holds(third), await inBrowser()]).toEqual([false, false, false])
    const facts = await app.sql.rows<{ fact: string }>(sql`
      select a.fact from audit_log a join users u on u.id = a.record_id
      where u.email = ${email} and a.fact like '%Sign%Out' or a.fact = 'OtherSessionsEnded' order by a.id`)
    expect(facts.map(({ fact }) => fact)).toEqual(
      expect.arrayContaining(["ProgramSignedOut", "OtherSessionsEnded", "UserSignedOut"]),
    )
  })
})
