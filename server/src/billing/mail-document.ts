import { deliveryContract } from "@milkwood/domain/billing/delivery.contract"
import { sql } from "drizzle-orm"
import { command, query, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { startJob } from "../platform/work/jobs.ts"
import { isMailed, queueMail } from "../platform/work/mail.ts"
import { coveringMail } from "./covering-mail.ts"
import { paperJob } from "./credit-note-paper.ts"

/** The mail as it would go out, to be edited. */
export const draftMail = query(deliveryContract.draft, async (cx) => {
  const { to, subject, text } = await coveringMail(cx, cx.input.kind, cx.input.documentId)
  return { to, subject, text }
})

/** Mails a document once more. A credit note whose PDF is not made yet gets it first, in the background. */
export const mailDocument = command(deliveryContract.send, async (cx) => {
  const { kind, documentId, mail } = cx.input
  const { number, groupId, fileId } = await coveringMail(cx, kind, documentId)
  if (kind === "invoice") {
    const sent = await cx.tx.row(sql`select from invoices where id = ${documentId} and status = 'sent'`)
    if (!sent) throw refused("NOT_SENT")
  }
  const about = { kind, id: documentId }
  if (fileId) await queueMail(cx, { ...mail, groupId, attachments: [{ fileId, name: `${number}.pdf` }], about })
  else await startJob(cx, paperJob(number, groupId, { creditNoteId: documentId, mail }))
  const mailed = isMailed(cx.app)
  await record(cx, [{ record: { ...about, label: number }, groupId, type: "DocumentMailed", to: mail.to, mailed }])
  return { mailed }
})
