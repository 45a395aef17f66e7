import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { activePolicy, draftPolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "./page.tsx"

/** What the specifications have a page show, whatever stands on it. */

let house: TestApp
beforeAll(async () => {
  house = await openTestApp()
})
afterAll(() => house.close())

const manager = () => house.as(house.people.manager)

describe("a page shows", () => {
  test.each([
    ["/", ["Milkwood", "Group policy management system"]],
    ["/members/import", ["Import guidelines", "Imports completed", "Members added", /Required columns: First Name/]],
    ["/finance/receipting", ["Receipting", "Create and manage receipts for policy payments"]],
    ["/finance/claims-payments", ["Claims Payments", "Waiting for payment", "In progress", "Completed"]],
    [
      "/finance/premium-refunds",
      ["Premium Refunds", "Pending Refunds", "Completed Refunds", "Total Refunds", "Export"],
    ],
    ["/reports", ["Reports & Analytics", "New Schedule", "Custom Report", "Available Reports", "Scheduled Reports"]],
    ["/settings", ["General", "Users", "Notifications", "Email", "Security", "Documents"]],
  ] as [string, (string | RegExp)[]][])("%s: %s", async (path, words) => {
    await openPage(house, house.people.admin, path)
    for (const text of words) await waitFor(() => expect(screen.queryAllByText(text), `${text}`).not.toEqual([]))
  })
})

test.each([
  ["admin", "Administrator"],
  ["manager", "Manager"],
  ["underwriter", "Underwriter"],
] as const)("the user menu of %s: name, e-mail, role, and its ways on", async (who, role) => {
  const person = house.people[who]
  const { user } = await openPage(house, person, "/members")
  await user.click(await screen.findByRole("button", { name: new RegExp(person.name) }))
  const menu = await screen.findByRole("menu")
  expect(within(menu).getByText(person.email)).toBeTruthy()
  expect(within(menu).getByText(role)).toBeTruthy()
  const items = within(menu).getAllByRole("menuitem")
  const names = items.map(({ textContent }) => textContent)
  expect(names).toContain("Profile")
  expect(names).toContain("Log out")
  expect(names.includes("Settings")).toBe(who === "admin")
})

test("of the sidebar only Group Policies is open at first", async () => {
  localStorage.clear()
  await openPage(house, house.people.admin, "/")
  const navigation = await screen.findByRole("navigation", { name: "Main" })
  const open = within(navigation)
    .getAllByRole("button", { expanded: true })
    .map(({ textContent }) => textContent)
  expect(open).toEqual(["Group Policies"])
})

test("a policy's page: number, status, group, the way back, its tabs", async () => {
  const policy = await activePolicy(manager(), { groupName: "Words Alone" })
  await openPage(house, house.people.manager, `/policies/${policy.id}`)
  await screen.findByRole("heading", { name: new RegExp(policy.number) })
  expect(screen.getAllByText("Active").length).toBeGreaterThan(0)
  expect(screen.getAllByText("Words Alone").length).toBeGreaterThan(0)
  expect(screen.getByRole("link", { name: "Back to Policies" }).getAttribute("href")).toMatch(/^\/policies/)
  for (const tab of ["Policy Details", "Members", "Documents", "Activity"]) {
    expect(screen.getAllByRole("link", { name: new RegExp(`^${tab}`) })).not.toEqual([])
  }
})

test("a wizard marks its steps as completed, active or pending, and says how far it is", async () => {
  const draft = await draftPolicy(manager(), { groupName: "Half Way" })
  await openPage(house, house.people.manager, `/policies/${draft.id}/edit?tab=members`)
  const steps = await screen.findByRole("navigation", { name: "Steps" })
  const words = within(steps)
    .getAllByRole("button")
    .map(({ textContent }) => textContent!.replace(/^.*, /, ""))
  const active = words.indexOf("active")
  expect(active).toBeGreaterThan(0)
  expect(new Set(words.slice(0, active))).toEqual(new Set(["completed"]))
  expect(new Set(words.slice(active + 1))).toEqual(new Set(["pending"]))
  const bar = screen.getByRole("progressbar", { name: `Step ${active + 1} of ${words.length}` })
  expect(Number(bar.getAttribute("aria-valuenow"))).toBeCloseTo(((active + 1) / words.length) * 100, 5)
})

test("an invoice's page leads back to the invoices", async () => {
  const policy = await activePolicy(manager(), { groupName: "Back Again" })
  const { today } = await house.app.moment()
  const invoice = await sentInvoice(manager(), { policyId: policy.id, month: firstOfMonth(today), invoiceOn: today })
  await openPage(house, house.people.manager, `/invoices/${invoice.id}`)
  expect((await screen.findByRole("link", { name: /^Back to/ })).getAttribute("href")).toMatch(/^\/invoices/)
})
