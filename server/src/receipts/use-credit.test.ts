import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createDraftInvoice, createPremiumRun, createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { findStatementFaults } from "../collection/statement.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { normalizeSpaces, readPdfPages } from "../test/pdf-text.ts"
import { createUnallocatedReceipt, recordedReceipt } from "./receipts.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
const policyIds: string[] = []
afterAll(async () => {
  expect(await verifyLedger(app.sql)).toEqual([])
  expect(await findStatementFaults(app, policyIds, ["2026-10-31", "2026-11-02", "2026-12-01"])).toEqual([])
  await app.close()
})

const total = 1_150_00
async function createCreditScene() {
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  policyIds.push(policyId)
  return policyId
}
const draft = (policyId: string, month = "2026-10-01") =>
  createDraftInvoice(app.manager, { policyId, month, invoiceOn: "2026-11-01" })
const createCredit = (policyId: string, amountCents: number, receivedOn = "2026-11-01") =>
  createUnallocatedReceipt(app.manager, { policyId, amountCents, receivedOn })
const sendInvoice = ({ id, version }: { id: string; version: number }, useCredit?: boolean) =>
  app.manager.billing.send({ invoiceId: id, version, idempotencyKey: randomUUID(), useCredit })
const readCredit = async (policyId: string) => (await app.manager.receipts.openInvoices({ policyId })).creditCents
async function readDebtorsBalance(policyId: string) {
  const { invoices } = await app.manager.receipts.openInvoices({ policyId })
  const open = invoices.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0)
  const { balanceCents } = await app.manager.ledger.postings({ account: "premium_debtors", policyId })
  expect(balanceCents).toBe(open)
  return open
}
async function setAutoCredit(autoCredit: boolean) {
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, autoCredit } })
}

test("the sender can pay an invoice from policy credit, oldest receipt first", async () => {
  const policyId = await createCreditScene()
  const newer = await createCredit(policyId, 500_00, "2026-10-20")
  const older = await createCredit(policyId, 700_00, "2026-10-05")
  const invoice = await draft(policyId)
  const asked = { invoiceIds: [invoice.id] }
  expect(await app.manager.receipts.creditOffer(asked)).toEqual({
    isAutomatic: false,
    totalCents: total,
    usedCents: total,
  })
  const sent = await sendInvoice(invoice, true)
  expect(sent).toMatchObject({ status: "paid", openCents: 0, allocatedCents: total })
  expect(sent.payments.map(({ receiptId, amountCents }) => [receiptId, amountCents])).toEqual([
    [older.id, 700_00],
    [newer.id, 450_00],
  ])
  expect(sent.mails[0]).toBeDefined()
  expect(await readCredit(policyId)).toBe(50_00)
  expect(await readDebtorsBalance(policyId)).toBe(0)
  expect(await app.manager.receipts.creditOffer(asked)).toMatchObject({ totalCents: 0, usedCents: 0 })

  const { version } = await app.manager.receipts.detail({ receiptId: older.id })
  await app.manager.receipts.reverse({ receiptId: older.id, version, idempotencyKey: randomUUID(), reason: "Bounced" })
  expect(await app.manager.billing.detail({ invoiceId: invoice.id })).toMatchObject({ openCents: 700_00 })
  expect(await readDebtorsBalance(policyId)).toBe(700_00)
})

test("the PDF and mail of an invoice state the credit used and the amount due", async () => {
  const policyId = await createCreditScene()
  await createCredit(policyId, 400_00)
  const sent = await sendInvoice(await draft(policyId), true)
  expect(sent).toMatchObject({ totalCents: total, allocatedCents: 400_00, openCents: 750_00 })
  const mail = await app.sql.row<{ text: string; fileId: string }>(sql`
    select text_body as text, attachments -> 0 ->> 'fileId' as "fileId" from mails where about_id = ${sent.id}`)
  const read = normalizeSpaces(mail!.text)
  expect(read).toContain("R 400,00 has been paid; R 750,00 is still due")
  const paper = normalizeSpaces((await readPdfPages(await app.app.files.bytes(app.sql, mail!.fileId))).join(" "))
  for (const said of ["Total amount R 1 150,00", "Paid from your credit -R 400,00", "Amount due R 750,00"])
    expect(paper).toContain(said)
})

test("credit is unused by choice or default, unless the setting uses it automatically", async () => {
  const policyId = await createCreditScene()
  await createCredit(policyId, 400_00)
  const said = await sendInvoice(await draft(policyId, "2026-08-01"))
  expect(said).toMatchObject({ openCents: total })
  await setAutoCredit(true)
  expect(await sendInvoice(await draft(policyId, "2026-09-01"), false)).toMatchObject({ openCents: total })
  const invoice = await draft(policyId)
  expect(await app.manager.receipts.creditOffer({ invoiceIds: [invoice.id] })).toEqual({
    isAutomatic: true,
    totalCents: total,
    usedCents: 400_00,
  })
  expect(await sendInvoice(invoice)).toMatchObject({ openCents: total - 400_00, allocatedCents: 400_00 })
  await setAutoCredit(false)
  expect(await readDebtorsBalance(policyId)).toBe(3 * total - 400_00)
})

