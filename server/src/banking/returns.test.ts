import { randomUUID } from "node:crypto"
import { partInputs } from "@milkwood/domain/banking/matching"
import type { LinePart } from "@milkwood/domain/banking/matching.contract"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import { createCompletedPayout, createPayout, createReleasedPayout, samplePayee } from "../payouts/payouts.samples.ts"
import { createUnallocatedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import { createBankAccount, createLineImporter, type LineImporter } from "./banking.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let manager: Client
let other: Client
let bring: LineImporter
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Returned Mills")
  app.clock.set("2026-11-02T06:00:00Z")
  manager = app.as(app.people.manager)
  other = app.as(app.people.manager2)
  const account = await createBankAccount(app.as(app.people.admin))
  bring = createLineImporter({ app, server: await app.serve() }, account)
  await createSentInvoice(manager, { policyId: scene.policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  await bring({ text: "EFT FIRST", amountCents: 10_00 })
  app.clock.set("2026-11-20T09:00:00Z")
})
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  await app.close()
})

const confirmMatch = (lineId: string, parts: LinePart[]) =>
  manager.banking.confirm({ lineId, parts: partInputs(parts), idempotencyKey: randomUUID() })
const undoMatches = (...lineIds: string[]) => manager.banking.undo({ lineIds, idempotencyKey: randomUUID() })
const readSuggestions = async (lineId: string) =>
  (await manager.banking.suggestions({ lineIds: [lineId] }))[0]!.candidates
const readOwed = async () => {
  const { invoices, creditCents } = await manager.receipts.openInvoices({ policyId: scene.policyId })
  return { open: invoices.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0), creditCents }
}
async function expectEquation(when: string): Promise<void> {
  const [main] = await manager.banking.accounts({})
  const { statementCents, receiptsToComeCents, paymentsToComeCents, notPostedCents, ledgerCents } = main!
  expect(statementCents! + receiptsToComeCents! - paymentsToComeCents! - notPostedCents!, when).toBe(ledgerCents)
}

test("a bank return reverses the receipt, and undo records it again", async () => {
  const before = await readOwed()
  const cents = before.open
  const [came] = await bring({ text: "EFT RETURNED MILLS OCT", amountCents: cents })
  const [placed] = await confirmMatch(came!.id, [{ as: "policy", id: scene.policyId, amountCents: cents }])
  const receipt = placed!.matches[0]!
  expect(await readOwed()).toEqual({ open: 0, creditCents: 0 })

  const [back, small] = await bring(
    { text: "UNPAID RETURNED MILLS OCT", amountCents: -cents },
    { text: "UNPAID", amountCents: -1 },
  )
  const part: LinePart = { as: "returned", id: receipt.id, amountCents: -cents }
  await expect(confirmMatch(small!.id, [{ ...part, amountCents: -1 }])).rejects.toMatchObject({
    code: "NOT_THIS_RECEIPT",
  })
  const [first] = await readSuggestions(back!.id)
  expect(first).toMatchObject({ kind: "returned", parts: [{ as: "returned", id: receipt.id, label: receipt.number }] })
  expect(await confirmMatch(back!.id, [part])).toMatchObject([
    { state: "returned", matches: [{ number: receipt.number }] },
  ])
  expect(await readOwed()).toEqual(before)
  await expectEquation("taken back")
  const reversed = await manager.receipts.detail({ receiptId: receipt.id })
  expect(reversed).toMatchObject({ status: "Reversed", reversedOn: back!.day })
  // The receipt's first line remains matched, because both lines are on the statement.
  const { rows } = await manager.banking.lines({ tab: "all", search: "EFT RETURNED MILLS" })
  expect(rows[0]).toMatchObject({ state: "receipt", matches: [{ number: receipt.number }] })
  await expect(undoMatches(came!.id)).rejects.toMatchObject({ code: "RETURNED" })

  await undoMatches(back!.id)
  expect(await readOwed()).toEqual({ open: 0, creditCents: 0 })
  await expectEquation("not taken back")
  const [again] = (await manager.banking.lines({ tab: "all", search: "EFT RETURNED MILLS" })).rows
  expect(again!.matches[0]!.number).not.toBe(receipt.number)
  await undoMatches(came!.id)
  expect(await readOwed()).toEqual(before)
  await expectEquation("nothing matched")

  // Undo of both lines must undo the return first.
  const [once] = await confirmMatch(came!.id, [{ as: "policy", id: scene.policyId, amountCents: cents }])
  await confirmMatch(back!.id, [{ ...part, id: once!.matches[0]!.id }])
  expect(await undoMatches(came!.id, back!.id)).toMatchObject([{ state: "open" }, { state: "open" }])
  expect(await readOwed()).toEqual(before)
  await expectEquation("both undone")
})

