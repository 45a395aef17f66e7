import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type BankDesk, bankAccount, bringLines } from "../../../../server/src/banking/banking.samples.ts"
import { sentInvoice } from "../../../../server/src/billing/billing.samples.ts"
import { activePolicy } from "../../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp } from "../../test/page.tsx"

let desk: BankDesk
let invoice: Awaited<ReturnType<typeof sentInvoice>>
let other: Awaited<ReturnType<typeof sentInvoice>>
beforeAll(async () => {
  const app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
  desk = { app, server: await app.serve() }
  const manager = app.as(app.people.manager)
  const bring = bringLines(desk, await bankAccount(app.as(app.people.admin)))
  const soweto = await activePolicy(manager, { groupName: "Soweto Retail", premiumCents: 350_00 })
  const acacia = await activePolicy(manager, { groupName: "Acacia Foods", premiumCents: 411_00, members: 2 })
  invoice = await sentInvoice(manager, { policyId: soweto.id, month: "2026-10-01", invoiceOn: "2026-10-01" })
  other = await sentInvoice(manager, { policyId: acacia.id, month: "2026-10-01", invoiceOn: "2026-10-01" })
  await bring(
    { text: "MONTHLY ACCOUNT FEE", amountCents: -75_00 },
    { text: `EFT SOWETO RETAIL ${invoice.number}`, amountCents: invoice.totalCents },
    { text: "EFT TWO OF THEM", amountCents: invoice.totalCents + other.totalCents },
    { text: "EFT NOBODY", amountCents: 10_00 },
  )
})
afterAll(() => desk.app.close())

const open = () => openPage(desk.app, desk.app.people.manager, "/invoices/reconciliation/match")
const progress = () => desk.app.as(desk.app.people.manager).banking.progress({})
const chosen = async (text: RegExp) => {
  const list = await screen.findByRole("list", { name: "Lines to match" })
  await waitFor(() => expect(list.querySelector("[aria-current]")?.textContent).toMatch(text), { timeout: 20_000 })
}
const suggestions = () => screen.findByRole("list", { name: "Suggestions" })

test("by keyboard alone: not ours, confirmed, taken back and confirmed again", async () => {
  const { user } = await open()
  await chosen(/MONTHLY ACCOUNT FEE/)
  await user.keyboard("n")
  const dialog = await screen.findByRole("dialog", { hidden: true }, { timeout: 10_000 })
  await user.click(within(dialog).getByRole("button", { name: "Not ours" }))
  await chosen(/SOWETO RETAIL/)
  expect((await suggestions()).textContent).toContain(`${invoice.number} stands in the line`)
  await user.keyboard("{Enter}")
  await chosen(/TWO OF THEM/)
  await waitFor(async () => expect(await progress()).toMatchObject({ lines: 4, placed: 2 }))
  expect(await screen.findByText("2 of 4 matched")).toBeDefined()

  await user.keyboard("{Control>}z{/Control}")
  await chosen(/SOWETO RETAIL/)
  await waitFor(async () => expect(await progress()).toMatchObject({ placed: 1 }))
  await suggestions()
  await user.keyboard("{ArrowDown}{ArrowUp}")
  await chosen(/SOWETO RETAIL/)
}, 60_000)

test("a line is split between what is searched for, and confirmed when nothing is left", async () => {
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: /TWO OF THEM/ }))
  await user.keyboard("s")
  const split = await screen.findByRole("region", { name: "Split" })
  for (const name of ["Soweto", "Acacia"]) {
    await user.keyboard("/")
    const field = screen.getByRole("textbox", { name: "Search policies, receipts and payments" })
    await user.type(field, name)
    await waitFor(() => expect(screen.getByRole("list", { name: "Suggestions" }).textContent).toContain(name))
    await user.keyboard("{Enter}")
    expect(screen.getByRole("button", { name: "Confirm split" }).hasAttribute("disabled")).toBe(true)
    await user.keyboard("{Enter}")
    expect(await within(split).findByText(new RegExp(name))).toBeDefined()
  }
  expect(screen.getByText(/Left to split/).textContent).toMatch(/R\s0,00/)
  await user.click(screen.getByRole("button", { name: "Confirm split" }))
  await waitFor(async () => expect(await progress()).toMatchObject({ placed: 2 }))
  const manager = desk.app.as(desk.app.people.manager)
  const { rows } = await manager.banking.lines({ search: "TWO OF THEM", tab: "receipt" })
  expect(rows[0]!.matches.map(({ name }) => name).sort()).toEqual(["Acacia Foods", "Soweto Retail"])
}, 60_000)

test("a line that somebody else has matched meanwhile comes back with the reason", async () => {
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: /NOBODY/ }))
  const manager = desk.app.as(desk.app.people.manager)
  const { rows } = await manager.banking.lines({ search: "NOBODY" })
  await manager.banking.notOurs({
    ...{ lineIds: [rows[0]!.id], idempotencyKey: crypto.randomUUID() },
    why: { reason: "unknown", note: "A colleague knows" },
  })
  await user.keyboard("n")
  const dialog = await screen.findByRole("dialog", { hidden: true }, { timeout: 10_000 })
  await user.click(within(dialog).getByRole("button", { name: "Not ours" }))
  expect((await screen.findAllByText(/Somebody else has matched this line meanwhile/)).length).toBeGreaterThan(0)
}, 60_000)
