import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { createUnallocatedReceipt } from "../../../server/src/receipts/receipts.samples.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

test("resolving an excess as a refund opens the refund dialog for the policy's credit", async () => {
  const { id: policyId, groupId } = await app.policy({ groupName: "Too Much Works" })
  await createUnallocatedReceipt(app.manager, { policyId, amountCents: 120_00, receivedOn: "2026-10-20" })
  const { user, location } = await openPage(
    app,
    app.people.manager,
    `/invoices/reconciliation?opened=2026-10-01.${groupId}`,
  )
  const dialog = await screen.findByRole("dialog", { name: /Too Much Works/, hidden: true })
  await user.click(await within(dialog).findByRole("radio", { name: /Refund/ }))
  await user.type(within(dialog).getByRole("textbox", { name: /Note/ }), "Paid by the old list")
  await user.click(within(dialog).getByRole("button", { name: "Resolve" }))
  await waitFor(() => expect(location()).toContain("/finance/premium-refunds"), { timeout: 15_000 })
  const refund = await screen.findByRole("dialog", { name: "Process Refund", hidden: true })
  expect(await within(refund).findByText(/of credit\./)).toBeDefined()
  expect(location()).toContain(`policyId=${policyId}`)
}, 120_000)
