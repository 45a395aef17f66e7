import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createReversedReceipt, createUnallocatedReceipt, recordedReceipt } from "./receipts.samples.ts"

let app: BillingApp
let policyId: string
let invoice: { id: string; number: string; totalCents: number }
let groups = 0
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterAll(() => app.close())
beforeEach(async () => {
  policyId = (await app.policy({ groupName: `Correcting Cycles ${++groups}` })).id
  invoice = await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
})

const receivedOn = "2026-11-02"
const key = () => randomUUID()
const readReceiptState = async () => {
  const { invoices, creditCents } = await app.manager.receipts.openInvoices({ policyId })
  return { owed: invoices.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0), creditCents }
}
const readLedgerBalance = async (account: "premium_debtors" | "unallocated_receipts", of = policyId) =>
  (await app.manager.ledger.postings({ account, policyId: of, asOf: "2026-12-31" })).balanceCents

describe("an allocation", () => {
  test("can be undone and repeated without reversing the receipt, with its postings", async () => {
    const later = await createSentInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
    const amountCents = invoice.totalCents + later.totalCents
    const receipt = await recordedReceipt(app.manager, { policyId, amountCents, receivedOn })
    const [first, second] = receipt.allocations
    const taken = await app.manager.receipts.unallocate({
      receiptId: receipt.id,
      version: receipt.version,
      idempotencyKey: key(),
      allocationIds: [first!.id],
    })
    expect(taken).toMatchObject({ status: "Pending", allocatedCents: later.totalCents, reversedOn: null })
    expect(taken.allocations.find(({ id }) => id === first!.id)).toMatchObject({ releasedOn: receivedOn })
    expect(taken.allocations.find(({ id }) => id === second!.id)).toMatchObject({ releasedOn: null })
    expect(await readReceiptState()).toEqual({ owed: invoice.totalCents, creditCents: invoice.totalCents })
    expect(await readLedgerBalance("premium_debtors")).toBe(invoice.totalCents)
    expect(await readLedgerBalance("unallocated_receipts")).toBe(-invoice.totalCents)
    const again = await app.manager.receipts.allocate({
      receiptId: receipt.id,
      version: taken.version,
      idempotencyKey: key(),
      allocations: [{ invoiceId: invoice.id, amountCents: invoice.totalCents }],
    })
    expect(again).toMatchObject({ status: "Allocated", allocatedCents: amountCents })
    expect(await readLedgerBalance("premium_debtors")).toBe(0)
    expect(await verifyLedger(app.sql)).toEqual([])
    expect(again.timeline.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(/^undid allocations of R/),
    )
  })

  test("defaults to oldest first, and is refused when no amount is open or left", async () => {
    const receipt = await createUnallocatedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn })
    const asked = { receiptId: receipt.id, version: receipt.version, idempotencyKey: key() }
    const allocated = await app.manager.receipts.allocate(asked)
    expect(allocated.allocations).toMatchObject([{ invoiceId: invoice.id, amountCents: 100_00 }])
    await expect(
      app.manager.receipts.allocate({ ...asked, version: allocated.version, idempotencyKey: key() }),
    ).rejects.toMatchObject({ code: "NOTHING_TO_ALLOCATE" })
  })

  test("can be undone once, for its own receipt and current version", async () => {
    const receipt = await recordedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn })
    const other = await recordedReceipt(app.manager, { policyId, amountCents: 50_00, receivedOn })
    const take = (allocationIds: string[], version = receipt.version) =>
      app.manager.receipts.unallocate({ receiptId: receipt.id, version, idempotencyKey: key(), allocationIds })
    const ids = receipt.allocations.map(({ id }) => id)
    await expect(take([other.allocations[0]!.id])).rejects.toMatchObject({ code: "NOT_ALLOCATED" })
    await expect(take(ids, 99)).rejects.toMatchObject({ code: "STALE" })
    const { version } = await take(ids)
    await expect(take(ids, version)).rejects.toMatchObject({ code: "NOT_ALLOCATED" })
    const reversed = await createReversedReceipt(app.manager, { policyId, amountCents: 10, receivedOn })
    await expect(
      app.manager.receipts.unallocate({
        receiptId: reversed.id,
        version: reversed.version,
        idempotencyKey: key(),
        allocationIds: reversed.allocations.map(({ id }) => id),
      }),
    ).rejects.toMatchObject({ code: "REVERSED" })
  })

  test("can be undone by only one of ten concurrent callers", async () => {
    const receipt = await recordedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn })
    const input = {
      receiptId: receipt.id,
      version: receipt.version,
      allocationIds: receipt.allocations.map(({ id }) => id),
    }
    const done = await Promise.allSettled(
      Array.from({ length: 10 }, () => app.manager.receipts.unallocate({ ...input, idempotencyKey: key() })),
    )
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(await readReceiptState()).toEqual({ owed: invoice.totalCents, creditCents: 100_00 })
    expect(await verifyLedger(app.sql)).toEqual([])
  })
})

