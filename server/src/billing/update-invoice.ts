import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { lineChanges } from "@milkwood/domain/billing/line-changes"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { eq } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { invoiceLines, invoices } from "./billing.tables.ts"
import { draftNews, invoiceDetail, lockInvoice, invoiceLines as storedLines } from "./invoices.queries.ts"
import { checkInvoice, insertLines } from "./save-invoice.ts"

/** Saves a draft anew, with the VAT rate of its new date. */
export const updateInvoice = command(billingContract.update, async (cx) => {
  const { tx, input } = cx
  const { invoice, policy } = await lockInvoice(cx, input.invoiceId, input.version)
  orRefuse(step(invoiceLifecycle, invoice, "edit"))
  const { lines, ...form } = input.invoice
  const totals = await checkInvoice(cx, policy, input.invoice, invoice.id)
  const after = { ...form, ...totals }
  const changes = lineChanges(await storedLines(tx, invoice.id), lines)

  await tx.delete(invoiceLines).where(eq(invoiceLines.invoiceId, invoice.id))
  await tx
    .update(invoices)
    .set({ ...after, version: invoice.version + 1 })
    .where(eq(invoices.id, invoice.id))
  await insertLines(tx, invoice, lines)

  const changed = (Object.keys(after) as (keyof typeof after)[]).filter((field) => after[field] !== invoice[field])
  await record(cx, [
    {
      ...draftNews(invoice),
      type: "InvoiceEdited",
      before: {
        ...Object.fromEntries(changed.map((field) => [field, invoice[field]])),
        ...(changes.removed && { lines: changes.removed }),
      },
      after: {
        ...Object.fromEntries(changed.map((field) => [field, after[field]])),
        ...(changes.added && { lines: changes.added }),
      },
    },
  ])
  return invoiceDetail(cx, invoice.id)
})
