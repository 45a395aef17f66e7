import { createHash, randomUUID } from "node:crypto"
import type { CheckKey } from "@milkwood/domain/month-end/checklist"
import type { MonthDetail } from "@milkwood/domain/month-end/month-end.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  createBankAccount,
  createFnbHistory,
  importSampleStatement,
  premiumAccount,
} from "../banking/banking.samples.ts"
import { createDraftInvoice, createPremiumRun, createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"

let app: BillingApp
let server: Awaited<ReturnType<BillingApp["serve"]>>
let manager: BillingApp["manager"]
let admin: BillingApp["manager"]
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
  server = await app.serve()
  manager = app.manager
  admin = app.as(app.people.admin)
})
afterAll(() => app.close())

const october = "2026-10-01"
const key = () => ({ idempotencyKey: randomUUID() })
const readMonthDetail = (month = october) => manager.monthEnd.month({ month })
const summarizeCheck = (detail: MonthDetail, wanted: CheckKey) => {
  const { isDone, figures, notes } = detail.checks.find(({ key: one }) => one === wanted)!
  return { isDone, values: figures.map(({ value }) => value), notes }
}
const readCheck = async (wanted: CheckKey) => summarizeCheck(await readMonthDetail(), wanted)

let policyId: string
let otherId: string
let accountId: string

