import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { createActivePolicy, createDraftPolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "./page.tsx"

let testApp: TestApp
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())

const managerClient = () => testApp.as(testApp.people.manager)

describe("a page shows", () => {
  test.each([
    ["/", ["Milkwood", "Group policy management system"]],
    [
      "/members/import",
      [
        "Import guidelines",
        "Imports completed",
        "Members added",
        /Required columns: First Name/,
        /^Avoid duplicate ID numbers/,
      ],
    ],
    ["/finance/receipting", ["Receipting", "Create and manage receipts for policy payments"]],
    ["/finance/claims-payments", ["Claims Payments", "Waiting for payment", "In progress", "Completed"]],
    [
      "/finance/premium-refunds",
      [
        ...["Premium Refunds", "Manage premium refunds and overpayment processing", "Export"],
        ...["Pending Refunds", "Completed Refunds", "Total Refunds"],
      ],
    ],
    [
      "/invoices/reconciliation",
      [
        ...["Premium Reconciliation", "Expected", "Received", "Difference", "Lines to match"],
        ...["Import Bank Statement", "Export Report"],
      ],
    ],
    ["/reports", ["Reports & Analytics", "New Schedule", "Custom Report", "Available Reports", "Scheduled Reports"]],
    ["/settings", ["General", "Users", "Notifications", "Email", "Security", "Documents"]],
  ] as [string, (string | RegExp)[]][])("%s: %s", async (path, words) => {
    await openPage(testApp, testApp.people.admin, path)
    for (const text of words) await waitFor(() => expect(screen.queryAllByText(text), `${text}`).not.toEqual([]))
  })
})

test.each([
  ["/finance/receipting", "All Status", ["All Status", "Allocated", "Pending", "Reversed"]],
  [
    "/finance/claims-payments",
    "Status",
    ["Waiting for payment", "Pending", "Processing", "Completed", "Failed", "Cancelled", "Returned"],
  ],
  [
    "/finance/premium-refunds",
    "All Status",
    ["All Status", "Pending", "Processing", "Completed", "Failed", "Cancelled"],
  ],
])("the status filter of %s, called %s, offers %j", async (path, name, words) => {
  const { user } = await openPage(testApp, testApp.people.manager, path)
  await user.click(await screen.findByRole("button", { name }))
  const choices = within(await screen.findByRole("group", { name: "Status" })).getAllByRole("button")
  expect(choices.map(({ textContent }) => textContent)).toEqual(words)
})

test.each([
  ["admin", "Administrator", "admin"],
  ["manager", "Manager", "manager"],
  ["underwriter", "Underwriter", "other"],
] as const)("the user menu of %s shows name, e-mail, role and links", async (who, role, look) => {
  const person = testApp.people[who]
  const { user } = await openPage(testApp, person, "/members")
  await user.click(await screen.findByRole("button", { name: new RegExp(person.name) }))
  const menu = await screen.findByRole("menu")
  expect(within(menu).getByText(person.email)).toBeTruthy()
  expect(within(menu).getByText(person.name)).toBeTruthy()
  expect(within(menu).getByText(role).dataset.look).toBe(look)
  const items = within(menu).getAllByRole("menuitem")
  const names = items.map(({ textContent }) => textContent)
  expect(names).toContain("Profile")
  expect(names).toContain("Log out")
  expect(names.includes("Settings")).toBe(who === "admin")
})

