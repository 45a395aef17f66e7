import type { Role } from "@milkwood/domain/platform/permission"
import { call } from "@orpc/server"
import { sql } from "drizzle-orm"
import { Secret, TOTP } from "otpauth"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { bindProcedure, procedures, sampleInput } from "../test/procedures.ts"
import { Browser, findLink, readNewestMail } from "./browser.samples.ts"
import { scryptParameters } from "./passwords.ts"
import { readSessionActor } from "./session.ts"

const password = "Jacaranda-77-avenue"
let app: TestApp
let serial = 0

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.advance({ hours: 13 })
  await app.sql.run(sql`delete from settings`)
})

const setSetting = (key: string, value: unknown) =>
  app.sql.run(sql`insert into settings (key, value, saved_at) values (${key}, ${JSON.stringify(value)}::jsonb, now())`)
const readActor = (browser: Browser) => readSessionActor(app.app, browser.headers())
const readFacts = async (email: string) =>
  (
    await app.sql.rows<{ fact: string }>(sql`
      select a.fact from audit_log a join users u on u.id = a.record_id where u.email = ${email} order by a.id`)
  ).map(({ fact }) => fact)

const readSubjects = async (email: string) =>
  (await app.mails()).filter(({ to }) => to === email).map(({ subject }) => subject)

async function inviteAndAccept(role: Role = "manager", browser = new Browser(app.app)) {
  const email = `thandi.${++serial}@acme.example`
  const { link } = await app.as(app.people.admin).users.invite({ email, role })
  const { stage } = await (await browser.api()).users.acceptInvitation({
    token: findLink(link).token,
    fullName: "Thandi Mokoena",
    password,
  })
  return { email, browser, stage }
}

const createCode = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.clock.now().epochMilliseconds + steps * 30_000,
  })

function createNextCode(secret: string): string {
  app.clock.advance({ seconds: 30 })
  return createCode(secret)
}

async function createUserWithFactor(role: Role = "manager") {
  const { email, browser } = await inviteAndAccept(role)
  const { secret } = await (await browser.api()).users.secondFactor.begin()
  const { recoveryCodes } = await (await browser.api()).users.secondFactor.confirm({ code: createCode(secret) })
  return { email, browser, secret, recoveryCodes }
}

const signInWithPassword = async (browser: Browser, email: string) =>
  (await browser.api()).users.signIn({ email, password })
const verifyCode = async (browser: Browser, code: string) => (await browser.api()).users.secondFactor.verify({ code })

describe("the second-factor set-up", () => {
  it("returns a secret and its QR address, and is inactive before its first code", async () => {
    const { email, browser } = await inviteAndAccept()
    const { secret, address } = await (await browser.api()).users.secondFactor.begin()
    const read = new URL(address)
    expect(read.protocol + read.host).toBe("otpauth:totp")
    expect(decodeURIComponent(read.pathname)).toBe(`/Milkwood:${email}`)
    expect(Object.fromEntries(read.searchParams)).toMatchObject({
      secret,
      issuer: "Milkwood",
      digits: "6",
      period: "30",
    })
    expect(await signInWithPassword(new Browser(app.app), email)).toEqual({ stage: "signed_in" })
    await expect((await browser.api()).users.secondFactor.confirm({ code: "000000" })).rejects.toMatchObject({
      code: "WRONG_CODE",
    })
    const { recoveryCodes } = await (await browser.api()).users.secondFactor.confirm({ code: createCode(secret) })
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(await (await browser.api()).users.secondFactor.state()).toMatchObject({
      since: app.clock.now().toString(),
      recoveryCodesLeft: 10,
      isRequired: false,
    })
    expect(await readFacts(email)).toContain("SecondFactorSetUp")
    app.clock.advance({ seconds: 1 })
    expect(await signInWithPassword(new Browser(app.app), email)).toEqual({ stage: "second_factor" })
    await expect((await browser.api()).users.secondFactor.begin()).rejects.toMatchObject({ code: "HAS_SECOND_FACTOR" })
  })

  it("encrypts the secret, hashes the recovery codes, and neither logs nor e-mails them", async () => {
    const { email, secret, recoveryCodes } = await createUserWithFactor()
    const kept = await app.sql.row<{ all: string }>(sql`
      select (select json_agg(f)::text from second_factors f) || (select json_agg(c)::text from recovery_codes c)
        || (select json_agg(a)::text from audit_log a) || (select json_agg(m)::text from mails m) as all`)
    for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace("-", ""))])
      expect(kept!.all).not.toContain(hidden)
    expect(await readSubjects(email)).toContain("Your account has a second factor")
  })

  it("stores a secret that cannot be decrypted for another account", async () => {
    const [one, other] = [await createUserWithFactor(), await createUserWithFactor()]
    await app.sql.run(sql`
      update second_factors set secret = (select secret from second_factors f join users u on u.id = f.user_id where u.email = ${one.email})
      where user_id = (select id from users where email = ${other.email})`)
    const browser = new Browser(app.app)
    await signInWithPassword(browser, other.email)
    await expect(verifyCode(browser, createNextCode(one.secret))).rejects.toThrow()
    expect(await readActor(browser)).toBeNull()
  })
})

