import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { monthPattern } from "@milkwood/domain/kernel/list"
import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { bankProofCsv, bankProofPdf, loadCurrentDocument } from "./bank-proof-paper.ts"
import { monthCredits } from "./month-credits.queries.ts"
import { monthPolicies } from "./month-policies.queries.ts"
import { vatDocuments, vatReturn } from "./vat.queries.ts"
import { loadVatReturnDocument, vatReturnPdf } from "./vat-return-paper.ts"

const signedFileOf = (tx: Tx, month: string, format: "pdf" | "csv") =>
  tx.row<{ fileId: string | null }>(sql`
    select ${sql.raw(`s.${format}_file_id`)} as "fileId" from signed_reconciliations s
    join closed_months c on c.id = s.closed_month_id where c.month = ${month} and c.reopened_at is null`)

export const monthEndRoutes: HttpRoute[] = [
  ...exportList(monthPolicies),
  ...exportList(monthCredits),
  ...exportList(vatReturn),
  ...exportList(vatDocuments),
  // Available once a job has generated the file, shortly after closing.
  download(
    {
      path: "/api/month-end/:closingId/checklist",
      permission: "monthEnd.read",
      summary: "Download a signed-off checklist as PDF",
      words: { mediaType: "application/pdf" },
    },
    async ({ params, transaction }) => {
      const closingId = uuidOrNotFound(params.closingId)
      const found = await transaction((cx) =>
        cx.tx.row<{ month: string; fileId: string | null }>(sql`
          select c.month, s.file_id as "fileId" from signed_checklists s join closed_months c on c.id = s.closed_month_id
          where c.id = ${closingId}`),
      )
      if (!found?.fileId) throw refused("NOT_FOUND", found && "The checklist is being created. Try again in a moment.")
      return { name: `Month end ${formatMonth(found.month)}.pdf`, mime: "application/pdf", fileId: found.fileId }
    },
  ),
  // The signed file of a closed month, or the current one of an open month.
  ...(["pdf", "csv"] as const).map((format) =>
    download(
      {
        path: `/api/month-end/bank/:month/${format}`,
        permission: "monthEnd.read",
        summary: `Download the bank reconciliation of a month as ${format.toUpperCase()}`,
      },
      async ({ app, actor, params, signal, transaction }) => {
        if (!monthPattern.test(params.month ?? "")) throw refused("NOT_FOUND")
        const month = `${params.month}-01`
        const head = {
          name: `Bank reconciliation ${formatMonth(month)}.${format}`,
          mime: format === "pdf" ? "application/pdf" : "text/csv; charset=utf-8",
        }
        const signed = await transaction(({ tx }) => signedFileOf(tx, month, format))
        if (signed?.fileId) return { ...head, fileId: signed.fileId }
        if (signed) throw refused("NOT_FOUND", "The file is being created. Try again in a moment.")
        const document = () => transaction((cx) => loadCurrentDocument(cx, month))
        if (format === "csv") return { ...head, bytes: bankProofCsv((await document()).proof) }
        const printing = { app, line: "downloads" as const, signal, owner: actorUserId(actor) ?? "" }
        return { ...head, bytes: await bankProofPdf(printing, document) }
      },
    ),
  ),
  // For every closing, even if the month was reopened.
  ...(["pdf", "csv"] as const).map((format) =>
    download(
      {
        path: `/api/month-end/:closingId/bank/${format}`,
        permission: "monthEnd.read",
        summary: `Download a signed bank reconciliation as ${format.toUpperCase()}`,
      },
      async ({ params, transaction }) => {
        const closingId = uuidOrNotFound(params.closingId)
        const found = await transaction(({ tx }) =>
          tx.row<{ month: string; fileId: string | null }>(sql`
            select c.month, ${sql.raw(`s.${format}_file_id`)} as "fileId"
            from signed_reconciliations s join closed_months c on c.id = s.closed_month_id where c.id = ${closingId}`),
        )
        if (!found?.fileId) throw refused("NOT_FOUND", found && "The file is being created. Try again in a moment.")
        const mime = format === "pdf" ? "application/pdf" : "text/csv; charset=utf-8"
        return { name: `Bank reconciliation ${formatMonth(found.month)}.${format}`, mime, fileId: found.fileId }
      },
    ),
  ),
  download(
    { path: "/api/vat-return/:month/pdf", permission: "monthEnd.read", summary: "Download the VAT of a month as PDF" },
    async ({ app, actor, params, signal, transaction }) => {
      if (!monthPattern.test(params.month ?? "")) throw refused("NOT_FOUND")
      const month = `${params.month}-01`
      const document = () => transaction((cx) => loadVatReturnDocument(cx, month))
      const bytes = await vatReturnPdf({ app, line: "downloads", signal, owner: actorUserId(actor) ?? "" }, document)
      return { name: `VAT ${formatMonth(month)}.pdf`, mime: "application/pdf", bytes }
    },
  ),
]
