import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { Browser, findLink, readNewestMail, signUpAndConfirm } from "./browser.samples.ts"
import { scryptParameters } from "./passwords.ts"
import { readSessionActor } from "./session.ts"

const password = "Jacaranda-77-avenue"
let app: TestApp
let serial = 0

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openTestApp()
  await app.sql.run(sql`
    insert into settings (key, value, saved_at) values ('userRegistration', 'true', ${app.clock.now()})`)
})
afterAll(() => app.close())
beforeEach(() => app.clock.advance({ hours: 24 }))

const readMailTo = (address: string) => readNewestMail(app, address)
const createAddress = () => `thandi.${++serial}@acme.example`

async function createConfirmedAccount(browser = new Browser(app.app)) {
  const email = createAddress()
  await signUpAndConfirm(app, browser, { fullName: "Thandi Mokoena", email, password })
  return { browser, email }
}

async function createSignedInAccount(address?: string) {
  const { browser, email } = await createConfirmedAccount(new Browser(app.app, address))
  await (await browser.api()).users.signIn({ email, password })
  return { browser, email }
}

const readActor = (browser: Browser, more?: Record<string, string>) => readSessionActor(app.app, browser.headers(more))

describe("signing up", () => {
  it("creates a session after the mailed link is followed", async () => {
    const browser = new Browser(app.app)
    const email = createAddress()
    await (await browser.api()).users.signUp({ fullName: "Sipho Ndlovu", email: email.toUpperCase(), password })
    await expect((await browser.api()).users.signIn({ email, password })).rejects.toMatchObject({
      code: "EMAIL_NOT_CONFIRMED",
      status: 403,
      message: "Email not confirmed",
    })
    const link = findLink((await readMailTo(email)).text)
    expect(link.page).toBe("/confirm-email")
    await (await browser.api()).users.confirmEmail({ token: link.token })
    await (await browser.api()).users.signIn({ email, password })
    const me = await (await browser.api()).users.me()
    expect(me).toMatchObject({ name: "Sipho Ndlovu", email, role: null, groups: [], can: [] })
  })

  it("uses the address as name if none is given", async () => {
    const email = createAddress()
    await (await new Browser(app.app).api()).users.signUp({ email, password })
    expect(await app.sql.row(sql`select name from users where email = ${email}`)).toEqual({ name: email })
  })

  it("refuses an address that has an account and leaves that account unchanged", async () => {
    const { email, browser } = await createConfirmedAccount()
    await expect(
      (await browser.api()).users.signUp({ fullName: "Other", email, password: "Another-Secret-99" }),
    ).rejects.toMatchObject({ code: "USER_ALREADY_REGISTERED", message: "User already registered" })
    // The answer to an invalid password must not reveal which addresses have accounts.
    await expect(
      (await browser.api()).users.signUp({ fullName: "Other", email, password: "short" }),
    ).rejects.toMatchObject({
      code: "WEAK_PASSWORD",
    })
    await (await browser.api()).users.signIn({ email, password })
  })

  it("creates one account from two concurrent sign-ups", async () => {
    const email = createAddress()
    const apis = await Promise.all([1, 2, 3, 4].map((n) => new Browser(app.app, `198.51.100.${n}`).api()))
    const answers = await Promise.allSettled(apis.map((api) => api.users.signUp({ fullName: "Two", email, password })))
    expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "USER_ALREADY_REGISTERED" })
    }
    expect(await app.sql.rows(sql`select 1 from users where email = ${email}`)).toHaveLength(1)
  })

  it("refuses a weak password with its reasons and stores nothing", async () => {
    const email = createAddress()
    await expect(
      (await new Browser(app.app).api()).users.signUp({ fullName: "W", email, password: "secret" }),
    ).rejects.toMatchObject({
      code: "WEAK_PASSWORD",
      data: { reasons: expect.arrayContaining(["Use at least 12 characters"]) },
    })
    expect(await app.sql.row(sql`select 1 from users where email = ${email}`)).toBeUndefined()
  })

  it("is closed unless the setting opens it", async () => {
    const other = await openTestApp()
    try {
      const api = await new Browser(other.app).api()
      expect(await api.users.entrance()).toMatchObject({ registrationOpen: false, passwordPolicy: "strong" })
      await expect(api.users.signUp({ fullName: "X", email: "x@acme.example", password })).rejects.toMatchObject({
        code: "REGISTRATION_CLOSED",
      })
      expect(await other.mails()).toEqual([])
    } finally {
      await other.close()
    }
  })

  it("sends the confirmation again on request; the first link then no longer works", async () => {
    const email = createAddress()
    const browser = new Browser(app.app)
    await (await browser.api()).users.signUp({ fullName: "Re", email, password })
    const first = findLink((await readMailTo(email)).text).token
    app.clock.advance({ seconds: 1 })
    await (await browser.api()).users.resendConfirmation({ email })
    const second = findLink((await readMailTo(email)).text).token
    await expect((await browser.api()).users.confirmEmail({ token: first })).rejects.toMatchObject({
      code: "LINK_INVALID",
    })
    await (await browser.api()).users.confirmEmail({ token: second })
    await expect((await browser.api()).users.confirmEmail({ token: second })).rejects.toMatchObject({
      code: "LINK_INVALID",
      status: 410,
      message: "This link was already used.",
    })
  })
})

