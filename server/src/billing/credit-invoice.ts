import { randomUUID } from "node:crypto"
import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { creditParts } from "@milkwood/domain/billing/invoice-totals"
import { maxDay } from "@milkwood/domain/kernel/calendar"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { creditNote } from "@milkwood/domain/ledger/posting-rules"
import { eq, sql } from "drizzle-orm"
import { post } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { record } from "../platform/trail/facts.ts"
import { creditNotes, invoices } from "./billing.tables.ts"
import { invoiceDetail, invoiceNews, lockInvoice } from "./invoices.queries.ts"

/** Corrects a sent invoice. What was paid beyond the rest is released by the receipts room, which reacts to the news. */
export const creditInvoice = command(billingContract.credit, async (cx) => {
  const { tx, input, now, today } = cx
  const { invoice } = await lockInvoice(cx, input.invoiceId)
  orRefuse(step(invoiceLifecycle, invoice, "credit"))
  const before = await tx.row<{ totalCents: number; vatCents: number }>(sql`
    select coalesce(sum(total_cents), 0)::bigint as "totalCents", coalesce(sum(vat_cents), 0)::bigint as "vatCents"
    from credit_notes where invoice_id = ${invoice.id}`)
  const { whole, ...parts } = orRefuse(creditParts(invoice, before!, input.amountCents))

  const { groupId, policyId } = invoice
  // A credit never counts before the invoice that it corrects.
  const creditedOn = maxDay(today, invoice.invoiceOn)
  const note = { id: randomUUID(), number: await nextNumber(tx, "credit_note", today) }
  await tx.insert(creditNotes).values({
    ...note,
    ...parts,
    groupId,
    policyId,
    invoiceId: invoice.id,
    creditedOn,
    reason: input.reason,
    createdBy: actorUserId(cx.actor),
    createdAt: now,
  })
  await tx
    .update(invoices)
    .set({ version: invoice.version + 1, ...(whole ? { creditedWholeAt: now } : {}) })
    .where(eq(invoices.id, invoice.id))
  await post(
    cx,
    creditNote({
      creditNoteId: note.id,
      number: note.number,
      invoiceId: invoice.id,
      on: creditedOn,
      policy: { policyId, groupId },
      netCents: parts.netCents,
      vatCents: parts.vatCents,
    }),
  )
  await record(cx, [
    {
      ...invoiceNews(invoice),
      type: "InvoiceCredited",
      policyId,
      creditNote: note.number,
      creditedCents: parts.totalCents,
      payableCents: invoice.totalCents - before!.totalCents - parts.totalCents,
      reason: input.reason,
    },
  ])
  return invoiceDetail(cx, invoice.id)
})
