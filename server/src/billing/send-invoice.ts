import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { send } from "@milkwood/domain/billing/invoice-steps"
import { refuseWithoutBankAccount, refuseWithoutVatNumber } from "@milkwood/domain/billing/paper-rules"
import type { Cents } from "@milkwood/domain/kernel/money"
import { premiumByMonth } from "@milkwood/domain/ledger/earned-premium"
import { invoiceSent } from "@milkwood/domain/ledger/posting-rules"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { postPremium } from "../ledger/premium-parts.ts"
import { type Cx, command, orRefuse, type PrepareCx, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { readSettings } from "../platform/settings/store.ts"
import { queueMail } from "../platform/work/mail.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { loadRecipients } from "../policies/policy-recipients.ts"
import { creditUsedBy } from "./billing.ports.ts"
import { createCoveringMail } from "./covering-mail.ts"
import { createInvoiceDocument, invoicePdf } from "./invoice-document.ts"
import { lockInvoice, saveInvoice } from "./invoice-record.ts"
import { invoiceDetail, isVisibleTo } from "./invoices.queries.ts"
import { loadInvoicePremium } from "./premium-by-month.ts"

export const sendInvoice = command(
  billingContract.send,
  async (cx) => {
    const held = await lockInvoice(cx, cx.input.invoiceId)
    expectVersion(held.invoice, cx.input.version)
    await issueInvoice(cx, held, cx.prepared, cx.input.useCredit)
    return invoiceDetail(cx, held.invoice.id)
  },
  { prepare: createPdfToSend },
)

/**
 * Stores the PDF rendered for this version, posts the debt and queues the mail, in one transaction. The receipts module
 * reacts by allocating credit.
 */
export async function issueInvoice(
  cx: Cx,
  { invoice, policy }: Awaited<ReturnType<typeof lockInvoice>>,
  pdf: SendablePdf | undefined,
  useCredit: boolean | undefined,
): Promise<void> {
  const { now } = cx
  const { to } = await loadRecipients(cx.tx, policy.id, "invoices")
  const { organisation } = await readSettings(cx.tx, platformSettings)
  const sent = orRefuse(send(invoice, { to, mailed: await isMailEnabled(cx), useCredit }, now))
  orRefuse(refuseWithoutVatNumber(organisation, invoice))
  orRefuse(refuseWithoutBankAccount(organisation))
  if (!pdf) throw refused("BUSY")

  const { id, number, groupId, policyId } = invoice
  const name = `${number}.pdf`
  const mime = "application/pdf"
  const file = await cx.app.files.save(cx, { kind: "invoice", name, mime, groupId, content: pdf.content })
  const document = { invoiceId: id, creditNoteId: null, number, on: invoice.invoiceOn, policy: { policyId, groupId } }
  const { discountCents, vatCents } = invoice
  const byMonth = premiumByMonth(await loadInvoicePremium(cx.tx, invoice), discountCents)
  await postPremium(cx, document, byMonth, (on, parts) => invoiceSent({ ...document, on, parts, vatCents }))
  await saveInvoice(cx, invoice, sent, { pdfFileId: file.id })
  // The PDF was rendered before; the credit that it states must equal the credit allocated now.
  const paid = await cx.tx.row<{ cents: Cents }>(sql`select allocated_cents as cents from invoices where id = ${id}`)
  if (paid!.cents !== pdf.paidCents) throw refused("BUSY")

  const { subject, text } = await createCoveringMail(cx, "invoice", id)
  const about = { kind: "invoice", id }
  await queueMail(cx, { to, groupId, subject, text, attachments: [{ fileId: file.id, name }], about })
}

type SendableStatus = Parameters<typeof invoiceLifecycle.next>[0]

/** `paidCents`: the credit that the PDF states. */
export interface SendablePdf {
  content: Buffer
  paidCents: Cents
}

/** Renders only if the invoice can be sent at this version. */
export async function createPdfToSend({
  app,
  input: { invoiceId, version, useCredit },
  read,
}: Pick<
  PrepareCx<{ invoiceId: string; version: number; useCredit?: boolean | undefined }>,
  "app" | "input" | "read"
>): Promise<SendablePdf | undefined> {
  let paidCents = 0
  const document = await read(async (cx) => {
    const found = await cx.tx.row<{ status: SendableStatus; totalCents: Cents; policyId: string }>(sql`
      select status, total_cents as "totalCents", policy_id as "policyId" from invoices i
      where id = ${invoiceId} and version = ${version} and ${isVisibleTo(cx.actor)}`)
    const isSendable = found && found.totalCents > 0 && invoiceLifecycle.next(found.status, "send")
    if (!isSendable) return undefined
    paidCents = await creditUsedBy(cx.tx, { ...found, useCredit })
    return createInvoiceDocument(cx, invoiceId, { paidCents })
  })
  return document && { content: await invoicePdf({ app, line: "records" }, () => document), paidCents }
}
