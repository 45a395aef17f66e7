import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { refused } from "../platform/calls/commands.ts"
import { bankLines } from "./bank-lines.queries.ts"
import { bankPayers } from "./bank-payers.queries.ts"
import { bankStatements } from "./bank-statements.queries.ts"
import { bankingUploads } from "./upload-statement.ts"

const downloadStatement = download(
  {
    path: "/api/bank-statements/:statementId/file",
    permission: "banking.read",
    summary: "Download the file of a statement",
  },
  async ({ transaction, params }) => {
    const statementId = uuidOrNotFound(params.statementId)
    const found = await transaction(({ tx }) =>
      tx.row<{ fileId: string; name: string; mime: string }>(sql`
        select f.id as "fileId", f.name, f.mime from bank_statements s join files f on f.id = s.file_id where s.id = ${statementId}`),
    )
    if (!found)
      throw refused("NOT_FOUND", "This statement does not exist, or its file was deleted after its retention period.")
    return found
  },
)

export const bankingRoutes: HttpRoute[] = [
  ...bankingUploads,
  downloadStatement,
  ...exportList(bankLines),
  ...exportList(bankStatements),
  ...exportList(bankPayers),
]