test("the sidebar shows groups and entries in order, with only Group Policies open", async () => {
  localStorage.clear()
  const { user } = await openPage(testApp, testApp.people.admin, "/")
  const navigation = within(await screen.findByRole("navigation", { name: "Main" }))
  const open = navigation.getAllByRole("button", { expanded: true }).map(({ textContent }) => textContent)
  expect(open).toEqual(["Group Policies"])
  for (const closed of navigation.getAllByRole("button", { expanded: false })) await user.click(closed)
  const texts = (within: Element, selector: string) =>
    [...within.querySelectorAll(selector)].map(({ textContent }) => textContent!)
  const menu = navigation.getAllByRole("list")[0]!
  const items = [...menu.children].map((item) => {
    const [name] = texts(item, ":scope > a, :scope > button")
    const entries = texts(item, ":scope ul a").filter((entry) => !extraMenuEntries.includes(entry))
    return entries.length > 0 ? `${name}: ${entries.join(", ")}` : name
  })
  expect(items).toEqual([
    "Dashboard",
    "Group Policies: View Policies, New Policy, Policy Documents",
    "Group Members: All Members, Add Member, Bulk Import",
    "Claims: All Claims, New Claim, Pending Approval",
    "Finance: Invoices, Premium Collection, Reconciliation, Receipting, Claims Payments, Premium Refunds",
    "Benefits",
    "Reports",
    "Settings",
  ])
})
const extraMenuEntries = [
  "Employers",
  "Lists outstanding",
  "Run billing",
  "Credit Notes",
  "Bank Lines",
  "Payment Batches",
  "Trial Balance",
  "Month end",
]

test("a policy shows number, status, employer, back link, tabs and panels", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Words Alone", members: 2 })
  await openPage(testApp, testApp.people.manager, `/policies/${policy.id}`)
  await screen.findByRole("heading", { name: new RegExp(policy.number) })
  expect(screen.getAllByText("Active").length).toBeGreaterThan(0)
  expect(screen.getAllByText("Words Alone").length).toBeGreaterThan(0)
  expect(screen.getByRole("link", { name: "Back to Policies" }).getAttribute("href")).toMatch(/^\/policies/)
  for (const tab of ["Policy Details", "Members", "Documents", "Activity"]) {
    expect(screen.getAllByRole("link", { name: new RegExp(`^${tab}`) })).not.toEqual([])
  }
  const panel = (title: string) =>
    screen.getByRole("heading", { name: title }).closest("section")!.textContent!.replace(/\s/g, " ")
  expect(panel("Policy Status")).toContain("Effective date2026-01-01")
  expect(panel("Policy Summary")).toContain("Monthly premiumR 700,00")
})

test("a wizard shows steps as completed, active or pending, and the progress", async () => {
  const draft = await createDraftPolicy(managerClient(), { groupName: "Half Way" })
  await openPage(testApp, testApp.people.manager, `/policies/${draft.id}/edit?tab=members`)
  const steps = await screen.findByRole("navigation", { name: "Steps" })
  const said = within(steps).getAllByRole("button")
  const labels = said.map(({ textContent }) => textContent!.replace(/^\d?|, .*$/g, ""))
  expect(labels).toEqual(["Policy Details", "Members", "Documents", "Activate"])
  const words = said.map(({ textContent }) => textContent!.replace(/^.*, /, ""))
  const active = words.indexOf("active")
  expect(active).toBeGreaterThan(0)
  expect(new Set(words.slice(0, active))).toEqual(new Set(["completed"]))
  expect(new Set(words.slice(active + 1))).toEqual(new Set(["pending"]))
  const bar = screen.getByRole("progressbar", { name: `Step ${active + 1} of ${words.length}` })
  expect(Number(bar.getAttribute("aria-valuenow"))).toBeCloseTo(((active + 1) / words.length) * 100, 5)
})

test("an invoice links back to the invoices", async () => {
  const policy = await createActivePolicy(managerClient(), { groupName: "Back Again" })
  const { today } = await testApp.app.moment()
  const invoice = await createSentInvoice(managerClient(), {
    policyId: policy.id,
    month: firstOfMonth(today),
    invoiceOn: today,
  })
  await openPage(testApp, testApp.people.manager, `/invoices/${invoice.id}`)
  expect((await screen.findByRole("link", { name: /^Back to/ })).getAttribute("href")).toMatch(/^\/invoices/)
})
