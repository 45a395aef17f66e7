import { randomUUID } from "node:crypto"
import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { credit } from "@milkwood/domain/billing/invoice-steps"
import { creditParts } from "@milkwood/domain/billing/invoice-totals"
import { maxDay } from "@milkwood/domain/kernel/calendar"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { creditNote } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { post } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { creditNotes } from "./billing.tables.ts"
import { lockInvoice, saveInvoice } from "./invoice-record.ts"
import { invoiceDetail } from "./invoices.queries.ts"

/** Corrects a sent invoice. What was paid beyond the rest is released by the receipts room, which reacts to the news. */
export const creditInvoice = command(billingContract.credit, async (cx) => {
  const { tx, input, now, today } = cx
  const { invoice } = await lockInvoice(cx, input.invoiceId)
  const { id: invoiceId, groupId, policyId } = invoice
  orRefuse(step(invoiceLifecycle, invoice, "credit"))
  const before = await tx.row<{ totalCents: number; vatCents: number }>(sql`
    select coalesce(sum(total_cents), 0)::bigint as "totalCents", coalesce(sum(vat_cents), 0)::bigint as "vatCents"
    from credit_notes where invoice_id = ${invoiceId}`)
  const parts = orRefuse(creditParts(invoice, before!, input.amountCents))
  const { netCents, vatCents, totalCents } = parts

  const note = {
    id: randomUUID(),
    groupId,
    policyId,
    invoiceId,
    number: await nextNumber(tx, "credit_note", today),
    // A credit never counts before the invoice that it corrects.
    creditedOn: maxDay(today, invoice.invoiceOn),
    netCents,
    vatCents,
    totalCents,
    reason: input.reason,
    createdBy: actorUserId(cx.actor),
    createdAt: now,
  }
  await tx.insert(creditNotes).values(note)
  const { id: creditNoteId, number, creditedOn: on } = note
  const policy = { policyId, groupId }
  await post(cx, creditNote({ creditNoteId, number, invoiceId, on, policy, netCents, vatCents }))
  await saveInvoice(cx, invoice, orRefuse(credit(invoice, parts, note, now)))
  return invoiceDetail(cx, invoiceId)
})
