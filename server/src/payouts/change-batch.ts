import { randomUUID } from "node:crypto"
import { applyTransition } from "@milkwood/domain/kernel/lifecycle"
import type { Decision } from "@milkwood/domain/kernel/refusal"
import {
  type BatchAction,
  batchLifecycle,
  checkExecutionDay,
  maxBatchPayments,
  type PaymentFileFormat,
} from "@milkwood/domain/payouts/batch"
import { batchFactHead } from "@milkwood/domain/payouts/batch-facts"
import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { lockRecord, saveRecord } from "../platform/database/record.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { batchDetail, isWaitingForBatch, loadPayingAccount, localTimeOf, type StoredBatch } from "./batches.queries.ts"
import { payoutBatches } from "./payouts.tables.ts"

/** Locks the batch before its payments, which are locked in id order. */
export const lockBatch = ({ tx }: Pick<Cx, "tx">, batchId: string): Promise<StoredBatch> =>
  lockRecord(tx, payoutBatches, batchId, "This batch does not exist.")

/** Checks the status before the version, as every payment step does. */
export async function lockChangeableBatch(
  cx: Cx,
  { batchId, version }: { batchId: string; version?: number },
  action: BatchAction,
): Promise<StoredBatch> {
  const batch = await lockBatch(cx, batchId)
  orRefuse(applyTransition(batchLifecycle, batch, action) as Decision<string, "WRONG_STATUS">)
  if (version !== undefined) expectVersion(batch, version)
  return batch
}

export async function checkExecutionDayOf(cx: Cx, day: string): Promise<string> {
  const { bankCutOff } = await readSettings(cx.tx, payoutsSettings)
  return orRefuse(checkExecutionDay(day, { today: cx.today, time: localTimeOf(cx) }, bankCutOff))
}

async function saveNextVersion(cx: Cx, batch: StoredBatch, changes: Partial<StoredBatch> = {}): Promise<void> {
  await saveRecord(cx.tx, payoutBatches, batch, { ...batch, ...changes, version: batch.version + 1 })
}

/**
 * Adds the given payments, or the oldest waiting ones, to a locked batch, and returns the count. Locks each against a
 * separate release. NOT_FOR_BATCH for unsuitable or too many payments.
 */
async function addPayments(
  cx: Cx,
  batch: { id: string; paymentCount: number },
  payoutIds?: readonly string[],
): Promise<number> {
  const { tx, now, actor } = cx
  const room = maxBatchPayments - batch.paymentCount
  const wanted = payoutIds && [...new Set(payoutIds)]
  const chosen = wanted
    ? sql`o.id = any (${sql.param(wanted)}::uuid[]) and ${isWaitingForBatch}`
    : sql`${isWaitingForBatch} and o.id in (select o.id from payouts o where ${isWaitingForBatch} order by o.created_at, o.number limit ${room})`
  const found = await tx.rows<{ id: string; groupId: string }>(
    sql`select o.id, o.group_id as "groupId" from payouts o where ${chosen} order by o.id for update`,
  )
  if (wanted && found.length < wanted.length) {
    throw refused(
      "NOT_FOR_BATCH",
      "One of these payments is paid by hand, is already in a batch, or is already released.",
    )
  }
  if (found.length > room) throw refused("NOT_FOR_BATCH", `A batch can have at most ${maxBatchPayments} payments.`)
  if (found.length === 0) return 0
  // A concurrent transaction may have added a payment to another batch; a database constraint detects this.
  const put = await tx.run(sql`
    insert into payout_batch_payments (id, batch_id, payout_id, group_id, added_by, added_at)
    select gen_random_uuid(), ${batch.id}, id, group_id, ${actorUserId(actor)}, ${now}
    from jsonb_to_recordset(${JSON.stringify(found.map(({ id, groupId }) => ({ id, group_id: groupId })))}::jsonb) as of (id uuid, group_id uuid)
    on conflict do nothing`)
  if (put < found.length) throw refused("NOT_FOR_BATCH", "One of these payments was just added to another batch.")
  return found.length
}

