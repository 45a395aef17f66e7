import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../../../server/src/receipts/receipts.samples.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterAll(() => app.close())

const findButton = (name: string | RegExp) => screen.findByRole("button", { name })
const receivedOn = "2026-11-02"

async function createUnpaidInvoice(groupName: string) {
  const policy = await app.policy({ groupName })
  const invoice = await createSentInvoice(app.manager, {
    policyId: policy.id,
    month: "2026-10-01",
    invoiceOn: "2026-10-01",
  })
  return { policy, invoice }
}

it("removes one allocation, and its toast undoes that", async () => {
  const { policy, invoice } = await createUnpaidInvoice("Taken Back")
  const receipt = await recordedReceipt(app.manager, { policyId: policy.id, amountCents: 402_50, receivedOn })
  const { user } = await openPage(app, app.people.manager, `/finance/receipting/${receipt.id}`)
  await user.click(await findButton(`Undo allocation: ${invoice.number}`))
  expect(await screen.findByText("Allocation undone")).toBeTruthy()
  const now = () => app.manager.receipts.detail({ receiptId: receipt.id })
  expect(await now()).toMatchObject({ status: "Pending", allocatedCents: 0 })
  await user.click(await findButton("Undo"))
  expect(await screen.findByText("Receipt allocated")).toBeTruthy()
  expect(await now()).toMatchObject({ status: "Allocated", allocatedCents: 402_50 })
})

it("allocates a receipt to the oldest invoice from the list, and edits an unallocated receipt", async () => {
  const { policy } = await createUnpaidInvoice("Oldest First")
  const receipt = await createUnallocatedReceipt(app.manager, { policyId: policy.id, amountCents: 100_00, receivedOn })
  const { user } = await openPage(app, app.people.manager, `/finance/receipting/${receipt.id}`)
  await user.click(await findButton("More"))
  await user.click(await screen.findByRole("menuitem", { name: "Edit receipt" }))
  const dialog = within(await screen.findByRole("dialog"))
  const amount = await dialog.findByRole("textbox", { name: "Amount" })
  await user.clear(amount)
  await user.type(amount, "90")
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(await screen.findByText("Receipt saved")).toBeTruthy()
  const now = () => app.manager.receipts.detail({ receiptId: receipt.id })
  expect(await now()).toMatchObject({ amountCents: 90_00 })
  await user.click(await findButton("More"))
  await user.click(await screen.findByRole("menuitem", { name: "Allocate oldest first" }))
  expect(await screen.findByText("Receipt allocated")).toBeTruthy()
  expect(await now()).toMatchObject({ status: "Allocated", allocatedCents: 90_00 })
})

it("records one payment for several policies and shows the linked receipts", async () => {
  const one = await createUnpaidInvoice("Deposit One")
  const two = await createUnpaidInvoice("Deposit Two")
  const { user } = await openPage(app, app.people.manager, "/finance/receipting?new=true")
  await user.click(await findButton("One payment for several policies"))
  await screen.findByRole("combobox", { name: "Policy 1" })
  await user.type(screen.getByRole("textbox", { name: "Amount" }), "500")
  for (const [index, { policy }] of [one, two].entries()) {
    await user.type(screen.getByRole("combobox", { name: `Policy ${index + 1}` }), policy.number)
    await user.click(await screen.findByRole("option", { name: new RegExp(policy.number) }))
  }
  await user.type(screen.getByRole("textbox", { name: "Amount of policy 1" }), "402,50")
  await user.type(screen.getByRole("textbox", { name: "Amount of policy 2" }), "90")
  await user.click(await findButton("Create Receipts"))
  expect((await screen.findAllByText(/of the deposit is not divided among policies yet/)).length).toBeGreaterThan(0)
  const second = screen.getByRole("textbox", { name: "Amount of policy 2" })
  await user.clear(second)
  await user.type(second, "97,50")
  await user.click(await findButton("Create Receipts"))
  expect(await screen.findByText(/^2 receipts have been created/)).toBeTruthy()
  expect(await screen.findByText(/One payment of/)).toBeTruthy()
  expect((await screen.findAllByText("Deposit Two")).length).toBeGreaterThan(0)
})

it("the receipt list shows All Status by default and a text for an unallocated receipt", async () => {
  const policy = await app.policy({ groupName: "All Credit" })
  const { user } = await openPage(app, app.people.manager, `/finance/receipting?new=true&policyId=${policy.id}`)
  expect(await findButton("All Status")).toBeTruthy()
  await user.type(await screen.findByRole("textbox", { name: "Amount" }), "10")
  await screen.findByText(/becomes unallocated credit/)
  await user.click(await findButton("Create Receipt"))
  expect(await screen.findByText("Receipt has been created and allocated to the policy successfully.")).toBeTruthy()
})
