import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { z } from "zod"
import { download } from "../http/download.ts"
import type { HttpRoute } from "../http/file-route.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { invalid } from "../platform/calls/commands.ts"
import { debtorsAgeingFile } from "./debtors-ageing.queries.ts"

const filter = reportsContract.debtorsAgeing["~orpc"].inputSchema!

export const reportsRoutes: HttpRoute[] = [
  download(
    { path: "/api/reports/debtors-ageing.csv", permission: "reports.financial", summary: "Debtors' ageing as CSV" },
    async (cx) => {
      const asked = filter.safeParse(cx.query)
      if (!asked.success) {
        throw invalid(asked.error.issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message })))
      }
      return cx.app.limits.exports.hold(
        () => cx.transaction((inner) => debtorsAgeingFile(inner, asked.data)),
        cx.signal,
        { owner: actorUserId(cx.actor) ?? "" },
      )
    },
  ),
]