describe("signing in", () => {
  it("answers a wrong address and a wrong password alike", async () => {
    const { email, browser } = await createConfirmedAccount()
    const refusal = { code: "INVALID_CREDENTIALS", status: 401, message: "Invalid login credentials" }
    await expect((await browser.api()).users.signIn({ email, password: "Wrong-Password-1" })).rejects.toMatchObject(
      refusal,
    )
    await expect((await browser.api()).users.signIn({ email: "nobody@acme.example", password })).rejects.toMatchObject(
      refusal,
    )
  })

  it("distinguishes an unconfirmed or disabled account only after the right password", async () => {
    const email = createAddress()
    const browser = new Browser(app.app)
    await (await browser.api()).users.signUp({ fullName: "U", email, password })
    const wrong = { email, password: "Wrong-Password-1" }
    await expect((await browser.api()).users.signIn(wrong)).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" })
    await app.sql.run(
      sql`update users set email_verified = true, disabled_at = ${app.clock.now()} where email = ${email}`,
    )
    await expect((await browser.api()).users.signIn(wrong)).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" })
    await expect((await browser.api()).users.signIn({ email, password })).rejects.toMatchObject({
      code: "ACCOUNT_DISABLED",
    })
    expect(browser.cookies.size).toBe(0)
    expect(
      await app.sql.rows(sql`select 1 from sessions s join users u on u.id = s.user_id where email = ${email}`),
    ).toEqual([])
  })

  it("sets a signed cookie that scripts cannot read", async () => {
    const { browser } = await createSignedInAccount()
    const [cookie = ""] = browser.lastSetCookies.filter((set) => set.startsWith("milkwood.session_token="))
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    expect(cookie).not.toMatch(/Secure/)
    const [name, value] = [...browser.cookies][0]!
    browser.cookies.set(name, `${value.slice(0, 10)}x${value.slice(11)}`)
    expect(await readActor(browser)).toBeNull()
    browser.cookies.set(name, value.replace(/\..*/, ""))
    expect(await readActor(browser)).toBeNull()
  })

  it("marks the cookie Secure behind TLS", async () => {
    const secure = await openTestApp({ publicUrl: "https://milkwood.example" })
    try {
      const browser = new Browser(secure.app)
      await secure.sql.run(sql`insert into settings (key, value, saved_at) values ('userRegistration', 'true', now())`)
      await (await browser.api()).users.signUp({ fullName: "S", email: "s@acme.example", password })
      const [mail] = await secure.mails()
      await (await browser.api()).users.confirmEmail({ token: findLink(mail!.text).token })
      await (await browser.api()).users.signIn({ email: "s@acme.example", password })
      expect(browser.lastSetCookies[0]).toMatch(/^__Host-milkwood\.session_token=.*Secure/)
      expect(await readSessionActor(secure.app, browser.headers())).toMatchObject({ email: "s@acme.example" })
    } finally {
      await secure.close()
    }
  })

  it("logs no addresses or tokens, and the trail has no passwords or tokens", async () => {
    const { email } = await createSignedInAccount()
    const trail = await app.sql.rows<{ all: string }>(sql`select row_to_json(a)::text as all from audit_log a`)
    const token = await app.sql.row<{ token: string }>(sql`
      select token from sessions s join users u on u.id = s.user_id where u.email = ${email}`)
    const text = trail.map((row) => row.all).join()
    expect(text).toContain("UserSignedIn")
    expect(text).not.toContain(password)
    expect(text).not.toContain(token!.token)
  })
})

