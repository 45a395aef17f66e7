import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { createUnallocatedReceipt } from "../../../server/src/receipts/receipts.samples.ts"
import { createRefund, stepRefund } from "../../../server/src/refunds/refunds.samples.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
let policy: { id: string; number: string }
let groups = 0
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterAll(() => app.close())
beforeEach(async () => {
  policy = await app.policy({ groupName: `Refund Room ${++groups}` })
  await createUnallocatedReceipt(app.manager, { policyId: policy.id, amountCents: 500_00, receivedOn: "2026-10-28" })
})

const getDialog = () => within(screen.getByRole("dialog"))
const findButton = (name: string) => screen.findByRole("button", { name })

it("makes a refund to the premium payer, which another user must release", async () => {
  const { user } = await openPage(app, app.people.manager, `/finance/premium-refunds?new=true&policyId=${policy.id}`)
  await screen.findByRole("dialog")
  expect(await getDialog().findByText(/of credit\./)).toBeTruthy()
  await waitFor(() =>
    expect(getDialog().getByRole<HTMLInputElement>("textbox", { name: "Payee" }).value).toMatch(/^Refund Room/),
  )
  for (const name of ["Policy", "Member", "Refund Method", "Refund Reason"]) getDialog().getByRole("combobox", { name })
  for (const name of ["Period From", "Period To", "Notes"]) getDialog().getByRole("textbox", { name })
  await user.type(getDialog().getByRole("textbox", { name: "Refund Amount" }), "120")
  await user.click(getDialog().getByRole("button", { name: "Process Refund" }))
  expect(await getDialog().findByText("Enter a branch code of 6 digits")).toBeTruthy()
  await user.type(getDialog().getByRole("combobox", { name: "Bank" }), "FNB")
  await user.type(getDialog().getByRole("textbox", { name: "Branch code" }), "250655")
  await user.type(getDialog().getByRole("textbox", { name: "Account number" }), "62001234567")
  await user.click(getDialog().getByRole("button", { name: "Process Refund" }))
  expect(await screen.findByText("It is waiting for release.")).toBeTruthy()
  expect(await screen.findByText("You prepared this payment. Someone else must release it.")).toBeTruthy()
  expect(screen.queryByRole("button", { name: "Release payment" })).toBeNull()
  expect(screen.getByText("Reserved for this refund")).toBeTruthy()
})

it("holds credit with the method Credit Note and shows the specified text", async () => {
  const { user } = await openPage(app, app.people.manager, `/finance/premium-refunds?new=true&policyId=${policy.id}`)
  await screen.findByRole("dialog")
  const offered = async (name: string) => {
    await user.click(getDialog().getByRole("combobox", { name }))
    const options = within(await screen.findByRole("listbox", { name })).getAllByRole("option")
    return options.map(({ textContent }) => textContent)
  }
  expect(await offered("Refund Reason")).toEqual([
    ...["Policy Cancellation", "Overpayment", "Pro-rata Refund", "Duplicate Payment", "Other"],
  ])
  await user.click(await screen.findByRole("option", { name: "Duplicate Payment" }))
  expect(await offered("Refund Method")).toEqual(["Bank Transfer", "EFT", "Cheque", "Credit Note"])
  await user.click(await screen.findByRole("option", { name: "Credit Note" }))
  expect(getDialog().queryByRole("textbox", { name: "Payee" })).toBeNull()
  await user.type(getDialog().getByRole("textbox", { name: "Refund Amount" }), "100")
  await user.click(getDialog().getByRole("button", { name: "Process Refund" }))
  expect(await screen.findByText("Refund Processed")).toBeTruthy()
  expect(screen.getByText("Premium refund has been processed successfully")).toBeTruthy()
  expect(await screen.findByText("Reserved as credit for the policy's next invoices.")).toBeTruthy()
})

