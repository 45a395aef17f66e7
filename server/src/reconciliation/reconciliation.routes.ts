import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { refused } from "../platform/calls/commands.ts"
import { reconciliation } from "./reconciliation-list.queries.ts"
import { reconciliationPdf } from "./reconciliation-paper.ts"
import { remittanceLists, remittanceRowsOf } from "./remittances.queries.ts"
import { uploadRemittance } from "./upload-remittance.ts"

const downloadRemittance = download(
  {
    path: "/api/remittances/:remittanceId/file",
    permission: "collection.read",
    summary: "Download the file of a remittance list",
  },
  async ({ transaction, params }) => {
    const remittanceId = uuidOrNotFound(params.remittanceId)
    const found = await transaction(({ tx }) =>
      tx.row<{ fileId: string; name: string; mime: string }>(sql`
        select f.id as "fileId", f.name, f.mime from remittances r join files f on f.id = r.file_id where r.id = ${remittanceId}`),
    )
    if (!found)
      throw refused("NOT_FOUND", "This list does not exist, or its file was deleted after its retention period.")
    return found
  },
)

export const reconciliationRoutes: HttpRoute[] = [
  ...exportList(reconciliation),
  reconciliationPdf,
  ...exportList(remittanceLists),
  ...exportList(remittanceRowsOf),
  uploadRemittance,
  downloadRemittance,
]