interface NewBatch {
  bankAccountId: string
  executionOn: string
  format: PaymentFileFormat
  /** Omitted: the oldest waiting payments. */
  payoutIds?: readonly string[] | undefined
}

export async function createBatch(
  cx: Cx,
  { bankAccountId, executionOn, format, payoutIds }: NewBatch,
): Promise<{ id: string; number: string }> {
  const { tx, now, actor, today } = cx
  await loadPayingAccount(cx, bankAccountId, format)
  const id = randomUUID()
  const number = await nextNumber(tx, "payout_batch", today)
  const day = await checkExecutionDayOf(cx, executionOn)
  await tx.insert(payoutBatches).values({
    ...{ id, number, bankAccountId, executionOn: day, format },
    ...{ createdBy: actorUserId(actor)!, createdAt: now },
  })
  const payments = await addPayments(cx, { id, paymentCount: 0 }, payoutIds)
  await record(cx, [
    { ...batchFactHead({ id, number }), type: "BatchMade", payments, after: { executionOn: day, format } },
  ])
  return { id, number }
}

export const makeBatch = command(payoutsContract.batches.make, async (cx) => {
  const { id } = await createBatch(cx, cx.input)
  return batchDetail(cx, id)
})

export const editBatch = command(payoutsContract.batches.edit, async (cx) => {
  const { bankAccountId, executionOn, format } = cx.input
  const batch = await lockChangeableBatch(cx, cx.input, "edit")
  const account = await loadPayingAccount(cx, bankAccountId, format)
  const before = await loadPayingAccount(cx, batch.bankAccountId, "fnb")
  const after = { bankAccountId, executionOn: await checkExecutionDayOf(cx, executionOn), format }
  await saveNextVersion(cx, batch, after)
  const told = (of: Pick<StoredBatch, "executionOn" | "format">, name: string) => ({
    account: name,
    executionOn: of.executionOn,
    format: of.format,
  })
  await record(cx, [
    {
      ...batchFactHead(batch),
      type: "BatchEdited",
      before: told(batch, before.name),
      after: told(after, account.name),
    },
  ])
  return batchDetail(cx, batch.id)
})

export const addToBatch = command(payoutsContract.batches.add, async (cx) => {
  const batch = await lockChangeableBatch(cx, cx.input, "add")
  const payments = await addPayments(cx, batch, cx.input.payoutIds)
  await saveNextVersion(cx, await lockBatch(cx, batch.id))
  await record(cx, [{ ...batchFactHead(batch), type: "BatchPaymentsAdded", payments }])
  return batchDetail(cx, batch.id)
})

export const takeOutOfBatch = command(payoutsContract.batches.takeOut, async (cx) => {
  const { payoutIds } = cx.input
  const batch = await lockChangeableBatch(cx, cx.input, "takeOut")
  const left = await cx.tx.rows<{ number: string }>(sql`
    with gone as (
      update payout_batch_payments set removed_at = ${cx.now}
      where batch_id = ${batch.id} and payout_id = any (${sql.param(payoutIds)}::uuid[]) and removed_at is null returning payout_id
    ) select o.number from gone join payouts o on o.id = gone.payout_id order by o.number`)
  if (left.length === 0) throw refused("NOT_FOUND", "None of these payments is in this batch.")
  await saveNextVersion(cx, await lockBatch(cx, batch.id))
  const labels = left.length > 5 ? `${left.length} payments` : left.map(({ number }) => number).join(", ")
  await record(cx, [{ ...batchFactHead(batch), type: "BatchPaymentsTakenOut", payments: left.length, labels }])
  return batchDetail(cx, batch.id)
})

export const cancelBatch = command(payoutsContract.batches.cancel, async (cx) => {
  const { reason } = cx.input
  const batch = await lockChangeableBatch(cx, cx.input, "cancel")
  await saveNextVersion(cx, batch, { status: "cancelled", statusReason: reason })
  await cx.tx.run(
    sql`update payout_batch_payments set removed_at = ${cx.now} where batch_id = ${batch.id} and removed_at is null`,
  )
  await record(cx, [{ ...batchFactHead(batch), type: "BatchCancelled", reason }])
  return batchDetail(cx, batch.id)
})
