import { randomUUID } from "node:crypto"
import { receiptStatus } from "@milkwood/domain/receipts/receipt"
import { sql } from "drizzle-orm"
import fc from "fast-check"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Client } from "../test/app.ts"
import {
  createReceiptForm,
  createReversedReceipt,
  createUnallocatedReceipt,
  recordedReceipt,
} from "./receipts.samples.ts"

let app: ClaimApp
let manager: Client
let groups = 0

beforeAll(async () => {
  app = await openClaimApp()
  manager = app.as(app.people.manager)
})
afterAll(() => app.close())

let policyId: string
beforeEach(async () => {
  policyId = (await insureGroup(app, `Receipt Works ${++groups}`)).policyId
})

const createInvoiceFor = (month: string) =>
  createSentInvoice(manager, { policyId, month: `${month}-01`, invoiceOn: `${month}-01` })
const receivedOn = "2026-11-02"

test("a receipt pays the oldest invoice and leaves credit; reversing undoes both", async () => {
  const september = await createInvoiceFor("2026-09")
  const october = await createInvoiceFor("2026-10")
  const amountCents = september.totalCents + 100_00
  const receipt = await recordedReceipt(manager, { policyId, amountCents, receivedOn })
  expect(receipt.number).toMatch(/^REC-2026-\d{6}$/)
  expect(receipt.status).toBe("Allocated")
  expect(receipt.allocations.map(({ invoiceNumber, amountCents: part }) => [invoiceNumber, part])).toEqual([
    [september.number, september.totalCents],
    [october.number, 100_00],
  ])
  await expect(manager.billing.detail({ invoiceId: september.id })).resolves.toMatchObject({ status: "paid" })

  const more = await recordedReceipt(manager, { policyId, amountCents: october.totalCents, receivedOn })
  expect(more.status).toBe("Pending")
  await expect(manager.receipts.openInvoices({ policyId })).resolves.toMatchObject({
    invoices: [],
    creditCents: 100_00,
  })
  expect(await verifyLedger(app.sql)).toEqual([])

  const reversed = await manager.receipts.reverse({
    receiptId: receipt.id,
    version: receipt.version,
    idempotencyKey: randomUUID(),
    reason: "Bounced",
  })
  expect(reversed).toMatchObject({ status: "Reversed", allowedActions: ["download"] })
  await expect(manager.billing.detail({ invoiceId: september.id })).resolves.toMatchObject({ status: "overdue" })
  await expect(manager.receipts.openInvoices({ policyId })).resolves.toMatchObject({
    creditCents: 100_00,
    invoices: [{ id: september.id }, { id: october.id }],
  })
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("credit can be allocated later", async () => {
  const credit = await createUnallocatedReceipt(manager, { policyId, amountCents: 5_000_00, receivedOn })
  const invoice = await createInvoiceFor("2026-10")
  const allocations = [{ invoiceId: invoice.id, amountCents: invoice.totalCents }]
  const asked = { receiptId: credit.id, version: credit.version, idempotencyKey: randomUUID(), allocations }
  const allocated = await manager.receipts.allocate(asked)
  expect(allocated.allocatedCents).toBe(invoice.totalCents)
  await expect(manager.receipts.allocate(asked)).resolves.toEqual(allocated)
  await expect(manager.receipts.allocate({ ...asked, idempotencyKey: randomUUID() })).rejects.toMatchObject({
    code: "STALE",
  })
  await expect(
    manager.receipts.allocate({ ...asked, version: allocated.version, idempotencyKey: randomUUID() }),
  ).rejects.toMatchObject({ code: "NOT_OPEN" })
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("a credit note releases the excess allocation, to the cent", async () => {
  const invoice = await createInvoiceFor("2026-10")
  await recordedReceipt(manager, { policyId, amountCents: invoice.totalCents, receivedOn })
  await manager.billing.credit({
    invoiceId: invoice.id,
    idempotencyKey: randomUUID(),
    amountCents: 115_01,
    reason: "A member had left",
  })
  await expect(manager.receipts.openInvoices({ policyId })).resolves.toEqual({ invoices: [], creditCents: 115_01 })
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("an allocation and its release take effect on the invoice date at the earliest", async () => {
  const { totalCents, id: invoiceId } = await createInvoiceFor("2027-01")
  const receipt = await recordedReceipt(manager, { policyId, amountCents: totalCents, receivedOn })
  await expect(manager.billing.detail({ invoiceId })).resolves.toMatchObject({ status: "paid", paidOn: receivedOn })
  const { number } = await manager.policies.detail({ policyId })
  const books = async (asOf: string) => {
    const balance = async (account: "premium_debtors" | "unallocated_receipts") =>
      (await manager.ledger.postings({ account, policyId, asOf })).balanceCents!
    const [row] = (await manager.reports.debtorsAgeing({ asOf, search: number })).rows
    return [
      [await balance("premium_debtors"), 0 - (await balance("unallocated_receipts"))],
      [row?.totalCents ?? 0, row?.creditCents ?? 0],
    ]
  }
  const both = (owed: number, credit: number) => [
    [owed, credit],
    [owed, credit],
  ]
  expect(await books("2026-12-31")).toEqual(both(0, totalCents))
  expect(await books("2027-01-01")).toEqual(both(0, 0))
  await manager.receipts.reverse({
    receiptId: receipt.id,
    version: receipt.version,
    idempotencyKey: randomUUID(),
    reason: "Bounced",
  })
  expect(await books("2026-12-31")).toEqual(both(0, 0))
  expect(await books("2027-01-01")).toEqual(both(totalCents, 0))
  expect(await verifyLedger(app.sql)).toEqual([])
})

describe("refusals", () => {
  test("allocating more than the receipt or the invoice, or another policy's invoice", async () => {
    const invoice = await createInvoiceFor("2026-10")
    const other = (await insureGroup(app, `Receipt Others ${++groups}`)).policyId
    const record = (form: { policyId: string; amountCents: number }, amountCents: number) =>
      manager.receipts.record({
        idempotencyKey: randomUUID(),
        ...createReceiptForm({ ...form, receivedOn }),
        allocations: [{ invoiceId: invoice.id, amountCents }],
      })
    await expect(record({ policyId, amountCents: 10 }, 11)).rejects.toMatchObject({
      code: "OVER_ALLOCATED",
      status: 422,
    })
    const much = invoice.totalCents + 1
    await expect(record({ policyId, amountCents: much }, much)).rejects.toMatchObject({ code: "OVER_ALLOCATED" })
    await expect(record({ policyId: other, amountCents: 10 }, 10)).rejects.toMatchObject({ code: "NOT_OPEN" })
    await expect(manager.receipts.list({ policyId })).resolves.toMatchObject({ total: 0 })
  })

  test("a duplicate number, a future date, a draft policy and an unknown policy", async () => {
    await recordedReceipt(manager, { policyId, amountCents: 1, receivedOn, number: `Bank-${groups}` })
    await expect(
      recordedReceipt(manager, { policyId, amountCents: 1, receivedOn, number: `bank-${groups}` }),
    ).rejects.toMatchObject({ code: "NUMBER_TAKEN" })
    await expect(
      recordedReceipt(manager, { policyId, amountCents: 1, receivedOn: "2026-11-03" }),
    ).rejects.toMatchObject({ data: { fields: [{ path: "receivedOn" }] } })
    await expect(
      recordedReceipt(manager, { policyId, amountCents: 1, receivedOn: "2025-12-31" }),
    ).rejects.toMatchObject({
      data: { fields: [{ path: "receivedOn", message: "The date must be between 2026-01-01 and 2027-12-31" }] },
    })
    const { id } = await recordedReceipt(manager, { policyId, amountCents: 1, receivedOn })
    const early = app.sql.run(sql`
      insert into receipts (id, group_id, policy_id, number, amount_cents, method, received_on, created_at)
      select gen_random_uuid(), group_id, policy_id, 'early', amount_cents, method, '1800-01-01', created_at
      from receipts where id = ${id}`)
    await expect(early).rejects.toMatchObject({ constraint: "receipts_date_is_plausible" })
    await expect(
      recordedReceipt(manager, { policyId: randomUUID(), amountCents: 1, receivedOn }),
    ).rejects.toMatchObject({ data: { fields: [{ path: "policyId" }] } })
    await expect(recordedReceipt(manager, { policyId, amountCents: 0, receivedOn })).rejects.toMatchObject({
      code: "INVALID",
    })
  })

  test("reversing twice", async () => {
    const { id, version } = await createReversedReceipt(manager, { policyId, amountCents: 100, receivedOn })
    await expect(
      manager.receipts.reverse({ receiptId: id, version, idempotencyKey: randomUUID(), reason: "again" }),
    ).rejects.toMatchObject({ code: "REVERSED" })
  })
})

test("a receipt without allocations is credit; with oldestFirst it pays the oldest due invoice", async () => {
  const invoice = await createInvoiceFor("2026-10")
  const of = createReceiptForm({ policyId, amountCents: invoice.totalCents, receivedOn })
  const record = (more: object) => manager.receipts.record({ idempotencyKey: randomUUID(), ...of, ...more })
  expect(await record({})).toMatchObject({ allocations: [], allocatedCents: 0 })
  expect((await manager.billing.detail({ invoiceId: invoice.id })).openCents).toBe(invoice.totalCents)
  const both = record({ oldestFirst: true, allocations: [] })
  await expect(both).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "oldestFirst" }] } })
  expect((await record({ oldestFirst: true })).allocations).toMatchObject([{ amountCents: invoice.totalCents }])
  expect((await manager.billing.detail({ invoiceId: invoice.id })).openCents).toBe(0)
})

test("fifty concurrent requests with one key create one receipt, also across processes", async () => {
  const asked = { idempotencyKey: randomUUID(), ...createReceiptForm({ policyId, amountCents: 777_77, receivedOn }) }
  const answers = await Promise.all(Array.from({ length: 50 }, () => manager.receipts.record(asked)))
  for (const answer of answers) expect(answer).toEqual(answers[0])
  await expect(app.another(app.people.manager).receipts.record(asked)).resolves.toEqual(answers[0])
  await expect(manager.receipts.record({ ...asked, amountCents: 1 })).rejects.toMatchObject({ code: "KEY_REUSED" })
  await expect(manager.receipts.list({ policyId })).resolves.toMatchObject({ total: 1, totalCents: 777_77 })
})

test("a typed number and a concurrent automatic number are never equal", async () => {
  const form = { policyId, amountCents: 100, receivedOn }
  for (let round = 0; round < 10; round++) {
    const last = (await recordedReceipt(manager, form)).number
    const next = last.replace(/\d+$/, (digits) => String(Number(digits) + 1).padStart(6, "0"))
    const [given, typed] = await Promise.allSettled([
      recordedReceipt(manager, form),
      recordedReceipt(manager, { ...form, number: next }),
    ])
    expect(given).toMatchObject({ status: "fulfilled" })
    if (typed.status === "rejected") expect(typed.reason).toMatchObject({ code: "NUMBER_TAKEN" })
  }
})

test("20 concurrent clients never over-allocate one invoice", async () => {
  const invoice = await createInvoiceFor("2026-10")
  const part = Math.ceil(invoice.totalCents / 7)
  await Promise.all(
    Array.from({ length: 20 }, () => recordedReceipt(manager, { policyId, amountCents: part, receivedOn })),
  )
  const { invoices, creditCents } = await manager.receipts.openInvoices({ policyId })
  expect(invoices).toEqual([])
  expect(creditCents).toBe(20 * part - invoice.totalCents)
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("the books balance after any sequence of receipts, allocations, credits and reversals", async () => {
  const action = fc.record({
    what: fc.constantFrom("receive", "keep", "allocate", "reverse", "credit", "invoice"),
    pick: fc.nat(20),
    cents: fc.integer({ min: 1, max: 200_000 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 14 }), async (actions) => {
      const scene = await insureGroup(app, `Receipt Random ${++groups}`)
      policyId = scene.policyId
      const months = ["2026-10", "2026-09", "2026-08", "2026-07", "2026-06"]
      const invoiceIds: string[] = []
      for (const { what, pick, cents } of actions) {
        const { rows } = await manager.receipts.list({ policyId })
        const receipt = rows[pick % Math.max(rows.length, 1)]
        const attempt = async (): Promise<unknown> => {
          if (what === "invoice")
            return months.length && createInvoiceFor(months.pop()!).then(({ id }) => invoiceIds.push(id))
          if (what === "receive") return recordedReceipt(manager, { policyId, amountCents: cents, receivedOn })
          if (what === "keep") return createUnallocatedReceipt(manager, { policyId, amountCents: cents, receivedOn })
          const invoiceId = invoiceIds[pick % Math.max(invoiceIds.length, 1)]
          if (what === "credit") {
            return (
              invoiceId &&
              manager.billing.credit({ invoiceId, idempotencyKey: randomUUID(), amountCents: cents, reason: "Random" })
            )
          }
          if (!receipt) return
          const { id: receiptId, version } = await manager.receipts.detail({ receiptId: receipt.id })
          const by = { receiptId, version, idempotencyKey: randomUUID() }
          if (what === "reverse") return manager.receipts.reverse({ ...by, reason: "Random" })
          return invoiceId && manager.receipts.allocate({ ...by, allocations: [{ invoiceId, amountCents: cents }] })
        }
        await attempt().catch((error: { status?: number }) => {
          if (error.status === undefined || error.status >= 500) throw error
        })
      }
      expect(await verifyLedger(app.sql)).toEqual([])
    }),
    { numRuns: 15, verbose: 1 },
  )
})

test("the database enforces immutable receipts and allocations within their amounts", async () => {
  const invoice = await createInvoiceFor("2026-10")
  const receipt = await recordedReceipt(manager, { policyId, amountCents: invoice.totalCents, receivedOn })
  const staff = app.app.database.direct("staff")
  await expect(staff.run(sql`update receipts set amount_cents = 1 where id = ${receipt.id}`)).rejects.toThrow(
    /cannot be corrected/,
  )
  await expect(
    staff.run(sql`update receipt_allocations set amount_cents = 1 where receipt_id = ${receipt.id}`),
  ).rejects.toThrow(/only released once/)
  await expect(staff.run(sql`delete from receipt_allocations`)).rejects.toThrow(/permission denied/)
  await expect(
    staff.run(sql`
      insert into receipt_allocations select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()))).*
      from receipt_allocations a where a.receipt_id = ${receipt.id}`),
  ).rejects.toThrow(/receipt_not_over_allocated/)
  const release = sql`
    update receipt_allocations set released_on = allocated_on, released_at = now(), release_reason = 'x'
    where receipt_id = ${receipt.id}`
  await expect(staff.run(release)).rejects.toThrow(/must equal its unreleased allocations/)
})

test("receipts are filtered by status, searched and sorted, with totals", async () => {
  const a = await createUnallocatedReceipt(manager, {
    policyId,
    amountCents: 300_00,
    receivedOn: "2026-10-30",
    reference: `ref-${groups}-a`,
  })
  const b = await createReversedReceipt(manager, {
    policyId,
    amountCents: 900_00,
    receivedOn,
    reference: `ref-${groups}-b`,
  })
  const all = await manager.receipts.list({ policyId, sort: "amountCents", dir: "asc" })
  expect(all.rows.map((row) => row.id)).toEqual([a.id, b.id])
  for (const { id, status } of all.rows) {
    const receipt = await manager.receipts.detail({ receiptId: id })
    expect(status).toBe(receiptStatus({ ...receipt, reversedAt: receipt.reversedOn }))
  }
  expect(all).toMatchObject({ total: 2, totalCents: 300_00, counts: { all: 2, Pending: 1, Reversed: 1, Allocated: 0 } })
  const found = await manager.receipts.list({ search: `REF-${groups}-B`, status: "Reversed" })
  expect(found.rows.map((row) => row.id)).toEqual([b.id])
})
