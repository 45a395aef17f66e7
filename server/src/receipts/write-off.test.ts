import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { findStatementFaults } from "../collection/statement.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { recordedReceipt } from "./receipts.samples.ts"

let app: BillingApp
let secondManager: BillingApp["manager"]
beforeAll(async () => {
  app = await openBillingApp()
  secondManager = app.as(app.people.manager2)
})
afterAll(() => app.close())

async function createUnpaidInvoice() {
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  return createSentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
}
const requestWriteOff = (invoiceId: string, amountCents: number | null = null) =>
  app.manager.receipts.writeOff({
    invoiceId,
    amountCents,
    reason: "The employer was liquidated",
    idempotencyKey: randomUUID(),
  })
const writeOffInput = (writeOffId: string) => ({ writeOffId, idempotencyKey: randomUUID() })
const setLimit = async (writeOffLimitCents: number) => {
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, writeOffLimitCents } })
}
const ledgerEntriesOf = (writeOffId: string) =>
  app.sql.rows(sql`
    select p.account, p.amount_cents as cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
    where e.source = ${`write-off:${writeOffId}`} order by p.line`)

test("a write-off above the limit takes effect when a second person confirms it", async () => {
  const invoice = await createUnpaidInvoice()
  const [waiting] = await requestWriteOff(invoice.id, 460_00)
  expect(waiting).toMatchObject({ state: "waiting", totalCents: 460_00, vatCents: 60_00, allowedActions: ["decline"] })
  expect(await app.manager.billing.detail({ invoiceId: invoice.id })).toMatchObject({ openCents: 1_150_00 })
  expect(await ledgerEntriesOf(waiting!.id)).toEqual([])
  await expect(requestWriteOff(invoice.id, 1)).rejects.toMatchObject({ code: "WRITE_OFF_WAITS" })
  await expect(app.manager.receipts.confirmWriteOff(writeOffInput(waiting!.id))).rejects.toMatchObject({
    code: "OWN_WRITE_OFF",
  })
  expect((await secondManager.receipts.waitingWriteOffs({})).map(({ id }) => id)).toContain(waiting!.id)

  const [done] = await secondManager.receipts.confirmWriteOff(writeOffInput(waiting!.id))
  expect(done).toMatchObject({ state: "written_off", writtenOffOn: "2026-11-02", confirmedByName: "Mia Manager" })
  expect(await ledgerEntriesOf(waiting!.id)).toEqual([
    { account: "write_offs", cents: 400_00 },
    { account: "vat_output", cents: 60_00 },
    { account: "premium_debtors", cents: -460_00 },
  ])
  expect(await app.manager.billing.detail({ invoiceId: invoice.id })).toMatchObject({
    openCents: 690_00,
    writtenOffCents: 460_00,
  })
  expect((await app.manager.collection.list({ policyId: invoice.policyId, month: "all" })).rows[0]).toMatchObject({
    outstandingCents: 690_00,
  })
  const { lines, closingCents } = await app.manager.collection.statement({ policyId: invoice.policyId })
  expect(lines.at(-1)).toMatchObject({ kind: "write_off", paymentCents: 460_00 })
  expect(closingCents).toBe(690_00)
  await expect(secondManager.receipts.confirmWriteOff(writeOffInput(waiting!.id))).rejects.toMatchObject({
    code: "WRITE_OFF_STATE",
  })
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("one person suffices up to the limit; a written-off invoice is not called paid", async () => {
  await setLimit(2_000_00)
  const invoice = await createUnpaidInvoice()
  const [done] = await requestWriteOff(invoice.id)
  expect(done).toMatchObject({ state: "written_off", totalCents: 1_150_00, netCents: 1_000_00, vatCents: 150_00 })
  expect(await app.manager.billing.detail({ invoiceId: invoice.id })).toMatchObject({
    status: "written_off",
    openCents: 0,
    paidOn: null,
  })
  expect((await app.manager.billing.list({ policyId: invoice.policyId })).rows[0]!.status).toBe("written_off")
  await expect(requestWriteOff(invoice.id)).rejects.toMatchObject({ code: "NOTHING_OPEN" })
  await expect(
    app.manager.billing.credit({ invoiceId: invoice.id, idempotencyKey: randomUUID(), amountCents: null, reason: "x" }),
  ).rejects.toMatchObject({ code: "NOTHING_TO_CREDIT" })

  const [undone] = await app.manager.receipts.reverseWriteOff({
    ...writeOffInput(done!.id),
    reason: "They paid after all",
  })
  expect(undone).toMatchObject({ state: "reversed", reverseReason: "They paid after all", allowedActions: [] })
  expect(await app.manager.billing.detail({ invoiceId: invoice.id })).toMatchObject({
    status: "overdue",
    openCents: 1_150_00,
  })
  await recordedReceipt(app.manager, { policyId: invoice.policyId, amountCents: 1_150_00, receivedOn: "2026-11-01" })
  expect(await app.manager.billing.detail({ invoiceId: invoice.id })).toMatchObject({ status: "paid" })
  expect(await verifyLedger(app.sql)).toEqual([])
  expect(await findStatementFaults(app, [invoice.policyId], ["2026-09-01", "2026-11-02", "2026-12-31"])).toEqual([])
  await setLimit(0)
})

test("a paid invoice's write-off cannot be confirmed; a declined one has no effect", async () => {
  const invoice = await createUnpaidInvoice()
  const [waiting] = await requestWriteOff(invoice.id)
  await recordedReceipt(app.manager, { policyId: invoice.policyId, amountCents: 1_000_00, receivedOn: "2026-11-01" })
  await expect(secondManager.receipts.confirmWriteOff(writeOffInput(waiting!.id))).rejects.toMatchObject({
    code: "MORE_THAN_OPEN",
  })
  const [declined] = await secondManager.receipts.declineWriteOff(writeOffInput(waiting!.id))
  expect(declined).toMatchObject({ state: "declined" })
  await expect(requestWriteOff(invoice.id, 150_01)).rejects.toMatchObject({ code: "MORE_THAN_OPEN" })
  expect(await verifyLedger(app.sql)).toEqual([])
})

test("the database enforces the second person and the invoice total", async () => {
  const invoice = await createUnpaidInvoice()
  const [waiting] = await requestWriteOff(invoice.id)
  const staff = app.app.database.direct("staff")
  await expect(
    staff.run(sql`update write_offs set written_off_on = '2026-11-02' where id = ${waiting!.id}`),
  ).rejects.toThrow(/two_people/)
  await expect(
    staff.run(
      sql`update write_offs set written_off_on = '2026-11-02', confirmed_by = asked_by, confirmed_at = now() where id = ${waiting!.id}`,
    ),
  ).rejects.toThrow(/another/)
  await expect(staff.run(sql`update write_offs set total_cents = 1 where id = ${waiting!.id}`)).rejects.toThrow()
  await expect(staff.run(sql`update invoices set written_off_cents = 5 where id = ${invoice.id}`)).rejects.toThrow(
    /must equal its effective write-offs/,
  )
  const confirm = sql`
    update write_offs set written_off_on = '2026-11-02', confirmed_by = ${app.people.manager2.userId}, confirmed_at = now()
    where id = ${waiting!.id}`
  await expect(staff.run(confirm)).rejects.toThrow(/must equal its effective write-offs/)
  await recordedReceipt(app.manager, { policyId: invoice.policyId, amountCents: 1_00, receivedOn: "2026-11-01" })
  await expect(
    staff.run(sql`
      with confirmed as (${confirm} returning invoice_id, total_cents)
      update invoices set written_off_cents = written_off_cents + confirmed.total_cents
      from confirmed where id = confirmed.invoice_id`),
  ).rejects.toThrow(/settled beyond its total/)
})

test("a write-off that two users confirm at once takes effect once", async () => {
  const invoice = await createUnpaidInvoice()
  const [waiting] = await requestWriteOff(invoice.id)
  const answers = await Promise.allSettled([
    secondManager.receipts.confirmWriteOff(writeOffInput(waiting!.id)),
    app.as(app.people.admin).receipts.confirmWriteOff(writeOffInput(waiting!.id)),
    recordedReceipt(app.manager, { policyId: invoice.policyId, amountCents: 1_150_00, receivedOn: "2026-11-01" }),
  ])
  expect(answers.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(1)
  expect(await verifyLedger(app.sql)).toEqual([])
})
