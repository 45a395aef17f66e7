import { join } from "node:path"
import { type ReceiptMethod, receiptMethodNames, remainingCreditOf } from "@milkwood/domain/receipts/receipt"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import { addressee } from "../policies/addressee.queries.ts"
import type { ReceiptDocument } from "./receipt-pdf.ts"

const template = join(import.meta.dirname, "receipt-pdf.ts")

export async function readReceiptDocument(
  { tx, now }: Pick<Cx, "tx" | "now">,
  receiptId: string,
): Promise<ReceiptDocument> {
  const found = await tx.row<
    Omit<ReceiptDocument, "organisation" | "dateFormat" | "currency" | "createdAt" | "method" | "creditCents"> & {
      method: ReceiptMethod
      allocatedCents: number
    }
  >(sql`
    select r.number, p.number as "policyNumber", r.received_on as "receivedOn", r.method, r.reference,
      r.amount_cents as "amountCents", r.allocated_cents as "allocatedCents", r.refunded_cents as "refundedCents",
      r.reversed_on as "reversedOn",
      ${addressee} as "receivedFrom",
      (select jsonb_build_object('number', d.number, 'amountCents', d.amount_cents)
        from deposits d where d.id = r.deposit_id) as deposit,
      coalesce((select jsonb_agg(jsonb_build_object('invoiceNumber', paid.number, 'invoiceOn', paid.invoice_on,
          'amountCents', paid.cents) order by paid.invoice_on, paid.number)
        from (select i.number, i.invoice_on, sum(l.amount_cents)::bigint as cents
          from receipt_allocations l join invoices i on i.id = l.invoice_id
          where l.receipt_id = r.id and l.released_at is null group by i.id) paid), '[]') as paid
    from receipts r
    join policies p on p.id = r.policy_id
    join employer_groups g on g.id = r.group_id
    where r.id = ${receiptId}`)
  if (!found) throw refused("NOT_FOUND")
  const { organisation, dateFormat, currency } = await readDocumentSettings(tx)
  const { allocatedCents, method, ...said } = found
  const creditCents = said.reversedOn === null ? remainingCreditOf({ ...said, allocatedCents }) : 0
  return {
    ...said,
    method: receiptMethodNames[method],
    creditCents,
    organisation,
    dateFormat,
    currency,
    createdAt: now.toString(),
  }
}

/** Call it outside a transaction. */
export const receiptPdf = (
  printing: Parameters<typeof renderPdf>[0],
  document: () => ReceiptDocument | Promise<ReceiptDocument>,
): Promise<Buffer> => renderPdf(printing, template, document)
