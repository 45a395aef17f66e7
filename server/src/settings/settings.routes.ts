import { trailInput } from "@milkwood/domain/settings/trail.contract"
import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { refused } from "../platform/calls/commands.ts"
import { auditTrail, presentTrailRow } from "./audit-trail.queries.ts"
import { logoRoutes } from "./logo/save-logo.ts"

export const settingsRoutes: HttpRoute[] = [
  ...exportList(auditTrail, trailInput, presentTrailRow),
  ...logoRoutes,
  download(
    {
      path: "/api/settings/outbox/:mailId/attachments/:fileId",
      permission: "outbox.read",
      summary: "Download an attachment of an outbox e-mail",
    },
    async ({ params, transaction }) => {
      const mailId = uuidOrNotFound(params.mailId)
      const fileId = uuidOrNotFound(params.fileId)
      return transaction(async ({ tx }) => {
        const file = await tx.row<{ name: string; mime: string }>(sql`
          select attachment ->> 'name' as name, f.mime
          from mails m cross join jsonb_array_elements(m.attachments) attachment
          join files f on f.id = (attachment ->> 'fileId')::uuid
          where m.id = ${mailId} and f.id = ${fileId}`)
        if (!file) throw refused("NOT_FOUND")
        return { ...file, fileId }
      })
    },
  ),
]