test("a future-dated invoice is paid from its date on", async () => {
  const policyId = await createCreditScene()
  const { id } = await createCredit(policyId, 400_00)
  const ahead = await createDraftInvoice(app.manager, { policyId, month: "2026-12-01", invoiceOn: "2026-12-01" })
  await sendInvoice(ahead, true)
  const { allocations } = await app.manager.receipts.detail({ receiptId: id })
  expect(allocations).toMatchObject([{ amountCents: 400_00, allocatedOn: "2026-12-01" }])
  const on = (asOf: string) => app.manager.ledger.postings({ account: "unallocated_receipts", policyId, asOf })
  expect((await on("2026-11-30")).balanceCents).toBe(-400_00)
  expect((await on("2026-12-01")).balanceCents).toBe(0)
})

test("several invoices share their policy's credit, and never another policy's", async () => {
  const [one, two, three] = [await createCreditScene(), await createCreditScene(), await createCreditScene()]
  await createCredit(one, 1_500_00)
  await createCredit(two, 200_00)
  await createCredit(three, 9_000_00)
  const drafts = [await draft(one), await draft(one, "2026-09-01"), await draft(two)]
  const invoiceIds = drafts.map(({ id }) => id)
  const offer = await app.manager.receipts.creditOffer({ invoiceIds: [...invoiceIds, randomUUID()] })
  expect(offer).toMatchObject({ totalCents: 3 * total, usedCents: 1_700_00 })
  for (const invoice of drafts) await sendInvoice(invoice, true)
  expect([await readCredit(one), await readCredit(two), await readCredit(three)]).toEqual([0, 0, 9_000_00])
})

test("sending all invoices of a run uses credit as chosen, also in a later job", async () => {
  const policyId = await createCreditScene()
  await createCredit(policyId, 300_00)
  const { runs } = app.manager.billing
  const made = await createPremiumRun(app, "2026-11-01", [policyId], "pending")
  const runId = made.id
  expect(made.counts.unsent).toBe(1)
  expect(await app.manager.receipts.creditOffer({ runId })).toMatchObject({ usedCents: 300_00 })
  await runs.send({ runId, version: made.version, idempotencyKey: randomUUID(), useCredit: true })
  await app.runJobs()
  expect((await runs.detail({ runId })).counts.unsent).toBe(0)
  expect(await readCredit(policyId)).toBe(0)
  await readDebtorsBalance(policyId)
})

test("concurrent invoices never use the same credit, and a reversed receipt pays no invoice", async () => {
  for (let round = 0; round < 5; round++) {
    const policyId = await createCreditScene()
    const receipt = await createCredit(policyId, 1_300_00)
    const other = await createCredit(policyId, 100_00)
    const drafts = [await draft(policyId), await draft(policyId, "2026-09-01"), await draft(policyId, "2026-08-01")]
    const reversed = app.manager.receipts.reverse({
      receiptId: receipt.id,
      version: receipt.version,
      idempotencyKey: randomUUID(),
      reason: "Race",
    })
    const [race] = await Promise.allSettled([reversed, ...drafts.map((invoice) => sendInvoice(invoice, true))])
    // Either order is valid: only the final state is checked.
    if (race?.status === "rejected") expect(race.reason).toMatchObject({ code: "STALE" })
    const paid = race?.status === "fulfilled" ? 100_00 : 1_400_00
    expect(await readDebtorsBalance(policyId)).toBe(3 * total - paid)
    expect((await app.manager.receipts.detail({ receiptId: other.id })).allocatedCents).toBe(100_00)
  }
})

test("an invoice's mail states the credit used and the amount due", async () => {
  const policyId = await createCreditScene()
  await createCredit(policyId, 150_00)
  const sent = await sendInvoice(await draft(policyId), true)
  const { text } = await app.manager.billing.delivery.draft({ kind: "invoice", documentId: sent.id })
  expect(text).toMatch(/R.150,00 has been paid; R.1.000,00 is still due on /)
  await recordedReceipt(app.manager, { policyId, amountCents: 1_000_00, receivedOn: "2026-11-02" })
  const later = await app.manager.billing.delivery.draft({ kind: "invoice", documentId: sent.id })
  expect(later.text).toMatch(/nothing remains due\./)
})

test("an invoice without credit is sent as usual", async () => {
  const policyId = await createCreditScene()
  const invoice = await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-11-01" })
  expect(invoice).toMatchObject({ openCents: total, payments: [] })
})