describe("a session", () => {
  it("ends after the idle time of the settings, which user actions extend", async () => {
    const { browser } = await createSignedInAccount()
    app.clock.advance({ minutes: 59 })
    expect(await readActor(browser)).not.toBeNull()
    app.clock.advance({ minutes: 59 })
    expect(await readActor(browser)).not.toBeNull()
    app.clock.advance({ minutes: 60 })
    expect(await readActor(browser)).toBeNull()
  })

  it("is not extended by background calls", async () => {
    const { browser } = await createSignedInAccount()
    for (let n = 0; n < 5; n++) {
      app.clock.advance({ minutes: 11 })
      expect(await readActor(browser, { "x-milkwood-background": "1" })).not.toBeNull()
    }
    app.clock.advance({ minutes: 6 })
    expect(await readActor(browser, { "x-milkwood-background": "1" })).toBeNull()
  })

  it("uses the current time-out of the settings", async () => {
    const { browser } = await createSignedInAccount()
    const key = "sessionTimeoutMinutes"
    await app.sql.run(sql`insert into settings (key, value, saved_at) values (${key}, '10', ${app.clock.now()})`)
    app.clock.advance({ minutes: 11 })
    expect(await readActor(browser)).toBeNull()
    await app.sql.run(sql`delete from settings where key = ${key}`)
  })

  it("ends after twelve hours even if in use", async () => {
    const { browser } = await createSignedInAccount()
    for (let n = 0; n < 23; n++) {
      app.clock.advance({ minutes: 30 })
      expect(await readActor(browser)).not.toBeNull()
    }
    app.clock.advance({ minutes: 30 })
    expect(await readActor(browser)).toBeNull()
  })

  it("ends everywhere on log out", async () => {
    const { browser, email } = await createSignedInAccount()
    const second = new Browser(app.app)
    await (await second.api()).users.signIn({ email, password })
    await (await second.api()).users.signOut({ scope: "global" })
    expect([...second.cookies.keys()]).toEqual(["milkwood.device"])
    expect(await readActor(browser)).toBeNull()
  })

  it("ends everywhere when the password is changed, which needs the current password", async () => {
    const { browser, email } = await createSignedInAccount()
    const second = new Browser(app.app)
    await (await second.api()).users.signIn({ email, password })
    app.clock.advance({ seconds: 1 })
    const next = "Fynbos-and-Proteas-8"
    await expect(
      (await browser.api()).users.changePassword({ currentPassword: "Wrong-Password-1", newPassword: next }),
    ).rejects.toMatchObject({ code: "WRONG_PASSWORD" })
    await expect(
      (await browser.api()).users.changePassword({ currentPassword: password, newPassword: "short" }),
    ).rejects.toMatchObject({ code: "WEAK_PASSWORD" })
    expect(await readActor(second)).not.toBeNull()
    await (await browser.api()).users.changePassword({ currentPassword: password, newPassword: next })
    expect(await readActor(browser)).toBeNull()
    expect(await readActor(second)).toBeNull()
    await (await browser.api()).users.signIn({ email, password: next })
    expect((await readMailTo(email)).subject).toBe("Your password was changed")
  })
})

describe("a forgotten password", () => {
  it("is replaced by the mailed link, once, and ends every session", async () => {
    const { browser, email } = await createSignedInAccount()
    const stranger = new Browser(app.app)
    await (await stranger.api()).users.requestPasswordReset({ email })
    const { page, token } = findLink((await readMailTo(email)).text)
    expect(page).toBe("/reset-password")
    expect(await app.sql.row(sql`select 1 from account_links where token_hash = ${token}`)).toBeUndefined()
    await expect((await stranger.api()).users.resetPassword({ token, password: "weak" })).rejects.toMatchObject({
      code: "WEAK_PASSWORD",
    })
    const next = "Karoo-Stars-and-Wind-4"
    await (await stranger.api()).users.resetPassword({ token, password: next })
    expect(await readActor(browser)).toBeNull()
    await expect((await stranger.api()).users.resetPassword({ token, password: next })).rejects.toMatchObject({
      code: "LINK_INVALID",
    })
    await (await browser.api()).users.signIn({ email, password: next })
  })

  it("can be reset for an hour", async () => {
    const { email } = await createConfirmedAccount()
    const stranger = new Browser(app.app)
    await (await stranger.api()).users.requestPasswordReset({ email })
    const { token } = findLink((await readMailTo(email)).text)
    app.clock.advance({ minutes: 61 })
    await expect(
      (await stranger.api()).users.resetPassword({ token, password: "Karoo-Stars-4-ever" }),
    ).rejects.toMatchObject({
      code: "LINK_INVALID",
      message: "This link has expired. Ask for a new one.",
    })
  })

  it("answers alike for an address without an account, and sends no mail", async () => {
    const before = (await app.mails()).length
    const api = await new Browser(app.app, "198.51.100.77").api()
    expect(await api.users.requestPasswordReset({ email: "ghost@acme.example" })).toEqual({})
    expect(await (await new Browser(app.app).api()).users.resendConfirmation({ email: "ghost@acme.example" })).toEqual(
      {},
    )
    expect(await app.mails()).toHaveLength(before)
  })
})

describe("the user's own profile", () => {
  it("can change only the name, and needs the current version", async () => {
    const { browser } = await createSignedInAccount()
    const before = await (await browser.api()).users.me()
    const asked = { name: "Thandi M", version: before.version }
    await expect((await browser.api()).users.updateProfile({ ...asked, ...{ role: "admin" } })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "role" }] },
    })
    const after = await (await browser.api()).users.updateProfile(asked)
    expect(after).toEqual({ ...before, name: "Thandi M", version: before.version + 1 })
    await expect(
      (await browser.api()).users.updateProfile({ name: "Stale", version: before.version }),
    ).rejects.toMatchObject({ code: "STALE", data: { version: after.version } })
  })

  it("is refused without a session", async () => {
    const api = await new Browser(app.app).api()
    await expect(api.users.updateProfile({ name: "X", version: 1 })).rejects.toMatchObject({
      code: "NO_USER",
      message: "No user logged in",
    })
    await expect(api.users.me()).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
  })
})
