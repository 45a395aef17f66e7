import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { Browser, findLink, readNewestMail } from "./browser.samples.ts"
import { scryptParameters } from "./passwords.ts"

const password = "Jacaranda-77-avenue"
let app: TestApp
let serial = 0

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openTestApp()
})
afterAll(() => app.close())

const adminClient = () => app.as(app.people.admin)
const invalidLinkError = { code: "LINK_INVALID", message: "This link is not valid. Ask for a new one." }

async function createAccount(role: "admin" | "manager") {
  const email = `person.${++serial}@acme.example`
  const { link } = await adminClient().users.invite({ email, role })
  const browser = new Browser(app.app, `198.51.100.${serial}`)
  const api = await browser.api()
  await api.users.acceptInvitation({ token: findLink(link).token, fullName: "Lindiwe Nel", password })
  return { browser, email, user: (await adminClient().users.list({ search: email })).rows[0]! }
}

/** Advances the clock first, so that the newest mail is the one requested here. */
async function requestResetToken(email: string): Promise<string> {
  app.clock.advance({ hours: 1 })
  await (await new Browser(app.app, "203.0.113.9").api()).users.requestPasswordReset({ email })
  return findLink((await readNewestMail(app, email)).text).token
}

const resetWithToken = async (token: string) =>
  (await new Browser(app.app).api()).users.resetPassword({ token, password })

describe("an invitation ends", () => {
  const endings = {
    disabled: ({ id, version }: { id: string; version: number }) => adminClient().users.disable({ id, version }),
    demoted: ({ id, version }: { id: string; version: number }) =>
      adminClient().users.setRole({ id, role: "manager", version }),
  }
  it.each(Object.entries(endings))("permanently when its creator is %s", async (how, end) => {
    const { browser, user } = await createAccount("admin")
    const email = `late.${++serial}@acme.example`
    const { link } = await (await browser.api()).users.invite({ email, role: "admin" })
    const { token } = findLink(link)
    const changed = await end(user)
    expect((await adminClient().users.invitations()).map((row) => row.email)).not.toContain(email)
    if (how === "disabled") await adminClient().users.enable({ id: user.id, version: changed.version })
    else await adminClient().users.setRole({ id: user.id, role: "admin", version: changed.version })
    const api = await new Browser(app.app).api()
    await expect(api.users.acceptInvitation({ token, fullName: "Too Late", password })).rejects.toMatchObject(
      invalidLinkError,
    )
  })

  it("even if its link was not revoked when its creator was disabled", async () => {
    const { browser, user } = await createAccount("admin")
    const { link } = await (await browser.api()).users.invite({ email: "race@acme.example", role: "admin" })
    await adminClient().users.disable({ id: user.id, version: user.version })
    await app.sql.run(sql`update account_links set revoked_at = null where email = 'race@acme.example'`)
    const api = await new Browser(app.app).api()
    await expect(api.users.link({ kind: "invitation", token: findLink(link).token })).rejects.toMatchObject(
      invalidLinkError,
    )
  })
})

describe("a link for a forgotten password ends", () => {
  it("when the password is changed in the profile", async () => {
    const { browser, email } = await createAccount("manager")
    const token = await requestResetToken(email)
    const next = "Karoo-Stars-and-Wind-4"
    await (await browser.api()).users.signIn({ email, password })
    await (await browser.api()).users.changePassword({ currentPassword: password, newPassword: next })
    await expect(resetWithToken(token)).rejects.toMatchObject(invalidLinkError)
    await (await browser.api()).users.signIn({ email, password: next })
  })

  it("when the account is disabled, even if it is enabled again", async () => {
    const { email, user } = await createAccount("manager")
    const token = await requestResetToken(email)
    const { version } = await adminClient().users.disable({ id: user.id, version: user.version })
    await expect(resetWithToken(token)).rejects.toMatchObject(invalidLinkError)
    await app.sql.run(sql`update account_links set revoked_at = null where user_id = ${user.id}`)
    await expect(resetWithToken(token)).rejects.toMatchObject(invalidLinkError)
    await app.sql.run(sql`update account_links set revoked_at = ${app.clock.now()} where user_id = ${user.id}`)
    await adminClient().users.enable({ id: user.id, version })
    await expect(resetWithToken(token)).rejects.toMatchObject(invalidLinkError)
  })

  it("when a newer link is requested", async () => {
    const { email } = await createAccount("manager")
    await requestResetToken(email)
    await resetWithToken(await requestResetToken(email))
  })
})

describe("password changes, resets and the disabling of an account", () => {
  it("are serialised", async () => {
    for (let round = 0; round < 8; round++) {
      const { browser, email, user } = await createAccount("manager")
      const token = await requestResetToken(email)
      await (await browser.api()).users.signIn({ email, password })
      const answers = await Promise.allSettled([
        (await browser.api()).users.changePassword({ currentPassword: password, newPassword: "Kalahari-Rain-23" }),
        resetWithToken(token),
        adminClient().users.disable({ id: user.id, version: user.version }),
      ])
      for (const answer of answers) {
        if (answer.status === "rejected")
          expect(["LINK_INVALID", "WRONG_PASSWORD", "STALE"]).toContain(answer.reason.code)
      }
    }
  })
})
