import { todayIn } from "@milkwood/domain/kernel/calendar"
import type { Decision } from "@milkwood/domain/kernel/refusal"
import { claimPayoutCompleted } from "@milkwood/domain/ledger/posting-rules"
import type { Payout } from "@milkwood/domain/payouts/payout"
import * as steps from "@milkwood/domain/payouts/payout-steps"
import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { post } from "../ledger/post.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { readSettings } from "../platform/settings/store.ts"
import { lockPayout, savePayout } from "./payout-record.ts"
import { payoutDetail } from "./payouts.queries.ts"

type Decide = (payout: Payout) => Decision<steps.PayoutChange>

/** One step of a payout. Judged before the version is looked at: who was slower than another reads what it is now. */
async function stepPayout(cx: Cx, input: { payoutId: string; version: number }, decide: Decide): Promise<Payout> {
  const payout = await lockPayout(cx, input.payoutId)
  const decided = orRefuse(decide(payout))
  expectVersion(payout, input.version)
  await savePayout(cx, payout, decided)
  return decided.value
}

export const releasePayout = command(payoutsContract.release, async (cx) => {
  const { releaseLimitCents } = await readSettings(cx.tx, payoutsSettings)
  const { id } = await stepPayout(cx, cx.input, (payout) =>
    steps.release(payout, ruleActor(cx.actor), releaseLimitCents, cx.now),
  )
  return payoutDetail(cx, id)
})

export const completePayout = command(payoutsContract.complete, async (cx) => {
  const { completedOn } = cx.input
  const { id, policyId, groupId, subjectLabel, amountCents } = await stepPayout(cx, cx.input, (payout) => {
    const releasedOn = payout.releasedAt && todayIn(Temporal.Instant.from(payout.releasedAt), cx.timezone)
    return steps.complete(payout, { completedOn, releasedOn, today: cx.today }, cx.now)
  })
  const policy = { policyId, groupId }
  await post(
    cx,
    claimPayoutCompleted({ payoutId: id, claimNumber: subjectLabel, amountCents, on: completedOn, policy }),
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
  const { id } = await stepPayout(cx, cx.input, (payout) => steps.cancel(payout, cx.input.reason))
  return payoutDetail(cx, id)
})

export const changePayee = command(payoutsContract.changePayee, async (cx) => {
  const { id } = await stepPayout(cx, cx.input, (payout) => steps.changePayee(payout, cx.input, ruleActor(cx.actor)))
  return payoutDetail(cx, id)
})
