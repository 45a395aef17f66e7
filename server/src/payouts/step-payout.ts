import { type Day, todayInTimezone } from "@milkwood/domain/kernel/calendar"
import { type Decision, isRefusal } from "@milkwood/domain/kernel/refusal"
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
import { expectPerson, expectProof } from "../platform/calls/proof.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { violatedConstraint, violationDetail } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { loadEarlierPayees } from "./payee-guard.queries.ts"
import { lockPayout, lockPayouts, type PayoutStep, savePayouts } from "./payout-record.ts"
import { findOpenBatchOf, payoutDetail } from "./payouts.queries.ts"
import { sendRemittanceAdvices } from "./remittance-advice.ts"

type PayoutDecider = (payout: Payout) => Decision<steps.PayoutChange>

/** Checks the status before the version, so the slower user sees the current state. */
async function stepPayout(
  cx: Cx,
  input: { payoutId: string; version: number },
  decide: PayoutDecider,
): Promise<Payout> {
  const payout = await lockPayout(cx, input.payoutId)
  const decided = orRefuse(decide(payout))
  expectVersion(payout, input.version)
  await savePayoutStep(cx, payout, decided)
  return decided.value
}

/** Saves and posts steps of locked payouts in a fixed number of statements, for batches of thousands. */
export async function savePayoutSteps(cx: Cx, taken: readonly PayoutStep[]): Promise<void> {
  const postings = taken.map(({ before, decided }) => postingsOfStep(before, decided.value, cx.today))
  const entries = postings.flatMap(({ post }) => post)
  const undo = postings.flatMap(({ undo }) => undo)
  if (entries.length > 0) await post(cx, ...entries)
  if (undo.length > 0) await reverse(cx, undo)
  await savePayouts(cx, taken).catch((error: unknown) => {
    if (violatedConstraint(error) !== "payouts_other_account_is_held") throw error
    throw refused(
      "PAYEE_WAITS",
      `Since the payee of ${violationDetail(error)} was entered, another payment went to a different account. Enter the payee again, so that a second person can confirm it.`,
    )
  })
  const arrived = taken.filter(
    ({ before, decided }) => before.status === "processing" && decided.value.status === "completed",
  )
  await sendRemittanceAdvices(
    cx,
    arrived.map(({ decided }) => decided.value),
  )
  // Failed and cancelled payments leave their batch and may join another.
  const off = taken.filter(({ decided }) => decided.value.status === "failed" || decided.value.status === "cancelled")
  if (off.length === 0) return
  await cx.tx.run(sql`
    update payout_batch_payments set removed_at = ${cx.now}
    where payout_id = any (${sql.param(off.map(({ before }) => before.id))}::uuid[]) and removed_at is null`)
}

const savePayoutStep = (cx: Cx, before: Payout, decided: steps.PayoutChange): Promise<void> =>
  savePayoutSteps(cx, [{ before, decided }])

/** A step that a bank line causes; used by modules that match bank lines. */
export interface BankUpdate {
  payoutId: string
  on: Day
  bankAccountId: string
}

export const releaseDay = ({ releasedAt }: Payout, timezone: string): Day | null =>
  releasedAt && todayInTimezone(Temporal.Instant.from(releasedAt), timezone)

/** The payment is completed on the bank line's day, from its account. */
export async function completeByBank(cx: Cx, { payoutId, on, bankAccountId }: BankUpdate): Promise<Payout> {
  const payout = await lockPayout(cx, payoutId)
  const days = { completedOn: on, releasedOn: releaseDay(payout, cx.timezone), today: cx.today }
  const decided = orRefuse(steps.complete(payout, days, cx.now, bankAccountId))
  await savePayoutStep(cx, payout, decided)
  return decided.value
}

export async function returnByBank(
  cx: Cx,
  { payoutId, on, reason }: Pick<BankUpdate, "payoutId" | "on"> & { reason: string },
): Promise<Payout> {
  const payout = await lockPayout(cx, payoutId)
  const decided = orRefuse(steps.returnPayout(payout, { returnedOn: on, today: cx.today }, reason))
  await savePayoutStep(cx, payout, decided)
  return decided.value
}

/** Constraints per claim or refund: one live payment, one for each payee, and at most the approved amount in total. */
const subjectConstraints = new Set([
  "payouts_one_live_per_subject",
  "payouts_one_per_payee",
  "payouts_within_the_claim",
])

/**
 * Undoes `completeByBank` and `returnByBank`. WRONG_STATUS if the claim or refund was paid again; database constraints
 * cover races.
 */
export async function undoBankUpdates(cx: Cx, payoutIds: readonly string[], reason: string): Promise<void> {
  if (payoutIds.length === 0) return
  const held = await lockPayouts(cx, sql`select unnest(${sql.param([...payoutIds])}::uuid[])`)
  const taken = held.map((before) => ({ before, decided: orRefuse(steps.takeBack(before, reason)) }))
  try {
    await savePayoutSteps(cx, taken)
  } catch (error) {
    if (!subjectConstraints.has(violatedConstraint(error) ?? "")) throw error
    const [one, ...others] = held
    const paid = one && others.length === 0
    const why = paid
      ? `${one.subjectLabel} has a later payment than ${one.number}, or is no longer approved. Cancel or undo that first.`
      : "One of these claims or refunds has a later payment, or is no longer approved. Cancel or undo that first."
    throw refused("WRONG_STATUS", `${why} Nothing was changed.`)
  }
}

export const releasePayout = command(payoutsContract.release, async (cx) => {
  expectPerson(cx)
  const settings = await readSettings(cx.tx, payoutsSettings)
  const { id } = await stepPayout(cx, cx.input, (payout) => {
    const released = steps.release(payout, ruleActor(cx.actor), settings, cx.now, cx.currency)
    if (!isRefusal(released) && payout.amountCents > settings.proofAboveCents) expectProof(cx)
    return released
  })
  const open = await findOpenBatchOf(cx, id)
  if (open)
    throw refused("WRONG_STATUS", `This payment is in batch ${open}. Release the batch, or remove the payment from it.`)
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
  const open = await findOpenBatchOf(cx, cx.input.payoutId)
  if (open) throw refused("WRONG_STATUS", `This payment is in batch ${open}. Remove it from the batch first.`)
  const { id } = await stepPayout(cx, cx.input, (payout) => steps.cancel(payout, cx.input.reason))
  return payoutDetail(cx, id)
})

export const changePayee = command(payoutsContract.changePayee, async (cx) => {
  expectProof(cx)
  const { payoutId } = cx.input
  const payout = await lockPayout(cx, payoutId)
  const open = isBatchable(cx.input.method) ? undefined : await findOpenBatchOf(cx, payoutId)
  if (open)
    throw refused("WRONG_STATUS", `This payment is in batch ${open}. Remove it from the batch to pay it by hand.`)
  const { payeeName } = cx.input
  const earlier = await loadEarlierPayees(cx.tx, { ...payout, payeeName })
  await stepPayout(cx, cx.input, (locked) =>
    steps.changePayee(locked, cx.input, ruleActor(cx.actor), { earlier, now: cx.now }),
  )
  return payoutDetail(cx, payoutId)
})

export const confirmPayee = command(payoutsContract.confirmPayee, async (cx) => {
  expectProof(cx)
  const { id } = await stepPayout(cx, cx.input, (payout) => steps.confirmPayee(payout, ruleActor(cx.actor)))
  return payoutDetail(cx, id)
})
