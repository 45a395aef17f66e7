import type { MailedDocument } from "@milkwood/domain/billing/delivery"
import { deliveryContract } from "@milkwood/domain/billing/delivery.contract"
import type { DocumentMail } from "@milkwood/domain/billing/delivery-shape"
import { sql } from "drizzle-orm"
import { type Cx, command, query, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { startJob } from "../platform/work/jobs.ts"
import { queueMail } from "../platform/work/mail.ts"
import { isMailed } from "../platform/work/mail-server.ts"
import { type CoveringMail, coveringMail } from "./covering-mail.ts"
import { paperJob } from "./credit-note-paper.ts"

/** The mail as it would go out, to be edited. */
export const draftMail = query(deliveryContract.draft, async (cx) => {
  const { to, subject, text } = await coveringMail(cx, cx.input.kind, cx.input.documentId)
  return { to, subject, text }
})

/** Mails a document once more. A credit note whose PDF is not made yet gets it first, in the background. */
export const mailDocument = command(deliveryContract.send, async (cx) => {
  const { kind, documentId, mail } = cx.input
  const covering = await coveringMail(cx, kind, documentId)
  if (kind === "invoice") {
    const sent = await cx.tx.row(sql`select from invoices where id = ${documentId} and status = 'sent'`)
    if (!sent) throw refused("NOT_SENT")
  }
  await mailOut(cx, { kind, id: documentId }, covering, mail)
  return { mailed: await isMailed(cx) }
})

/** Mails a credit note to its policy's contact. Refuses NO_CONTACT where there is no address. */
export async function mailCreditNote(cx: Cx, creditNoteId: string): Promise<void> {
  const covering = await coveringMail(cx, "credit_note", creditNoteId)
  const { to, subject, text } = covering
  if (!to) throw refused("NO_CONTACT")
  await mailOut(cx, { kind: "credit_note", id: creditNoteId }, covering, { to, subject, text })
}

async function mailOut(
  cx: Cx,
  about: { kind: MailedDocument; id: string },
  { number, groupId, fileId }: Pick<CoveringMail, "number" | "groupId" | "fileId">,
  mail: DocumentMail,
): Promise<void> {
  if (fileId) await queueMail(cx, { ...mail, groupId, attachments: [{ fileId, name: `${number}.pdf` }], about })
  else await startJob(cx, paperJob(number, groupId, { creditNoteId: about.id, mail }))
  const mailed = await isMailed(cx)
  await record(cx, [{ record: { ...about, label: number }, groupId, type: "DocumentMailed", to: mail.to, mailed }])
}
