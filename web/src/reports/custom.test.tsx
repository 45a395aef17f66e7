import { screen, waitFor, within } from "@testing-library/react"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type ClaimApp, insureGroup, openClaimApp } from "../../../server/src/claims/claim-scene.samples.ts"
import { createRejectedClaim, createSubmittedClaim } from "../../../server/src/claims/claims.samples.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
beforeAll(async () => {
  app = await openClaimApp()
  const { cast, sample } = await insureGroup(app, "Report Winery")
  await createSubmittedClaim(cast, sample)
  await createRejectedClaim(cast, sample)
})
afterAll(() => app.close())

async function openDialog() {
  const page = await openPage(app, app.people.manager, "/reports")
  await page.user.click(await screen.findByRole("button", { name: "Custom Report" }))
  const found = await screen.findByRole("dialog", { name: "Custom Report" })
  return { ...page, found, dialog: within(found) }
}
type User = Awaited<ReturnType<typeof openDialog>>["user"]
type Dialog = Awaited<ReturnType<typeof openDialog>>["dialog"]
const pickOption = async (user: User, dialog: Dialog, label: string, option: string) => {
  await user.click(dialog.getByRole("combobox", { name: label }))
  await user.click(await screen.findByRole("option", { name: option }))
}

it("the custom report dialog has the specified defaults and messages for missing input", async () => {
  const { user, dialog } = await openDialog()
  const value = (label: string) => (dialog.getByRole("combobox", { name: label }) as HTMLInputElement).value
  expect([value("Report Type"), value("Format"), value("Date Range")]).toEqual(["Claims", "PDF", "Last 30 days"])
  expect(dialog.queryByRole("textbox", { name: "Start Date" })).toBeNull()
  expect(dialog.getByText("Select fields to see the first rows here.")).toBeTruthy()
  await user.click(dialog.getByRole("button", { name: "Generate Report" }))
  const words = "Please provide a report name and select at least one field."
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
  expect(screen.getByText("Validation Error")).toBeTruthy()
  await pickOption(user, dialog, "Date Range", "Custom range")
  expect(dialog.getByRole("textbox", { name: "Start Date" })).toBeTruthy()
  expect(dialog.getByRole("textbox", { name: "End Date" })).toBeTruthy()
  await user.click(dialog.getByRole("checkbox", { name: "Diagnosis" }))
  await pickOption(user, dialog, "Report Type", "Members")
  expect(dialog.queryByRole("checkbox", { name: "Diagnosis" })).toBeNull()
  expect(dialog.getAllByRole("checkbox").filter((box) => (box as HTMLInputElement).checked)).toEqual([])
})

it("the custom report dialog previews the first rows and the row count", async () => {
  const { user, dialog } = await openDialog()
  const preview = within(dialog.getByRole("region", { name: "Preview" }))
  await user.click(dialog.getByRole("checkbox", { name: "Member name" }))
  await user.click(dialog.getByRole("checkbox", { name: "Claim amount" }))
  expect(await preview.findByText("2 claims")).toBeTruthy()
  expect(preview.getAllByRole("columnheader").map((head) => head.textContent)).toEqual(["Member name", "Claim amount"])
  await user.click(dialog.getByRole("button", { name: "Add filter" }))
  expect(document.activeElement).toBe(dialog.getByRole("combobox", { name: "Field of filter 1" }))
  await pickOption(user, dialog, "Field of filter 1", "Status")
  expect(await preview.findByText("Choose a value for Status")).toBeTruthy()
  await user.click(dialog.getByRole("combobox", { name: "Value of filter 1" }))
  await user.click(await screen.findByRole("option", { name: "Rejected" }))
  expect(await preview.findByText("1 claim")).toBeTruthy()
  await user.click(dialog.getByRole("button", { name: "Remove filter 1" }))
  await pickOption(user, dialog, "Group by", "Status")
  expect(await preview.findByText("2 lines")).toBeTruthy()
  expect(preview.getAllByRole("columnheader").map((head) => head.textContent)).toEqual([
    ...["Status", "Claims", "Claim amount"],
  ])
  expect(dialog.getByText(/Not shown when grouped: Member name\./)).toBeTruthy()
  await pickOption(user, dialog, "Chart", "Bars")
  expect(await preview.findByText("Claim amount by status")).toBeTruthy()
  await user.click(dialog.getByRole("button", { name: "Add filter" }))
  await pickOption(user, dialog, "Field of filter 1", "Status")
  await user.click(dialog.getByRole("combobox", { name: "Value of filter 1" }))
  await user.click(await screen.findByRole("option", { name: "Rejected" }))
  expect(await preview.findByText("Nothing to chart: a chart needs two groups and a figure.")).toBeTruthy()
  expect(preview.queryByText("Claim amount by status")).toBeNull()
})

it("an underwriter cannot choose financial reports", async () => {
  const { user } = await openPage(app, app.people.underwriter, "/reports")
  await user.click(await screen.findByRole("button", { name: "Custom Report" }))
  await user.click(await screen.findByRole("combobox", { name: "Report Type" }))
  await screen.findByRole("option", { name: "Groups" })
  expect(screen.queryByRole("option", { name: "Financial" })).toBeNull()
})

