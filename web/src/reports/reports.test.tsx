import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
let groupId: string
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
  const policy = await app.policy({ groupName: "Report Winery" })
  groupId = policy.groupId
  await createSentInvoice(app.manager, { policyId: policy.id, month: "2026-08-01", invoiceOn: "2026-08-01" })
})
afterAll(() => app.close())

it("each dashboard figure opens a list with the same total", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/")
  const card = await screen.findByRole("link", { name: /Outstanding premiums/ })
  expect((await within(card).findByText("R 402,50")).textContent).toBeTruthy()
  for (const label of ["Active policies", "Total members", "Pending claims", "Claims processed", "Overdue payments"]) {
    const { textContent } = screen.getByRole("link", { name: new RegExp(`^${label}`) })
    expect(textContent, label).toMatch(/last month/)
  }
  expect(await screen.findByText(/issued the invoice; it was not emailed/)).toBeTruthy()
  await user.click(card)
  expect(await screen.findByRole("heading", { name: "Debtors' ageing" })).toBeTruthy()
  expect(location()).toContain("/reports/debtors-ageing")
})

it("the dashboard offers an employer's users only their permitted actions", async () => {
  await openPage(app, await app.people.groupAdmin(groupId), "/")
  expect(await screen.findByText("New claim")).toBeTruthy()
  expect(screen.queryByText("Generate invoice")).toBeNull()
  expect((await screen.findByRole("link", { name: /Outstanding premiums/ })).getAttribute("href")).toContain(
    "/invoices",
  )
})

it("the manager's dashboard draws its charts after the page, with figures and linked lists", async () => {
  const { user } = await openPage(app, app.people.manager, "/")
  const owed = within(await screen.findByRole("figure", { name: "Amounts owed by age" }))
  for (const title of ["Billed and collected", "Members"])
    expect(screen.getByRole("figure", { name: title })).toBeTruthy()
  expect(screen.queryByRole("figure", { name: "Claims by month of submission" })).toBeNull()
  expect(screen.queryByRole("heading", { name: "Your scheme" })).toBeNull()
  await user.click(owed.getByRole("button", { name: "Show figures of Amounts owed by age" }))
  expect(owed.getByRole("row", { name: /61–90 R.402,50/ })).toBeTruthy()
  await user.click(owed.getByRole("link", { name: "Debtors’ ageing" }))
  expect(await screen.findByRole("heading", { name: "Debtors' ageing" })).toBeTruthy()
})

it("an underwriter sees the loss ratio", async () => {
  await openPage(app, app.people.underwriter, "/")
  const experience = within(await screen.findByRole("figure", { name: "Premium earned and claims incurred" }))
  expect(experience.getByText("Loss ratio over 12 months: 0 %")).toBeTruthy()
  expect(screen.queryByRole("figure", { name: "Billed and collected" })).toBeNull()
})

const panels = () => screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)

it("an employer's HR user sees the scheme's position and the staff list upload", async () => {
  const { user, location } = await openPage(app, await app.people.groupAdmin(groupId), "/")
  const scheme = within(await screen.findByRole("region", { name: "Your scheme" }))
  expect(await scheme.findByText("Not sent yet.")).toBeTruthy()
  expect(scheme.getByText(/overdue/).textContent).toMatch(/^R.402,50 overdue/)
  expect(await screen.findByRole("figure", { name: "Invoices by month" })).toBeTruthy()
  expect(panels().slice(0, 2)).toEqual(["Needs you", "Your scheme"])
  await user.click(scheme.getByRole("link", { name: "Import staff list" }))
  expect(location()).toContain("/members/import")
})

it("an employer's user without open work sees the scheme first", async () => {
  const policy = await app.policy({ groupName: "Quiet Quarry" })
  await openPage(app, await app.people.groupAdmin(policy.groupId), "/")
  expect(await screen.findByText("You have no open work. New work will appear here.")).toBeTruthy()
  await screen.findByRole("heading", { name: "Your scheme" })
  expect(panels().slice(0, 2)).toEqual(["Your scheme", "Needs you"])
})