describe("month end checklist", () => {
  test("counts billed and excused policies, each excuse with its reason", async () => {
    policyId = (await app.policy({ premiumCents: 350_00 })).id
    otherId = (await app.policy({ premiumCents: 99_99 })).id
    expect(await readCheck("billed")).toMatchObject({ isDone: false, values: [2, 0] })
    await createSentInvoice(manager, { policyId, month: october, invoiceOn: october })
    expect(await readCheck("billed")).toMatchObject({ isDone: false, values: [2, 1] })

    const listed = await manager.monthEnd.policies({ month: "2026-10", tab: "open" })
    expect(listed.rows).toMatchObject([{ policyId: otherId, state: "open", allowedActions: ["excuse"] }])
    expect(listed.counts).toMatchObject({ open: 1, excused: 0, billed: 1, all: 2 })
    const excuse = { ...key(), month: october, policyIds: [otherId, policyId], reason: "Billed by its broker" }
    expect(await manager.monthEnd.excuse(excuse)).toEqual({ excused: 2 })
    expect(await manager.monthEnd.excuse({ ...excuse, ...key() })).toEqual({ excused: 0 })
    // A billed policy is counted as billed even if it is excused.
    expect(await readCheck("billed")).toMatchObject({ isDone: true, values: [2, 2] })
    const { rows } = await manager.monthEnd.policies({ month: "2026-10", tab: "excused" })
    expect(rows).toMatchObject([
      { policyId: otherId, reason: "Billed by its broker", excusedByName: "Max Manager", allowedActions: ["takeBack"] },
    ])
    await manager.monthEnd.withdrawExcuses({ ...key(), month: october, policyIds: [otherId] })
    expect(await readCheck("billed")).toMatchObject({ isDone: false, values: [2, 1] })
    await manager.monthEnd.excuse({ ...excuse, ...key() })
    const said = await app.sql.rows<{ type: string; label: string }>(sql`
      select fact as type, record_label as label from audit_log where record_id = ${otherId} and fact like 'PolicyExcus%'`)
    expect(said).toHaveLength(3)
  })

  test("counts invoices that are not sent", async () => {
    const draft = await createDraftInvoice(manager, { policyId: otherId, month: "2026-09-01", invoiceOn: "2026-09-01" })
    expect(await readCheck("sent")).toMatchObject({ isDone: false, values: [2, 1] })
    await manager.billing.cancel({ invoiceId: draft.id, version: draft.version, reason: "Made for the wrong month" })
    expect(await readCheck("sent")).toMatchObject({ isDone: true, values: [1, 1], notes: [] })
  })

  test("counts unallocated receipts and those kept as credit", async () => {
    await recordedReceipt(manager, { policyId, amountCents: 100_00, receivedOn: "2026-10-20" })
    expect(await readCheck("receipts")).toMatchObject({ isDone: true, values: [0, 0] })
    const credit = await createUnallocatedReceipt(manager, { policyId, amountCents: 40_00, receivedOn: "2026-10-21" })
    // A receipt of November is not part of October's check.
    await createUnallocatedReceipt(manager, { policyId, amountCents: 7_00, receivedOn: "2026-11-01" })
    expect(await readCheck("receipts")).toMatchObject({ isDone: false, values: [40_00, 0] })
    const { rows, sums } = await manager.monthEnd.credits({ month: "2026-10", tab: "open" })
    expect(rows).toMatchObject([{ id: credit.id, creditCents: 40_00, state: "open", allowedActions: ["keep"] }])
    expect(sums).toEqual({ creditCents: 40_00 })
    const reason = "For the next invoice"
    expect(await manager.monthEnd.keepCredit({ ...key(), receiptIds: [credit.id], reason })).toEqual({ kept: 1 })
    expect(await readCheck("receipts")).toMatchObject({ isDone: true, values: [40_00, 40_00] })
    await manager.monthEnd.stopKeepingCredit({ ...key(), receiptIds: [credit.id] })
    expect(await readCheck("receipts")).toMatchObject({ isDone: false })
    await manager.monthEnd.keepCredit({ ...key(), receiptIds: [credit.id], reason })
  })

  test("requires statements up to the last day, with all lines matched", async () => {
    expect(await readCheck("statements")).toMatchObject({ isDone: false, values: [0, 0] })
    accountId = (await createBankAccount(admin)).id
    expect(await readCheck("statements")).toMatchObject({ isDone: false, values: [1, 0] })
    const desk = { app, server }
    const bring = (opening: number, days: string[], amountCents = -10_00) =>
      importSampleStatement(
        desk,
        app.people.manager,
        accountId,
        createFnbHistory(
          premiumAccount.accountNumber,
          opening,
          days.map((day) => ({ day, text: `FEE ${day}`, amountCents })),
        ),
      )
    await bring(1_000_00, ["2026-10-01", "2026-10-30"])
    const gap = await readCheck("statements")
    expect(gap).toMatchObject({ isDone: false, values: [1, 0] })
    expect(gap.notes).toEqual(["Premium account: No statement for 2026-10-31."])
    expect(await readCheck("bank")).toMatchObject({ isDone: true })
    // The last day has no lines, but the next statement opens with the previous closing balance.
    await bring(980_00, ["2026-11-01"])
    expect(await readCheck("statements")).toMatchObject({ isDone: true, values: [1, 1], notes: [] })

    expect(await readCheck("lines")).toMatchObject({ isDone: false, values: [2, 0] })
    const { rows } = await manager.banking.lines({ tab: "open", bookedTo: "2026-10-31" })
    const lineIds = rows.map(({ id }) => id)
    await manager.banking.notOurs({ lineIds, ...key(), why: { reason: "charge" } })
    expect(await readCheck("lines")).toMatchObject({ isDone: true, values: [2, 2] })
    expect(await readCheck("bank")).toMatchObject({ isDone: true })
  })

  test("compares debtors, bank and VAT in the ledger with the records", async () => {
    expect(await readCheck("debtors")).toMatchObject({ isDone: true, values: [402_50, 402_50], notes: [] })
    expect(await readCheck("vat")).toMatchObject({ isDone: true, values: [52_50, 52_50] })
    // Later records do not change October.
    await recordedReceipt(manager, { policyId, amountCents: 50_00, receivedOn: "2026-11-02" })
    await createSentInvoice(manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
    expect(await readCheck("debtors")).toMatchObject({ isDone: true, values: [402_50, 402_50] })
    expect(await readCheck("bank")).toMatchObject({ isDone: true })
    expect(summarizeCheck(await readMonthDetail("2026-11-01"), "debtors")).toMatchObject({
      isDone: true,
      values: [655_00, 655_00],
    })
  })
})

describe("closing a month", () => {
  test("requires reasons for open checks, and is refused while amounts differ", async () => {
    const draft = await createDraftInvoice(manager, { policyId: otherId, month: "2026-08-01", invoiceOn: "2026-08-01" })
    await expect(manager.monthEnd.close({ ...key(), month: october, reasons: {} })).rejects.toMatchObject({
      code: "REASONS_NEEDED",
      message: "Enter a reason for each open check: All invoices sent.",
    })
    // Corrupts the stored allocated amount of an invoice.
    const meddle = (cents: number) =>
      app.sql.run(
        sql.raw(`do $$ begin
          alter table invoices disable trigger user;
          update invoices set allocated_cents = allocated_cents + ${cents} where status = 'sent' and invoice_on = '${october}';
          set constraints all immediate;
          alter table invoices enable trigger user;
        end $$`),
      )
    await meddle(1)
    const reasons = { sent: "The employer disputes it", debtors: "A cent" }
    await expect(manager.monthEnd.close({ ...key(), month: october, reasons })).rejects.toMatchObject({
      code: "MONEY_DIFFERS",
    })
    expect(await readCheck("debtors")).toMatchObject({ isDone: false, notes: ["They differ by R\u00a00,01."] })
    await meddle(-1)
    expect((await readMonthDetail()).state).toBe("open")

    const closed = await manager.monthEnd.close({ ...key(), month: october, reasons })
    expect(closed).toMatchObject({ state: "closed", closedTo: "2026-10-31", next: "2026-11-01", allowedActions: [] })
    expect(closed.checks.find(({ key: one }) => one === "sent")).toMatchObject({
      isDone: false,
      reason: "The employer disputes it",
    })
    expect(closed.checks.find(({ key: one }) => one === "debtors")).toMatchObject({ isDone: true, reason: null })
    await manager.billing.cancel({ invoiceId: draft.id, version: draft.version, reason: "Withdrawn" })
    // The signed checklist does not change.
    expect(summarizeCheck(await readMonthDetail(), "sent")).toMatchObject({ isDone: false, values: [2, 1] })
    expect(await verifyLedger(app.sql)).toEqual([])
  })

  test("stores the checklist as a PDF with its hash", async () => {
    const before = (await readMonthDetail()).closings[0]!
    expect(before).toMatchObject({ closedByName: "Max Manager", sha256: null, reopenedAt: null })
    const at = `${server.url}/api/month-end/${before.id}/checklist`
    const headers = server.headersOf(app.people.manager)
    expect((await fetch(at, { headers })).status).toBe(404)
    await app.runJobs()
    const [kept] = (await readMonthDetail()).closings
    const answer = await fetch(at, { headers })
    expect(answer.headers.get("content-type")).toBe("application/pdf")
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-")
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(kept!.sha256)
    // The PDF is generated only once, and no role can change it.
    await app.runJobs()
    expect((await readMonthDetail()).closings[0]!.sha256).toBe(kept!.sha256)
    await expect(app.sql.run(sql`update signed_checklists set sha256 = 'x'`)).rejects.toThrow(/never changed/)
    await expect(app.sql.run(sql`update signed_checklists set checks = '[]'`)).rejects.toThrow(/never changed/)
    expect((await fetch(at, { headers: server.headersOf(app.people.underwriter) })).status).toBe(403)
  })

  test("posts late entries on the first open day and keeps their document dates", async () => {
    const effective = async (source: string) =>
      (await app.sql.row<{ day: string }>(sql`select effective_on as day from ledger_entries where source = ${source}`))
        ?.day
    const invoice = await createSentInvoice(manager, { policyId: otherId, month: october, invoiceOn: "2026-10-15" })
    expect(invoice.invoiceOn).toBe("2026-10-15")
    expect(await effective(`invoice:${invoice.id}:sent`)).toBe("2026-11-01")
    const receipt = await recordedReceipt(manager, { policyId: otherId, amountCents: 5_00, receivedOn: "2026-10-16" })
    expect(receipt.receivedOn).toBe("2026-10-16")
    expect(await effective(`receipt:${receipt.id}`)).toBe("2026-11-01")
    // A late bank line, and the undo of an early one.
    const { rows } = await manager.banking.lines({ tab: "posted" })
    const early = rows.at(-1)!
    expect(early.day).toBe("2026-10-01")
    await manager.banking.undo({ lineIds: [early.id], ...key() })
    await manager.banking.notOurs({ lineIds: [early.id], ...key(), why: { reason: "charge" } })
    const days = await app.sql.rows<{ kind: string; day: string }>(sql`
      select kind, effective_on as day from ledger_entries where record_kind = 'bank_account' and description like '%FEE 2026-10-01%' order by seq`)
    expect(days).toEqual([
      { kind: "bank_charge", day: "2026-10-01" },
      { kind: "reversal", day: "2026-11-01" },
      { kind: "bank_charge", day: "2026-11-01" },
    ])
    const faults = await verifyLedger(app.sql)
    expect(faults).toEqual([])
    // November includes both, also in its VAT.
    const november = await readMonthDetail("2026-11-01")
    for (const one of ["debtors", "deferred", "bank", "vat"] as const)
      expect(summarizeCheck(november, one)).toMatchObject({ isDone: true })
    const late = await manager.monthEnd.vatDocuments({ month: "2026-11", search: invoice.number })
    expect(late.rows).toMatchObject([{ documentOn: "2026-10-15", countsOn: "2026-11-01", vatCents: 15_00 }])
  })

  test("makes its excuses immutable, and is refused twice or out of order", async () => {
    await expect(
      manager.monthEnd.excuse({ ...key(), month: october, policyIds: [policyId], reason: "Late" }),
    ).rejects.toMatchObject({ code: "CLOSED" })
    await expect(
      manager.monthEnd.withdrawExcuses({ ...key(), month: october, policyIds: [otherId] }),
    ).rejects.toMatchObject({ code: "CLOSED" })
    await expect(app.sql.run(sql`update month_excuses set withdrawn_at = now()`)).rejects.toMatchObject({
      constraint: "month_excuses_in_open_month",
    })
    const reasons = {}
    await expect(manager.monthEnd.close({ ...key(), month: october, reasons })).rejects.toMatchObject({
      code: "CLOSED",
    })
    await expect(manager.monthEnd.close({ ...key(), month: "2026-11-01", reasons })).rejects.toMatchObject({
      code: "NOT_OVER",
    })
    await expect(manager.monthEnd.close({ ...key(), month: "2026-12-01", reasons })).rejects.toMatchObject({
      code: "NOT_NEXT",
    })
    await expect(manager.monthEnd.close({ ...key(), month: "2026-11-02", reasons })).rejects.toMatchObject({
      code: "INVALID",
    })
  })

  test("can be undone only for the last closed month, by an administrator with a reason", async () => {
    const again = { ...key(), month: october, reason: "An invoice was missing" }
    await expect(manager.monthEnd.reopen(again)).rejects.toMatchObject({ code: "FORBIDDEN" })
    await expect(admin.monthEnd.reopen({ ...again, reason: " " })).rejects.toMatchObject({ code: "INVALID" })
    await expect(admin.monthEnd.reopen({ ...again, month: "2026-09-01" })).rejects.toMatchObject({
      code: "NOT_LAST_CLOSED",
    })
    expect((await admin.monthEnd.month({ month: october })).allowedActions).toEqual(["reopen"])
    const open = await admin.monthEnd.reopen(again)
    expect(open).toMatchObject({ state: "open", closedTo: null, next: null })
    expect(open.closings).toMatchObject([
      { reopenedByName: "Ada Admin", reopenReason: "An invoice was missing", closedByName: "Max Manager" },
    ])
    // Entries already posted in November remain in November; new ones are posted in October.
    const receipt = await recordedReceipt(manager, { policyId: otherId, amountCents: 2_00, receivedOn: "2026-10-17" })
    const posted = await app.sql.row(
      sql`select effective_on as day from ledger_entries where source = ${`receipt:${receipt.id}`}`,
    )
    expect(posted).toEqual({ day: "2026-10-17" })
    expect(await verifyLedger(app.sql)).toEqual([])
  })
})

test("one of two concurrent closings succeeds, and the other is refused as CLOSED", async () => {
  const elsewhere = app.another(app.people.manager2)
  const reasons = { lines: "One is looked into", sent: "x", billed: "x", receipts: "x" }
  const closing = await Promise.allSettled([
    manager.monthEnd.close({ ...key(), month: october, reasons }),
    elsewhere.monthEnd.close({ ...key(), month: october, reasons }),
  ])
  expect(closing.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  const told = closing.find(({ status }) => status === "rejected") as PromiseRejectedResult
  expect(told.reason).toMatchObject({ code: "CLOSED" })
  expect((await readMonthDetail()).closings).toHaveLength(2)
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("a later month's invoice can bill a missed month, unless it is cancelled", async () => {
  app.clock.set("2026-12-02T08:00:00Z")
  const { id } = await app.policy({ premiumCents: 80_00, members: 2 })
  const stateOf = async () =>
    (await manager.monthEnd.policies({ month: "2026-11", tab: "all", pageSize: 100 })).rows.find(
      ({ policyId: of }) => of === id,
    )
  expect(await stateOf()).toMatchObject({ state: "open", invoiceNumber: null })
  await createPremiumRun(app, "2026-12-01", [id], "draft")
  const { rows } = await manager.billing.list({ policyId: id })
  expect(rows).toMatchObject([{ status: "draft" }])
  const [invoice] = rows
  expect(await stateOf()).toMatchObject({ state: "billed", invoiceId: invoice!.id, invoiceNumber: invoice!.number })
  await manager.billing.cancel({ invoiceId: invoice!.id, version: invoice!.version, reason: "Not yet" })
  expect(await stateOf()).toMatchObject({ state: "open", invoiceNumber: null })
})
