import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { expect } from "vitest"
import type { BillingApp } from "../../billing/billing-scene.samples.ts"
import { differenceSql } from "../../billing/difference.queries.ts"
import { recordedReceipt } from "../../receipts/receipts.samples.ts"
import { createRefundForm } from "../../refunds/refunds.samples.ts"
import { reason } from "./hand.ts"
import { runJobsOfKind } from "./jobs-done.ts"

const windUpMonth = "2026-11-01"

export async function windUp(app: BillingApp, policyId: string, endsOn: Day): Promise<void> {
  await closeOpenWork(app, policyId)
  const { version, status } = await app.manager.policies.detail({ policyId })
  if (status !== "Terminated") await app.manager.policies.terminate({ policyId, version, on: endsOn, reason })
  await runLastPremiumRun(app, policyId)
  await settleAccounts(app, policyId)
}

const readRows = <Row>(app: BillingApp, query: SQL) => app.sql.rows<Row>(query)

async function closeOpenWork(app: BillingApp, policyId: string): Promise<void> {
  const { manager } = app
  const second = app.as(app.people.manager2)
  const unsent = sql`select id, version from invoices where policy_id = ${policyId} and status in ('draft', 'pending')`
  for (const { id, version } of await readRows<{ id: string; version: number }>(app, unsent))
    await manager.billing.cancel({ invoiceId: id, version, reason })
  const writeOffs = (where: SQL) => sql`
    select w.id from write_offs w join invoices i on i.id = w.invoice_id where i.policy_id = ${policyId} and ${where}`
  for (const { id } of await readRows<{ id: string }>(
    app,
    writeOffs(sql`written_off_on is null and declined_at is null`),
  ))
    await second.receipts.declineWriteOff({ writeOffId: id, idempotencyKey: randomUUID() })
  for (const { id } of await readRows<{ id: string }>(
    app,
    writeOffs(sql`written_off_on is not null and reversed_on is null`),
  ))
    await manager.receipts.reverseWriteOff({ writeOffId: id, idempotencyKey: randomUUID(), reason })
  const kept = sql`
    select id, version from refunds where policy_id = ${policyId} and method = 'credit_note' and status = 'processing'`
  for (const { id, version } of await readRows<{ id: string; version: number }>(app, kept))
    await manager.refunds.cancel({ refundId: id, version, idempotencyKey: randomUUID(), reason })
}

async function runLastPremiumRun(app: BillingApp, policyId: string): Promise<void> {
  const { runs } = app.manager.billing
  const { id: runId } = await runs.start({ idempotencyKey: randomUUID(), month: windUpMonth, policyIds: [policyId] })
  await runJobsOfKind({ app }, "billing.")
  const { version, counts } = await runs.detail({ runId })
  expect(counts.parked, await readParkedPolicies(app, runId)).toBe(0)
  if (counts.waiting > 0) {
    await runs.make({ runId, version, idempotencyKey: randomUUID(), outcome: "sent" })
    await runJobsOfKind({ app }, "billing.")
  }
  expect((await runs.detail({ runId })).counts.parked, await readParkedPolicies(app, runId)).toBe(0)
  const left = differenceSql({ policies: sql`${policyId}::uuid`, month: windUpMonth, knownAt: app.clock.now() })
  expect(await app.sql.rows(left)).toEqual([])
}

const readParkedPolicies = async (app: BillingApp, runId: string) =>
  JSON.stringify(
    await app.sql.rows(sql`
      select policy_id, reason_kind, mend_invoice_id from billing_run_policies where run_id = ${runId} and state = 'parked'`),
  )

async function settleAccounts(app: BillingApp, policyId: string): Promise<void> {
  const { manager } = app
  const second = app.as(app.people.manager2)
  const today = () => app.clock.now().toString().slice(0, 10)
  const open = await app.sql.row<{ cents: number }>(sql`
    select coalesce(sum(total_cents - credited_cents - allocated_cents), 0)::bigint as cents from invoices
    where policy_id = ${policyId} and status = 'sent'`)
  if (open!.cents > 0)
    await recordedReceipt(manager, { policyId, amountCents: open!.cents, receivedOn: today(), method: "cheque" })
  const offer = await manager.refunds.offer({ policyId, reason: "policy_cancellation" })
  expect(offer).toMatchObject({ correctionCents: 0, parked: null })
  if (offer.creditCents > 0) {
    const { isKnown, ...payee } = offer.payee
    const form = createRefundForm({
      policyId,
      amountCents: offer.creditCents,
      method: "cheque",
      ...(isKnown ? payee : {}),
    })
    const refund = await manager.refunds.process({ ...form, correctionCents: 0, idempotencyKey: randomUUID() })
    const { payoutId } = await manager.refunds.detail({ refundId: refund.id })
    const made = await manager.payouts.detail({ payoutId: payoutId! })
    if (made.formerPayee) {
      await second.payouts.confirmPayee({ payoutId: payoutId!, version: made.version })
      app.clock.advance({ hours: 24 })
    }
    for (const step of ["release", "complete"] as const) {
      const { version } = await manager.payouts.detail({ payoutId: payoutId! })
      const input = { payoutId: payoutId!, version, idempotencyKey: randomUUID() }
      if (step === "release") await second.payouts.release(input)
      else await second.payouts.complete({ ...input, completedOn: today() })
    }
  }
  const { creditCents, invoices } = await manager.receipts.openInvoices({ policyId })
  expect({ creditCents, invoices }).toEqual({ creditCents: 0, invoices: [] })
  const accounts = await app.sql.row<{ debtors: number; credit: number; held: number }>(sql`
    select coalesce(sum(amount_cents) filter (where account = 'premium_debtors'), 0)::bigint as debtors,
      coalesce(-sum(amount_cents) filter (where account = 'unallocated_receipts'), 0)::bigint as credit,
      -- Refunds that wait for their release keep their credit until then.
      (select coalesce(sum(amount_cents), 0)::bigint from payouts
        where policy_id = ${policyId} and subject_kind = 'refund' and status = 'pending') as held
    from ledger_postings where policy_id = ${policyId}`)
  expect(accounts).toEqual({ debtors: 0, credit: accounts!.held, held: accounts!.held })
}
