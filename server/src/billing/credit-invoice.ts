import { randomUUID } from "node:crypto"
import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { credit } from "@milkwood/domain/billing/invoice-steps"
import { creditParts } from "@milkwood/domain/billing/invoice-totals"
import { maxDay } from "@milkwood/domain/kernel/calendar"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { creditNote } from "@milkwood/domain/ledger/posting-rules"
import { post } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { creditNotes } from "./billing.tables.ts"
import { lockInvoice, saveInvoice } from "./invoice-record.ts"
import { invoiceDetail, settledOf } from "./invoices.queries.ts"

/** Corrects a sent invoice. What was paid beyond the rest is released by the receipts room, which reacts to the news. */
export const creditInvoice = command(billingContract.credit, async (cx) => {
  const { tx, input, now, today } = cx
  const { invoice } = await lockInvoice(cx, input.invoiceId)
  const { id: invoiceId, groupId, policyId } = invoice
  orRefuse(step(invoiceLifecycle, invoice, "credit"))
  const { settled, writtenOffCents } = await settledOf(tx, invoiceId)
  const split = orRefuse(creditParts(invoice, settled, input.amountCents))
  const parts = { ...split, whole: split.whole && writtenOffCents === 0 }
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
