import { randomUUID } from "node:crypto"
import { openCents } from "@milkwood/domain/billing/invoice"
import { creditParts } from "@milkwood/domain/billing/invoice-totals"
import { maxDay } from "@milkwood/domain/kernel/calendar"
import { writeOff as writeOffEntry } from "@milkwood/domain/ledger/posting-rules"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { receiptsSettings } from "@milkwood/domain/receipts/receipts-settings"
import { applyWriteOffStep, checkWriteOffAmount, type WriteOffAction } from "@milkwood/domain/receipts/write-off"
import { eq, sql } from "drizzle-orm"
import { invoices } from "../billing/billing.tables.ts"
import { lockSentInvoices } from "../billing/invoice-record.ts"
import { loadSettlement } from "../billing/invoices.queries.ts"
import { addWrittenOff } from "../billing/settled-amounts.ts"
import { post, reverse as reverseEntries } from "../ledger/post.ts"
import { actorUserId, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectPerson } from "../platform/calls/proof.ts"
import { lockRecord, readRecord, type Stored } from "../platform/database/record.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { findPolicyHead } from "../policies/policy-record.ts"
import { writeOffs } from "./receipts.tables.ts"
import { writeOffsOf } from "./write-offs.queries.ts"

type Invoice = Stored<typeof invoices>
type Row = Stored<typeof writeOffs>

/** Locks the policy's open invoices like an allocation, so that payments and credits cannot change meanwhile. */
async function lockInvoice({ tx }: Cx, invoiceId: string): Promise<Invoice> {
  const { policyId } = await readRecord(tx, invoices, invoiceId)
  await findPolicyHead(tx, policyId)
  await lockSentInvoices(tx, policyId)
  return readRecord(tx, invoices, invoiceId)
}

/** Splits an amount into net and VAT, so that all parts add up to the invoice's own VAT. */
async function splitNetAndVat({ tx }: Cx, invoice: Invoice, amountCents: number) {
  const { settled } = await loadSettlement(tx, invoice.id)
  const { netCents, vatCents, totalCents } = orRefuse(creditParts(invoice, settled, amountCents))
  return { netCents, vatCents, totalCents }
}

/** Effective today, but never before the invoice date. */
const effectiveDayOf = (cx: Cx, invoice: Invoice) => maxDay(cx.today, invoice.invoiceOn)

async function applyWriteOff(
  cx: Cx,
  invoice: Invoice,
  row: Pick<Row, "id" | "netCents" | "vatCents" | "totalCents">,
): Promise<void> {
  const { id: invoiceId, number: invoiceNumber, policyId, groupId } = invoice
  await addWrittenOff(cx.tx, [{ invoiceId, amountCents: row.totalCents }])
  const { id: writeOffId, netCents, vatCents } = row
  const on = effectiveDayOf(cx, invoice)
  await post(
    cx,
    writeOffEntry({ writeOffId, invoiceId, invoiceNumber, netCents, vatCents, on, policy: { policyId, groupId } }),
  )
}

/** Write-offs are internal to the insurer: employers are not notified. */
const factHeadOf = ({ id, number }: Invoice, { totalCents, reason }: { totalCents: number; reason: string }) => ({
  record: { kind: "invoice" as const, id, label: number },
  groupId: null,
  totalCents,
  reason,
})

/**
 * Writes off part of an invoice in cents; null means all that is open. Effective at once up to the limit, otherwise
 * when a second person confirms. Refuses NOTHING_OPEN, MORE_THAN_OPEN, WRITE_OFF_WAITS.
 */