describe("a receipt", () => {
  const free = () =>
    createUnallocatedReceipt(app.manager, {
      policyId,
      amountCents: 100_00,
      receivedOn: "2026-10-20",
      reference: "FNB 4711",
    })
  const formOf = ({
    policyId,
    amountCents,
    method,
    receivedOn,
    reference,
    notes,
  }: Awaited<ReturnType<typeof free>>) => ({
    ...{ policyId, amountCents, method, receivedOn, reference, notes },
  })
  const update = (receipt: Awaited<ReturnType<typeof free>>, changes: Partial<ReturnType<typeof formOf>>) =>
    app.manager.receipts.update({
      receiptId: receipt.id,
      version: receipt.version,
      ...formOf(receipt),
      ...changes,
    })

  test("can be corrected until part of it is allocated; its ledger entry changes too", async () => {
    const receipt = await free()
    const other = (await app.policy({ groupName: `Correcting Others ${groups}` })).id
    const moved = await update(receipt, {
      policyId: other,
      amountCents: 90_00,
      receivedOn: "2026-10-22",
      notes: "A slip",
    })
    expect(moved).toMatchObject({ policyId: other, amountCents: 90_00, number: receipt.number, notes: "A slip" })
    expect(moved.timeline[0]!.changes.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["amountCents", "policy", "receivedOn", "notes"]),
    )
    expect(await readLedgerBalance("unallocated_receipts")).toBe(0)
    expect(await readLedgerBalance("unallocated_receipts", other)).toBe(-90_00)
    const bank = async (asOf: string) => (await app.manager.ledger.postings({ account: "bank", asOf })).balanceCents!
    expect((await bank("2026-10-22")) - (await bank("2026-10-21"))).toBe(90_00)
    expect((await bank("2026-10-20")) - (await bank("2026-10-19"))).toBe(0)
    const again = await update(moved, { amountCents: 80_00 })
    await app.manager.receipts.reverse({
      receiptId: again.id,
      version: again.version,
      idempotencyKey: key(),
      reason: "Bounced",
    })
    expect(await readLedgerBalance("unallocated_receipts", other)).toBe(0)
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("is not posted again if only its text changes", async () => {
    const receipt = await free()
    await update(receipt, { reference: "FNB 4712" })
    const entries = await app.sql.rows(sql`select from ledger_entries where record_id = ${receipt.id}`)
    expect(entries).toHaveLength(1)
  })

  test("cannot be corrected when allocated, stale, future-dated, or moved off a policy it paid", async () => {
    const receipt = await free()
    await expect(update(receipt, { receivedOn: "2026-11-03" })).rejects.toMatchObject({ code: "INVALID" })
    await expect(update({ ...receipt, version: 9 }, { notes: "x" })).rejects.toMatchObject({ code: "STALE" })
    const asked = { receiptId: receipt.id, idempotencyKey: key() }
    const allocated = await app.manager.receipts.allocate({ ...asked, version: receipt.version })
    await expect(update(allocated, { notes: "x" })).rejects.toMatchObject({ code: "ALLOCATED" })
    const freed = await app.manager.receipts.unallocate({
      receiptId: receipt.id,
      version: allocated.version,
      idempotencyKey: key(),
      allocationIds: allocated.allocations.map(({ id }) => id),
    })
    const other = (await app.policy({ groupName: `Correcting More ${groups}` })).id
    await expect(update(freed, { policyId: other })).rejects.toMatchObject({ code: "INVALID" })
    expect(await update(freed, { amountCents: 70_00 })).toMatchObject({ amountCents: 70_00 })
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("is undeposited or in the bank by its method, also after a correction", async () => {
    const receipt = await free()
    const inAccount = async (account: "bank" | "undeposited") =>
      (await app.manager.ledger.postings({ account, asOf: "2026-12-31" })).balanceCents!
    const [bank, undeposited] = [await inAccount("bank"), await inAccount("undeposited")]
    await update(receipt, { method: "cheque" })
    expect([(await inAccount("bank")) - bank, (await inAccount("undeposited")) - undeposited]).toEqual([
      -100_00, 100_00,
    ])
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("the database refuses changes to allocated receipts and loss of posted versions", async () => {
    const paid = await recordedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn })
    const set = (id: string, what: string) => app.sql.run(sql`update receipts set ${sql.raw(what)} where id = ${id}`)
    await expect(set(paid.id, "notes = 'other'")).rejects.toThrow(/cannot be corrected/)
    const receipt = await free()
    await expect(set(receipt.id, "number = 'REC-0'")).rejects.toThrow(/keeps its number/)
    await expect(set(receipt.id, "amount_cents = 1")).rejects.toThrow(/recorded in receipt_edits/)
    await expect(set(receipt.id, "refunded_cents = 1")).rejects.toThrow(/must equal its unreleased refund parts/)
  })
})

describe("one payment for several policies", () => {
  test("creates linked receipts, each paying the oldest invoices of its policy", async () => {
    const second = await app.policy({ groupName: `Deposit Dairy ${groups}` })
    const deposit = await app.manager.receipts.recordDeposit({
      idempotencyKey: key(),
      amountCents: invoice.totalCents + 75_00,
      method: "bank_transfer",
      receivedOn,
      reference: "BROKER 77",
      notes: "",
      parts: [
        { policyId, amountCents: invoice.totalCents },
        { policyId: second.id, amountCents: 75_00 },
      ],
    })
    expect(deposit).toMatchObject({
      number: expect.stringMatching(/^DEP-2026-\d{6}$/),
      receiptedCents: deposit.amountCents,
    })
    expect(deposit.receipts.map(({ policyId: of, status }) => [of, status]).sort()).toEqual(
      [
        [policyId, "Allocated"],
        [second.id, "Pending"],
      ].sort(),
    )
    const [one] = deposit.receipts
    expect(await app.manager.receipts.detail({ receiptId: one!.id })).toMatchObject({
      deposit: { id: deposit.id },
      depositNumber: deposit.number,
      reference: "BROKER 77",
    })
    const { rows } = await app.manager.receipts.list({ search: deposit.number.toLowerCase() })
    expect(rows).toHaveLength(2)
    expect(await verifyLedger(app.sql)).toEqual([])

    const own = deposit.receipts.find(({ policyId: of }) => of === second.id)!
    const detail = await app.manager.receipts.detail({ receiptId: own.id })
    const { amountCents, method, reference, notes } = detail
    const edit = {
      receiptId: own.id,
      version: detail.version,
      policyId: second.id,
      method,
      receivedOn,
      reference,
      notes,
    }
    await expect(app.manager.receipts.update({ ...edit, amountCents: amountCents - 1 })).rejects.toMatchObject({
      code: "INVALID",
    })
    await expect(
      app.sql.run(sql`insert into receipts (id, group_id, policy_id, number, amount_cents, method, received_on, created_at, deposit_id)
        select gen_random_uuid(), group_id, policy_id, 'REC-MORE', 1, method, received_on, created_at, deposit_id
        from receipts where id = ${own.id}`),
    ).rejects.toThrow(/must have its method/)

    const reversed = await app.manager.receipts.reverseDeposit({
      depositId: deposit.id,
      idempotencyKey: key(),
      reason: "Bounced",
    })
    expect(reversed).toMatchObject({ receiptedCents: 0, receipts: [{ status: "Reversed" }, { status: "Reversed" }] })
    await expect(
      app.manager.receipts.reverseDeposit({ depositId: deposit.id, idempotencyKey: key(), reason: "Again" }),
    ).rejects.toMatchObject({ code: "REVERSED" })
    expect(await readReceiptState()).toEqual({ owed: invoice.totalCents, creditCents: 0 })
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("stores no receipt when one part is wrong", async () => {
    const record = (parts: { policyId: string; amountCents: number }[]) =>
      app.manager.receipts.recordDeposit({
        idempotencyKey: key(),
        amountCents: 100,
        method: "cash",
        receivedOn,
        reference: "",
        notes: "",
        parts,
      })
    const unknown = { policyId: randomUUID(), amountCents: 40 }
    await expect(record([{ policyId, amountCents: 60 }, unknown])).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "parts.1.policyId" }] },
    })
    await expect(record([{ policyId, amountCents: 60 }])).rejects.toMatchObject({ code: "INVALID" })
    expect((await app.manager.receipts.list({ policyId })).total).toBe(0)
  })

  test("is recorded without a deadlock in any policy order, alongside others", async () => {
    const second = (await app.policy({ groupName: `Deposit Depot ${groups}` })).id
    const record = (parts: string[]) =>
      app.manager.receipts.recordDeposit({
        idempotencyKey: key(),
        amountCents: 200,
        method: "cash",
        receivedOn,
        reference: "",
        notes: "",
        parts: parts.map((id) => ({ policyId: id, amountCents: 100 })),
      })
    await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        if (at % 3 === 2) return recordedReceipt(app.manager, { policyId: second, amountCents: 100, receivedOn })
        return record(at % 3 === 0 ? [policyId, second] : [second, policyId])
      }),
    )
    expect((await app.manager.receipts.list({ policyId: second })).total).toBe(12)
    expect(await verifyLedger(app.sql)).toEqual([])
  })
})

test("a receipt is emailed as PDF with the chosen recipients and text", async () => {
  const receipt = await recordedReceipt(app.manager, { policyId, amountCents: 500_00, receivedOn })
  const draft = await app.manager.receipts.draftMail({ receiptId: receipt.id })
  expect(draft).toMatchObject({ subject: expect.stringContaining(receipt.number) })
  expect(draft.text).toMatch(/is kept as credit on the policy/)
  const mail = { ...draft, to: "accounts@correcting.example", text: "Thank you." }
  await app.manager.receipts.mail({ receiptId: receipt.id, idempotencyKey: key(), mail })
  await app.runJobs()
  const [sent] = (await app.manager.receipts.detail({ receiptId: receipt.id })).mails
  expect(sent).toMatchObject({ to: "accounts@correcting.example" })
  const kept = await app.sql.row<{ name: string; mime: string; size: number }>(sql`
    select f.name, f.mime, f.size from mails m
    join files f on f.id = ((m.attachments -> 0) ->> 'fileId')::uuid where m.id = ${sent!.id}`)
  expect(kept).toMatchObject({ name: `${receipt.number}.pdf`, mime: "application/pdf" })
  expect(kept!.size).toBeGreaterThan(1_000)
})
