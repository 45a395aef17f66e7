import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { aMonth } from "@milkwood/domain/kernel/list"
import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { refused } from "../platform/calls/commands.ts"
import { exportList } from "../platform/lists/list-export.ts"
import { monthCredits } from "./month-credits.queries.ts"
import { monthPolicies } from "./month-policies.queries.ts"
import { vatDocuments, vatReturn } from "./vat.queries.ts"
import { vatReturnDocument, vatReturnPdf } from "./vat-return-paper.ts"

export const monthEndRoutes: HttpRoute[] = [
  ...exportList(monthPolicies),
  ...exportList(monthCredits),
  ...exportList(vatReturn),
  ...exportList(vatDocuments),
  // As it was signed off; made a moment after the month was closed.
  download(
    {
      path: "/api/month-end/:closingId/checklist",
      permission: "monthEnd.read",
      summary: "A signed-off checklist as PDF",
      words: { mediaType: "application/pdf" },
    },
    async ({ params, transaction }) => {
      const closingId = uuidOrNotFound(params.closingId)
      const found = await transaction((cx) =>
        cx.tx.row<{ month: string; fileId: string | null }>(sql`
          select c.month, s.file_id as "fileId" from signed_checklists s join closed_months c on c.id = s.closed_month_id
          where c.id = ${closingId}`),
      )
      if (!found?.fileId)
        throw refused("NOT_FOUND", found && "The checklist is being made. Please try again in a moment.")
      return { name: `Month end ${formatMonth(found.month)}.pdf`, mime: "application/pdf", fileId: found.fileId }
    },
  ),
  download(
    { path: "/api/vat-return/:month/pdf", permission: "monthEnd.read", summary: "VAT for a month as PDF" },
    async ({ app, actor, params, signal, transaction }) => {
      if (!aMonth.test(params.month ?? "")) throw refused("NOT_FOUND")
      const month = `${params.month}-01`
      const document = () => transaction((cx) => vatReturnDocument(cx, month))
      const bytes = await vatReturnPdf({ app, line: "downloads", signal, owner: actorUserId(actor) ?? "" }, document)
      return { name: `VAT ${formatMonth(month)}.pdf`, mime: "application/pdf", bytes }
    },
  ),
]
