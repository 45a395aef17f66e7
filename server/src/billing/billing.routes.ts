import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { refused } from "../platform/calls/commands.ts"
import { listFile } from "../platform/lists/list-file.ts"
import { invoicePdf } from "./invoice-document.ts"
import { invoices } from "./invoice-list.queries.ts"
import { visibleTo } from "./invoices.queries.ts"

export const billingRoutes: HttpRoute[] = [
  listFile(invoices),
  // What was sent; before that, and for a cancelled invoice, one that says so across every page.
  download(
    { path: "/api/invoices/:invoiceId/pdf", permission: "invoices.read", summary: "An invoice as PDF" },
    async ({ params, transaction }) => {
      const invoiceId = uuidOrNotFound(params.invoiceId)
      return transaction(async (cx) => {
        const invoice = await cx.tx.row<{ number: string; fileId: string | null }>(sql`
          select number, pdf_file_id as "fileId" from invoices i where id = ${invoiceId} and ${visibleTo(cx.actor)}`)
        if (!invoice) throw refused("NOT_FOUND")
        const file = { name: `${invoice.number}.pdf`, mime: "application/pdf" }
        return invoice.fileId
          ? { ...file, fileId: invoice.fileId }
          : { ...file, bytes: await invoicePdf(cx, invoiceId, false) }
      })
    },
  ),
]