describe("signing in", () => {
  it("after the password, accepts the code in a partial session", async () => {
    const { email, secret } = await createUserWithFactor()
    const browser = new Browser(app.app)
    expect(await signInWithPassword(browser, email)).toEqual({ stage: "second_factor" })
    const half = [...browser.cookies]
    expect(await readActor(browser)).toBeNull()
    expect((await readFacts(email)).filter((fact) => fact === "UserSignedIn")).toHaveLength(1)
    await verifyCode(browser, createNextCode(secret))
    expect(await readActor(browser)).toMatchObject({ email, session: { proofBy: "code" } })
    expect((await readFacts(email)).filter((fact) => fact === "UserSignedIn")).toHaveLength(2)
    const before = new Browser(app.app)
    for (const [name, value] of half) before.cookies.set(name, value)
    expect(await readActor(before)).toBeNull()
    await expect(verifyCode(before, createNextCode(secret))).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
  })

  it("accepts a code once, even in concurrent calls, and none older than the last", async () => {
    const { email, secret } = await createUserWithFactor()
    const code = createNextCode(secret)
    const browsers = [new Browser(app.app), new Browser(app.app, "192.0.2.2")]
    for (const browser of browsers) await signInWithPassword(browser, email)
    const answers = await Promise.allSettled(browsers.map((browser) => verifyCode(browser, code)))
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    const left = browsers[answers.findIndex(({ status }) => status === "rejected")]!
    await expect(verifyCode(left, createCode(secret, -1))).rejects.toMatchObject({ code: "WRONG_CODE" })
    await verifyCode(left, createCode(secret, 1))
    expect(await readActor(left)).not.toBeNull()
  })

  it("accepts each recovery code once and notifies the user", async () => {
    const { email, recoveryCodes } = await createUserWithFactor()
    const [first = "", second = ""] = recoveryCodes
    const browser = new Browser(app.app)
    await signInWithPassword(browser, email)
    app.clock.advance({ seconds: 1 })
    await verifyCode(browser, first.toLowerCase())
    expect(await readActor(browser)).not.toBeNull()
    expect(await readFacts(email)).toContain("RecoveryCodeUsed")
    expect(await readSubjects(email)).toContain("A recovery code was used")
    const again = new Browser(app.app)
    await signInWithPassword(again, email)
    await expect(verifyCode(again, first)).rejects.toMatchObject({ code: "WRONG_CODE" })
    await verifyCode(again, second)
    expect((await (await again.api()).users.secondFactor.state()).recoveryCodesLeft).toBe(8)
  })

  it("needs the code within ten minutes of the password", async () => {
    const { email, secret } = await createUserWithFactor()
    const browser = new Browser(app.app)
    await signInWithPassword(browser, email)
    app.clock.advance({ minutes: 10 })
    await expect(verifyCode(browser, createCode(secret))).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
  })

  it("limits wrong codes by account across addresses, then lets the user in after the wait", async () => {
    const { email, secret } = await createUserWithFactor()
    app.clock.advance({ seconds: 30 })
    for (let n = 0; n < 5; n++) {
      const browser = new Browser(app.app, `198.51.100.${n}`)
      await signInWithPassword(browser, email)
      await expect(verifyCode(browser, "000000")).rejects.toMatchObject({ code: "WRONG_CODE" })
    }
    const browser = new Browser(app.app)
    await signInWithPassword(browser, email)
    await expect(verifyCode(browser, createCode(secret))).rejects.toMatchObject({ code: "TOO_MANY" })
    app.clock.advance({ minutes: 16 })
    await signInWithPassword(browser, email)
    await verifyCode(browser, createCode(secret))
    expect(await readActor(browser)).not.toBeNull()
  })

  it("ends a partial session when the account's sessions end", async () => {
    const { email, secret } = await createUserWithFactor()
    const browser = new Browser(app.app)
    await signInWithPassword(browser, email)
    await app.sql.run(sql`update users set session_epoch = session_epoch + 1 where email = ${email}`)
    await expect(verifyCode(browser, createNextCode(secret))).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
  })

  it("a partial session cannot call any procedure that requires a session", async () => {
    const { email } = await createUserWithFactor()
    await setSetting("secondFactorOf", "everybody")
    const half = new Browser(app.app)
    await signInWithPassword(half, email)
    const { browser: unset } = await inviteAndAccept("admin")
    for (const browser of [half, unset]) {
      const actor = await readActor(browser)
      expect(actor).toBeNull()
      for (const { path, contract, meta } of procedures) {
        if (meta.permission === "public") continue
        const context = {
          app: app.app,
          actor,
          requestId: path,
          headers: browser.headers(),
          responseHeaders: new Headers(),
        }
        const outcome = call(await bindProcedure(path), sampleInput(contract), { context })
        await expect(outcome, path).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
      }
    }
  })
})