it("lists refunds with cards and filter, and moves a row to its next step", async () => {
  const refund = await createRefund(app.manager, {
    policyId: policy.id,
    amountCents: 70_00,
    periodFromOn: "2026-09-01",
    periodToOn: "2026-09-30",
  })
  const { user } = await openPage(app, app.people.manager2, `/finance/premium-refunds?search=${policy.number}`)
  expect(await screen.findByText(refund.number)).toBeTruthy()
  expect(screen.getByText("Pending Refunds")).toBeTruthy()
  expect(screen.getByText(/^\d+ refunds pending$/)).toBeTruthy()
  expect(screen.getByText("All time refunds")).toBeTruthy()
  for (const name of ["Policy Number", "Member", "Amount", "Period", "Reason", "Method", "Date", "Status"])
    expect(screen.getByRole("columnheader", { name: new RegExp(name) })).toBeTruthy()
  const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent)
  const cells = within(screen.getByRole("row", { name: new RegExp(refund.number) })).getAllByRole("cell")
  const shown = (column: string) => cells[heads.indexOf(column)]?.textContent
  expect(shown("Period")).toBe("2026-09-01 to 2026-09-30")
  expect(shown("Date")).toBe("Pending")
  await user.click(await findButton(`Actions for ${refund.number}`))
  expect((await screen.findAllByRole("menuitem", { hidden: true })).map((item) => item.textContent)).toEqual([
    "View",
    "Process",
  ])
  await user.click(screen.getByRole("menuitem", { name: "Process", hidden: true }))
  await screen.findByRole("dialog")
  await user.click(getDialog().getByRole("button", { name: "Release payment" }))
  expect(await screen.findByText("Payment released")).toBeTruthy()
  expect(await app.manager.refunds.detail({ refundId: refund.id })).toMatchObject({ status: "processing" })
  await user.click(await findButton("All Status"))
  await user.click(await screen.findByRole("button", { name: "Cancelled" }))
  expect(await screen.findByText("No refunds found matching your criteria.")).toBeTruthy()
})

it("offers Process for unpaid refunds and View for every refund", async () => {
  const other = app.as(app.people.manager2)
  const states = [[], ["release"], ["release", "complete"], ["release", "fail"], ["cancel"]] as const
  for (const steps of states) {
    const { id } = await createRefund(app.manager, { policyId: policy.id, amountCents: 10_00 })
    for (const step of steps) await stepRefund(other, id, step)
  }
  const { rows } = await app.manager.refunds.list({ policyId: policy.id })
  expect(rows.map(({ status }) => status)).toEqual(["cancelled", "failed", "completed", "processing", "pending"])
  const { user } = await openPage(app, app.people.manager, `/finance/premium-refunds?search=${policy.number}`)
  for (const { number, status } of rows) {
    await user.click(await findButton(`Actions for ${number}`))
    const offered = (await screen.findAllByRole("menuitem", { hidden: true })).map((item) => item.textContent)
    expect(offered, status).toEqual(status === "pending" || status === "processing" ? ["View", "Process"] : ["View"])
    await user.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByRole("menuitem", { hidden: true })).toBeNull())
  }
})

it("reports a refund as processed after its payment completed, and shows it on the receipt", async () => {
  const refund = await createRefund(app.manager, { policyId: policy.id, amountCents: 70_00 })
  await stepRefund(app.as(app.people.manager2), refund.id, "release")
  const { user } = await openPage(app, app.people.manager, `/finance/premium-refunds/${refund.id}`)
  await user.click(await findButton("Complete payment"))
  await screen.findByRole("dialog")
  await user.click(getDialog().getByRole("button", { name: "Complete payment" }))
  expect(await screen.findByText("Premium refund has been processed successfully")).toBeTruthy()
  expect(await app.manager.refunds.detail({ refundId: refund.id })).toMatchObject({ status: "completed" })
})

it("shows an underwriter the refunds without actions", async () => {
  const refund = await createRefund(app.manager, { policyId: policy.id, amountCents: 70_00 })
  await openPage(app, app.people.underwriter, `/finance/premium-refunds/${refund.id}`)
  expect((await screen.findAllByText(refund.number)).length).toBeGreaterThan(0)
  for (const name of ["Release payment", "More"]) expect(screen.queryByRole("button", { name })).toBeNull()
})
