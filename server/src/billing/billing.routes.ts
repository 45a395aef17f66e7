import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { refused } from "../platform/calls/commands.ts"
import { creditNoteDocument, creditNotePdf } from "./credit-note-document.ts"
import { creditNotes } from "./credit-notes.queries.ts"
import { createInvoiceDocument, invoicePdf } from "./invoice-document.ts"
import { invoices } from "./invoice-list.queries.ts"
import { isVisibleTo } from "./invoices.queries.ts"
import { runPolicies } from "./runs.queries.ts"

export const billingRoutes: HttpRoute[] = [
  ...exportList(invoices),
  ...exportList(runPolicies),
  ...exportList(creditNotes),
  // An unsent or cancelled invoice downloads as a PDF with a watermark.
  download(
    { path: "/api/invoices/:invoiceId/pdf", permission: "invoices.read", summary: "Download an invoice as PDF" },
    async ({ app, actor, params, signal, transaction }) => {
      const invoiceId = uuidOrNotFound(params.invoiceId)
      const found = await transaction(async (cx) => {
        const invoice = await cx.tx.row<{ number: string; fileId: string | null }>(sql`
          select number, pdf_file_id as "fileId" from invoices i where id = ${invoiceId} and ${isVisibleTo(cx.actor)}`)
        if (!invoice) throw refused("NOT_FOUND")
        return invoice
      })
      const file = { name: `${found.number}.pdf`, mime: "application/pdf" }
      if (found.fileId) return { ...file, fileId: found.fileId }
      const owner = actorUserId(actor) ?? ""
      const document = () => transaction((cx) => createInvoiceDocument(cx, invoiceId, "look"))
      return { ...file, bytes: await invoicePdf({ app, line: "downloads", signal, owner }, document) }
    },
  ),
  download(
    {
      path: "/api/credit-notes/:creditNoteId/pdf",
      permission: "invoices.read",
      summary: "Download a credit note as PDF",
    },
    async ({ app, actor, params, signal, transaction }) => {
      const creditNoteId = uuidOrNotFound(params.creditNoteId)
      const found = await transaction(async (cx) => {
        const note = await cx.tx.row<{ number: string; fileId: string | null }>(sql`
          select number, pdf_file_id as "fileId" from credit_notes where id = ${creditNoteId}`)
        if (!note) throw refused("NOT_FOUND")
        return note
      })
      const file = { name: `${found.number}.pdf`, mime: "application/pdf" }
      if (found.fileId) return { ...file, fileId: found.fileId }
      // The stored PDF is missing: not rendered yet, or the note is older than stored PDFs.
      const owner = actorUserId(actor) ?? ""
      const document = () => transaction((cx) => creditNoteDocument(cx, creditNoteId))
      return { ...file, bytes: await creditNotePdf({ app, line: "downloads", signal, owner }, document) }
    },
  ),
]