export async function createWriteOff(
  cx: Cx,
  asked: { invoiceId: string; amountCents: number | null; reason: string },
): Promise<void> {
  const { tx, now } = cx
  const invoice = await lockInvoice(cx, asked.invoiceId)
  const amountCents = orRefuse(checkWriteOffAmount(openCents(invoice), asked.amountCents))
  const waits = await tx.row(sql`
    select from write_offs where invoice_id = ${invoice.id} and written_off_on is null and declined_at is null`)
  if (waits) orRefuse({ refused: "WRITE_OFF_WAITS" })
  const { writeOffLimitCents: limitCents } = await readSettings(tx, receiptsSettings)
  const parts = await splitNetAndVat(cx, invoice, amountCents)
  const counts = parts.totalCents <= limitCents
  const row = {
    id: randomUUID(),
    groupId: invoice.groupId,
    policyId: invoice.policyId,
    invoiceId: invoice.id,
    ...parts,
    reason: asked.reason,
    limitCents,
    askedBy: actorUserId(cx.actor)!,
    keyMadeBy: ruleActor(cx.actor).keyMadeBy ?? null,
    askedAt: now,
    writtenOffOn: counts ? effectiveDayOf(cx, invoice) : null,
  }
  await tx.insert(writeOffs).values(row)
  if (counts) await applyWriteOff(cx, invoice, row)
  await record(cx, [{ ...factHeadOf(invoice, row), type: counts ? "InvoiceWrittenOff" : "WriteOffAsked" }])
}

export const requestWriteOff = command(receiptsContract.writeOff, async (cx) => {
  await createWriteOff(cx, cx.input)
  return writeOffsOf(cx, cx.input.invoiceId)
})

/** Locks the invoice before the write-off. */
async function lockWriteOffForStep(
  cx: Cx,
  writeOffId: string,
  action: WriteOffAction,
): Promise<{ invoice: Invoice; row: Row }> {
  const { invoiceId } = await readRecord(cx.tx, writeOffs, writeOffId)
  const invoice = await lockInvoice(cx, invoiceId)
  const row = await lockRecord(cx.tx, writeOffs, writeOffId)
  orRefuse(applyWriteOffStep(row, action, ruleActor(cx.actor)))
  return { invoice, row }
}

export const confirmWriteOff = command(receiptsContract.confirmWriteOff, async (cx) => {
  expectPerson(cx)
  const { invoice, row } = await lockWriteOffForStep(cx, cx.input.writeOffId, "confirm")
  orRefuse(checkWriteOffAmount(openCents(invoice), row.totalCents))
  await cx.tx
    .update(writeOffs)
    .set({ writtenOffOn: effectiveDayOf(cx, invoice), confirmedBy: actorUserId(cx.actor), confirmedAt: cx.now })
    .where(eq(writeOffs.id, row.id))
  await applyWriteOff(cx, invoice, row)
  await record(cx, [{ ...factHeadOf(invoice, row), type: "InvoiceWrittenOff" }])
  return writeOffsOf(cx, invoice.id)
})

export const declineWriteOff = command(receiptsContract.declineWriteOff, async (cx) => {
  const { invoice, row } = await lockWriteOffForStep(cx, cx.input.writeOffId, "decline")
  const declined = { declinedBy: actorUserId(cx.actor), declinedAt: cx.now }
  await cx.tx.update(writeOffs).set(declined).where(eq(writeOffs.id, row.id))
  await record(cx, [{ ...factHeadOf(invoice, row), type: "WriteOffDeclined" }])
  return writeOffsOf(cx, invoice.id)
})

export const reverseWriteOff = command(receiptsContract.reverseWriteOff, async (cx) => {
  const { reason } = cx.input
  const { invoice, row } = await lockWriteOffForStep(cx, cx.input.writeOffId, "reverse")
  const reversedOn = maxDay(cx.today, row.writtenOffOn!)
  await cx.tx
    .update(writeOffs)
    .set({ reversedOn, reversedBy: actorUserId(cx.actor), reversedAt: cx.now, reverseReason: reason })
    .where(eq(writeOffs.id, row.id))
  await addWrittenOff(cx.tx, [{ invoiceId: invoice.id, amountCents: -row.totalCents }])
  await reverseEntries(cx, [{ source: `write-off:${row.id}`, on: reversedOn, reason }])
  await record(cx, [{ ...factHeadOf(invoice, { ...row, reason }), type: "WriteOffReversed" }])
  return writeOffsOf(cx, invoice.id)
})
