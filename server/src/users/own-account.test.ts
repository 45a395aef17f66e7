import { randomUUID } from "node:crypto"
import type { Role } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { Secret, TOTP } from "otpauth"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
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
beforeEach(() => app.clock.advance({ hours: 24 }))

const readActor = (browser: Browser) => readSessionActor(app.app, browser.headers())
const readMailsTo = async (address: string) => (await app.mails()).filter(({ to }) => to === address)
const readFacts = (fact: string, email: string) =>
  app.sql.rows(sql`
    select a.fact from audit_log a join users u on u.id = a.record_id where u.email = ${email} and a.fact = ${fact}`)

async function inviteAndAccept(role: Role = "manager", browser = new Browser(app.app)) {
  const email = `thandi.${++serial}@acme.example`
  const { link } = await app.as(app.people.admin).users.invite({ email, role })
  await (await browser.api()).users.acceptInvitation({
    token: findLink(link).token,
    fullName: "Thandi Mokoena",
    password,
  })
  return { email, browser }
}

async function signInElsewhere(email: string, address = "198.51.100.7") {
  const browser = new Browser(app.app, address)
  await (await browser.api()).users.signIn({ email, password })
  return browser
}

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"

describe("my sessions", () => {
  it("lists the devices and ends one or all others, with an audit entry", async () => {
    const { email, browser } = await inviteAndAccept()
    app.clock.advance({ minutes: 1 })
    const other = new Browser(app.app, "2001:db8::7")
    await (await other.api({ "user-agent": firefox })).users.signIn({ email, password })
    const third = await signInElsewhere(email)
    const [here, ...others] = await (await browser.api()).users.sessions.list()
    expect(here).toMatchObject({ isThis: true, address: "192.0.2.1" })
    expect(others.map(({ device, address, isThis }) => ({ device, address, isThis }))).toContainEqual({
      device: "Firefox on Linux",
      address: "2001:db8::7",
      isThis: false,
    })
    const { id } = others.find(({ address }) => address === "2001:db8::7")!
    const left = await (await browser.api()).users.sessions.end({ id })
    expect(left.map((session) => session.id)).not.toContain(id)
    expect(await readActor(other)).toBeNull()
    expect(await readActor(third)).not.toBeNull()
    expect(await (await browser.api()).users.sessions.endOthers()).toHaveLength(1)
    expect(await readActor(third)).toBeNull()
    expect(await readActor(browser)).not.toBeNull()
    expect(await readFacts("SessionEnded", email)).toHaveLength(1)
    expect(await readFacts("OtherSessionsEnded", email)).toHaveLength(1)
  })

  it("omits ended sessions and cannot end another user's", async () => {
    const [one, other] = [await inviteAndAccept(), await inviteAndAccept()]
    const [session] = await (await other.browser.api()).users.sessions.list()
    await expect((await one.browser.api()).users.sessions.end({ id: session!.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
    expect(await readActor(other.browser)).not.toBeNull()
    await signInElsewhere(one.email)
    app.clock.advance({ minutes: 59 })
    await readActor(one.browser)
    app.clock.advance({ minutes: 2 })
    expect(await (await one.browser.api()).users.sessions.list()).toHaveLength(1)
  })

  it("e-mails a sign-in from a new device only", async () => {
    const { email, browser } = await inviteAndAccept()
    const news = async () =>
      (await readMailsTo(email)).filter(({ subject }) => subject === "A sign-in from a new device")
    await (await browser.api()).users.signIn({ email, password })
    expect(await news()).toEqual([])
    const other = new Browser(app.app, "198.51.100.9")
    await (await other.api({ "user-agent": firefox })).users.signIn({ email, password })
    const [mail, ...more] = await news()
    expect(more).toEqual([])
    expect(mail!.text).toContain("Firefox on Linux, from the address 198.51.100.9, on 2026-")
    await (await other.api()).users.signIn({ email, password })
    expect(await news()).toHaveLength(1)
  })
})

describe("another e-mail address", () => {
  const ask = async (browser: Browser, email: string) => (await browser.api()).users.changeEmail({ email })

  it("applies when its link is opened, and the old address is notified", async () => {
    const { email, browser } = await inviteAndAccept()
    const next = `new.${email}`
    expect(await ask(browser, next)).toEqual({ mail: "kept" })
    const { page, token } = findLink((await readNewestMail(app, next)).text)
    expect(page).toBe("/confirm-new-email")
    expect(await readActor(browser)).toMatchObject({ email })
    await (await new Browser(app.app).api()).users.confirmNewEmail({ token })
    expect(await readActor(browser)).toMatchObject({ email: next })
    expect((await readMailsTo(email)).map(({ subject }) => subject)).toContain("Your e-mail address was changed")
    await expect(signInElsewhere(email)).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" })
    expect(await readActor(await signInElsewhere(next))).not.toBeNull()
    await expect((await browser.api()).users.confirmNewEmail({ token })).rejects.toMatchObject({ code: "LINK_INVALID" })
    expect(await readFacts("EmailChanged", next)).toHaveLength(1)
  })

  it("is refused if it belongs to another account, at request and at confirmation", async () => {
    const [one, other] = [await inviteAndAccept(), await inviteAndAccept()]
    await expect(ask(one.browser, other.email)).rejects.toMatchObject({ code: "USER_ALREADY_REGISTERED" })
    const wanted = `wanted.${one.email}`
    await ask(one.browser, wanted)
    const { token } = findLink((await readNewestMail(app, wanted)).text)
    await app.sql.run(sql`update users set email = ${wanted} where email = ${other.email}`)
    await expect((await one.browser.api()).users.confirmNewEmail({ token })).rejects.toMatchObject({
      code: "USER_ALREADY_REGISTERED",
    })
    expect(await readActor(one.browser)).toMatchObject({ email: one.email })
  })

  it("is the last one requested within a day, and revokes links to the old address", async () => {
    const { email, browser } = await inviteAndAccept()
    await ask(browser, `one.${email}`)
    const first = findLink((await readNewestMail(app, `one.${email}`)).text).token
    await ask(browser, `two.${email}`)
    await expect((await browser.api()).users.confirmNewEmail({ token: first })).rejects.toMatchObject({
      code: "LINK_INVALID",
    })
    app.clock.advance({ seconds: 1 })
    await (await browser.api()).users.requestPasswordReset({ email })
    const reset = findLink((await readNewestMail(app, email)).text).token
    const { token } = findLink((await readNewestMail(app, `two.${email}`)).text)
    await (await browser.api()).users.confirmNewEmail({ token })
    await expect((await browser.api()).users.resetPassword({ token: reset, password })).rejects.toMatchObject({
      code: "LINK_INVALID",
    })
    await ask(browser, email)
    const late = findLink(
      (await readMailsTo(email)).findLast(({ subject }) => subject.startsWith("Confirm your new"))!.text,
    )
    app.clock.advance({ hours: 25 })
    await expect((await browser.api()).users.confirmNewEmail({ token: late.token })).rejects.toMatchObject({
      code: "LINK_INVALID",
    })
  })
})

describe("a new proof", () => {
  const account = { name: "Claims account", bank: "FNB", accountNumber: "62001234567", branchCode: "250655" }
  const add = async (browser: Browser) =>
    (await browser.api()).banking.addAccount({
      idempotencyKey: randomUUID(),
      account: { ...account, accountNumber: String(62_001_000_000 + ++serial) },
    })
  const prove = async (browser: Browser, given: { password?: string; code?: string }) =>
    (await browser.api()).users.prove(given)

  it("expires after ten minutes, is renewed by a sign-in, and covers one session", async () => {
    const { email, browser } = await inviteAndAccept("admin")
    app.clock.advance({ minutes: 9, seconds: 59 })
    await add(browser)
    app.clock.advance({ seconds: 1 })
    await expect(add(browser)).rejects.toMatchObject({ code: "PROOF_REQUIRED", status: 403, data: { by: "password" } })
    await expect(prove(browser, {})).rejects.toMatchObject({ code: "INVALID" })
    await expect(prove(browser, { password: "Wrong-Password-1" })).rejects.toMatchObject({ code: "WRONG_PASSWORD" })
    await expect(prove(browser, { code: "123456" })).rejects.toMatchObject({ code: "INVALID" })
    const other = await signInElsewhere(email)
    app.clock.advance({ minutes: 10 })
    await prove(browser, { password })
    await add(browser)
    await expect(add(other)).rejects.toMatchObject({ code: "PROOF_REQUIRED" })
  })

  it("needs a new code instead of the password if the user has a second factor", async () => {
    const { browser } = await inviteAndAccept("admin")
    const { secret } = await (await browser.api()).users.secondFactor.begin()
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().epochMilliseconds })
    await (await browser.api()).users.secondFactor.confirm({ code: code() })
    app.clock.advance({ minutes: 10 })
    await expect(add(browser)).rejects.toMatchObject({ code: "PROOF_REQUIRED", data: { by: "code" } })
    await expect(prove(browser, { password })).rejects.toMatchObject({ code: "INVALID" })
    await expect(prove(browser, { code: "000000" })).rejects.toMatchObject({ code: "WRONG_CODE" })
    const given = code()
    await prove(browser, { code: given })
    await expect(prove(browser, { code: given })).rejects.toMatchObject({ code: "WRONG_CODE" })
    await add(browser)
  })

  it("is limited like a sign-in", async () => {
    const { browser } = await inviteAndAccept("admin")
    for (let n = 0; n < 5; n++)
      await expect(prove(browser, { password: "Wrong-Password-1" })).rejects.toMatchObject({ code: "WRONG_PASSWORD" })
    await expect(prove(browser, { password })).rejects.toMatchObject({ code: "TOO_MANY" })
  })

  it("is required for rights, bank details and sign-in settings, and no other settings", async () => {
    const { browser } = await inviteAndAccept("admin")
    const { email } = await inviteAndAccept("underwriter")
    const api = await browser.api()
    const { rows } = await api.users.list({ search: email, page: 1, pageSize: 25, sort: "name" })
    const { id, version } = rows[0]!
    const { settings, version: saved } = await api.settings.detail()
    const { organisation } = settings
    const bankAccount = { ...organisation.bankAccount, accountNumber: "62009876543" }
    app.clock.advance({ minutes: 10 })
    const asks = { code: "PROOF_REQUIRED" }
    const now = await browser.api()
    await expect(now.users.setRole({ id, role: "admin", version })).rejects.toMatchObject(asks)
    await expect(now.users.invite({ email: "x@acme.example", role: "admin" })).rejects.toMatchObject(asks)
    await expect(now.users.resetSecondFactor({ id, version })).rejects.toMatchObject(asks)
    await expect(now.users.changeEmail({ email: "y@acme.example" })).rejects.toMatchObject(asks)
    await expect(now.users.secondFactor.begin()).rejects.toMatchObject(asks)
    const save = (changed: object) => now.settings.save({ version: saved, settings: { ...settings, ...changed } })
    await expect(save({ organisation: { ...organisation, bankAccount } })).rejects.toMatchObject(asks)
    await expect(save({ secondFactorOf: "everybody" })).rejects.toMatchObject(asks)
    await expect(save({ releaseLimitCents: 100 })).rejects.toMatchObject(asks)
    await expect(save({ proofAboveCents: 100_000_000_00 })).rejects.toMatchObject(asks)
    await expect(save({ batchLimitCents: 100 })).rejects.toMatchObject(asks)
    await expect(save({ writeOffLimitCents: 100 })).rejects.toMatchObject(asks)
    await expect(save({ userRegistration: true })).rejects.toMatchObject(asks)
    await expect(save({ passwordPolicy: "basic" })).rejects.toMatchObject(asks)
    await save({ premiumGraceDays: 31 })
  })

  it("is required of users without one, but not of system or demo accounts", async () => {
    const { session: _, ...stranger } = app.people.admin
    await expect(app.as(stranger).users.invite({ email: "z@acme.example", role: "admin" })).rejects.toMatchObject({
      code: "PROOF_REQUIRED",
      data: { by: "password" },
    })
  })
})
