import { randomUUID } from "node:crypto"
import type { Setting } from "@milkwood/domain/kernel/setting"
import { declaredSettings, defaultSettings } from "@milkwood/domain/settings/settings"
import { screen, waitFor, within } from "@testing-library/react"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
const settingsClient = () => app.as(app.people.admin).settings

beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-20T08:00:00Z", isSetUp: false })
})
afterAll(() => app.close())

const findField = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name })
const findButton = (name: string) => screen.findByRole<HTMLButtonElement>("button", { name })
const findDialog = async (name: string) => within(await screen.findByRole("dialog", { name }))

describe("Settings, General", () => {
  beforeEach(async () => {
    const { version } = await settingsClient().detail()
    await settingsClient().save({ version, settings: defaultSettings })
  })

  it("the general settings show the defaults and save what was changed", async () => {
    const { user } = await openPage(app, app.people.admin, "/settings")
    expect((await findField("Default member premium")).value).toBe("350,00")
    expect((await findField("Release limit")).value).toBe("0,00")
    expect((await findButton("Save Changes")).disabled).toBe(true)

    const name = await findField("Organisation name")
    await user.clear(name)
    await user.type(name, "Umoya Benefits")
    const premium = await findField("Default member premium")
    await user.clear(premium)
    await user.type(premium, "R410.50")
    await user.click(await findButton("Save Changes"))

    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    expect(await screen.findByText(/Last saved by Ada Admin/)).toBeTruthy()
    expect((await settingsClient().detail()).settings).toMatchObject({
      organisation: { name: "Umoya Benefits" },
      defaultMemberPremiumCents: 410_50,
    })
    expect((await findButton("Save Changes")).disabled).toBe(true)
  })

  it("an administrator changes a limit of cover on a child's life from a day", async () => {
    const { user } = await openPage(app, app.people.admin, "/settings")
    const list = within(await screen.findByRole("list", { name: "Cover on a child's life" }))
    expect(await list.findByText("Under 6")).toBeTruthy()
    await user.click(await findButton("Add limit"))
    const dialog = await findDialog("Add limit of cover on a child's life")
    await user.type(dialog.getByRole("textbox", { name: /^Child under/ }), "6")
    await user.click(dialog.getByRole("button", { name: "Save" }))
    expect(await dialog.findByText("There is already a limit for this age from this day")).toBeTruthy()
    expect(dialog.getByText("Enter an amount above zero")).toBeTruthy()
    await user.type(dialog.getByRole("textbox", { name: "At most" }), "25000")
    await user.type(dialog.getByRole("textbox", { name: "For deaths from" }), "2027-01-01")
    await user.click(dialog.getByRole("button", { name: "Save" }))
    expect(await list.findByText(/^At most R.25.000,00 for a death from 2027-01-01$/)).toBeTruthy()
    expect((await settingsClient().detail()).settings.childCoverCaps).toEqual([
      { belowAge: 6, amountCents: 20_000_00, from: null },
      { belowAge: 6, amountCents: 25_000_00, from: "2027-01-01" },
      { belowAge: 14, amountCents: 50_000_00, from: null },
    ])
  })

  it("an invalid setting is marked and all input is preserved", async () => {
    const { user } = await openPage(app, app.people.admin, "/settings")
    await user.type(await findField("VAT number"), "99")
    await user.type(await findField("Branch code"), "1")
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Enter a VAT number of 10 digits that starts with 4")).toBeTruthy()
    expect(await screen.findByText("Enter a branch code of 6 digits")).toBeTruthy()
    expect((await findField("VAT number")).value).toBe("99")
    expect((await settingsClient().detail()).settings.organisation.vatNumber).toBe("")
  })

  it("input in the settings is preserved when another user saved in between", async () => {
    const { user } = await openPage(app, app.people.admin, "/settings")
    await user.type(await findField("Address"), "1 Long Street")
    const { version, settings: now } = await settingsClient().detail()
    const theirs = { ...now.organisation, address: "2 Short Street", vatNumber: "4123456789" }
    await settingsClient().save({ version, settings: { ...now, organisation: theirs } })
    await user.click(await findButton("Save Changes"))

    expect(await screen.findByText("Theirs: 2 Short Street")).toBeTruthy()
    expect((await findField("Address")).value).toBe("1 Long Street")
    expect((await findField("VAT number")).value).toBe("4123456789")
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    expect((await settingsClient().detail()).settings.organisation).toMatchObject({
      address: "1 Long Street",
      vatNumber: "4123456789",
    })
  })

  it("the default settings are restored after a confirmation", async () => {
    const { version, settings: now } = await settingsClient().detail()
    await settingsClient().save({
      version,
      settings: { ...now, releaseLimitCents: 5_000_00, sessionTimeoutMinutes: 10 },
    })
    const { user } = await openPage(app, app.people.admin, "/settings")
    expect((await findField("Release limit")).value).toBe("5\u00a0000,00")
    await user.click(await findButton("Reset to Defaults"))
    const question = await findDialog("Reset to defaults?")
    await user.click(question.getByRole("button", { name: "Reset to Defaults" }))
    expect(await screen.findByText("Settings reset to defaults")).toBeTruthy()
    await waitFor(async () => expect((await findField("Release limit")).value).toBe("0,00"))
    expect((await settingsClient().detail()).settings).toEqual(defaultSettings)
  })

  it("the date format changes on every page at once", async () => {
    await app
      .as(app.people.admin)
      .benefits.productTypes.create({ name: "Group Life", vatRates: [{ from: null, percent: 0 }] })
    const { user, router } = await openPage(app, app.people.admin, "/settings")
    await user.click(await screen.findByRole("combobox", { name: "Date format" }))
    await user.click(await screen.findByRole("option", { name: /DD-MM-YYYY/ }))
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    await router.navigate({ to: "/benefits" })
    expect(await screen.findByText("20-11-2026")).toBeTruthy()
  })
})

