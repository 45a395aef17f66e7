import { collectionContract } from "@milkwood/domain/collection/collection.contract"
import { day } from "@milkwood/domain/kernel/calendar-shape"
import { z } from "zod"
import { download } from "../http/download.ts"
import { type HttpRoute, type RouteCx, uuidOrNotFound } from "../http/file-route.ts"
import { exportList } from "../http/list-export.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, invalidInput } from "../platform/calls/commands.ts"
import { collection } from "./collection-list.queries.ts"
import { createStatementFile, fileName, loadStatementDocument, statementPdf } from "./statement.queries.ts"

type Asked = z.output<NonNullable<(typeof collectionContract.statement)["~orpc"]["inputSchema"]>>

function parseStatementQuery({ params, query }: RouteCx & { query: Record<string, string | undefined> }): Asked {
  const policyId = uuidOrNotFound(params.policyId)
  const read = collectionContract.statement["~orpc"].inputSchema!.safeParse({ ...query, policyId })
  if (read.success) return read.data
  throw invalidInput(read.error.issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message })))
}

/** Runs as staff, because the statement reads the ledger; the statement itself checks access to the policy. */
async function runAsStaff<T>({ app, actor, requestId, signal }: RouteCx, work: (cx: Cx) => Promise<T>): Promise<T> {
  const moment = await app.moment()
  return app.database.transaction("staff", (tx) => work({ app, tx, actor, requestId, ...moment }), actor, signal)
}

const statementPeriod = z.object({ from: day.optional(), to: day.optional() })

export const collectionRoutes: HttpRoute[] = [
  ...exportList(collection),
  download(
    {
      path: "/api/policies/:policyId/statement.pdf",
      permission: "statements.read",
      summary: "Download a policy's statement of account as PDF",
      words: { query: statementPeriod },
    },
    async (cx) => {
      const what = parseStatementQuery(cx)
      const { app, actor, signal } = cx
      // Checks access before queueing for a PDF worker.
      const { policyNumber, from, to } = await runAsStaff(cx, (inner) => loadStatementDocument(inner, what))
      const bytes = await statementPdf({ app, line: "downloads", signal, owner: actorUserId(actor) ?? "" }, () =>
        runAsStaff(cx, (inner) => loadStatementDocument(inner, what)),
      )
      return { name: fileName(policyNumber, from, to, "pdf"), mime: "application/pdf", bytes }
    },
  ),
  download(
    {
      path: "/api/policies/:policyId/statement.csv",
      permission: "statements.read",
      summary: "Download a policy's statement of account as CSV",
      words: { query: statementPeriod },
    },
    (cx) => {
      const what = parseStatementQuery(cx)
      return cx.app.limits.exports.hold(() => runAsStaff(cx, (inner) => createStatementFile(inner, what)), cx.signal, {
        owner: actorUserId(cx.actor) ?? "",
      })
    },
  ),
]
