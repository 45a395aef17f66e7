import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createDraftInvoice, createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { createRefund, type createRefundForm, stepRefund } from "./refunds.samples.ts"

let app: BillingApp
let secondManager: BillingApp["manager"]
let policyId: string
let groups = 0
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
  secondManager = app.as(app.people.manager2)
})
afterAll(() => app.close())
beforeEach(async () => {
  policyId = (await app.policy({ groupName: `Refund Rugs ${++groups}` })).id
})

const key = () => randomUUID()
const receivedOn = "2026-10-28"
const createCredit = (amountCents: number) =>
  createUnallocatedReceipt(app.manager, { policyId, amountCents, receivedOn })
const readCredit = async () => (await app.manager.receipts.openInvoices({ policyId })).creditCents
const readLedgerBalance = async (account: "unallocated_receipts" | "refunds_payable" | "bank" | "premium_income") =>
  (
    await app.sql.row<{ cents: number }>(sql`
      select coalesce(sum(amount_cents), 0)::bigint as cents from ledger_postings
      where account = ${account} and policy_id = ${policyId}`)
  )?.cents

describe("a refund that is paid out", () => {
  test("a refund holds the credit from creation, and another user releases it", async () => {
    const first = await createCredit(100_00)
    await createCredit(50_00)
    const refund = await createRefund(app.manager, { policyId, amountCents: 120_00 })
    expect(refund).toMatchObject({
      number: expect.stringMatching(/^REF-2026-\d{6}$/),
      status: "pending",
      refundedOn: null,
    })
    expect(refund.parts.map(({ amountCents }) => amountCents)).toEqual([100_00, 20_00])
    expect(await readCredit()).toBe(30_00)
    expect(await readLedgerBalance("unallocated_receipts")).toBe(-150_00)
    expect(await app.manager.receipts.detail({ receiptId: first.id })).toMatchObject({
      status: "Allocated",
      refundedCents: 100_00,
      refunds: [{ refundNumber: refund.number, amountCents: 100_00 }],
    })
    await expect(stepRefund(app.manager, refund.id, "release")).rejects.toMatchObject({ code: "FOUR_EYES" })
    expect(await stepRefund(secondManager, refund.id, "release")).toMatchObject({ status: "processing" })
    expect([await readLedgerBalance("unallocated_receipts"), await readLedgerBalance("refunds_payable")]).toEqual([
      -30_00, -120_00,
    ])
    expect(await stepRefund(app.manager, refund.id, "complete")).toMatchObject({
      status: "completed",
      refundedOn: "2026-11-02",
    })
    expect(await readLedgerBalance("refunds_payable")).toBe(0)
    expect(await verifyLedger(app.sql)).toEqual([])
    await expect(
      app.manager.receipts.reverse({ receiptId: first.id, version: 9, idempotencyKey: key(), reason: "Bounced" }),
    ).rejects.toMatchObject({ code: "REFUNDED" })
    const { lines } = await app.manager.collection.statement({ policyId })
    expect(lines.map(({ kind }) => kind)).toContain("refund")
  })

  test.each([
    ["cancelled before its release", ["cancel"], "cancelled"],
    ["cancelled after it", ["release", "cancel"], "cancelled"],
    ["failed", ["release", "fail"], "failed"],
    ["come back", ["release", "complete", "return"], "failed"],
  ] as const)("a refund gives the credit back when it has %s", async (_, steps, status) => {
    await createCredit(80_00)
    const { id } = await createRefund(app.manager, { policyId, amountCents: 80_00 })
    expect(await readCredit()).toBe(0)
    for (const step of steps) await stepRefund(secondManager, id, step)
    expect(await app.manager.refunds.detail({ refundId: id })).toMatchObject({ status })
    expect(await readCredit()).toBe(80_00)
    expect(await readLedgerBalance("unallocated_receipts")).toBe(-80_00)
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("GET /payouts lists the refund, also when filtered by refunds", async () => {
    await createCredit(100_00)
    const refund = await createRefund(app.manager, { policyId, amountCents: 100_00 })
    const stored = await app.sql.rows<{ id: string }>(
      sql`select id from payouts where subject_kind = 'refund' order by id`,
    )
    const listed = async (paidFor?: "claims" | "refunds") => {
      const { rows } = await app.manager.payouts.list({ pageSize: 100, ...(paidFor && { paidFor }) })
      return rows
    }
    const ids = (await listed()).map(({ id }) => id)
    expect(ids.sort()).toEqual(stored.map(({ id }) => id))
    expect((await listed("refunds")).map(({ id }) => id).sort()).toEqual(ids)
    expect(await listed("claims")).toEqual([])
    expect((await listed()).map(({ subject }) => subject)).toContainEqual({
      kind: "refund",
      id: refund.id,
      label: refund.number,
    })
  })

  test("a retry takes the credit again, and is refused without enough credit", async () => {
    await createCredit(80_00)
    const { id } = await createRefund(app.manager, { policyId, amountCents: 80_00 })
    await stepRefund(secondManager, id, "release")
    await stepRefund(secondManager, id, "fail")
    expect(await stepRefund(app.manager, id, "retry")).toMatchObject({ status: "pending" })
    expect(await readCredit()).toBe(0)
    await stepRefund(secondManager, id, "release")
    await stepRefund(secondManager, id, "fail")
    const other = await createRefund(app.manager, { policyId, amountCents: 10_00 })
    await expect(stepRefund(app.manager, id, "retry")).rejects.toMatchObject({ code: "NOT_ENOUGH_CREDIT" })
    expect(await app.manager.refunds.detail({ refundId: id })).toMatchObject({ status: "failed" })
    await stepRefund(app.manager, other.id, "cancel")
    expect(await readCredit()).toBe(80_00)
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("a refund to a new account needs a second user's release, even below the limit", async () => {
    const admin = app.as(app.people.admin)
    await createCredit(160_00)
    const { settings, version } = await admin.settings.detail({})
    await admin.settings.save({ version, settings: { ...settings, releaseLimitCents: 100_000_00 } })
    const { id } = await createRefund(admin, { policyId, amountCents: 80_00 })
    await expect(stepRefund(admin, id, "release")).rejects.toMatchObject({ code: "FOUR_EYES" })
    await stepRefund(secondManager, id, "release")
    await stepRefund(secondManager, id, "complete")
    const offer = await app.manager.refunds.offer({ policyId, reason: "overpayment" })
    expect(offer.payee).toMatchObject({ isKnown: true, payeeAccountNumber: "62001234567" })
    // The account is now known, so one user may release up to the limit.
    const again = await createRefund(admin, { policyId, amountCents: 80_00 })
    expect(await stepRefund(admin, again.id, "release")).toMatchObject({ status: "processing" })
    const changed = await admin.settings.detail({})
    await admin.settings.save({ version: changed.version, settings: { ...changed.settings, releaseLimitCents: 0 } })
  })
})

describe("credit", () => {
  test("refuses a refund above the available credit and changes nothing", async () => {
    await createCredit(50_00)
    await expect(createRefund(app.manager, { policyId, amountCents: 50_01 })).rejects.toMatchObject({
      code: "NOT_ENOUGH_CREDIT",
    })
    expect(await readCredit()).toBe(50_00)
    expect((await app.manager.refunds.list({ policyId })).total).toBe(0)
  })

  test("credit never becomes negative under concurrent refunds and allocations", async () => {
    await createCredit(60_00)
    const invoice = await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
    const [receipt] = (await app.manager.receipts.list({ policyId })).rows
    const allocate = () =>
      app.manager.receipts.allocate({
        receiptId: receipt!.id,
        version: receipt!.version,
        idempotencyKey: key(),
        allocations: [{ invoiceId: invoice.id, amountCents: 25_00 }],
      })
    const done = await Promise.allSettled([
      ...Array.from({ length: 6 }, () => createRefund(app.manager, { policyId, amountCents: 25_00 })),
      ...Array.from({ length: 4 }, allocate),
    ])
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(2)
    expect(await readCredit()).toBe(10_00)
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("database constraints protect credit on receipts, refunds and their parts", async () => {
    const receipt = await createCredit(50_00)
    const refund = await createRefund(app.manager, { policyId, amountCents: 40_00 })
    const [part] = await app.sql.rows<{ id: string }>(sql`select id from refund_parts where refund_id = ${refund.id}`)
    const more = (cents: number) =>
      app.sql.run(sql`insert into refund_parts (id, group_id, policy_id, refund_id, receipt_id, amount_cents, taken_at)
        select gen_random_uuid(), group_id, policy_id, refund_id, receipt_id, ${cents}::bigint, taken_at from refund_parts where id = ${part!.id}`)
    await expect(more(10_01)).rejects.toThrow(/must add up to its amount/)
    await expect(more(1)).rejects.toThrow(/must add up to its amount/)
    await expect(app.sql.run(sql`update refund_parts set released_at = now() where id = ${part!.id}`)).rejects.toThrow(
      /must add up to its amount/,
    )
    await expect(
      app.sql.run(sql`update receipts set refunded_cents = refunded_cents + 1001 where id = ${receipt.id}`),
    ).rejects.toThrow(/receipt_not_over_allocated/)
    await expect(app.sql.run(sql`update receipts set refunded_cents = 0 where id = ${receipt.id}`)).rejects.toThrow(
      /must equal its unreleased refund parts/,
    )
    await expect(app.sql.run(sql`update refund_parts set amount_cents = 1 where id = ${part!.id}`)).rejects.toThrow(
      /only released once/,
    )
    await expect(app.sql.run(sql`update refunds set amount_cents = 1 where id = ${refund.id}`)).rejects.toThrow(
      /never changed/,
    )
    await expect(
      app.sql.run(sql`update refunds set status = 'completed', refunded_on = '2026-11-02' where id = ${refund.id}`),
    ).rejects.toThrow(/must have the status of its payment/)
    await expect(
      app.sql.run(sql`update payouts set status = 'cancelled' where subject_id = ${refund.id}`),
    ).rejects.toThrow(/must have the status of its payment/)
    await expect(
      app.sql.run(
        sql`update receipts set reversed_at = now(), reversed_on = '2026-11-02', reverse_reason = 'x' where id = ${receipt.id}`,
      ),
    ).rejects.toThrow(/receipt_reversed_is_not_refunded/)
    await expect(
      app.sql.run(sql`insert into payouts (id, group_id, policy_id, number, subject_kind, subject_id, subject_label, amount_cents, method, reference,
          payee_name, payee_bank, payee_branch_code, payee_account_number, prepared_by, created_by, created_at)
        select gen_random_uuid(), group_id, policy_id, 'PAY-X', 'refund', gen_random_uuid(), 'REF-X', amount_cents, method, reference,
          payee_name, payee_bank, payee_branch_code, payee_account_number, prepared_by, created_by, created_at
        from payouts where subject_id = ${refund.id}`),
    ).rejects.toThrow(/amount and method of a pending refund/)
  })
})

describe("with the method Credit Note", () => {
  const keep = (amountCents: number) => createRefund(app.manager, { policyId, amountCents, method: "credit_note" })

  test("a refund by credit note pays open invoices at once, without touching income, and completes", async () => {
    const invoice = await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
    await createCredit(invoice.totalCents)
    const income = await readLedgerBalance("premium_income")
    const refund = await keep(100_00)
    expect(refund).toMatchObject({ status: "completed", refundedOn: "2026-11-02", payoutId: null })
    expect(refund.parts.filter(({ invoiceNumber }) => invoiceNumber === invoice.number)).toMatchObject([
      { amountCents: 100_00, isGivenBack: false },
    ])
    expect(await readLedgerBalance("premium_income")).toBe(income)
    expect(await app.manager.billing.detail({ invoiceId: invoice.id })).toMatchObject({ allocatedCents: 100_00 })
    expect(await readCredit()).toBe(invoice.totalCents - 100_00)
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("the remainder pays future invoices when sent, even if automatic credit use is off", async () => {
    await createCredit(500_00)
    const refund = await keep(500_00)
    expect(refund).toMatchObject({ status: "processing", allowedActions: ["cancel"] })
    expect(await readCredit()).toBe(0)
    const send = async (month: string) => {
      const draft = await createDraftInvoice(app.manager, { policyId, month, invoiceOn: month })
      await app.manager.billing.send({ invoiceId: draft.id, version: draft.version, idempotencyKey: key() })
      return app.manager.billing.detail({ invoiceId: draft.id })
    }
    expect(await send("2026-10-01")).toMatchObject({ status: "paid" })
    expect(await app.manager.refunds.detail({ refundId: refund.id })).toMatchObject({ status: "processing" })
    expect(await send("2026-11-01")).toMatchObject({ allocatedCents: 97_50 })
    const whole = await app.manager.refunds.detail({ refundId: refund.id })
    expect(whole).toMatchObject({ status: "completed", allowedActions: [] })
    expect(whole.parts.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(500_00)
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("unused credit of a refund can be cancelled once", async () => {
    await createCredit(500_00)
    const refund = await keep(500_00)
    const cancel = () =>
      app.manager.refunds.cancel({
        refundId: refund.id,
        version: refund.version,
        idempotencyKey: key(),
        reason: "A slip",
      })
    expect(await cancel()).toMatchObject({ status: "cancelled", statusReason: "A slip" })
    await expect(cancel()).rejects.toMatchObject({ code: "WRONG_STATUS" })
    expect(await readCredit()).toBe(500_00)
    expect(await verifyLedger(app.sql)).toEqual([])
  })
})

describe("a cancellation", () => {
  test("a cancellation refund first credits amounts billed but not owed, exactly as offered", async () => {
    policyId = (await app.policy({ groupName: `Refund Leavers ${groups}`, startOn: "2026-10-01" })).id
    const leaver = await createMember(app.manager, policyId, { startOn: "2026-10-01" })
    const october = await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
    const invoice = await createSentInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
    const amountCents = october.totalCents + invoice.totalCents
    await recordedReceipt(app.manager, { policyId, amountCents, receivedOn })
    expect(await readCredit()).toBe(0)
    await app.manager.members.terminate({
      memberId: leaver.id,
      version: leaver.version,
      on: "2026-10-31",
      reason: "Left",
    })
    const offer = await app.manager.refunds.offer({ policyId, reason: "pro_rata_refund" })
    expect(offer).toMatchObject({ creditCents: 0, correctionCents: 402_50, creditAfterCents: 402_50, parked: null })
    expect(offer.correction).toHaveLength(1)
    const form = { policyId, amountCents: 402_50, reason: "pro_rata_refund" as const }
    await expect(createRefund(app.manager, form, 0)).rejects.toMatchObject({ code: "CHANGED" })
    await expect(createRefund(app.manager, { ...form, amountCents: 402_51 }, 402_50)).rejects.toMatchObject({
      code: "NOT_ENOUGH_CREDIT",
    })
    expect((await app.manager.billing.detail({ invoiceId: invoice.id })).creditedCents).toBe(0)
    const refund = await createRefund(app.manager, form, 402_50)
    expect(refund).toMatchObject({ status: "pending", correctedCents: 402_50 })
    expect((await app.manager.billing.detail({ invoiceId: invoice.id })).creditedCents).toBe(402_50)
    expect(await readCredit()).toBe(0)
    const again = await app.manager.refunds.offer({ policyId, reason: "policy_cancellation" })
    expect(again).toMatchObject({ correctionCents: 0, creditAfterCents: 0 })
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("after a write-off, a cancellation refund is offered without a correction, with the reason", async () => {
    policyId = (await app.policy({ groupName: `Refund Given Up ${groups}`, startOn: "2026-10-01" })).id
    const leaver = await createMember(app.manager, policyId, { startOn: "2026-10-01" })
    await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
    const invoice = await createSentInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
    const asked = { idempotencyKey: key(), amountCents: null, reason: "Will not come" }
    const [waiting] = await app.manager.receipts.writeOff({ invoiceId: invoice.id, ...asked })
    await secondManager.receipts.confirmWriteOff({ writeOffId: waiting!.id, idempotencyKey: key() })
    const { id: memberId, version } = leaver
    await app.manager.members.terminate({ memberId, version, on: "2026-10-31", reason: "Left" })
    await createCredit(10_00)
    const offer = await app.manager.refunds.offer({ policyId, reason: "pro_rata_refund" })
    expect(offer).toMatchObject({ correctionCents: 0, creditAfterCents: 10_00 })
    expect(offer.parked).toContain("was written off")
    const form = { policyId, amountCents: 10_00, reason: "pro_rata_refund" as const }
    await expect(createRefund(app.manager, form, 0)).rejects.toMatchObject({ code: "NOT_CORRECTABLE" })
  })
})

test("refunds are listed with cards, and searched by policy, member, reference and reason", async () => {
  await createCredit(90_00)
  const member = await createMember(app.manager, policyId, { firstName: "Nomvula", lastName: "Refunded" })
  const refund = await createRefund(app.manager, {
    policyId,
    memberId: member.id,
    amountCents: 60_00,
    reason: "duplicate_payment",
    reference: "FNB 4711",
  })
  const { policyNumber } = refund
  const search = async (text: string) => (await app.manager.refunds.list({ search: text, policyId })).total
  expect(await search(policyNumber.toLowerCase())).toBe(1)
  expect(await search("VULA refu")).toBe(1)
  expect(await search("fnb 47")).toBe(1)
  expect(await search("DUPLICATE")).toBe(1)
  expect(await search("overpayment")).toBe(0)
  const { rows } = await app.manager.refunds.list({ policyId, status: "pending" })
  expect(rows).toMatchObject([{ id: refund.id, refundedOn: null, payoutId: expect.any(String) }])
  const { cards, rows: all } = await app.manager.refunds.list({ pageSize: 100 })
  const sumOf = (...statuses: string[]) => {
    const counted = all.filter(({ status }) => statuses.includes(status))
    return { count: counted.length, cents: counted.reduce((sum, { amountCents }) => sum + amountCents, 0) }
  }
  expect(cards).toEqual({
    pending: sumOf("pending", "processing"),
    completed: sumOf("completed"),
    total: all.length,
  })
})

test("refuses a refund for another policy's member, with a reversed period or invalid bank details", async () => {
  await createCredit(90_00)
  const other = (await app.policy({ groupName: `Refund Others ${groups}` })).id
  const member = await createMember(app.manager, other, { startOn: "2026-01-01" })
  const of = (form: Partial<Parameters<typeof createRefundForm>[0]>) =>
    createRefund(app.manager, { policyId, amountCents: 1, ...form })
  await expect(of({ memberId: member.id })).rejects.toMatchObject({ code: "INVALID" })
  await expect(of({ periodFromOn: "2026-10-02", periodToOn: "2026-10-01" })).rejects.toMatchObject({ code: "INVALID" })
  await expect(of({ payeeBranchCode: "1" })).rejects.toMatchObject({ code: "INVALID" })
})