describe("Settings, General, the currency", () => {
  let house: TestApp
  beforeAll(async () => {
    house = await openTestApp({ now: "2026-11-20T08:00:00Z" })
  })
  afterAll(() => house.close())
  const currency = () => screen.findByRole<HTMLInputElement>("combobox", { name: "Currency" })

  it("a new currency is used on every page at once", async () => {
    const { user, router } = await openPage(house, house.people.admin, "/settings")
    expect((await currency()).value).toBe("ZAR (R)")
    await user.click(await currency())
    await user.click(await screen.findByRole("option", { name: "EUR (€)" }))
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    const premium = (await findField("Default member premium")).closest(".mantine-InputWrapper-root")
    await waitFor(() => expect(premium!.textContent).toContain("€"))
    await router.navigate({ to: "/finance/trial-balance" })
    await waitFor(() => expect(document.body.textContent).toMatch(/€\u00a00,00/))
    expect(document.body.textContent).not.toMatch(/R\u00a0\d/)
  })

  it("the currency is locked with an explanation once anything is posted", async () => {
    await house.transaction(house.people.admin, async ({ tx }) => {
      const id = randomUUID()
      await tx.run(sql`
        insert into ledger_entries (id, source, kind, effective_on, posted_at, description, record_kind, record_id)
        values (${id}, ${id}, 'claim_approved', '2026-11-02', now(), 'An entry', 'claim', ${randomUUID()})`)
      await tx.run(sql`
        insert into ledger_postings (entry_id, line, account, amount_cents)
        values (${id}, 1, 'claims_expense', 100), (${id}, 2, 'claims_payable', -100)`)
    })
    await openPage(house, house.people.admin, "/settings")
    expect((await currency()).disabled).toBe(true)
    expect((await currency()).value).toBe("EUR (€)")
    expect(screen.getByText("Cannot be changed: amounts are recorded in this currency")).toBeTruthy()
  })
})

describe("Settings, Security", () => {
  it("the security page saves the password policy, registration and the time-out", async () => {
    const { user } = await openPage(app, app.people.admin, "/settings/security")
    await user.click(await screen.findByRole("switch", { name: /User registration/ }))
    for (const [policy, hint] of [
      ["Basic", "At least 8 characters"],
      ["Medium", "At least 8 characters, including a special character"],
      ["Strong", "At least 12 characters, with upper and lower case letters, a digit and a special character"],
    ] as const)
      expect(screen.getByText(hint).parentElement!.textContent).toBe(policy + hint)
    await user.click(await screen.findByRole("radio", { name: /Medium/ }))
    const minutes = await findField("Session timeout (minutes)")
    await user.clear(minutes)
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Enter a number of minutes from 5 to 720")).toBeTruthy()
    await user.type(minutes, "30")
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    expect((await settingsClient().detail()).settings).toMatchObject({
      userRegistration: true,
      passwordPolicy: "medium",
      sessionTimeoutMinutes: 30,
    })
  })
})

