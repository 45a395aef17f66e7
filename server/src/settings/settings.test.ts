import { declaredSettings, defaultSettings, type Settings } from "@milkwood/domain/settings/settings"
import { isDefinedError, safe } from "@orpc/client"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readSettings } from "../platform/settings/store.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { saveOrganisation } from "./save-settings.ts"

let app: TestApp
const adminClient = () => app.as(app.people.admin)

beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-20T22:30:00Z", isSetUp: false })
})
afterAll(() => app.close())

async function refusalOf(call: Promise<unknown>) {
  const { error } = await safe(call)
  if (!error || !isDefinedError(error)) throw new Error("expected a refusal of the contract", { cause: error })
  return error as { code: string; message: string; data: unknown }
}

async function saveSettings(change: Partial<Settings>) {
  const { version, settings } = await adminClient().settings.detail()
  const saved = await adminClient().settings.save({ version, settings: { ...settings, ...change } })
  app.app.forgetSettings()
  return saved
}

const readLastFact = () =>
  app.sql.row<{ fact: string; actor: string; detail: { before: Partial<Settings>; after: Partial<Settings> } }>(
    sql`select fact, actor_name as actor, detail from audit_log where record_kind = 'settings' order by id desc limit 1`,
  )

describe("settings", () => {
  it("settings have their defaults until others are saved", async () => {
    expect(await adminClient().settings.detail()).toEqual({
      version: 0,
      settings: defaultSettings,
      defaults: defaultSettings,
      savedAt: null,
      savedBy: null,
      mailDelivery: "outbox",
      hasMailPassword: false,
      recordsAmounts: false,
      mailServerChange: null,
      linksHeldUntil: null,
      logo: null,
    })
  })

  it("settings are saved with a version; only changed keys are written and recorded", async () => {
    const saved = await saveSettings({ defaultMemberPremiumCents: 410_00, releaseLimitCents: 5_000_00 })
    expect(saved).toMatchObject({
      version: 1,
      settings: { defaultMemberPremiumCents: 410_00, releaseLimitCents: 5_000_00 },
      savedAt: "2026-11-20T22:30:00Z",
      savedBy: "Ada Admin",
    })
    expect(await readLastFact()).toMatchObject({
      fact: "SettingsSaved",
      actor: "Ada Admin",
      detail: {
        before: { defaultMemberPremiumCents: 350_00, releaseLimitCents: 0 },
        after: { defaultMemberPremiumCents: 410_00, releaseLimitCents: 5_000_00 },
      },
    })
    const rows = await app.sql.rows<{ key: string }>(sql`select key from settings order by key`)
    expect(rows.map(({ key }) => key)).toEqual(["defaultMemberPremiumCents", "releaseLimitCents"])
    expect(
      (await app.transaction(app.people.manager, ({ tx }) => readSettings(tx, declaredSettings))).releaseLimitCents,
    ).toBe(5_000_00)
  })

  it("saving unchanged settings does not increase the version", async () => {
    const facts = () => app.sql.row<{ n: number }>(sql`select count(*) as n from audit_log`)
    const before = [await adminClient().settings.detail(), await facts()]
    await saveSettings({})
    expect([await adminClient().settings.detail(), await facts()]).toEqual(before)
  })

  it("refuse a stale version with the current one", async () => {
    const { settings } = await adminClient().settings.detail()
    const refused = await refusalOf(
      adminClient().settings.save({ version: 0, settings: { ...settings, timezone: "UTC" } }),
    )
    expect(refused).toMatchObject({ code: "STALE", data: { version: 1 } })
    expect((await refusalOf(adminClient().settings.reset({ version: 0 }))).code).toBe("STALE")
    expect((await adminClient().settings.detail()).settings).toEqual(settings)
  })

  it("only one of two concurrent saves of the settings succeeds", async () => {
    const { version, settings } = await adminClient().settings.detail()
    const answers = await Promise.all(
      [11, 12, 13].map((minutes) =>
        safe(adminClient().settings.save({ version, settings: { ...settings, sessionTimeoutMinutes: minutes } })),
      ),
    )
    expect(answers.filter(({ isSuccess }) => isSuccess)).toHaveLength(1)
    expect((await adminClient().settings.detail()).version).toBe(version + 1)
  })

  it("an invalid setting is refused with its field, and nothing is saved", async () => {
    const { version, settings } = await adminClient().settings.detail()
    const wrong = { ...settings, sessionTimeoutMinutes: 1, organisation: { ...settings.organisation, vatNumber: "99" } }
    expect(await refusalOf(adminClient().settings.save({ version, settings: wrong }))).toMatchObject({
      code: "INVALID",
      data: {
        fields: [
          { path: "settings.organisation.vatNumber", message: "Enter a VAT number of 10 digits that starts with 4" },
          { path: "settings.sessionTimeoutMinutes", message: "Enter at least 5 minutes" },
        ],
      },
    })
    expect((await adminClient().settings.detail()).settings).toEqual(settings)
  })

  it("a reset restores all defaults except the organisation", async () => {
    const organisation = { ...defaultSettings.organisation, name: "Umoya Benefits", vatNumber: "4123456789" }
    const { version } = await saveSettings({ organisation })
    expect(await adminClient().settings.reset({ version })).toMatchObject({
      version: version + 1,
      settings: { ...defaultSettings, organisation },
    })
    expect(await readLastFact()).toMatchObject({
      fact: "SettingsReset",
      detail: { before: { releaseLimitCents: 5_000_00 }, after: { releaseLimitCents: 0 } },
    })
  })

  it("settings contain the organisation's details from the setup", async () => {
    const organisation = { ...defaultSettings.organisation, name: "Setup Company" }
    await app.transaction(app.people.admin, (cx) => saveOrganisation(cx, organisation))
    expect((await adminClient().settings.detail()).settings.organisation).toEqual(organisation)
  })
})