it("a signatory sees the amount owed and cannot upload staff lists", async () => {
  await openPage(app, await app.people.policyHolder(groupId), "/")
  expect(await screen.findByText("You owe")).toBeTruthy()
  expect(screen.queryByText("Next staff list")).toBeNull()
  expect(await screen.findByRole("figure", { name: "Amounts owed by age" })).toBeTruthy()
})

it("the catalogue links to debtors' ageing, which adds up and can be exported", async () => {
  const { user } = await openPage(app, app.people.manager, "/reports")
  await user.click(await screen.findByRole("link", { name: "Premium collection and debtors' ageing" }))
  const row = await screen.findByRole("row", { name: /Report Winery/ })
  expect(within(row).getAllByText("R 402,50")).toHaveLength(2)
  await user.click(await screen.findByRole("button", { name: "Export" }))
  expect((await screen.findByRole("menuitem", { name: "CSV" })).getAttribute("href")).toContain(
    "/api/debtors-ageing.csv?",
  )
})

it("an amount owed opens exactly its invoices, with the group's name", async () => {
  const policy = await app.policy({ groupName: "Unpaid Orchard" })
  const overdue = await createSentInvoice(app.manager, {
    policyId: policy.id,
    month: "2026-08-01",
    invoiceOn: "2026-08-01",
  })
  const due = await createSentInvoice(app.manager, {
    policyId: policy.id,
    month: "2026-11-01",
    invoiceOn: "2026-11-01",
  })
  const { user, location } = await openPage(app, app.people.manager, "/reports/debtors-ageing?search=Unpaid")
  await user.click(within(await screen.findByRole("row", { name: /Unpaid Orchard/ })).getByRole("link"))
  for (const { number } of [overdue, due])
    expect(await screen.findByRole("row", { name: new RegExp(number) })).toBeTruthy()
  expect(screen.getAllByRole("row")).toHaveLength(3)
  expect(screen.getByRole("button", { name: `Policy ${policy.number}, Unpaid Orchard` })).toBeTruthy()
  await user.click(screen.getByRole("button", { name: "Clear filter Policy" }))
  await screen.findByRole("row", { name: /Report Winery/ })
  expect(location()).not.toContain("policyId")
})

