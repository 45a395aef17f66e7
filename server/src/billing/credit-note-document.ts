import { join } from "node:path"
import { maxEditableMemberLines } from "@milkwood/domain/billing/invoice-form"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import { addressee } from "../policies/addressee.queries.ts"
import type { CreditNoteDocument } from "./credit-note-pdf.ts"
import { loadNoteLines } from "./credit-notes.queries.ts"

const template = join(import.meta.dirname, "credit-note-pdf.ts")

/** Uses current data and settings. NOT_FOUND if the note is not visible. */
export async function creditNoteDocument(
  { tx, now }: Pick<Cx, "tx" | "now">,
  creditNoteId: string,
): Promise<CreditNoteDocument> {
  const note = await tx.row<
    Omit<CreditNoteDocument, "organisation" | "dateFormat" | "currency" | "createdAt" | "lines"> & { lineCount: number }
  >(sql`
    select c.number, c.kind, c.discount_cents as "discountCents", c.credited_on as "creditedOn", c.reason, c.net_cents as "netCents", c.vat_cents as "vatCents",
      c.total_cents as "totalCents", i.number as "invoiceNumber", i.invoice_on as "invoiceOn", p.number as "policyNumber",
      ${addressee} as "billTo",
      (select coalesce(jsonb_agg(jsonb_build_object('percent', rate, 'vatCents', vat) order by rate desc), '[]')
        from (select vat_percent::float8 as rate, sum(vat_cents)::bigint as vat from credit_note_lines
          where credit_note_id = c.id group by 1) rates) as vat,
      (select count(*)::int from credit_note_lines where credit_note_id = c.id) as "lineCount"
    from credit_notes c
    join invoices i on i.id = c.invoice_id
    join policies p on p.id = c.policy_id
    join employer_groups g on g.id = c.group_id
    where c.id = ${creditNoteId}`)
  if (!note) throw refused("NOT_FOUND")
  const { organisation, dateFormat, currency } = await readDocumentSettings(tx)
  const { lineCount, ...said } = note
  // Concessions apply to the whole invoice; very long corrections are not listed.
  const lines =
    said.kind === "correction" && lineCount <= maxEditableMemberLines
      ? await loadNoteLines({ tx }, creditNoteId, maxEditableMemberLines)
      : []
  return { ...said, lines, organisation, dateFormat, currency, createdAt: now.toString() }
}

/** Call it outside a transaction. */
export const creditNotePdf = (
  printing: Parameters<typeof renderPdf>[0],
  document: () => CreditNoteDocument | Promise<CreditNoteDocument>,
): Promise<Buffer> => renderPdf(printing, template, document)