describe("each setting has its effect", () => {
  it("the timezone setting decides which day is today", async () => {
    const today = () => app.transaction(app.people.manager, async (cx) => cx.today)
    await saveSettings({ timezone: "Africa/Johannesburg" })
    expect(await today()).toBe("2026-11-21")
    await saveSettings({ timezone: "UTC" })
    expect(await today()).toBe("2026-11-20")
    await saveSettings({ timezone: "America/New_York" })
    expect(await today()).toBe("2026-11-20")
    await saveSettings({ timezone: "Africa/Johannesburg" })
  })

  it("every signed-in account receives the date format and organisation", async () => {
    await saveSettings({
      dateFormat: "DD-MM-YYYY",
      organisation: { ...defaultSettings.organisation, name: "Umoya Benefits" },
    })
    for (const actor of [app.people.none, app.people.underwriter, await app.people.policyHolder()]) {
      expect(await app.as(actor).settings.display()).toEqual({
        organisationName: "Umoya Benefits",
        timezone: "Africa/Johannesburg",
        dateFormat: "DD-MM-YYYY",
        currency: "ZAR",
        maxFileMegabytes: 10,
        allowedFileTypes: ["pdf", "doc", "docx", "xls", "xlsx", "jpg", "png"],
        today: "2026-11-21",
        hasBankAccount: false,
      })
    }
    expect((await refusalOf(app.as(null).settings.display())).code).toBe("UNAUTHENTICATED")
  })

  it("the registration setting allows sign-up or refers people to an administrator", async () => {
    const signUp = () =>
      app.as(null).users.signUp({ fullName: "Zola", email: "zola@example.test", password: "Wild fig, 7 trees!" })
    await saveSettings({ userRegistration: false })
    expect((await app.as(null).users.entrance()).registrationOpen).toBe(false)
    expect((await refusalOf(signUp())).code).toBe("REGISTRATION_CLOSED")
    await saveSettings({ userRegistration: true })
    expect((await app.as(null).users.entrance()).registrationOpen).toBe(true)
    await signUp()
    expect((await app.mails()).map(({ to }) => to)).toContain("zola@example.test")
  })

  it("the password policy decides whether a password is too weak", async () => {
    const signUp = (email: string) =>
      app.as(null).users.signUp({ fullName: "Lwazi", email, password: "quietmilkwoods" })
    await saveSettings({ userRegistration: true, passwordPolicy: "strong" })
    expect((await refusalOf(signUp("lwazi@example.test"))).code).toBe("WEAK_PASSWORD")
    await saveSettings({ passwordPolicy: "basic" })
    expect((await app.as(null).users.entrance()).passwordPolicy).toBe("basic")
    await signUp("lwazi@example.test")
    expect((await app.mails()).map(({ to }) => to)).toContain("lwazi@example.test")
  })

  it("the organisation is the sender of mails", async () => {
    await adminClient().settings.outbox.sendTest({ to: "somebody@example.test" })
    const sent = (await app.mails()).find(({ to }) => to === "somebody@example.test")
    expect(sent?.subject).toBe("Test e-mail from Umoya Benefits")
  })
})

describe("permissions", () => {
  it("only administrators read and save settings", async () => {
    const { version, settings } = await adminClient().settings.detail()
    const { manager, underwriter, none } = app.people
    for (const actor of [manager, underwriter, none, await app.people.groupAdmin(), await app.people.policyHolder()]) {
      const client = app.as(actor)
      expect((await refusalOf(client.settings.detail())).code).toBe("FORBIDDEN")
      expect((await refusalOf(client.settings.save({ version, settings }))).code).toBe("FORBIDDEN")
      expect((await refusalOf(client.settings.reset({ version }))).code).toBe("FORBIDDEN")
      expect((await refusalOf(client.settings.outbox.list({}))).code).toBe("FORBIDDEN")
      expect((await refusalOf(client.settings.outbox.sendTest({ to: "a@example.test" }))).code).toBe("FORBIDDEN")
    }
    expect((await refusalOf(app.as(null).settings.detail())).code).toBe("UNAUTHENTICATED")
  })

  it("group users' database role cannot write settings; the sign-in role can only read", async () => {
    const actor = await app.people.groupAdmin()
    await expect(
      app.transaction(actor, ({ tx }) => tx.run(sql`update settings set value = 'true'::jsonb`)),
    ).rejects.toMatchObject({ code: "42501" })
    const auth = app.app.database.direct("auth")
    expect((await readSettings(auth, declaredSettings)).passwordPolicy).toBe("basic")
    await expect(auth.run(sql`delete from settings`)).rejects.toMatchObject({ code: "42501" })
  })
})