describe("Settings, Notifications", () => {
  it("the notifications page saves the automatic mails", async () => {
    const { user } = await openPage(app, app.people.admin, "/settings/notifications")
    await user.click(await screen.findByRole("switch", { name: /Premium reminders/ }))
    const days = await findField("Days before the end date")
    expect(days.value).toBe("30")
    await user.clear(days)
    await user.type(days, "45")
    await user.click(await findButton("Save Changes"))
    expect(await screen.findByText("Changes Saved")).toBeTruthy()
    expect((await settingsClient().detail()).settings).toMatchObject({
      premiumReminders: false,
      policyExpiryWarnings: true,
      policyExpiryDays: 45,
    })
  })
})

describe("Settings, Email", () => {
  it("reports that mail is not sent, and stores a test mail in the outbox", async () => {
    const { user, location } = await openPage(app, app.people.admin, "/settings/email")
    expect(await screen.findByText(/No mail server is set up/)).toBeTruthy()
    expect(await screen.findByText("No e-mails yet")).toBeTruthy()
    await user.click(screen.getAllByRole("button", { name: "Send test e-mail" })[0]!)
    const form = await findDialog("Send test e-mail")
    const to = form.getByRole("textbox", { name: "To" })
    expect((to as HTMLInputElement).value).toBe(app.people.admin.email)
    await user.clear(to)
    await user.type(to, "thandi")
    await user.click(form.getByRole("button", { name: "Send test e-mail" }))
    expect(await form.findAllByText("Enter a valid e-mail address")).not.toHaveLength(0)
    await user.type(to, "@example.test")
    await user.click(form.getByRole("button", { name: "Send test e-mail" }))
    expect(await screen.findByText("The test e-mail to thandi@example.test is in the outbox")).toBeTruthy()

    const row = await screen.findByRole("row", { name: /thandi@example.test/ })
    expect(within(row).getByText("Not delivered")).toBeTruthy()
    // Without a mail server there are no bulk steps, so the row has no checkbox.
    expect(screen.queryByRole("checkbox")).toBeNull()
    await user.click(within(row).getByRole("link"))
    expect(await screen.findByText(/Ada Admin sent this e-mail from Settings/)).toBeTruthy()
    expect(location()).toMatch(/^\/settings\/email\/[0-9a-f-]{36}$/)
    expect(screen.queryByRole("button", { name: "Send again" })).toBeNull()
  })

  it("the selected unsent mails are delivered again once there is a mail server", async () => {
    const house = await openTestApp({ smtpUrl: "smtp://127.0.0.1:1" })
    try {
      const { outbox } = house.as(house.people.admin).settings
      for (const name of ["anna", "ben", "cleo"]) await outbox.sendTest({ to: `${name}@example.test` })
      await house.sql.run(sql`update mails set state = 'kept' where to_address <> 'cleo@example.test'`)
      await house.sql.run(
        sql`update mails set state = 'sent', sent_at = created_at where to_address = 'cleo@example.test'`,
      )
      const { user } = await openPage(house, house.people.admin, "/settings/email")
      await user.click(await screen.findByRole("checkbox", { name: /^Select all/ }))
      await user.click(await findButton("Send again 2 of 3"))
      const asked = await findDialog("Send 2 e-mails again?")
      await user.click(asked.getByRole("button", { name: /Send again 2/ }))
      expect(await asked.findByText(/^2 .* queued again\.$/)).toBeTruthy()
      const { rows } = await outbox.list({})
      expect(rows.map(({ to, state }) => [to, state]).sort()).toEqual([
        ["anna@example.test", "queued"],
        ["ben@example.test", "queued"],
        ["cleo@example.test", "sent"],
      ])
    } finally {
      await house.close()
    }
  })

  it("saves a mail server with its password; a test mail shows the server's answer", async () => {
    const house = await openTestApp({ now: "2026-11-20T08:00:00Z" })
    try {
      const { user } = await openPage(house, house.people.admin, "/settings/email#server")
      expect(
        await screen.findByText(/E-mails stay in the outbox and are not delivered until you set up a mail server here/),
      ).toBeTruthy()
      expect((await findField("SMTP port")).value).toBe("587")
      await user.type(await findField("SMTP host"), "127.0.0.1")
      await user.clear(await findField("SMTP port"))
      await user.type(await findField("SMTP port"), "1")
      await user.click(await screen.findByRole("combobox", { name: "Encryption" }))
      await user.click(await screen.findByRole("option", { name: "None" }))
      await user.type(await findField("User"), "milkwood")
      await user.click(await findButton("Save Changes"))
      expect(await screen.findByText("Enter the password for this user")).toBeTruthy()
      await user.type(screen.getByLabelText("Password"), "koeksister")
      await user.click(await findButton("Save Changes"))
      expect(await screen.findByText(/A password is stored encrypted/)).toBeTruthy()
      await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe(""))
      await user.click(await findButton("Send test e-mail"))
      const form = await findDialog("Send test e-mail")
      await user.click(form.getByRole("button", { name: "Send test e-mail" }))
      expect(await form.findByText(/Mail server response: .*ECONNREFUSED.* will be retried/)).toBeTruthy()
    } finally {
      await house.close()
    }
  })

  it("a template is edited beside its preview, marked as edited, and restored", async () => {
    const { user } = await openPage(app, app.people.admin, "/settings/email#templates")
    await user.click(await findButton("Scheduled report"))
    let form = await findDialog("Scheduled report")
    const subject = form.getByRole("textbox", { name: "Subject" })
    await user.clear(subject)
    await user.type(subject, "For {{nobody}")
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await form.findByText("{nobody} is not a known placeholder")).toBeTruthy()
    await user.clear(subject)
    await user.type(subject, "<b>For you:</b> {{report}")
    const preview = within(form.getByRole("region", { name: "Preview" }))
    expect(preview.getByText("<b>For you:</b> Debtors ageing")).toBeTruthy()
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await screen.findByText("Edited")).toBeTruthy()
    expect((await settingsClient().detail()).settings.scheduleMail.subject).toBe("<b>For you:</b> {report}")

    await user.click(await findButton("Scheduled report"))
    form = await findDialog("Scheduled report")
    await user.click(form.getByRole("button", { name: "Restore the default" }))
    await user.click(form.getByRole("button", { name: "Send test e-mail" }))
    const test = await findDialog("Send test e-mail")
    await user.click(test.getByRole("button", { name: "Send test e-mail" }))
    expect(await screen.findByText(/is in the outbox/)).toBeTruthy()
    expect((await app.mails()).map(({ subject }) => subject)).toContain("Test: Premiums outstanding, monthly")
    await user.click(form.getByRole("button", { name: "Save" }))
    await waitFor(() => expect(screen.queryByText("Edited")).toBeNull())
  })

  it("the outbox reports a missing mail", async () => {
    await openPage(app, app.people.admin, `/settings/email/${crypto.randomUUID()}`)
    expect(await screen.findByText("E-mail not found")).toBeTruthy()
  })
})

describe("permissions", () => {
  it.each(["/settings", "/settings/security", "/settings/email"])("%s is only for administrators", async (path) => {
    await openPage(app, app.people.manager, path)
    expect(await screen.findByText("You do not have access to this page")).toBeTruthy()
    expect(screen.queryByRole("link", { name: "Settings" })).toBeNull()
  })
})

it("every declared setting has a field and help text on a settings page", async () => {
  let shown = ""
  for (const path of ["/settings", "/settings/notifications", "/settings/security", "/settings/documents"]) {
    const { user, unmount } = await openPage(app, app.people.admin, path)
    await findButton("Save Changes")
    // Reveals the setting for roles.
    if (path.endsWith("security")) await user.click(screen.getByRole("radio", { name: /Required for chosen roles/ }))
    shown += document.body.textContent
    unmount()
  }
  for (const [key, { words }] of Object.entries<Setting>(declaredSettings)) {
    for (const text of [words?.label, words?.help, ...Object.values(words?.hints ?? {})])
      if (text) expect(shown, key).toContain(text)
  }
})
