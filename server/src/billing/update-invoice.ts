import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { edit } from "@milkwood/domain/billing/invoice-steps"
import { applyTransition } from "@milkwood/domain/kernel/lifecycle"
import { eq } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { invoiceLines } from "./billing.tables.ts"
import { completeLines } from "./fill-lines.ts"
import { loadStoredLines } from "./invoice-lines.queries.ts"
import { lockInvoice, saveInvoice } from "./invoice-record.ts"
import { invoiceDetail } from "./invoices.queries.ts"
import { checkInvoice, insertLines } from "./save-invoice.ts"

export const updateInvoice = command(billingContract.update, async (cx) => {
  const { tx, input } = cx
  const { invoice, policy } = await lockInvoice(cx, input.invoiceId)
  expectVersion(invoice, input.version)
  // Checked before the form, so that a late edit is refused for its status.
  orRefuse(applyTransition(invoiceLifecycle, invoice, "edit"))
  const { memberLines: _, ...typed } = input.invoice
  const form = { ...typed, lines: await completeLines(cx, policy.id, input.invoice, invoice) }
  const { totals, lines } = await checkInvoice(cx, policy, form, invoice.id)
  const edited = orRefuse(edit(invoice, form, totals, await loadStoredLines(tx, invoice.id), cx.currency))
  await tx.delete(invoiceLines).where(eq(invoiceLines.invoiceId, invoice.id))
  await insertLines(tx, invoice, lines)
  // Written even if equal: the update makes the database check the sum of lines (invoice_subtotal_is_its_lines).
  await saveInvoice(cx, invoice, edited, { subtotalCents: totals.subtotalCents })
  return invoiceDetail(cx, invoice.id)
})