describe("a required second factor", () => {
  it("is set up at the next sign-in, before anything else", async () => {
    const { email, browser: before } = await inviteAndAccept("manager")
    await setSetting("secondFactorOf", "roles")
    await setSetting("secondFactorRoles", ["manager"])
    expect(await readActor(before)).not.toBeNull()
    const browser = new Browser(app.app)
    expect(await signInWithPassword(browser, email)).toEqual({ stage: "enrolment" })
    expect(await readActor(browser)).toBeNull()
    await expect(verifyCode(browser, "123456")).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
    const { secret } = await (await browser.api()).users.secondFactor.begin()
    expect(await readActor(browser)).toBeNull()
    await (await browser.api()).users.secondFactor.confirm({ code: createCode(secret) })
    expect(await readActor(browser)).toMatchObject({ email })
    expect(await (await browser.api()).users.secondFactor.state()).toMatchObject({ isRequired: true })
  })

  it("is required of selected roles, including when they accept an invitation", async () => {
    await setSetting("secondFactorOf", "roles")
    await setSetting("secondFactorRoles", ["underwriter"])
    expect((await inviteAndAccept("manager")).stage).toBe("signed_in")
    const { stage, browser } = await inviteAndAccept("underwriter")
    expect(stage).toBe("enrolment")
    expect(await readActor(browser)).toBeNull()
    app.clock.advance({ minutes: 31 })
    await expect((await browser.api()).users.secondFactor.begin()).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
  })
})

describe("an active second factor", () => {
  it("is removed with the password and a code", async () => {
    const { email, browser, secret } = await createUserWithFactor()
    const remove = async (given: { password: string; code: string }) =>
      (await browser.api()).users.secondFactor.remove(given)
    await expect(remove({ password: "Wrong-Password-1", code: createNextCode(secret) })).rejects.toMatchObject({
      code: "WRONG_PASSWORD",
    })
    await expect(remove({ password, code: "000000" })).rejects.toMatchObject({ code: "WRONG_CODE" })
    await remove({ password, code: createCode(secret) })
    expect(await signInWithPassword(new Browser(app.app), email)).toEqual({ stage: "signed_in" })
    expect(await readFacts(email)).toContain("SecondFactorRemoved")
    expect(
      await app.sql.rows(sql`
      select from recovery_codes c join users u on u.id = c.user_id where u.email = ${email}`),
    ).toEqual([])
  })

  it("needs an app code, not a recovery code, for new recovery codes", async () => {
    const { browser, secret, recoveryCodes, email } = await createUserWithFactor()
    const renew = async (code: string) => (await browser.api()).users.secondFactor.renewCodes({ code })
    await expect(renew(recoveryCodes[0]!)).rejects.toMatchObject({ code: "WRONG_CODE" })
    const renewed = await renew(createNextCode(secret))
    expect(renewed.recoveryCodes.filter((code) => recoveryCodes.includes(code))).toEqual([])
    const other = new Browser(app.app)
    await signInWithPassword(other, email)
    await expect(verifyCode(other, recoveryCodes[0]!)).rejects.toMatchObject({ code: "WRONG_CODE" })
    await verifyCode(other, renewed.recoveryCodes[0]!)
  })

  it("can be reset by an administrator, which is recorded and ends every session", async () => {
    const { email, browser } = await createUserWithFactor()
    const admin = app.as(app.people.admin)
    const row = async () => (await admin.users.list({ search: email, page: 1, pageSize: 25, sort: "name" })).rows[0]!
    expect(await row()).toMatchObject({ secondFactor: "on" })
    const { id, version, allowedActions } = await row()
    expect(allowedActions).toContain("resetSecondFactor")
    expect(await admin.users.resetSecondFactor({ id, version })).toMatchObject({ secondFactor: "off" })
    expect(await readActor(browser)).toBeNull()
    expect(await readFacts(email)).toContain("SecondFactorRemoved")
    expect(await readSubjects(email)).toContain("Your second factor was reset")
    expect(await signInWithPassword(new Browser(app.app), email)).toEqual({ stage: "signed_in" })
  })

  it("is required after a password reset, whose link does not sign in", async () => {
    const { email, secret } = await createUserWithFactor()
    const stranger = new Browser(app.app, "203.0.113.9")
    // Sent after the mails about the set-up, so that it is the newest.
    app.clock.advance({ seconds: 1 })
    await (await stranger.api()).users.requestPasswordReset({ email })
    const { token } = findLink((await readNewestMail(app, email)).text)
    const newPassword = "Protea-88-boulevard"
    await (await stranger.api()).users.resetPassword({ token, password: newPassword })
    expect(await readActor(stranger)).toBeNull()
    const signedIn = (await stranger.api()).users.signIn({ email, password: newPassword })
    expect(await signedIn).toEqual({ stage: "second_factor" })
    expect(await readActor(stranger)).toBeNull()
    await expect((await stranger.api()).users.secondFactor.begin()).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
    await verifyCode(stranger, createNextCode(secret))
    expect(await readActor(stranger)).toMatchObject({ email })
  })

  it("cannot be reset by its owner", async () => {
    const { browser } = await createUserWithFactor("admin")
    const { userId, version } = await (await browser.api()).users.me()
    await expect((await browser.api()).users.resetSecondFactor({ id: userId, version })).rejects.toMatchObject({
      code: "OWN_ACCOUNT",
    })
  })
})