it("a report can be viewed, explained, generated and found again", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/reports")
  expect(await screen.findByRole("heading", { name: "Quick Reports" })).toBeTruthy()
  await user.click(await screen.findByRole("button", { name: "Details of Premium billing" }))
  const details = within(await screen.findByRole("dialog", { name: "Premium billing" }))
  const parts = ["Purpose", "Frequency", "Last generated", "Key metrics", "Data points", "Stakeholders"]
  for (const part of [...parts, "Business insights"])
    expect(details.getByRole("heading", { name: part }).nextSibling?.textContent).toBeTruthy()
  await user.keyboard("{Escape}")
  await user.type(await screen.findByRole("textbox", { name: "Search reports" }), "billed")
  await user.click(await screen.findByRole("link", { name: "Premium billing" }))
  expect(location()).toContain("/reports/premium-billing")
  const from = await screen.findByRole("textbox", { name: "From" })
  await user.clear(from)
  await user.type(from, "2026-08-01{Tab}")
  const row = await screen.findByRole("row", { name: /Report Winery/ })
  expect(within(row).getAllByText("R 402,50").length).toBeGreaterThan(0)
  await user.click(screen.getByRole("button", { name: "Generate" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Generate Premium billing" }))
  await user.click(dialog.getByRole("radio", { name: "CSV" }))
  await user.click(dialog.getByRole("button", { name: "Generate" }))
  await dialog.findByText("Premium billing (CSV)")
  await app.runJobs()
  expect(await dialog.findByText(/Saved under Generated/, {}, { timeout: 5_000 })).toBeTruthy()
  await openPage(app, app.people.manager, "/reports/generated")
  expect(await screen.findByText("2026-08-01 to 2026-11-30")).toBeTruthy()
})

it("a new schedule has the specified defaults and the day fields of its type", async () => {
  const { user } = await openPage(app, app.people.manager, "/reports")
  await user.click(await screen.findByRole("button", { name: "New Schedule" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Schedule Report" }))
  const shown = () =>
    ["Report Type", "Schedule Type", "Day of Week", "Day of Month", "Hour"].map(
      (name) => dialog.queryByRole<HTMLInputElement>("combobox", { name })?.value,
    )
  const choose = async (type: string) => {
    await user.click(dialog.getByRole("combobox", { name: "Schedule Type" }))
    await user.click(await screen.findByRole("option", { name: type }))
    return shown()
  }
  expect(shown()).toEqual(["Financial", "Monthly", undefined, "1", "09:00"])
  expect(await choose("Weekly")).toEqual(["Financial", "Weekly", "Monday", undefined, "09:00"])
  expect(await choose("Daily")).toEqual(["Financial", "Daily", undefined, undefined, "09:00"])
  for (const type of ["Quarterly", "Yearly"])
    expect(await choose(type)).toEqual(["Financial", type, undefined, "1", "09:00"])
  const offered = async (name: string) => {
    await user.click(dialog.getByRole("combobox", { name }))
    const options = within(await screen.findByRole("listbox", { name })).getAllByRole("option")
    return options.map(({ textContent }) => textContent)
  }
  expect(await offered("Hour")).toEqual(Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`))
  expect(await offered("Day of Month")).toEqual(Array.from({ length: 28 }, (_, day) => String(day + 1)))
})

it("a quick report can be scheduled and downloaded, and shows that it is scheduled", async () => {
  const schedule = await app.manager.reports.createSchedule({
    name: "Billing",
    report: "premium_billing",
    format: "pdf",
    type: "monthly",
    hour: 9,
    dayOfMonth: 1,
    recipients: [app.people.manager.email],
    idempotencyKey: crypto.randomUUID(),
  })
  const { user } = await openPage(app, app.people.manager, "/reports")
  const quick = within(await screen.findByRole("region", { name: "Quick Reports" }))
  const card = (name: string) => within(quick.getByRole("heading", { name }).closest("li")!)
  expect(quick.getAllByRole("listitem")).toHaveLength(4)
  expect(card("This month's billing").getByText("Scheduled")).toBeTruthy()
  expect(card("Overdue premiums").queryByText("Scheduled")).toBeNull()
  await user.click(quick.getByRole("button", { name: "Schedule Overdue premiums" }))
  const scheduling = within(await screen.findByRole("dialog", { name: "Schedule Report" }))
  expect(scheduling.getByRole<HTMLInputElement>("textbox", { name: "Schedule Name" }).value).toBe("Overdue premiums")
  await user.click(scheduling.getByRole("button", { name: "Cancel" }))
  await user.click(await screen.findByRole("button", { name: "Download Overdue premiums" }))
  expect(await screen.findByRole("dialog", { name: "Generate Overdue premiums" })).toBeTruthy()
  await app.manager.reports.deleteSchedule({ scheduleId: schedule.id })
})

it("a report can be scheduled, paused, activated and deleted", async () => {
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail({})
  await admin.settings.save({ version, settings: { ...settings, attachReportsOutside: true } } as never)
  const { user } = await openPage(app, app.people.manager, "/reports")
  await user.click(await screen.findByRole("button", { name: "Schedule Premium billing" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Schedule Report" }))
  await user.click(dialog.getByRole("button", { name: "Create Schedule" }))
  const words = "Please provide a schedule name and at least one recipient email."
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
  expect(screen.getByText("Validation Error")).toBeTruthy()
  const recipients = dialog.getByRole("textbox", { name: "Recipients" })
  await user.type(recipients, "broker@elsewhere.example{Enter}")
  await user.type(recipients, "second@elsewhere.example")
  await user.click(dialog.getByRole("button", { name: "Add recipient" }))
  expect(recipients).toHaveProperty("value", "")
  const added = () => dialog.getAllByRole("button", { name: /^Remove / }).map((each) => each.getAttribute("aria-label"))
  expect(added()).toEqual(["Remove broker@elsewhere.example", "Remove second@elsewhere.example"])
  await user.click(dialog.getByRole("button", { name: "Add recipient" }))
  await user.type(recipients, "Broker@elsewhere.example{Enter}")
  expect(added()).toHaveLength(2)
  await user.click(dialog.getByRole("button", { name: "Remove second@elsewhere.example" }))
  expect(added()).toEqual(["Remove broker@elsewhere.example"])
  await user.type(recipients, "third@elsewhere")
  await user.click(dialog.getByRole("button", { name: "Create Schedule" }))
  expect(await dialog.findByText("This is not an e-mail address")).toBeTruthy()
  await user.clear(recipients)
  const { email } = app.people.underwriter
  await user.type(recipients, email)
  await user.click(dialog.getByRole("button", { name: "Create Schedule" }))
  expect((await screen.findAllByText(`${email}: The account cannot open this report.`)).length).toBeGreaterThan(0)
  const list = within(dialog.getByRole("list", { name: "Recipients" }))
  expect(await list.findByText("Cannot be sent: The account cannot open this report.")).toBeTruthy()
  expect(list.getByText("Receives the file as an attachment.")).toBeTruthy()
  await user.click(dialog.getByRole("button", { name: `Remove ${email}` }))
  await user.click(dialog.getByRole("button", { name: "Create Schedule" }))
  await screen.findByText("Report schedule created successfully.")
  await user.click(screen.getByRole("link", { name: "Scheduled Reports" }))
  expect(await screen.findByText(/Monthly on day 1 at 09:00/)).toBeTruthy()
  expect(screen.getByText(/broker@elsewhere.example \(attachment\)/)).toBeTruthy()
  const active = () => screen.findByRole("switch", { name: "Premium billing is active" })
  await user.click(await active())
  await screen.findByText("Schedule paused successfully.")
  // The switch is disabled until the list is reloaded.
  await waitFor(async () => expect(await active()).toMatchObject({ checked: false, disabled: false }))
  await user.click(await active())
  await screen.findByText("Schedule activated successfully.")
  await user.click(screen.getByRole("button", { name: "Actions for Premium billing" }))
  await user.click(await screen.findByRole("menuitem", { name: "Delete schedule" }))
  await screen.findByText("Are you sure you want to delete this schedule?")
  await user.click(screen.getByRole("button", { name: "Delete schedule" }))
  await screen.findByText("Schedule deleted successfully.")
  expect(await screen.findByText("No scheduled reports yet")).toBeTruthy()
})

it("an underwriter sees no financial reports, and an employer's users see no reports", async () => {
  const { location } = await openPage(app, app.people.underwriter, "/reports")
  expect(await screen.findByRole("link", { name: "Claims register (bordereau)" })).toBeTruthy()
  expect(screen.queryByRole("region", { name: "Financial" })).toBeNull()
  expect(location()).toBe("/reports")
  await openPage(app, await app.people.groupAdmin(groupId), "/reports")
  expect(await screen.findByText("You do not have access to this page")).toBeTruthy()
})

it("Enter pressed before the search finished opens the result once found", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/")
  await screen.findByRole("heading", { name: "Dashboard" })
  await user.keyboard("{Control>}k{/Control}")
  await user.type(await screen.findByRole("combobox", { name: "Search records and pages" }), "Report Winery{Enter}")
  expect(await screen.findByRole("heading", { name: /Report Winery/ })).toBeTruthy()
  expect(location()).toMatch(/^\/groups\/[0-9a-f-]{36}/)
})

it("claims experience opens with its loss ratio", async () => {
  await openPage(app, app.people.manager, "/reports/claims-experience")
  const label = await screen.findByText("Loss ratio", { selector: "span" })
  const first = () => within(label.closest("ul")!).getAllByRole("listitem")[0]!.textContent
  await waitFor(() => expect(first()).toBe("Loss ratio0 %"))
})

it("an unknown report address shows a not-found message", async () => {
  await openPage(app, app.people.manager, "/reports/no-such-report")
  expect(await screen.findByRole("heading", { name: "Oops! Page not found" })).toBeTruthy()
})
