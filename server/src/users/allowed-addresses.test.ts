import type { Role } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { isAddressAllowed } from "./allowed-addresses.ts"
import { Browser, findLink } from "./browser.samples.ts"
import { scryptParameters } from "./passwords.ts"
import { readSessionActor } from "./session.ts"
import { createAdministratorLink } from "./setup.ts"

const headersFrom = (address: string, more: Record<string, string> = {}) =>
  new Headers({ "x-client-address": address, ...more })
const addressSettings = {
  limitAddresses: true,
  allowedAddresses: ["41.13.0.5", "196.25.7.9/16", "2001:db8::/32", "::ffff:105.1.2.3"],
}

test.each([
  ["41.13.0.5", true],
  ["41.13.0.6", false],
  ["::ffff:41.13.0.5", true],
  ["196.25.255.255", true],
  ["196.26.0.0", false],
  ["2001:db8:1::1", true],
  ["2001:DB8:1::1", true],
  ["2001:db9::1", false],
  ["105.1.2.3", true],
  ["127.0.0.1", true],
  ["::1", true],
  ["nonsense", false],
  ["", false],
])("staff may work from %s: %s", (address, allowed) => {
  expect(isAddressAllowed(headersFrom(address), "manager", addressSettings)).toBe(allowed)
  expect(isAddressAllowed(headersFrom(address), "group_admin", addressSettings)).toBe(true)
  expect(isAddressAllowed(headersFrom(address), "manager", { ...addressSettings, limitAddresses: false })).toBe(true)
})

test("callers behind an unconfigured proxy do not count as the server itself", () => {
  expect(isAddressAllowed(headersFrom("127.0.0.1", { "x-forwarded-for": "41.13.0.5" }), "admin", addressSettings)).toBe(
    false,
  )
})

test("changing the list of allowed addresses takes effect at once", () => {
  const rule = (...allowedAddresses: string[]) => ({ limitAddresses: true, allowedAddresses })
  expect(isAddressAllowed(headersFrom("41.13.0.5"), "admin", rule("41.13.0.5"))).toBe(true)
  expect(isAddressAllowed(headersFrom("41.13.0.5"), "admin", rule("41.13.0.6"))).toBe(false)
  expect(isAddressAllowed(headersFrom("41.13.0.5"), "admin", rule())).toBe(false)
})

describe("the setting for allowed addresses", () => {
  const password = "Jacaranda-77-avenue"
  const office = "196.25.7.9"
  const home = "102.65.1.1"
  let app: TestApp
  let serial = 0
  beforeAll(async () => {
    scryptParameters.cost = 16
    app = await openTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    app.clock.advance({ hours: 24 })
    await app.sql.run(sql`delete from settings`)
  })

  async function inviteFrom(role: Role, address = office) {
    const email = `thandi.${++serial}@acme.example`
    const browser = new Browser(app.app, address)
    const group = await app.sql.row<{ id: string }>(sql`select id from employer_groups limit 1`)
    const groupIds = role === "group_admin" ? [group!.id] : []
    const { link } = await app.as(app.people.admin).users.invite({ email, role, groupIds })
    const accept = async () =>
      (await browser.api()).users.acceptInvitation({
        token: findLink(link).token,
        fullName: "Thandi Mokoena",
        password,
      })
    return { email, browser, accept }
  }
  const movedTo = (address: string, { cookies }: Browser) => {
    const browser = new Browser(app.app, address)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    return browser
  }
  async function saveSettings(browser: Browser, changed: object) {
    const api = await browser.api()
    const { version, settings } = await api.settings.detail()
    return api.settings.save({ version, settings: { ...settings, ...changed } })
  }
  const on = (...allowedAddresses: string[]) => ({ limitAddresses: true, allowedAddresses })
  const who = (browser: Browser) => readSessionActor(app.app, browser.headers())

  it("refuses and audits sign-in and every request of staff from elsewhere", async () => {
    const { email, browser, accept } = await inviteFrom("admin")
    await accept()
    await saveSettings(browser, on("196.25.0.0/16"))
    expect(await who(browser)).not.toBeNull()
    const away = movedTo(home, browser)
    expect(await who(away)).toBeNull()
    await expect((await away.api()).users.me()).rejects.toMatchObject({ code: "UNAUTHENTICATED" })
    const refused = { code: "ADDRESS_NOT_ALLOWED", status: 403 }
    await expect((await new Browser(app.app, home).api()).users.signIn({ email, password })).rejects.toMatchObject(
      refused,
    )
    await expect(
      (await new Browser(app.app, home).api()).users.signIn({ email, password: "Wrong-Password-1" }),
    ).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" })
    expect(await app.sql.rows(sql`select from audit_log where fact = 'SignInRefused'`)).toHaveLength(1)
    // The session works again from the office.
    expect(await who(browser)).not.toBeNull()
    const { browser: elsewhere, accept: acceptAtHome } = await inviteFrom("manager", home)
    await expect(acceptAtHome()).rejects.toMatchObject(refused)
    expect(elsewhere.cookies.size).toBe(0)
    expect(await app.sql.rows(sql`select from users where email = ${`thandi.${serial}@acme.example`}`)).toEqual([])
  })

  it("lets employers' users in from anywhere", async () => {
    await app.sql.run(sql`
      insert into employer_groups (id, name, created_at) values (gen_random_uuid(), 'Acme', ${app.clock.now()})`)
    await app.sql.run(sql`insert into settings (key, value, saved_at) values
      ('limitAddresses', 'true', now()), ('allowedAddresses', '["196.25.0.0/16"]', now())`)
    const { browser, accept } = await inviteFrom("group_admin", home)
    await accept()
    expect(await who(browser)).not.toBeNull()
  })

  it("cannot be saved empty or by a user whom it excludes", async () => {
    const { browser, accept } = await inviteFrom("admin")
    await accept()
    const wrong = (message: RegExp) => ({
      code: "INVALID",
      data: { fields: [{ path: "settings.allowedAddresses", message: expect.stringMatching(message) }] },
    })
    await expect(saveSettings(browser, on("41.13.0.5"))).rejects.toMatchObject(wrong(/^Your address 196\.25\.7\.9/))
    await expect(saveSettings(browser, on())).rejects.toMatchObject(wrong(/^Enter at least one/))
    await expect(saveSettings(browser, on("office"))).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "settings.allowedAddresses.0" }] },
    })
    await saveSettings(browser, on(office))
    await expect(saveSettings(browser, on("41.13.0.5"))).rejects.toMatchObject(wrong(/^Your address/))
  })

  it("lets a locked-out administrator in from the server itself", async () => {
    await app.sql.run(sql`insert into settings (key, value, saved_at) values
      ('limitAddresses', 'true', now()), ('allowedAddresses', '["41.13.0.5"]', now())`)
    const setUp = async (address: string) => {
      const { token } = findLink((await createAdministratorLink(app.app)).url)
      const browser = new Browser(app.app, address)
      const answer = (await browser.api()).settings.setUp({
        token,
        fullName: "Ada",
        email: "ada@acme.example",
        password,
      })
      await answer
      return browser
    }
    await expect(setUp(home)).rejects.toMatchObject({ code: "ADDRESS_NOT_ALLOWED" })
    expect(await who(await setUp("127.0.0.1"))).toMatchObject({ role: "admin" })
  })
})
