import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { readReceiptDocument, receiptPdf } from "./receipt-document.ts"
import { receipts } from "./receipt-list.queries.ts"

export const receiptsRoutes: HttpRoute[] = [
  ...exportList(receipts),
  download(
    { path: "/api/receipts/:receiptId/pdf", permission: "receipts.read", summary: "Download a receipt as PDF" },
    async ({ app, actor, params, signal, transaction }) => {
      const receiptId = uuidOrNotFound(params.receiptId)
      const { number } = await transaction((cx) => readReceiptDocument(cx, receiptId))
      const owner = actorUserId(actor) ?? ""
      const document = () => transaction((cx) => readReceiptDocument(cx, receiptId))
      const bytes = await receiptPdf({ app, line: "downloads", signal, owner }, document)
      return { name: `${number}.pdf`, mime: "application/pdf", bytes }
    },
  ),
]
