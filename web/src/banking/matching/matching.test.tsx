import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest"
import {
  type BankDesk,
  createBankAccount,
  createLineImporter,
  type LineImporter,
} from "../../../../server/src/banking/banking.samples.ts"
import { createSentInvoice } from "../../../../server/src/billing/billing.samples.ts"
import { insureGroup, openClaimApp } from "../../../../server/src/claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../../../../server/src/claims/claims.samples.ts"
import { createBatch, stepInputOf } from "../../../../server/src/payouts/batches.samples.ts"
import { createPayout } from "../../../../server/src/payouts/payouts.samples.ts"
import { createActivePolicy } from "../../../../server/src/policies/policies.samples.ts"
import { openPage } from "../../test/page.tsx"

/** Browser features that jsdom lacks; the test controls the live events. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2
  static latest: FakeEventSource
  readyState = 1
  constructor() {
    super()
    FakeEventSource.latest = this
  }
  close() {}
}
const dispatchChange = (kind: string) =>
  FakeEventSource.latest.dispatchEvent(new MessageEvent("change", { data: JSON.stringify({ kind }) }))

let desk: BankDesk
let importLine: LineImporter
let batch: Awaited<ReturnType<typeof createBatch>>
let invoice: Awaited<ReturnType<typeof createSentInvoice>>
let other: Awaited<ReturnType<typeof createSentInvoice>>
beforeAll(async () => {
  const app = await openClaimApp({ now: "2026-11-02T06:00:00Z" })
  desk = { app, server: await app.serve() }
  const manager = app.as(app.people.manager)
  const account = await createBankAccount(app.as(app.people.admin))
  importLine = createLineImporter(desk, account)
  const { cast, sample } = await insureGroup(app, "Batch Bakery")
  const payments = []
  for (const requestedAmountCents of [1_200_00, 340_00]) {
    payments.push(
      await createPayout(manager, (await createApprovedClaim(cast, { ...sample, requestedAmountCents })).id),
    )
  }
  batch = await createBatch(
    manager,
    account.id,
    payments.map(({ id }) => id),
  )
  await app.as(app.people.manager2).payouts.batches.release(stepInputOf(batch))
  app.clock.set("2026-11-20T08:00:00Z")
  const soweto = await createActivePolicy(manager, { groupName: "Soweto Retail", premiumCents: 350_00 })
  const acacia = await createActivePolicy(manager, { groupName: "Acacia Foods", premiumCents: 411_00, members: 2 })
  invoice = await createSentInvoice(manager, { policyId: soweto.id, month: "2026-10-01", invoiceOn: "2026-10-01" })
  other = await createSentInvoice(manager, { policyId: acacia.id, month: "2026-10-01", invoiceOn: "2026-10-01" })
  await importLine(
    { text: "MONTHLY ACCOUNT FEE", amountCents: -75_00 },
    { text: `EFT SOWETO RETAIL ${invoice.number}`, amountCents: invoice.totalCents },
    // No pair of open invoices adds up to this amount, so there is no suggestion.
    { text: "EFT TWO OF THEM", amountCents: invoice.totalCents + other.totalCents - 1_00 },
    { text: "EFT NOBODY", amountCents: 10_00 },
  )
})
afterAll(() => desk.app.close())
afterEach(() => {
  vi.unstubAllGlobals()
})

const openMatchPage = () => openPage(desk.app, desk.app.people.manager, "/invoices/reconciliation/match")
const readProgress = () => desk.app.as(desk.app.people.manager).banking.progress({})
const expectChosenLine = async (text: RegExp) => {
  const list = await screen.findByRole("list", { name: "Lines to match" })
  await waitFor(() => expect(list.querySelector("[aria-current]")?.textContent).toMatch(text), { timeout: 20_000 })
}
const findSuggestions = () => screen.findByRole("list", { name: "Suggestions" })

test("the keyboard marks a line as not ours, undoes that, confirms, undoes and confirms again", async () => {
  const { user } = await openMatchPage()
  await expectChosenLine(/MONTHLY ACCOUNT FEE/)
  await user.keyboard("n")
  const dialog = await screen.findByRole("dialog", { hidden: true }, { timeout: 10_000 })
  await user.click(within(dialog).getByRole("button", { name: "Not a premium or claim payment" }))
  await expectChosenLine(/SOWETO RETAIL/)
  expect((await findSuggestions()).textContent).toContain(`${invoice.number} is in the line`)
  expect((await findSuggestions()).textContent).not.toMatch(/\+\d|points/)
  await user.keyboard("{Enter}")
  await expectChosenLine(/TWO OF THEM/)
  await waitFor(async () => expect(await readProgress()).toMatchObject({ lines: 4, placed: 2 }))
  expect(await screen.findByText("2 of 4 matched")).toBeDefined()

  await user.keyboard("{Control>}z{/Control}")
  await expectChosenLine(/SOWETO RETAIL/)
  await waitFor(async () => expect(await readProgress()).toMatchObject({ placed: 1 }))
  await findSuggestions()
  await user.keyboard("{ArrowDown}{ArrowUp}")
  await expectChosenLine(/SOWETO RETAIL/)
}, 60_000)

test("splits a line between search results and confirms when the remainder is zero", async () => {
  const { user } = await openMatchPage()
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
  await waitFor(async () => expect(await readProgress()).toMatchObject({ placed: 2 }))
  const manager = desk.app.as(desk.app.people.manager)
  const { rows } = await manager.banking.lines({ search: "TWO OF THEM", tab: "receipt" })
  expect(rows[0]!.matches.map(({ name }) => name).sort()).toEqual(["Acacia Foods", "Soweto Retail"])
}, 60_000)

test("a line that another user matched reappears with the reason", async () => {
  const { user } = await openMatchPage()
  await user.click(await screen.findByRole("button", { name: /NOBODY/ }))
  const manager = desk.app.as(desk.app.people.manager)
  const { rows } = await manager.banking.lines({ search: "NOBODY" })
  await manager.banking.notOurs({
    ...{ lineIds: [rows[0]!.id], idempotencyKey: crypto.randomUUID() },
    why: { reason: "unknown", note: "A colleague knows" },
  })
  await user.keyboard("n")
  const dialog = await screen.findByRole("dialog", { hidden: true }, { timeout: 10_000 })
  await user.click(within(dialog).getByRole("button", { name: "Not a premium or claim payment" }))
  expect((await screen.findAllByText(/Someone else matched this line in the meantime/)).length).toBeGreaterThan(0)
}, 60_000)

test("the first Enter after another user matched the line does not confirm the next line", async () => {
  vi.stubGlobal("EventSource", FakeEventSource)
  const [first, second] = await importLine(
    { text: "MONTHLY ACCOUNT FEE NOVEMBER", amountCents: -76_00 },
    { text: "MONTHLY ACCOUNT FEE AGAIN", amountCents: -77_00 },
  )
  const { user } = await openMatchPage()
  await user.click(await screen.findByRole("button", { name: /FEE NOVEMBER/ }))
  expect((await findSuggestions()).textContent).toContain("FEE is in the line")
  const asked = { lineIds: [first!.id], idempotencyKey: crypto.randomUUID(), why: { reason: "charge" as const } }
  await desk.app.as(desk.app.people.manager2).banking.notOurs(asked)
  dispatchChange("bank_statement")
  expect(await screen.findByText(/Someone else matched “MONTHLY ACCOUNT FEE NOVEMBER” in the meantime/)).toBeDefined()
  await expectChosenLine(/FEE AGAIN/)
  await findSuggestions()
  await user.keyboard("{Enter}")
  await waitFor(() => expect(screen.queryByText(/Someone else matched/)).toBeNull())
  const stateOf = async (id: string) =>
    (await desk.app.as(desk.app.people.manager).banking.lines({ tab: "all", pageSize: 100 })).rows.find(
      (row) => row.id === id,
    )!.state
  expect(await stateOf(second!.id)).toBe("open")
  await user.keyboard("{Enter}")
  await waitFor(async () => expect(await stateOf(second!.id)).toBe("charge"))
  expect(screen.queryByText(/Someone else matched/)).toBeNull()
}, 60_000)

test("offers a debit as a payment batch and completes its payments on confirmation", async () => {
  await importLine({ text: "ELECTRONIC BATCH", amountCents: -batch.amountCents })
  const { user } = await openMatchPage()
  await user.click(await screen.findByRole("button", { name: /ELECTRONIC BATCH/ }))
  const offered = await findSuggestions()
  await waitFor(() => expect(offered.textContent).toContain(`2 payments ${batch.number}`))
  expect(offered.textContent).toContain("Payment batch")
  expect(offered.textContent).toContain("Its payments add up to this amount")
  await user.keyboard("{Enter}")
  const manager = desk.app.as(desk.app.people.manager)
  await waitFor(async () =>
    expect(await manager.payouts.batches.detail({ batchId: batch.id })).toMatchObject({ underway: 0, completed: 2 }),
  )
}, 60_000)

test("offers a line as a deposit of several policies; the keyboard confirms and undoes it", async () => {
  const manager = desk.app.as(desk.app.people.manager)
  const cents = [123_00, 77_00]
  const deposit = await manager.receipts.recordDeposit({
    ...{ idempotencyKey: crypto.randomUUID(), amountCents: 200_00, method: "cash", receivedOn: "2026-11-05" },
    ...{ reference: "", notes: "" },
    parts: [invoice, other].map(({ policyId }, at) => ({ policyId, amountCents: cents[at]!, allocations: [] })),
  })
  const [line] = await importLine({ text: "CASH OVER THE COUNTER", amountCents: 200_00 })
  const { user } = await openMatchPage()
  await user.click(await screen.findByRole("button", { name: /CASH OVER THE COUNTER/ }))
  const offered = await findSuggestions()
  await waitFor(() => expect(offered.textContent).toContain(`Acacia Foods and Soweto Retail ${deposit.number}`))
  const stateOf = async () =>
    (await manager.banking.lines({ statementId: line!.statementId, tab: "all" })).rows[0]!.state
  await user.keyboard("{Enter}")
  await waitFor(async () => expect(await stateOf()).toBe("receipt"))
  await user.keyboard("{Control>}z{/Control}")
  await waitFor(async () => expect(await stateOf()).toBe("open"))
}, 60_000)

test("offers a returned deposit as a whole and confirms it by keyboard", async () => {
  const manager = desk.app.as(desk.app.people.manager)
  const deposit = await manager.receipts.recordDeposit({
    ...{ idempotencyKey: crypto.randomUUID(), amountCents: 300_00, method: "bank_transfer", receivedOn: "2026-11-05" },
    ...{ reference: "", notes: "" },
    parts: [invoice, other].map(({ policyId }) => ({ policyId, amountCents: 150_00, allocations: [] })),
  })
  const [came] = await importLine({ text: "EFT FOR BOTH", amountCents: 300_00 })
  const parts = [{ as: "deposit" as const, id: deposit.id, amountCents: 300_00 }]
  await manager.banking.confirm({ lineId: came!.id, idempotencyKey: crypto.randomUUID(), parts })
  await importLine({ text: "UNPAID DEBIT ORDER", amountCents: -300_00 })
  const { user } = await openMatchPage()
  await user.click(await screen.findByRole("button", { name: /UNPAID DEBIT ORDER/ }))
  const offered = await findSuggestions()
  await waitFor(() => expect(offered.textContent).toContain(`Acacia Foods and Soweto Retail ${deposit.number}`))
  expect(offered.textContent).toContain("Returned deposit")
  await user.keyboard("{Enter}")
  await waitFor(async () => {
    for (const { id } of deposit.receipts)
      expect(await manager.receipts.detail({ receiptId: id })).toMatchObject({ status: "Reversed" })
  })
}, 60_000)

test("undo takes back the last match although the mark before it was answered later", async () => {
  const [fee, eft] = await importLine(
    { text: "CARD FEE", amountCents: -12_00 },
    { text: `EFT ACACIA FOODS ${other.number}`, amountCents: other.totalCents },
  )
  const { lines, placed } = await readProgress()
  let isHeld = false
  const { user } = await openPage(
    desk.app,
    desk.app.people.manager,
    `/invoices/reconciliation/match?lineId=${fee!.id}`,
    (procedure) => (isHeld && procedure === "banking.progress" ? new Promise(() => {}) : undefined),
  )
  await expectChosenLine(/CARD FEE/)
  await user.keyboard("n")
  const dialog = await screen.findByRole("dialog", { hidden: true }, { timeout: 10_000 })
  isHeld = true
  await user.click(within(dialog).getByRole("button", { name: "Not a premium or claim payment" }))
  await expectChosenLine(/ACACIA FOODS/)
  expect((await findSuggestions()).textContent).toContain(`${other.number} is in the line`)
  isHeld = false
  await user.keyboard("{Enter}")
  const manager = desk.app.as(desk.app.people.manager)
  const stateOf = async (statementId: string, id: string) =>
    (await manager.banking.lines({ statementId, tab: "all" })).rows.find((row) => row.id === id)!.state
  await waitFor(async () => expect(await stateOf(eft!.statementId, eft!.id)).toBe("receipt"))
  expect(await screen.findByText(`${placed + 2} of ${lines} matched`)).toBeDefined()
  await user.keyboard("{Control>}z{/Control}")
  await waitFor(async () => expect(await stateOf(eft!.statementId, eft!.id)).toBe("open"))
  expect(await stateOf(fee!.statementId, fee!.id)).toBe("charge")
}, 60_000)
