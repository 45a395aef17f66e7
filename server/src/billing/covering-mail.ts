import { billingSettings } from "@milkwood/domain/billing/billing-settings"
import { creditNoteMail, creditNotesMail, type MailedDocument } from "@milkwood/domain/billing/delivery"
import { invoiceMailValues } from "@milkwood/domain/billing/invoice-mail"
import { type Day, formatDay } from "@milkwood/domain/kernel/calendar"
import { type Cents, formatMoney } from "@milkwood/domain/kernel/money"
import { fillMail } from "@milkwood/domain/platform/mail-template"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { policyRecipients } from "../policies/policy-recipients.ts"

interface AddressedDocument {
  number: string
  groupId: string
  totalCents: Cents
  to: string
  contact: string
  group: string
  policy: string
  fileId: string | null
}

export interface CoveringMail extends AddressedDocument {
  subject: string
  text: string
  /** The amount due that the mail states; null for a credit note. */
  dueCents: Cents | null
}

interface Figures {
  dueOn: Day
  periodStartOn: Day
  periodEndOn: Day
  creditedCents: Cents
  allocatedCents: Cents
  writtenOffCents: Cents
}

const mailedDocumentColumns = sql`
  ${policyRecipients("invoices").to} as "to", ${policyRecipients("invoices").contact} as contact, g.name as "group", p.number as policy`
const mailedDocumentJoins = sql`join policies p on p.id = d.policy_id join employer_groups g on g.id = d.group_id`

/** NOT_FOUND unless the actor may see the document. */
export async function createCoveringMail(
  { tx, currency }: Pick<Cx, "tx" | "currency">,
  kind: MailedDocument,
  documentId: string,
): Promise<CoveringMail> {
  const { organisation, dateFormat, invoiceMail } = await readSettings(tx, {
    ...platformSettings,
    invoiceMail: billingSettings.invoiceMail,
  })
  const day = (on: Day) => formatDay(on, dateFormat)
  const common = ({ contact, group, policy, number, totalCents }: AddressedDocument) => ({
    ...{ contact, group, policy, number },
    total: formatMoney(totalCents, currency),
    organisation: organisation.name,
  })
  if (kind === "invoice") {
    const found = await tx.row<AddressedDocument & Figures>(sql`
      select d.number, d.credited_cents as "creditedCents", d.allocated_cents as "allocatedCents",
        d.written_off_cents as "writtenOffCents", d.group_id as "groupId", d.total_cents as "totalCents", d.pdf_file_id as "fileId",
        d.due_on as "dueOn", d.period_start_on as "periodStartOn", d.period_end_on as "periodEndOn", ${mailedDocumentColumns}
      from invoices d ${mailedDocumentJoins} where d.id = ${documentId}`)
    if (!found) throw refused("NOT_FOUND")
    const { dueOn, periodStartOn, periodEndOn, creditedCents, allocatedCents, writtenOffCents, ...facts } = found
    const dueCents = facts.totalCents - creditedCents - allocatedCents - writtenOffCents
    const amount = (cents: Cents) => (cents > 0 ? formatMoney(cents, currency) : null)
    const settled = {
      credited: amount(creditedCents),
      paid: amount(allocatedCents),
      writtenOff: amount(writtenOffCents),
      rest: amount(dueCents),
    }
    const days = { due: day(dueOn), from: day(periodStartOn), to: day(periodEndOn) }
    const values = invoiceMailValues({ ...common(facts), ...days, ...settled })
    return { ...facts, dueCents, ...fillMail(invoiceMail, values) }
  }
  const found = await tx.row<AddressedDocument & { invoice: string; reason: string }>(sql`
    select d.number, d.group_id as "groupId", d.total_cents as "totalCents", d.pdf_file_id as "fileId", d.reason,
      i.number as invoice, ${mailedDocumentColumns}
    from credit_notes d join invoices i on i.id = d.invoice_id ${mailedDocumentJoins} where d.id = ${documentId}`)
  if (!found) throw refused("NOT_FOUND")
  const { invoice, reason, ...facts } = found
  return { ...facts, dueCents: null, ...creditNoteMail({ ...common(facts), invoice, reason }) }
}

export interface MailedNote {
  id: string
  number: string
  fileId: string | null
}

export async function createNotesCoveringMail(
  { tx, currency }: Pick<Cx, "tx" | "currency">,
  creditNoteIds: readonly string[],
): Promise<Pick<CoveringMail, "groupId" | "to" | "subject" | "text"> & { notes: MailedNote[] }> {
  const { organisation } = await readSettings(tx, platformSettings)
  const notes = await tx.rows<AddressedDocument & { id: string; invoice: string }>(sql`
    select d.id, d.number, d.group_id as "groupId", d.total_cents as "totalCents", d.pdf_file_id as "fileId",
      i.number as invoice, ${mailedDocumentColumns}
    from credit_notes d join invoices i on i.id = d.invoice_id ${mailedDocumentJoins}
    where d.id = any (${sql.param([...creditNoteIds])}::uuid[]) order by d.number`)
  const { groupId, to, contact, group, policy } = notes[0]!
  const mail = creditNotesMail({
    ...{ contact, group, policy, organisation: organisation.name },
    total: formatMoney(
      notes.reduce((sum, { totalCents }) => sum + totalCents, 0),
      currency,
    ),
    notes: notes.map(({ number, invoice, totalCents }) => ({
      number,
      invoice,
      total: formatMoney(totalCents, currency),
    })),
  })
  return { groupId, to, ...mail, notes: notes.map(({ id, number, fileId }) => ({ id, number, fileId })) }
}
