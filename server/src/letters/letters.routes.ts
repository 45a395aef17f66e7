import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { refused } from "../platform/calls/commands.ts"

export const lettersRoutes: HttpRoute[] = [
  download(
    { path: "/api/letters/:letterId/pdf", permission: "letters.read", summary: "Download a letter as PDF" },
    async ({ params, transaction }) => {
      const letterId = uuidOrNotFound(params.letterId)
      const found = await transaction((cx) =>
        cx.tx.row<{ number: string; fileId: string | null }>(sql`
          select number, file_id as "fileId" from letters where id = ${letterId}`),
      )
      if (!found?.fileId) throw refused("NOT_FOUND")
      return { name: `${found.number}.pdf`, mime: "application/pdf", fileId: found.fileId }
    },
  ),
]
