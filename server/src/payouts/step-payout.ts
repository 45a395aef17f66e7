import { type Day, todayIn } from "@milkwood/domain/kernel/calendar"
import type { Decision } from "@milkwood/domain/kernel/refusal"
import { isBatchable } from "@milkwood/domain/payouts/batch"
import type { Payout } from "@milkwood/domain/payouts/payout"
import { postingsOfStep } from "@milkwood/domain/payouts/payout-postings"
import * as steps from "@milkwood/domain/payouts/payout-steps"
import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { sql } from "drizzle-orm"
import { post, reverse } from "../ledger/post.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { violatedConstraint } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { lockPayout, savePayout } from "./payout-record.ts"
import { lastPayee, openBatchOf, payoutDetail } from "./payouts.queries.ts"
import { sendRemittanceAdvice } from "./remittance-advice.ts"

type Decide = (payout: Payout) => Decision<steps.PayoutChange>

/** One step of a payout. Judged before the version is looked at: who was slower than another reads what it is now. */
async function stepPayout(cx: Cx, input: { payoutId: string; version: number }, decide: Decide): Promise<Payout> {
  const payout = await lockPayout(cx, input.payoutId)
  const decided = orRefuse(decide(payout))
  expectVersion(payout, input.version)
  await takeStep(cx, payout, decided)
  return decided.value
}

/** Saves a step of a locked payout and posts what it posts, by what the payment is for. The subject's room reacts. */
export async function takeStep(cx: Cx, before: Payout, decided: steps.PayoutChange): Promise<void> {
  const { post: entries, undo } = postingsOfStep(before, decided.value, cx.today)
  if (entries.length > 0) await post(cx, ...entries)
  if (undo.length > 0) await reverse(cx, undo)
  await savePayout(cx, before, decided)
  const { id, status } = decided.value
  if (status === "completed" && before.status === "processing") await sendRemittanceAdvice(cx, decided.value)
  // What did not arrive has left its batch, and may be in another.
  if (status === "failed" || status === "cancelled") {
    await cx.tx.run(
      sql`update payout_batch_payments set left_at = ${cx.now} where payout_id = ${id} and left_at is null`,
    )
  }
}

/** For the rooms to the right, which know from the bank what became of a payment. */
export interface BankWord {
  payoutId: string
  on: Day
  bankAccountId: string
}

export const releaseDay = ({ releasedAt }: Payout, timezone: string): Day | null =>
  releasedAt && todayIn(Temporal.Instant.from(releasedAt), timezone)

/** A line of the bank shows that a payment has left: it is completed on that day, from that account. */
export async function completeByBank(cx: Cx, { payoutId, on, bankAccountId }: BankWord): Promise<Payout> {
  const payout = await lockPayout(cx, payoutId)
  const days = { completedOn: on, releasedOn: releaseDay(payout, cx.timezone), today: cx.today }
  const decided = orRefuse(steps.complete(payout, days, cx.now, bankAccountId))
  await takeStep(cx, payout, decided)
  return decided.value
}

/** A line of the bank shows that a completed payment came back. */
export async function returnByBank(
  cx: Cx,
  { payoutId, on, reason }: Pick<BankWord, "payoutId" | "on"> & { reason: string },
): Promise<Payout> {
  const payout = await lockPayout(cx, payoutId)
  const decided = orRefuse(steps.returnPayout(payout, { returnedOn: on, today: cx.today }, reason))
  await takeStep(cx, payout, decided)
  return decided.value
}

/** What the database holds of a subject: one live payment, and all of them no more than was approved. */
const holdsSubject = new Set(["payouts_one_live_per_subject", "payouts_within_the_claim"])

/**
 * The line said it wrongly, or was taken from the payment: what `completeByBank` or `returnByBank` did is undone.
 * WRONG_STATUS where the subject was paid anew since, or is about to be: the database knows, whatever races.
 */
export async function takeBackBankWord(cx: Cx, payoutId: string, reason: string): Promise<Payout> {
  const payout = await lockPayout(cx, payoutId)
  const decided = orRefuse(steps.takeBack(payout, reason))
  try {
    await takeStep(cx, payout, decided)
  } catch (error) {
    if (!holdsSubject.has(violatedConstraint(error) ?? "")) throw error
    const why = `${payout.subjectLabel} has another payment since ${payout.number}: call that one off, or undo it, first.`
    throw refused("WRONG_STATUS", `${why} Nothing was changed.`)
  }
  return decided.value
}

export const releasePayout = command(payoutsContract.release, async (cx) => {
  const settings = await readSettings(cx.tx, payoutsSettings)
  const { id } = await stepPayout(cx, cx.input, (payout) =>
    steps.release(payout, ruleActor(cx.actor), settings, cx.now),
  )
  const open = await openBatchOf(cx, id)
  if (open) throw refused("WRONG_STATUS", `This payment is in batch ${open}: release the batch, or take it out.`)
  return payoutDetail(cx, id)
})

export const completePayout = command(payoutsContract.complete, async (cx) => {
  const { completedOn } = cx.input
  const { id } = await stepPayout(cx, cx.input, (payout) =>
    steps.complete(payout, { completedOn, releasedOn: releaseDay(payout, cx.timezone), today: cx.today }, cx.now),
  )
  return payoutDetail(cx, id)
})

export const returnPayout = command(payoutsContract.return, async (cx) => {
  const { returnedOn, reason } = cx.input
  const { id } = await stepPayout(cx, cx.input, (payout) =>
    steps.returnPayout(payout, { returnedOn, today: cx.today }, reason),
  )
  return payoutDetail(cx, id)
})

export const failPayout = command(payoutsContract.fail, async (cx) => {
  const { id } = await stepPayout(cx, cx.input, (payout) => steps.fail(payout, cx.input.reason))
  return payoutDetail(cx, id)
})

export const retryPayout = command(payoutsContract.retry, async (cx) => {
  const { id } = await stepPayout(cx, cx.input, steps.retry)
  return payoutDetail(cx, id)
})

export const cancelPayout = command(payoutsContract.cancel, async (cx) => {
  const open = await openBatchOf(cx, cx.input.payoutId)
  if (open) throw refused("WRONG_STATUS", `This payment is in batch ${open}: take it out first.`)
  const { id } = await stepPayout(cx, cx.input, (payout) => steps.cancel(payout, cx.input.reason))
  return payoutDetail(cx, id)
})

export const changePayee = command(payoutsContract.changePayee, async (cx) => {
  const { payoutId } = cx.input
  const payout = await lockPayout(cx, payoutId)
  const open = isBatchable(cx.input.method) ? undefined : await openBatchOf(cx, payoutId)
  if (open) throw refused("WRONG_STATUS", `This payment is in batch ${open}: take it out to pay it by hand.`)
  const last = await lastPayee(cx.tx, { ...payout, except: payoutId })
  await stepPayout(cx, cx.input, (locked) =>
    steps.changePayee(locked, cx.input, ruleActor(cx.actor), { last, now: cx.now }),
  )
  return payoutDetail(cx, payoutId)
})

export const confirmPayee = command(payoutsContract.confirmPayee, async (cx) => {
  const { id } = await stepPayout(cx, cx.input, (payout) => steps.confirmPayee(payout, ruleActor(cx.actor)))
  return payoutDetail(cx, id)
})
