import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { postedParts } from "@milkwood/domain/billing/invoice-totals"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { formatRand } from "@milkwood/domain/kernel/money"
import { invoiceSent } from "@milkwood/domain/ledger/posting-rules"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { eq, sql } from "drizzle-orm"
import { post } from "../ledger/post.ts"
import { command, orRefuse, type PrepareCx, refused } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { queueMail } from "../platform/work/mail.ts"
import { invoices } from "./billing.tables.ts"
import { invoiceDocument, invoicePdf } from "./invoice-document.ts"
import { invoiceDetail, invoiceNews, lockInvoice, visibleTo } from "./invoices.queries.ts"

/**
 * Sends an invoice: the PDF, made before of this very version, is stored, the debt posted, the mail queued, all in one
 * transaction.
 */
export const sendInvoice = command(
  billingContract.send,
  async (cx) => {
    const { tx, input, now } = cx
    const { invoice, policy } = await lockInvoice(cx, input.invoiceId, input.version)
    const status = orRefuse(step(invoiceLifecycle, invoice, "send"))
    if (invoice.totalCents === 0) throw refused("NOTHING_TO_SEND")
    const to = policy.contactEmail
    if (!to) throw refused("NO_CONTACT")

    if (!cx.prepared) throw refused("BUSY")

    const { id, number, groupId, policyId, dueOn, totalCents } = invoice
    const name = `${number}.pdf`
    const pdf = await cx.app.files.save(cx, {
      kind: "invoice",
      name,
      mime: "application/pdf",
      groupId,
      content: cx.prepared,
    })
    await tx
      .update(invoices)
      .set({ status, sentAt: now, sentTo: to, pdfFileId: pdf.id, version: invoice.version + 1 })
      .where(eq(invoices.id, id))
    await post(
      cx,
      invoiceSent({
        invoiceId: id,
        number,
        on: invoice.invoiceOn,
        policy: { policyId, groupId },
        ...postedParts(invoice),
      }),
    )

    const { organisation, dateFormat } = await readSettings(tx, platformSettings)
    await queueMail(cx, {
      to,
      groupId,
      subject: `Invoice ${number} from ${organisation.name}`,
      text: [
        `Dear ${policy.contactName || "client"}`,
        `Please find attached invoice ${number} of ${formatRand(totalCents)} for ${policy.groupName}, policy ${policy.number}, period ${formatDay(invoice.periodStartOn, dateFormat)} to ${formatDay(invoice.periodEndOn, dateFormat)}.`,
        `It is due on ${formatDay(dueOn, dateFormat)}. Please give ${number} as the reference of your payment.`,
        `Kind regards\n${organisation.name}`,
      ].join("\n\n"),
      attachments: [{ fileId: pdf.id, name }],
      about: { kind: "invoice", id },
    })
    await record(cx, [{ ...invoiceNews(invoice), type: "InvoiceSent", policyId, totalCents, dueOn, to }])
    return invoiceDetail(cx, id)
  },
  { prepare: pdfToSend },
)

type SendableFrom = Parameters<typeof invoiceLifecycle.next>[0]

/** The PDF of an invoice that can be sent as the sender saw it; of another there is none to make. */
async function pdfToSend({
  app,
  input: { invoiceId, version },
  read,
}: PrepareCx<{ invoiceId: string; version: number }>): Promise<Buffer | undefined> {
  const document = await read(async (cx) => {
    const found = await cx.tx.row<{ status: SendableFrom; totalCents: number }>(sql`
      select status, total_cents as "totalCents" from invoices i
      where id = ${invoiceId} and version = ${version} and ${visibleTo(cx.actor)}`)
    const isSendable = found && found.totalCents > 0 && invoiceLifecycle.next(found.status, "send")
    return isSendable ? invoiceDocument(cx, invoiceId, true) : undefined
  })
  return document && invoicePdf({ app, line: "records" }, () => document)
}
