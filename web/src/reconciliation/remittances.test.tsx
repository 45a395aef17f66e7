import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { createComparedRemittance } from "../../../server/src/reconciliation/reconciliation.samples.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
let server: Awaited<ReturnType<BillingApp["serve"]>>
beforeAll(async () => {
  app = await openBillingApp()
  server = await app.serve()
})
afterAll(() => app.close())

const october = "2026-10-01"

async function createComparedList(groupName: string, contentOf: (numbers: string[]) => string) {
  const { id: policyId, groupId } = await app.policy({ groupName, members: 2 })
  const invoice = await createSentInvoice(app.manager, { policyId, month: october, invoiceOn: october })
  const { rows } = await app.manager.members.list({ policyId, sort: "number", dir: "asc" })
  const content = contentOf(rows.map(({ number }) => number))
  const list = { name: "october.csv", content }
  return {
    groupId,
    invoice,
    list: await createComparedRemittance(server, app.people.manager, app.manager, invoice.id, list),
  }
}

test("a compared list shows totals and differences, and can be removed", async () => {
  const { list } = await createComparedList(
    "Shown Works",
    ([first]) => `Member number,Amount\n${first},402.50\nM-999999,10`,
  )
  const { user, location } = await openPage(
    app,
    app.people.manager,
    `/invoices/reconciliation/remittances/${list.id}?tab=differ`,
  )
  expect(await screen.findByText("2 differences")).toBeDefined()
  const totals = await screen.findByRole("table", { name: "Totals" })
  const row = (name: RegExp) => within(totals).getByRole("row", { name }).textContent
  expect(row(/^Agrees/)).toMatch(/1R\s402,50R\s402,50R\s0,00$/)
  expect(row(/^Not on the list/)).toMatch(/1R\s0,00R\s402,50-R\s402,50$/)
  expect(row(/^All members/)).toMatch(/R\s412,50R\s805,00-R\s392,50$/)
  expect((await screen.findAllByText("No member of the policy has this number or name")).length).toBeGreaterThan(0)
  await user.click(screen.getByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Remove list" }))
  const asked = await screen.findByRole("dialog", { hidden: true })
  await user.click(within(asked).getByRole("button", { name: "Remove list" }))
  expect(await screen.findByText("No remittance lists yet", {}, { timeout: 10_000 })).toBeDefined()
  expect(location()).toBe("/invoices/reconciliation/remittances")
}, 60_000)

test("a list with unknown columns is compared after choosing them", async () => {
  const { list } = await createComparedList("Chosen Works", (numbers) =>
    ["Wie,Hoeveel", ...numbers.map((number) => `${number},402.50`)].join("\n"),
  )
  const { user } = await openPage(app, app.people.manager, `/invoices/reconciliation/remittances/${list.id}`)
  expect(await screen.findByText(/Still needed: the amount/)).toBeDefined()
  const lay = screen.getByRole("button", { name: "Compare with the invoice" }) as HTMLButtonElement
  expect(lay.disabled).toBe(true)
  for (const [field, column] of [
    ["Member number", "Wie"],
    ["Amount", "Hoeveel"],
  ] as const) {
    await user.click(screen.getByRole("combobox", { name: new RegExp(`^${field}`) }))
    const listbox = await screen.findByRole("listbox", { name: new RegExp(`^${field}`) })
    await user.click(await within(listbox).findByRole("option", { name: column }))
  }
  await user.click(lay)
  const totals = await screen.findByRole("table", { name: "Totals" })
  expect(within(totals).getByRole("row", { name: /^Agrees/ }).textContent).toMatch(/2R\s805,00/)
}, 60_000)

test("comparing from an employer's month preselects the invoice", async () => {
  const { groupId, invoice } = await createComparedList("Month Works", () => "Wie,Hoeveel\nA,1")
  const { user, location } = await openPage(
    app,
    app.people.manager,
    `/invoices/reconciliation?opened=${october}.${groupId}`,
  )
  await user.click(await screen.findByRole("link", { name: "Compare the employer's list" }))
  const dialog = await screen.findByRole("dialog", { name: /Compare a remittance list/, hidden: true })
  expect(await within(dialog).findByText(new RegExp(`${invoice.number}, Month Works, Oct 2026`))).toBeDefined()
  expect(location()).toContain("/invoices/reconciliation/remittances")
}, 60_000)