test("a bounced cheque leaves the bank account and is undeposited only once", async () => {
  const cheque = await createUnallocatedReceipt(manager, {
    ...{ policyId: scene.policyId, amountCents: 77_00, receivedOn: "2026-11-04", method: "cheque" },
  })
  const [came] = await bring({ text: "CHEQUE DEPOSIT", amountCents: 77_00 })
  const [back] = await bring({ text: "CHEQUE R/D", amountCents: -77_00 })
  const part: LinePart = { as: "returned", id: cheque.id, amountCents: -77_00 }
  await expect(confirmMatch(back!.id, [part])).rejects.toMatchObject({
    code: "NOT_THIS_RECEIPT",
    message: /First match the bank line/,
  })
  await confirmMatch(came!.id, [{ as: "receipt", id: cheque.id, amountCents: 77_00 }])
  await expectEquation("deposited")
  await confirmMatch(back!.id, [part])
  await expectEquation("bounced")
  expect(await verifyLedger(app.sql)).toEqual([])
  await undoMatches(back!.id)
  await expectEquation("not bounced")
  await undoMatches(came!.id)
  await expectEquation("not deposited")
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("a debit completes its payment, undo makes it pending again, and it may come back", async () => {
  app.clock.set("2026-11-03T09:00:00Z")
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  const payout = await createReleasedPayout(manager, other, claim.id)
  app.clock.set("2026-11-20T10:00:00Z")
  const cents = -payout.amountCents
  const [left, wrong] = await bring(
    { text: `EFT S DLAMINI ${payout.reference}`, amountCents: cents },
    { text: "EFT", amountCents: cents + 1 },
  )
  const part: LinePart = { as: "payout", id: payout.id, amountCents: cents }
  await expect(confirmMatch(wrong!.id, [{ ...part, amountCents: cents + 1 }])).rejects.toMatchObject({
    code: "NOT_THIS_PAYMENT",
  })
  const [first] = await readSuggestions(left!.id)
  expect(first).toMatchObject({ kind: "payout", parts: [{ as: "payout", id: payout.id, amountCents: cents }] })
  expect(await confirmMatch(left!.id, [part])).toMatchObject([{ state: "payout", matches: [{ kind: "payout" }] }])
  const status = async () => (await manager.payouts.detail({ payoutId: payout.id })).status
  expect(await manager.claims.detail({ claimId: claim.id })).toMatchObject({ status: "paid", paymentOn: left!.day })
  await expectEquation("paid")
  await undoMatches(left!.id)
  expect(await status()).toBe("processing")
  expect(await manager.claims.detail({ claimId: claim.id })).toMatchObject({ status: "approved" })
  await expectEquation("not paid")
  await confirmMatch(left!.id, [part])

  const [back] = await bring({ text: "RETURNED EFT S DLAMINI", amountCents: -cents })
  const [came] = await readSuggestions(back!.id)
  expect(came).toMatchObject({ kind: "cameBack", parts: [{ as: "cameBack", id: payout.id, amountCents: -cents }] })
  await confirmMatch(back!.id, came!.parts)
  expect(await status()).toBe("returned")
  await expectEquation("came back")
  await expect(undoMatches(left!.id)).rejects.toMatchObject({ code: "RETURNED" })
  await undoMatches(back!.id)
  expect(await status()).toBe("completed")
  await expectEquation("did not come back")
  await undoMatches(left!.id)
  expect(await status()).toBe("processing")
  await expectEquation("did not leave")
})

test("a payment completed by hand is linked and stays completed after undo", async () => {
  app.clock.set("2026-11-03T09:30:00Z")
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  const payout = await createCompletedPayout(manager, other, claim.id, "2026-11-03")
  app.clock.set("2026-11-20T11:00:00Z")
  await expectEquation("completed by hand")
  const [left] = await bring({ text: "EFT", amountCents: -payout.amountCents })
  const part: LinePart = { as: "payout", id: payout.id, amountCents: -payout.amountCents }
  await confirmMatch(left!.id, [part])
  await expectEquation("linked")
  await undoMatches(left!.id)
  expect((await manager.payouts.detail({ payoutId: payout.id })).status).toBe("completed")
  await expectEquation("not linked")
})

test("refuses to undo a payment's return once its claim has another payment", async () => {
  app.clock.set("2026-11-03T10:00:00Z")
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  const part = await manager.claims.pay({
    ...{
      idempotencyKey: randomUUID(),
      claimId: claim.id,
      reference: "",
      notes: "",
      ...samplePayee,
      amountCents: 100_00,
    },
  })
  const { id, version } = await manager.payouts.detail({ payoutId: part.id })
  await other.payouts.release({ payoutId: id, version, idempotencyKey: randomUUID() })
  app.clock.set("2026-11-20T12:00:00Z")
  const [left] = await bring({ text: "EFT", amountCents: -100_00 })
  await confirmMatch(left!.id, [{ as: "payout", id, amountCents: -100_00 }])
  const rest = await createPayout(manager, claim.id)
  const isPaidAnew = {
    code: "WRONG_STATUS",
    message: expect.stringContaining(`has a later payment than ${part.number}`),
  }
  await expect(undoMatches(left!.id)).rejects.toMatchObject(isPaidAnew)
  await expectEquation("not undone")

  // Other payments paid the claim after the return, so this payment cannot be completed again.
  const [back] = await bring({ text: "UNPAID EFT", amountCents: 100_00 })
  await confirmMatch(back!.id, [{ as: "cameBack", id, amountCents: 100_00 }])
  const step = { payoutId: rest.id, idempotencyKey: randomUUID() }
  const released = await other.payouts.release({ ...step, version: rest.version })
  await other.payouts.complete({ ...step, version: released.version, completedOn: "2026-11-20" })
  await createCompletedPayout(manager, other, claim.id, "2026-11-20")
  expect(await manager.claims.detail({ claimId: claim.id })).toMatchObject({ status: "paid" })
  await expect(undoMatches(back!.id)).rejects.toMatchObject(isPaidAnew)
  await expectEquation("paid by others")
  expect(await verifyLedger(app.sql)).toEqual([])
})