it("the custom report dialog generates and saves a report", async () => {
  const { user, dialog } = await openDialog()
  await user.type(dialog.getByRole("textbox", { name: "Report Name" }), "Claims at once")
  await user.click(dialog.getByRole("checkbox", { name: "Claim number" }))
  await pickOption(user, dialog, "Format", "CSV")
  await user.click(dialog.getByRole("button", { name: "Generate Report" }))
  const made = within(await screen.findByRole("dialog", { name: "Generate Claims at once" }))
  await made.findByText("Claims at once (CSV)")
  await app.runJobs()
  const words = 'Custom report "Claims at once" has been generated successfully.'
  expect(await screen.findByText(words, {}, { timeout: 5_000 })).toBeTruthy()
})

const runMenuAction = async (user: User, name: string, action: string) => {
  await user.click(await screen.findByRole("button", { name: `Actions for ${name}` }))
  await user.click(await screen.findByRole("menuitem", { name: action }))
  return within(await screen.findByRole("dialog"))
}

it("a report can be saved, viewed, renamed and shared", async () => {
  const { user, dialog, found } = await openDialog()
  await user.type(dialog.getByRole("textbox", { name: "Report Name" }), "Big claims")
  await user.click(dialog.getByRole("checkbox", { name: "Claim number" }))
  await user.click(dialog.getByRole("checkbox", { name: "Claim amount" }))
  await user.click(dialog.getByRole("button", { name: "Save to My Reports" }))
  await waitFor(() => expect(found.isConnected).toBe(false))
  await user.click(await screen.findByRole("link", { name: "My Reports" }))
  await user.click(await screen.findByRole("link", { name: "Big claims" }))
  await screen.findByRole("heading", { name: "Big claims" })
  expect(await screen.findByText(/^Submitted date \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/)).toBeTruthy()
  expect(await screen.findAllByRole("row")).toHaveLength(3)
  await user.click(screen.getByRole("link", { name: "Back to My Reports" }))

  const renaming = await runMenuAction(user, "Big claims", "Rename report")
  await user.clear(renaming.getByRole("textbox", { name: "Report Name" }))
  await user.type(renaming.getByRole("textbox", { name: "Report Name" }), "Large claims")
  await user.click(renaming.getByRole("button", { name: "Rename report" }))
  await screen.findByRole("link", { name: "Large claims" })

  const sharing = await runMenuAction(user, "Large claims", "Share report")
  await user.click(sharing.getByRole("checkbox", { name: "Everyone with access to reports" }))
  await user.click(sharing.getByRole("button", { name: "Share report" }))
  expect(await screen.findByText(/Shared with everyone with access to reports/)).toBeTruthy()
})

it("a saved report can be duplicated, scheduled and deleted", async () => {
  const { user } = await openPage(app, app.people.manager, "/reports/mine")
  const copying = await runMenuAction(user, "Large claims", "Duplicate report")
  await user.click(copying.getByRole("button", { name: "Duplicate report" }))
  await screen.findByRole("link", { name: "Copy of Large claims" })

  await user.click(screen.getByRole("button", { name: "Schedule Large claims" }))
  const scheduling = within(await screen.findByRole("dialog", { name: "Schedule Report" }))
  expect((scheduling.getByRole("combobox", { name: "Report Type" }) as HTMLInputElement).value).toBe("Custom")
  await user.type(scheduling.getByRole("textbox", { name: "Recipients" }), `${app.people.manager.email}{Enter}`)
  await user.click(scheduling.getByRole("button", { name: "Create Schedule" }))
  expect(await screen.findByText(/1 schedule · /)).toBeTruthy()

  const deleting = await runMenuAction(user, "Large claims", "Delete report")
  expect(deleting.getByText(/One schedule that uses it will stop/)).toBeTruthy()
  await user.click(deleting.getByRole("button", { name: "Delete report" }))
  await waitFor(() => expect(screen.queryByRole("link", { name: "Large claims" })).toBeNull())
  expect(screen.getByRole("link", { name: "Copy of Large claims" })).toBeTruthy()
})

it("a saved report lists its removed fields and opens with the others", async () => {
  await app.sql.run(sql`
    update custom_reports set definition = jsonb_set(jsonb_set(definition, '{fields}', '["claimNumber", "shoeSize"]'),
      '{filters}', '[{"field": "shoeSize", "operator": "is", "value": 43}]') where name = 'Copy of Large claims'`)
  const { user } = await openPage(app, app.people.manager, "/reports/mine")
  const words = /Left out because no longer available: shoe size\. It was filtered by shoe size/
  expect(await screen.findByText(words)).toBeTruthy()
  await user.click(screen.getByRole("link", { name: "Copy of Large claims" }))
  expect(await screen.findAllByRole("row")).toHaveLength(3)
  expect(screen.getByText(words)).toBeTruthy()
})
