import { join } from "node:path"
import { maxInvoiceLines } from "@milkwood/domain/billing/invoice-form"
import { billedParts } from "@milkwood/domain/billing/paper-lines"
import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import { addressee } from "../policies/addressee.queries.ts"
import { countLines } from "./invoice-lines.queries.ts"
import type { InvoiceDocument } from "./invoice-pdf.ts"
import { isVisibleTo } from "./invoices.queries.ts"

const template = join(import.meta.dirname, "invoice-pdf.ts")

type Stored = Omit<
  InvoiceDocument,
  "organisation" | "dateFormat" | "currency" | "createdAt" | "mark" | "copyOn" | "parts" | keyof SettledAmounts
> & {
  status: string
  /** Null unless the PDF sums the lines. */
  parts: InvoiceDocument["parts"] | null
}

const allLinesSql = sql`
  coalesce((select jsonb_agg(jsonb_build_object('description', l.description, 'memberNumber', m.number,
      'memberName', m.first_name || ' ' || m.last_name, 'billedMonth', l.billed_month,
      'quantity', l.quantity, 'unitCents', l.unit_cents, 'totalCents', l.total_cents) order by l.position)
    from invoice_lines l left join members m on m.id = l.member_id where l.invoice_id = i.id), '[]')`

/** Sums lines by month, tier and price; otherwise the PDF could have 1,000 pages. */
const summedLinesSql = sql`
  coalesce((select jsonb_agg(jsonb_build_object('description', description, 'memberNumber', null,
      'quantity', quantity, 'unitCents', unit_cents, 'totalCents', total_cents) order by position)
    from (
      select min(l.position) as position,
        coalesce(t.name, 'Standard') || ' members' || case when l.billed_month <> date_trunc('month', i.period_start_on)
          then ', ' || to_char(l.billed_month, 'FMMon YYYY') else '' end as description,
        sum(l.quantity) as quantity, l.unit_cents, sum(l.total_cents)::bigint as total_cents
      from invoice_lines l left join benefit_tiers t on t.id = l.tier_id
      where l.invoice_id = i.id and l.member_id is not null group by t.name, l.billed_month, l.unit_cents
      union all
      select l.position, l.description, l.quantity, l.unit_cents, l.total_cents
      from invoice_lines l where l.invoice_id = i.id and l.member_id is null) l), '[]')`

const summedPartsSql = sql`
  (select jsonb_agg(jsonb_build_object('month', month, 'reason', reason, 'people', people, 'netCents', cents)
      order by month is null, reason is not null, month)
    from (
      select l.billed_month as month, count(distinct l.member_id) as people, sum(l.total_cents)::bigint as cents,
        case when l.billed_month <> date_trunc('month', i.period_start_on) then 'Earlier month' end as reason
      from invoice_lines l where l.invoice_id = i.id group by l.billed_month) part)`

export type SettledAmounts = Pick<InvoiceDocument, "creditedCents" | "paidCents" | "writtenOffCents">

/** Why the PDF is made: preview, sending (with credit allocated now), or a copy. */
type PrintPurpose = "look" | { paidCents: Cents } | "copy"

/** Uses current data and settings. NOT_FOUND if the invoice is not visible. */
export async function createInvoiceDocument(
  cx: Pick<Cx, "tx" | "actor" | "now" | "today">,
  invoiceId: string,
  printed: PrintPurpose,
): Promise<InvoiceDocument> {
  const { lineCount } = await countLines(cx.tx, invoiceId)
  const invoice = await cx.tx.row<Stored & SettledAmounts>(sql`
    select i.number, i.status, i.invoice_on as "invoiceOn", i.due_on as "dueOn", i.period_start_on as "periodStartOn",
      i.period_end_on as "periodEndOn", p.number as "policyNumber",
      ${addressee} as "billTo",
      ${lineCount > maxInvoiceLines ? summedLinesSql : allLinesSql} as lines,
      ${lineCount > maxInvoiceLines ? summedPartsSql : sql`null::jsonb`} as parts,
      (select coalesce(jsonb_agg(jsonb_build_object('class', vat_class, 'percent', vat_percent, 'netCents', net,
          'vatCents', round(net * vat_percent / 100)) order by first), '[]')
        from (select vat_class, vat_percent, sum(total_cents) as net, min(position) as first
          from invoice_lines where invoice_id = i.id group by 1, 2) rate) as vat,
      i.subtotal_cents as "subtotalCents", i.discount_cents as "discountCents",
      i.discount_percent::float8 as "discountPercent", i.discount_reason as "discountReason",
      i.vat_cents as "vatCents", i.total_cents as "totalCents", i.notes, ${settledColumns}
    from invoices i
    join policies p on p.id = i.policy_id
    join employer_groups g on g.id = i.group_id
    where i.id = ${invoiceId} and ${isVisibleTo(cx.actor)}`)
  if (!invoice) throw refused("NOT_FOUND")
  const { organisation, dateFormat, currency } = await readDocumentSettings(cx.tx)
  const { status, parts, creditedCents, paidCents, writtenOffCents, ...said } = invoice
  const settled =
    printed === "copy"
      ? { creditedCents, paidCents, writtenOffCents }
      : { creditedCents: 0, paidCents: printed === "look" ? 0 : printed.paidCents, writtenOffCents: 0 }
  return {
    ...said,
    ...settled,
    parts: parts ?? billedParts(said.lines, firstOfMonth(said.periodStartOn), currency),
    organisation,
    dateFormat,
    currency,
    createdAt: cx.now.toString(),
    mark: status === "cancelled" ? "CANCELLED" : printed === "copy" ? "COPY" : printed === "look" ? "DRAFT" : null,
    copyOn: printed === "copy" ? cx.today : null,
  }
}

const settledColumns = sql`
  i.credited_cents as "creditedCents", i.allocated_cents as "paidCents", i.written_off_cents as "writtenOffCents"`

export const loadSettledAmounts = async ({ tx }: Pick<Cx, "tx">, invoiceId: string): Promise<SettledAmounts> =>
  (await tx.row<SettledAmounts>(sql`select ${settledColumns} from invoices i where i.id = ${invoiceId}`))!

/** Call it outside a transaction. */
export const invoicePdf = (
  printing: Parameters<typeof renderPdf>[0],
  document: () => InvoiceDocument | Promise<InvoiceDocument>,
): Promise<Buffer> => renderPdf(printing, template, document)
