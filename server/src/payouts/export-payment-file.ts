import { randomUUID } from "node:crypto"
import { batchFactHead } from "@milkwood/domain/payouts/batch-facts"
import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { batchDetail, isInBatch } from "./batches.queries.ts"
import { checkExecutionDayOf, lockChangeableBatch } from "./change-batch.ts"
import { payoutBatches } from "./payouts.tables.ts"
import { startPaymentFile } from "./release-batch.ts"

interface ActivePaymentFile {
  id: string
  messageId: string
  sha256: string
  exportedAt: string | null
  exportedByName: string | null
}

const loadActiveFile = ({ tx }: Pick<Cx, "tx">, batchId: string) =>
  tx.row<ActivePaymentFile>(sql`
    select f.id, f.message_id as "messageId", f.sha256, f.exported_at as "exportedAt",
      (select name from users where id = f.exported_by) as "exportedByName"
    from payment_files f where f.batch_id = ${batchId} and f.withdrawn is null`)

/** Single export: the user gets a single-use address. */
export const exportFile = command(payoutsContract.batches.export, async (cx) => {
  const batch = await lockChangeableBatch(cx, cx.input, "export")
  const file = await loadActiveFile(cx, batch.id)
  if (!file) throw refused("NO_FILE")
  const { messageId, sha256, exportedAt, exportedByName } = file
  if (exportedAt) throw refused("ALREADY_EXPORTED", `${exportedByName ?? "Someone"} already exported ${messageId}.`)
  const ticket = randomUUID()
  await cx.tx.run(sql`
    update payment_files set exported_by = ${actorUserId(cx.actor)}, exported_at = ${cx.now}, ticket = ${ticket} where id = ${file.id}`)
  await record(cx, [{ ...batchFactHead(batch), type: "PaymentFileExported", messageId, sha256 }])
  return { address: `/api/payment-files/${ticket}`, sha256, batch: await batchDetail(cx, batch.id) }
})

export const withdrawFile = command(payoutsContract.batches.withdraw, async (cx) => {
  const { why, reason } = cx.input
  const batch = await lockChangeableBatch(cx, cx.input, "withdraw")
  const file = await loadActiveFile(cx, batch.id)
  if (!file) throw refused("NO_FILE")
  await markWithdrawn(cx, batch, file, why, reason)
  await saveRecord(cx.tx, payoutBatches, batch, { ...batch, version: batch.version + 1 })
  return batchDetail(cx, batch.id)
})

/** Called when a user withdraws the file or the bank rejects it. */
export async function markWithdrawn(
  cx: Cx,
  batch: { id: string; number: string },
  file: Pick<ActivePaymentFile, "id" | "messageId" | "sha256">,
  why: "not_sent" | "rejected",
  reason: string,
): Promise<void> {
  const { messageId, sha256 } = file
  await cx.tx.run(sql`
    update payment_files set withdrawn = ${why}, withdrawn_by = ${actorUserId(cx.actor)}, withdrawn_at = ${cx.now},
      withdrawn_reason = ${reason || null}, ticket = null where id = ${file.id}`)
  await record(cx, [
    { ...batchFactHead(batch), type: "PaymentFileWithdrawn", messageId, sha256, why, ...(reason ? { reason } : {}) },
  ])
}

export const replaceFile = command(payoutsContract.batches.replace, async (cx) => {
  const batch = await lockChangeableBatch(cx, cx.input, "replace")
  if (await loadActiveFile(cx, batch.id)) throw refused("FILE_COUNTS")
  const underway = await cx.tx.row(sql`
    select from payout_batch_payments i join payouts o on o.id = i.payout_id where ${isInBatch(batch.id)} and o.status = 'processing' limit 1`)
  if (!underway) throw refused("EMPTY", "No payment of this batch is still processing.")
  const executionOn = await checkExecutionDayOf(cx, cx.input.executionOn)
  await saveRecord(cx.tx, payoutBatches, batch, { ...batch, executionOn, version: batch.version + 1 })
  await startPaymentFile(cx, batch)
  return batchDetail(cx, batch.id)
})

/** The ticket is valid for one download. */
export const fetchPaymentFile: HttpRoute = download(
  { path: "/api/payment-files/:ticket", permission: "payouts.write", summary: "Download the exported payment file" },
  async ({ transaction, params, actor }) => {
    const ticket = uuidOrNotFound(params.ticket)
    const found = await transaction(({ tx }) =>
      tx.row<{ fileId: string; name: string; mime: string }>(sql`
        with used as (update payment_files set ticket = null where ticket = ${ticket} and exported_by = ${actorUserId(actor)} returning file_id)
        select f.id as "fileId", f.name, f.mime from used join files f on f.id = used.file_id`),
    )
    if (!found) throw refused("NOT_FOUND", "This payment file was already downloaded.")
    return found
  },
)
