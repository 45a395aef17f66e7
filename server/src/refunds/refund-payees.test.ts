import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { createRefund, stepRefund } from "./refunds.samples.ts"

let app: BillingApp
let secondManager: BillingApp["manager"]
let policyId: string
let groups = 0
beforeAll(async () => {
  app = await openBillingApp()
  secondManager = app.as(app.people.manager2)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set("2026-11-02T08:00:00Z")
  policyId = (await app.policy({ groupName: `Refund Rugs ${++groups}` })).id
})

const createCredit = (amountCents: number) =>
  createUnallocatedReceipt(app.manager, { policyId, amountCents, receivedOn: "2026-10-28" })

test("a refund to a changed account waits for confirmation by another user and the waiting hours", async () => {
  await createCredit(160_00)
  const first = await createRefund(app.manager, { policyId, amountCents: 80_00 })
  await stepRefund(secondManager, first.id, "release")
  const { id } = await createRefund(app.manager, { policyId, amountCents: 80_00, payeeAccountNumber: "62009999999" })
  const { payoutId } = await app.manager.refunds.detail({ refundId: id })
  const payment = () => app.manager.payouts.detail({ payoutId: payoutId! })
  const waits = { code: "PAYEE_WAITS" }
  await expect(stepRefund(secondManager, id, "release")).rejects.toMatchObject(waits)
  const confirm = async (by: typeof secondManager) =>
    by.payouts.confirmPayee({ payoutId: payoutId!, version: (await payment()).version })
  await expect(confirm(app.manager)).rejects.toMatchObject({ code: "FOUR_EYES" })
  await confirm(secondManager)
  await expect(stepRefund(secondManager, id, "release")).rejects.toMatchObject(waits)
  app.clock.set("2026-11-03T07:59:00Z")
  await expect(stepRefund(secondManager, id, "release")).rejects.toMatchObject(waits)
  app.clock.set("2026-11-03T08:00:00Z")
  expect(await stepRefund(secondManager, id, "release")).toMatchObject({ status: "processing" })
})

test("a failed refund is not released to its old account once another refund of the policy went to a new one", async () => {
  await createCredit(100_00)
  const other = { payeeName: "Sunrise Holdings", payeeAccountNumber: "62009999999" }
  const first = await createRefund(app.manager, { policyId, amountCents: 40_00 })
  await stepRefund(secondManager, first.id, "release")
  await stepRefund(app.manager, first.id, "fail")
  const second = await createRefund(app.manager, { policyId, amountCents: 50_00, ...other })
  const read = (payoutId: string) => app.manager.payouts.detail({ payoutId })
  const { version } = await read(second.payoutId!)
  await secondManager.payouts.confirmPayee({ payoutId: second.payoutId!, version })
  app.clock.set("2026-11-03T08:00:00Z")
  await stepRefund(secondManager, second.id, "release")
  await stepRefund(app.manager, first.id, "retry")
  const { payeeBank, payeeBranchCode, ...retried } = await read(first.payoutId!)
  await expect(stepRefund(secondManager, first.id, "release")).rejects.toMatchObject({
    code: "PAYEE_WAITS",
    message: expect.stringContaining(`the payee of ${retried.number} was entered`),
  })
  const payee = { method: "bank_transfer", payeeBank, payeeBranchCode, ...other } as const
  await app.manager.payouts.changePayee({ payoutId: first.payoutId!, version: retried.version, ...payee })
  expect(await stepRefund(secondManager, first.id, "release")).toMatchObject({ status: "processing" })
})

test("the later number counts as the last attempt among refunds released at the same moment", async () => {
  await createCredit(120_00)
  const other = { payeeName: "Sunrise Holdings", payeeAccountNumber: "62009999999" }
  const first = await createRefund(app.manager, { policyId, amountCents: 40_00 })
  const second = await createRefund(app.manager, { policyId, amountCents: 50_00, ...other })
  const { version } = await app.manager.payouts.detail({ payoutId: second.payoutId! })
  await secondManager.payouts.confirmPayee({ payoutId: second.payoutId!, version })
  app.clock.set("2026-11-03T08:00:00Z")
  for (const { id } of [first, second]) await stepRefund(secondManager, id, "release")
  const third = await createRefund(app.manager, { policyId, amountCents: 30_00, ...other })
  expect(await app.manager.payouts.detail({ payoutId: third.payoutId! })).toMatchObject({ formerPayee: null })
  expect(await stepRefund(secondManager, third.id, "release")).toMatchObject({ status: "processing" })
})
