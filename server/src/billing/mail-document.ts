import { isDeepStrictEqual } from "node:util"
import type { MailedDocument } from "@milkwood/domain/billing/delivery"
import { deliveryContract } from "@milkwood/domain/billing/delivery.contract"
import type { DocumentMail } from "@milkwood/domain/billing/delivery-shape"
import { sql } from "drizzle-orm"
import { type Cx, command, type PrepareCx, query, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { startJob } from "../platform/work/jobs.ts"
import { queueMail } from "../platform/work/mail.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { type CoveringMail, createCoveringMail, createNotesCoveringMail } from "./covering-mail.ts"
import { creditNotePdfJob, notesMailJob, queueNotesMail } from "./credit-note-paper.ts"
import { createInvoiceDocument, invoicePdf, loadSettledAmounts, type SettledAmounts } from "./invoice-document.ts"
import { isVisibleTo } from "./invoices.queries.ts"

export const draftMail = query(deliveryContract.draft, async (cx) => {
  const { to, subject, text, dueCents } = await createCoveringMail(cx, cx.input.kind, cx.input.documentId)
  return { to, subject, text, dueCents }
})

/**
 * A credit note without a PDF gets it first, in a job. A partly settled invoice is sent as a copy, so PDF and mail
 * state the same amount due.
 */
export const mailDocument = command(
  deliveryContract.send,
  async (cx) => {
    const { kind, documentId, mail, dueCents } = cx.input
    const about = { kind, id: documentId }
    // Locks the invoice first, so that mail and copy state the same amounts.
    const sent =
      kind === "invoice" &&
      (await cx.tx.row(sql`select from invoices where id = ${documentId} and status = 'sent' for share`))
    const covering = await createCoveringMail(cx, kind, documentId)
    if (kind === "credit_note") await queueDocumentMail(cx, about, covering, mail)
    else {
      if (!sent) throw refused("NOT_SENT")
      if (dueCents !== null && dueCents !== covering.dueCents) throw refused("AMOUNT_CHANGED")
      await queueDocumentMail(cx, about, { ...covering, ...(await storeCopy(cx, covering, cx.prepared)) }, mail)
    }
    return { mailed: await isMailEnabled(cx) }
  },
  { prepare: createCopyToMail },
)

interface Copy {
  content: Buffer
  settled: SettledAmounts
}

/** Makes a copy only if something was credited, paid or written off since sending. */
async function createCopyToMail({
  app,
  input: { kind, documentId },
  read,
}: Pick<PrepareCx<{ kind: MailedDocument; documentId: string }>, "app" | "input" | "read">): Promise<Copy | undefined> {
  if (kind !== "invoice") return undefined
  const document = await read(async (cx) => {
    const sent = await cx.tx.row(sql`
      select from invoices i where id = ${documentId} and status = 'sent' and ${isVisibleTo(cx.actor)}`)
    if (!sent || isUnsettled(await loadSettledAmounts(cx, documentId))) return undefined
    return createInvoiceDocument(cx, documentId, "copy")
  })
  if (!document) return undefined
  const { creditedCents, paidCents, writtenOffCents } = document
  const content = await invoicePdf({ app, line: "records" }, () => document)
  return { content, settled: { creditedCents, paidCents, writtenOffCents } }
}

const isUnsettled = (settled: SettledAmounts): boolean => Object.values(settled).every((cents) => cents === 0)

/** BUSY if the invoice changed since rendering. */
async function storeCopy(
  cx: Cx & { input: { documentId: string } },
  { number, groupId }: Pick<CoveringMail, "number" | "groupId">,
  copy: Copy | undefined,
): Promise<{ fileId?: string }> {
  const settled = await loadSettledAmounts(cx, cx.input.documentId)
  if (!copy && isUnsettled(settled)) return {}
  if (!copy || !isDeepStrictEqual(settled, copy.settled)) throw refused("BUSY")
  const file = { kind: "invoice", name: `${number}.pdf`, mime: "application/pdf", groupId, content: copy.content }
  return { fileId: (await cx.app.files.save(cx, file)).id }
}

/** Refuses NO_CONTACT without an address. */
async function mailCreditNote(cx: Cx, creditNoteId: string): Promise<void> {
  const covering = await createCoveringMail(cx, "credit_note", creditNoteId)
  const { to, subject, text } = covering
  if (!to) throw refused("NO_CONTACT")
  await queueDocumentMail(cx, { kind: "credit_note", id: creditNoteId }, covering, { to, subject, text })
}

/** One mail for several credit notes; missing PDFs are made first, in a job. Refuses NO_CONTACT without an address. */
export async function mailCreditNotes(cx: Cx, creditNoteIds: readonly string[]): Promise<void> {
  if (creditNoteIds.length === 1) return mailCreditNote(cx, creditNoteIds[0]!)
  const { to, groupId, subject, text, notes } = await createNotesCoveringMail(cx, creditNoteIds)
  if (!to) throw refused("NO_CONTACT")
  const mail = { to, subject, text }
  if (notes.every(({ fileId }) => fileId !== null)) await queueNotesMail(cx, { groupId, mail, notes })
  else await startJob(cx, notesMailJob(notes, groupId, mail))
  const mailed = await isMailEnabled(cx)
  await record(
    cx,
    notes.map(({ id, number }) => ({
      ...{ record: { kind: "credit_note" as const, id, label: number }, groupId },
      ...{ type: "DocumentMailed" as const, to, mailed },
    })),
  )
}

async function queueDocumentMail(
  cx: Cx,
  about: { kind: MailedDocument; id: string },
  { number, groupId, fileId }: Pick<CoveringMail, "number" | "groupId" | "fileId">,
  mail: DocumentMail,
): Promise<void> {
  if (fileId) await queueMail(cx, { ...mail, groupId, attachments: [{ fileId, name: `${number}.pdf` }], about })
  else await startJob(cx, creditNotePdfJob(number, groupId, { creditNoteId: about.id, mail }))
  const mailed = await isMailEnabled(cx)
  await record(cx, [{ record: { ...about, label: number }, groupId, type: "DocumentMailed", to: mail.to, mailed }])
}
