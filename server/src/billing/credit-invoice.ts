import { randomUUID } from "node:crypto"
import type { VatClass } from "@milkwood/domain/benefits/vat"
import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { creditNoteIssuedFact } from "@milkwood/domain/billing/credit-note"
import {
  type CreditableInvoice,
  type CreditableLine,
  type CreditLine,
  type CreditRequest,
  calculateCredit,
} from "@milkwood/domain/billing/credit-parts"
import type { Invoice } from "@milkwood/domain/billing/invoice"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { credit } from "@milkwood/domain/billing/invoice-steps"
import { maxDay } from "@milkwood/domain/kernel/calendar"
import { applyTransition } from "@milkwood/domain/kernel/lifecycle"
import type { Cents } from "@milkwood/domain/kernel/money"
import { premiumByMonth } from "@milkwood/domain/ledger/earned-premium"
import { creditNote } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { postPremium } from "../ledger/premium-parts.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, invalidInput, orRefuse, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { record } from "../platform/trail/facts.ts"
import { startJob } from "../platform/work/jobs.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { loadRecipients } from "../policies/policy-recipients.ts"
import { creditNotes } from "./billing.tables.ts"
import { createCoveringMail } from "./covering-mail.ts"
import { creditNotePdfJob } from "./credit-note-paper.ts"
import { lockInvoice, saveInvoice } from "./invoice-record.ts"
import { invoiceDetail, loadWriteOffs } from "./invoices.queries.ts"
import { loadCreditPremium } from "./premium-by-month.ts"

export const creditInvoice = command(billingContract.credit, async (cx) => {
  const { invoice, policy } = await lockInvoice(cx, cx.input.invoiceId)
  const mailTo = cx.input.mail ? (await loadRecipients(cx.tx, policy.id, "invoices")).to : ""
  if (cx.input.mail && mailTo === "") throw refused("NO_CONTACT")
  await makeCreditNote(cx, invoice, creditRequestOf(cx.input), cx.input.reason, mailTo)
  return invoiceDetail(cx, invoice.id)
})

/** The receipts module reacts to the fact and releases any overpayment. */
export async function makeCreditNote(
  cx: Cx,
  invoice: Invoice,
  asked: CreditRequest,
  reason: string,
  /** Recipient; empty: issued without mail. */
  mailTo = "",
): Promise<{ id: string; number: string; netCents: Cents; vatCents: Cents; totalCents: Cents; discountCents: Cents }> {
  const { tx, now, today } = cx
  const { id: invoiceId, groupId, policyId } = invoice
  orRefuse(applyTransition(invoiceLifecycle, invoice, "credit"))
  const parts = orRefuse(calculateCredit(await loadCreditable(tx, invoice), asked))
  const { netCents, vatCents, totalCents, discountCents } = parts

  const note = {
    id: randomUUID(),
    groupId,
    policyId,
    invoiceId,
    number: await nextNumber(tx, "credit_note", today),
    // A credit note is never dated before its invoice.
    creditedOn: maxDay(today, invoice.invoiceOn),
    kind: asked.kind,
    netCents,
    vatCents,
    totalCents,
    discountCents,
    reason,
    mailTo,
    createdBy: actorUserId(cx.actor),
    createdAt: now,
  }
  await tx.insert(creditNotes).values(note)
  await insertCreditLines(tx, note, parts.lines)
  const { id: creditNoteId, number, creditedOn: on } = note
  const document = { invoiceId, creditNoteId, number, on, policy: { policyId, groupId } }
  const given = premiumByMonth(await loadCreditPremium(tx, creditNoteId, invoice), discountCents)
  const byMonth = given.map(({ month, netCents }) => ({ month, netCents: -netCents }))
  await postPremium(cx, document, byMonth, (on, parts) => creditNote({ ...document, on, parts, vatCents }))
  await saveInvoice(cx, invoice, orRefuse(credit(invoice, parts, note, now)))
  await record(cx, [creditNoteIssuedFact(note, invoice.number, await isMailEnabled(cx))])
  const { subject, text } = await createCoveringMail(cx, "credit_note", creditNoteId)
  const mail = mailTo ? { to: mailTo, subject, text } : null
  await startJob(cx, creditNotePdfJob(number, groupId, { creditNoteId, mail }))
  return note
}

interface Input {
  kind: CreditRequest["kind"]
  amountCents: Cents | null
  lines: readonly { invoiceLineId: string; netCents: Cents }[] | null
}

function creditRequestOf({ kind, amountCents, lines }: Input): CreditRequest {
  if (lines === null) return { kind, amountCents }
  if (kind !== "correction" || amountCents !== null) {
    throw invalidInput([{ path: "lines", message: "Choose lines only for a correction without an amount" }])
  }
  return { kind, lines }
}

export async function loadCreditable(tx: Tx, invoice: Invoice): Promise<CreditableInvoice> {
  const lines = await tx.rows<Omit<CreditableLine, "vat"> & { vatClass: VatClass; vatPercent: number }>(sql`
    select l.id, l.total_cents as "totalCents", l.vat_class as "vatClass", l.vat_percent::float8 as "vatPercent",
      coalesce(sum(c.net_cents) filter (where n.kind = 'correction'), 0)::bigint as "correctedCents",
      coalesce(sum(c.vat_cents), 0)::bigint as "creditedVatCents"
    from invoice_lines l
    left join credit_note_lines c on c.invoice_line_id = l.id
    left join credit_notes n on n.id = c.credit_note_id
    where l.invoice_id = ${invoice.id} group by l.id order by l.position`)
  const credited = await tx.row<{ creditedNetCents: Cents; creditedVatCents: Cents }>(sql`
    select coalesce(sum(net_cents), 0)::bigint as "creditedNetCents", coalesce(sum(vat_cents), 0)::bigint as "creditedVatCents"
    from credit_notes where invoice_id = ${invoice.id}`)
  return {
    ...invoice,
    ...credited!,
    ...(await loadWriteOffs(tx, invoice.id)),
    lines: lines.map(({ vatClass, vatPercent, ...line }) => ({
      ...line,
      vat: { class: vatClass, percent: vatPercent },
    })),
  }
}

async function insertCreditLines(
  tx: Tx,
  note: { id: string; groupId: string },
  lines: readonly CreditLine[],
): Promise<void> {
  await tx.run(sql`
    insert into credit_note_lines (id, group_id, credit_note_id, position, invoice_line_id, member_id, billed_month, net_cents,
      vat_class, vat_percent, vat_cents)
    select gen_random_uuid(), ${note.groupId}::uuid, ${note.id}::uuid, place - 1, l.id, l.member_id, l.billed_month, "netCents",
      l.vat_class, l.vat_percent, "vatCents"
    from rows from (
      jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as ("invoiceLineId" uuid, "netCents" bigint, "vatCents" bigint)
    ) with ordinality as line ("invoiceLineId", "netCents", "vatCents", place)
    join invoice_lines l on l.id = line."invoiceLineId"`)
}
