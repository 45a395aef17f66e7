import type { Day } from "@milkwood/domain/kernel/calendar"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import type { PaymentAnswerLine } from "@milkwood/domain/payouts/payment-answer"
import type { Payout } from "@milkwood/domain/payouts/payout"
import * as steps from "@milkwood/domain/payouts/payout-steps"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse, refused } from "../platform/calls/commands.ts"
import { lockBatch } from "./change-batch.ts"
import { lockPayouts, type PayoutStep } from "./payout-record.ts"
import { lockPaymentsOf } from "./release-batch.ts"
import { releaseDay, savePayoutSteps } from "./step-payout.ts"

/** Skips payments already processed; failed payments get the bank's reason. */
export async function applyPaymentStatuses(
  cx: Cx,
  batchId: string,
  lines: readonly PaymentAnswerLine[],
  on: Day,
): Promise<void> {
  const said = new Map(lines.filter(({ status }) => status !== "underway").map((line) => [line.endToEndId, line]))
  const named = await cx.tx.rows<{ payoutId: string; endToEndId: string }>(sql`
    select payout_id as "payoutId", end_to_end_id as "endToEndId" from payout_batch_payments
    where batch_id = ${batchId} and removed_at is null and end_to_end_id = any (${sql.param([...said.keys()])}::text[])`)
  const endToEndIds = new Map(named.map(({ payoutId, endToEndId }) => [payoutId, endToEndId]))
  const held = await lockPayouts(cx, sql`select unnest(${sql.param([...endToEndIds.keys()])}::uuid[])`)
  const taken = held.flatMap((before): PayoutStep[] => {
    const { status, reason } = said.get(endToEndIds.get(before.id)!)!
    const decided = status === "failed" ? steps.fail(before, reason) : decideCompletion(cx, before, on)
    return isRefusal(decided) ? [] : [{ before, decided }]
  })
  await savePayoutSteps(cx, taken)
}

function decideCompletion(cx: Cx, payout: Payout, completedOn: Day, bankAccountId = payout.bankAccountId) {
  const days = { completedOn, releasedOn: releaseDay(payout, cx.timezone), today: cx.today }
  return steps.complete(payout, days, cx.now, bankAccountId)
}

/**
 * Completes all payments in process of a batch on the bank line's day. Returns their ids and total, which the caller
 * compares with the line. NOT_FOUND for an unknown batch, WRONG_STATUS if none is in process.
 */
export async function completeBatchByBank(
  cx: Cx,
  { batchId, on, bankAccountId }: { batchId: string; on: Day; bankAccountId: string },
): Promise<{ payoutIds: string[]; amountCents: number }> {
  await lockBatch(cx, batchId)
  const held = (await lockPaymentsOf(cx, batchId)).filter(({ status }) => status === "processing")
  if (held.length === 0) throw refused("WRONG_STATUS", "No payment of this batch is processing.")
  await savePayoutSteps(
    cx,
    held.map((before) => ({ before, decided: orRefuse(decideCompletion(cx, before, on, bankAccountId)) })),
  )
  return {
    payoutIds: held.map(({ id }) => id),
    amountCents: held.reduce((sum, { amountCents }) => sum + amountCents, 0),
  }
}
