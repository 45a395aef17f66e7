import type { DocumentMail } from "@milkwood/domain/billing/delivery-shape"
import { sql } from "drizzle-orm"
import { job } from "../platform/work/jobs.ts"
import { queueMail } from "../platform/work/mail.ts"
import { creditNoteDocument, creditNotePdf } from "./credit-note-document.ts"

/** A credit note whose PDF is to be kept, and the mail that takes it along. */
export interface Paper {
  creditNoteId: string
  mail: DocumentMail | null
}

const jobKind = "billing.creditNotePaper"

/** The job that makes and keeps the PDF of a credit note: its number is known only once it is issued. */
export const paperJob = (number: string, groupId: string, payload: Paper) => ({
  kind: jobKind,
  label: `PDF of credit note ${number}`,
  groupId,
  payload,
})

export const creditNotePaper = job<Paper>(jobKind, async ({ payload, app, transaction, complete }) => {
  const { creditNoteId, mail } = payload
  const document = await transaction((cx) => creditNoteDocument(cx, creditNoteId))
  const pdf = await creditNotePdf({ app, line: "records" }, () => document)
  await transaction(async (cx) => {
    const note = await cx.tx.row<{ fileId: string | null; groupId: string }>(sql`
      select pdf_file_id as "fileId", group_id as "groupId" from credit_notes where id = ${creditNoteId} for update`)
    const { fileId, groupId } = note!
    const name = `${document.number}.pdf`
    const kept = fileId ?? (await cx.app.files.save(cx, { ...pdfOf(name, groupId), content: pdf })).id
    if (!fileId) await cx.tx.run(sql`update credit_notes set pdf_file_id = ${kept} where id = ${creditNoteId}`)
    if (mail) {
      const about = { kind: "credit_note", id: creditNoteId }
      await queueMail(cx, { ...mail, groupId, attachments: [{ fileId: kept, name }], about })
    }
    await complete(cx)
  })
})

const pdfOf = (name: string, groupId: string) => ({ kind: "credit_note", name, mime: "application/pdf", groupId })
