import type { DocumentMail } from "@milkwood/domain/billing/delivery-shape"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { type JobCx, job } from "../platform/work/jobs.ts"
import { queueMail } from "../platform/work/mail.ts"
import { createNotesCoveringMail, type MailedNote } from "./covering-mail.ts"
import { creditNoteDocument, creditNotePdf } from "./credit-note-document.ts"

export interface CreditNotePdfPayload {
  creditNoteId: string
  mail: DocumentMail | null
}

const jobKind = "billing.creditNotePaper"

/** After commit, because the number is known only once the note is issued. */
export const creditNotePdfJob = (number: string, groupId: string, payload: CreditNotePdfPayload) => ({
  kind: jobKind,
  label: `PDF of credit note ${number}`,
  groupId,
  payload,
})

export const createCreditNotePdf = job<CreditNotePdfPayload>(jobKind, async (work) => {
  const { creditNoteId, mail } = work.payload
  const content = await renderCreditNote(work, creditNoteId)
  await work.transaction(async (cx) => {
    const { fileId, name, groupId } = await storeCreditNotePdf(cx, creditNoteId, content)
    if (mail) {
      const about = { kind: "credit_note", id: creditNoteId }
      await queueMail(cx, { ...mail, groupId, attachments: [{ fileId, name }], about })
    }
    await work.complete(cx)
  })
})

interface NotesMail {
  creditNoteIds: string[]
  mail: DocumentMail
}

const notesMailKind = "billing.creditNotesMail"

export const notesMailJob = (notes: readonly MailedNote[], groupId: string, mail: DocumentMail) => ({
  kind: notesMailKind,
  label: `E-mail with ${notes.length} credit notes`,
  groupId,
  payload: { creditNoteIds: notes.map(({ id }) => id), mail } satisfies NotesMail,
})

/** Queues the mail in the transaction that completes the job, so a restart mails once. */
export const mailQueuedNotes = job<NotesMail>(notesMailKind, async (work) => {
  const { creditNoteIds, mail } = work.payload
  const contents = new Map<string, Buffer>()
  for (const id of creditNoteIds) {
    work.signal.throwIfAborted()
    const isKept = await work.transaction(({ tx }) =>
      tx.row(sql`select from credit_notes where id = ${id} and pdf_file_id is not null`),
    )
    if (!isKept) contents.set(id, await renderCreditNote(work, id))
  }
  await work.transaction(async (cx) => {
    for (const [id, content] of contents) await storeCreditNotePdf(cx, id, content)
    const { groupId, notes } = await createNotesCoveringMail(cx, creditNoteIds)
    await queueNotesMail(cx, { groupId, mail, notes })
    await work.complete(cx)
  })
})

export async function queueNotesMail(
  cx: Cx,
  { groupId, mail, notes }: { groupId: string; mail: DocumentMail; notes: readonly MailedNote[] },
): Promise<void> {
  await queueMail(cx, {
    ...mail,
    groupId,
    attachments: notes.map(({ fileId, number }) => ({ fileId: fileId!, name: `${number}.pdf` })),
    covers: notes.map(({ id }) => ({ kind: "credit_note", id })),
  })
}

async function renderCreditNote(
  { app, transaction }: Pick<JobCx<unknown>, "app" | "transaction">,
  creditNoteId: string,
): Promise<Buffer> {
  const document = await transaction((cx) => creditNoteDocument(cx, creditNoteId))
  return creditNotePdf({ app, line: "records" }, () => document)
}

async function storeCreditNotePdf(
  cx: Cx,
  creditNoteId: string,
  content: Buffer,
): Promise<{ fileId: string; name: string; groupId: string }> {
  const note = await cx.tx.row<{ fileId: string | null; groupId: string; number: string }>(sql`
    select number, pdf_file_id as "fileId", group_id as "groupId" from credit_notes where id = ${creditNoteId} for update`)
  const { fileId, groupId, number } = note!
  const name = `${number}.pdf`
  if (fileId) return { fileId, name, groupId }
  const kept = await cx.app.files.save(cx, { kind: "credit_note", name, mime: "application/pdf", groupId, content })
  await cx.tx.run(sql`update credit_notes set pdf_file_id = ${kept.id} where id = ${creditNoteId}`)
  return { fileId: kept.id, name, groupId }
}
