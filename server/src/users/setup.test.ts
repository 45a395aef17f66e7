import { randomUUID } from "node:crypto"
import { defaultSettings } from "@milkwood/domain/settings/settings"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { signInActor } from "../platform/calls/commands.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { Browser, findLink } from "./browser.samples.ts"
import { scryptParameters } from "./passwords.ts"
import { createAdministrator, createAdministratorLink, createSetupLink } from "./setup.ts"

const password = "Jacaranda-77-avenue"
const organisation = {
  ...defaultSettings.organisation,
  ...{ name: "Protea Life", vatNumber: "4123456789" },
  bankAccount: { bank: "FNB", accountHolder: "Protea Life", accountNumber: "62000000001", branchCode: "250655" },
}
const person = { fullName: "Nomvula Dube", email: "nomvula@protea.example", password }
let app: TestApp

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openTestApp({ isSetUp: false })
  await app.sql.run(sql`delete from users`)
})
afterAll(() => app.close())

const readSetupToken = async () => findLink((await createSetupLink(app.app))!).token
const settingsClient = async () => (await new Browser(app.app).api()).settings

describe("setting up an empty installation", () => {
  it("stores nothing if any input is invalid", async () => {
    const link = await readSetupToken()
    await expect((await settingsClient()).setUp({ ...person, token: link })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "organisation.name" }] },
    })
    await expect(
      (await settingsClient()).setUp({ ...person, password: "weak", token: link, organisation }),
    ).rejects.toMatchObject({
      code: "WEAK_PASSWORD",
    })
    await expect(
      (await settingsClient()).setUp({ ...person, token: link, organisation: { ...organisation, vatNumber: "12" } }),
    ).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "organisation.vatNumber" }] } })
    expect(await app.sql.rows(sql`select 1 from users`)).toEqual([])
    expect(await app.sql.rows(sql`select 1 from settings`)).toEqual([])
  })

  it("creates only one administrator, signed in, and the organisation from concurrent links", async () => {
    const links = await Promise.all([readSetupToken(), readSetupToken(), readSetupToken()])
    const browsers = links.map(() => new Browser(app.app))
    const answers = await Promise.allSettled(
      links.map(async (link, n) =>
        (await browsers[n]!.api()).settings.setUp({
          ...person,
          email: `a${n}@protea.example`,
          token: link,
          organisation,
        }),
      ),
    )
    expect(answers.filter((answer) => answer.status === "fulfilled")).toHaveLength(1)
    expect(await app.sql.rows(sql`select role, email_verified as "confirmed" from users`)).toEqual([
      { role: "admin", confirmed: true },
    ])
    const winner = browsers[answers.findIndex((answer) => answer.status === "fulfilled")]!
    expect(await (await winner.api()).users.me()).toMatchObject({ role: "admin", name: "Nomvula Dube" })
    expect((await (await winner.api()).settings.detail()).settings.organisation).toEqual(organisation)
    // The bank account from the setup is the first one, ready for statements.
    const { accountHolder: _, ...typed } = organisation.bankAccount
    const first = { ...typed, name: "FNB account", isMain: true, openedOn: null }
    expect(await (await winner.api()).banking.accounts({})).toMatchObject([first])
    expect((await (await new Browser(app.app).api()).users.entrance()).organisationName).toBe("Protea Life")
    expect(await createSetupLink(app.app)).toBeNull()
  })

  it("lets a locked-out administrator back in by a link from the server, once", async () => {
    const { email } = (await app.sql.row<{ email: string }>(sql`select email from users`))!
    await app.sql.run(sql`update users set disabled_at = now(), role = null`)
    const link = findLink((await createAdministratorLink(app.app)).url).token
    const browser = new Browser(app.app)
    expect(await (await browser.api()).users.link({ kind: "setup", token: link })).toMatchObject({ firstSetup: false })
    const next = "Baobab-under-9-stars"
    await (await browser.api()).settings.setUp({ ...person, email, password: next, token: link })
    expect(await (await browser.api()).users.me()).toMatchObject({ role: "admin", email })
    await expect((await settingsClient()).setUp({ ...person, email, token: link })).rejects.toMatchObject({
      code: "LINK_INVALID",
    })
    expect((await (await browser.api()).settings.detail()).settings.organisation).toEqual(organisation)
  })

  it("creates an administrator with a new address by a link valid for a day", async () => {
    const { url } = await createAdministratorLink(app.app)
    app.clock.advance({ hours: 24 })
    await expect((await settingsClient()).setUp({ ...person, token: findLink(url).token })).rejects.toMatchObject({
      code: "LINK_INVALID",
    })
    const fresh = findLink((await createAdministratorLink(app.app)).url).token
    await (await settingsClient()).setUp({ ...person, token: fresh })
    expect(await app.sql.rows(sql`select 1 from users where role = 'admin'`)).toHaveLength(2)
  })
})

it("a process started during the setup creates no link that is valid afterwards", async () => {
  const empty = await openTestApp()
  await empty.sql.run(sql`delete from users`)
  const { token } = findLink((await createSetupLink(empty.app))!)
  const moment = await empty.app.moment()
  let late: Promise<string | null> | undefined
  let answered = false
  await empty.app.database.transaction("auth", async (tx) => {
    const cx = { app: empty.app, tx, ...moment, actor: signInActor, requestId: randomUUID() }
    await createAdministrator(cx, { ...person, token })
    late = createSetupLink(empty.app).finally(() => {
      answered = true
    })
    await vi.waitUntil(
      async () =>
        answered ||
        (await empty.sql.row(sql`
          select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`)),
      { timeout: 10_000 },
    )
  })
  expect(await late).toBeNull()
  const open = await empty.sql.rows(sql`select 1 from account_links where kind = 'setup' and used_at is null`)
  expect(open).toEqual([])
  await empty.close()
})
