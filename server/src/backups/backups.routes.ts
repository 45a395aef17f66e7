import { createReadStream, existsSync } from "node:fs"
import { proofRequired } from "@milkwood/domain/kernel/procedure"
import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { record } from "../platform/trail/facts.ts"
import { backupPathsOf, serverPlace } from "./backup-files.ts"

const missingFileMessage = (place: string | null): string =>
  place === null || place === serverPlace()
    ? "The file of this backup no longer exists."
    : `This backup is in the data folder of the server ${place}.`

export const backupsRoutes: HttpRoute[] = [
  download(
    {
      path: "/api/backups/:backupId/file",
      permission: "backups.manage",
      summary: "Download a backup",
      errors: proofRequired,
    },
    async ({ app, transaction, params }) => {
      const backupId = uuidOrNotFound(params.backupId)
      const name = await transaction(async (cx) => {
        expectProof(cx)
        const found = await cx.tx.row<{ name: string; place: string | null }>(
          sql`select file_name as name, place from backups where id = ${backupId} and state = 'made'`,
        )
        if (!found) throw refused("NOT_FOUND", "This backup does not exist.")
        if (!existsSync(backupPathsOf(app, backupId).complete))
          throw refused("NOT_FOUND", missingFileMessage(found.place))
        const label = { kind: "backup" as const, id: backupId, label: found.name }
        await record(cx, [{ type: "BackupDownloaded", record: label, groupId: null }])
        return found.name
      })
      const stream = createReadStream(backupPathsOf(app, backupId).complete)
      return { name, mime: "application/octet-stream", stream }
    },
  ),
]
