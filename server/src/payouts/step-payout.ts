import { claimPayoutCompleted } from "@milkwood/domain/ledger/posting-rules"
import { type PayoutAction, type PayoutStatus, stepPayout } from "@milkwood/domain/payouts/payout"
import type { PayoutFact } from "@milkwood/domain/payouts/payout-facts"
import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { sql } from "drizzle-orm"
import { post } from "../ledger/post.ts"
import { actorUserId, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, command, invalid, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { payoutDetail } from "./payouts.queries.ts"

interface LockedPayout {
  id: string
  number: string
  groupId: string
  policyId: string
  claimId: string
  claimNumber: string
  amountCents: number
  status: PayoutStatus
  preparedBy: string[]
  payeeChangedBy: string | null
  releasedOn: string | null
  version: number
}

/**
 * One step of a payout: the claim's row is locked first, then the payout's, as when it was made; the lifecycle and
 * four eyes say whether the step is allowed. Answers the payout as it was, and the status that it comes to.
 */
async function take(
  cx: Cx,
  input: { payoutId: string; version: number },
  action: PayoutAction,
): Promise<{ payout: LockedPayout; to: PayoutStatus }> {
  await cx.tx.rows(
    sql`select from claims where id = (select claim_id from payouts where id = ${input.payoutId}) for update`,
  )
  const payout = await cx.tx.row<LockedPayout>(sql`
    select o.id, o.number, o.group_id as "groupId", o.policy_id as "policyId", o.claim_id as "claimId", c.number as "claimNumber",
      o.amount_cents as "amountCents", o.status, o.prepared_by as "preparedBy",
      o.payee_changed_by as "payeeChangedBy",
      (o.released_at at time zone ${await cx.app.timezone()})::date as "releasedOn", o.version
    from payouts o join claims c on c.id = o.claim_id
    where o.id = ${input.payoutId} for update of o`)
  if (!payout) throw refused("NOT_FOUND")
  const { releaseLimitCents } = await readSettings(cx.tx, payoutsSettings)
  const to = orRefuse(stepPayout(payout, action, ruleActor(cx.actor), releaseLimitCents))
  expectVersion(payout, input.version)
  return { payout, to }
}

const news = (payout: LockedPayout) => ({
  record: { kind: "payout" as const, id: payout.id, label: payout.number },
  groupId: payout.groupId,
  claimId: payout.claimId,
})

async function finish(cx: Cx, payout: LockedPayout, fact: PayoutFact) {
  await record(cx, [fact])
  return payoutDetail(cx, payout.id)
}

export const releasePayout = command(payoutsContract.release, async (cx) => {
  const { payout, to } = await take(cx, cx.input, "release")
  await cx.tx.run(sql`
    update payouts set status = ${to}, released_by = ${actorUserId(cx.actor)}, released_at = ${cx.now}, status_reason = null,
      version = version + 1 where id = ${payout.id}`)
  return finish(cx, payout, { ...news(payout), type: "PayoutReleased", amountCents: payout.amountCents })
})

export const completePayout = command(payoutsContract.complete, async (cx) => {
  const { completedOn } = cx.input
  const { payout, to } = await take(cx, cx.input, "complete")
  if (completedOn > cx.today) throw invalid([{ path: "completedOn", message: "The payment date is in the future" }])
  if (payout.releasedOn !== null && completedOn < payout.releasedOn) {
    throw invalid([{ path: "completedOn", message: "The payment date is before the release" }])
  }
  await cx.tx.run(sql`
    update payouts set status = ${to}, completed_on = ${completedOn}, completed_at = ${cx.now}, version = version + 1
    where id = ${payout.id}`)
  const { policyId, groupId, claimNumber, amountCents } = payout
  await post(
    cx,
    claimPayoutCompleted({
      payoutId: payout.id,
      claimNumber,
      amountCents,
      on: completedOn,
      policy: { policyId, groupId },
    }),
  )
  return finish(cx, payout, { ...news(payout), type: "PayoutCompleted", amountCents, completedOn })
})

export const failPayout = command(payoutsContract.fail, async (cx) => {
  const { payout, to } = await take(cx, cx.input, "fail")
  await cx.tx.run(sql`
    update payouts set status = ${to}, released_by = null, released_at = null, status_reason = ${cx.input.reason},
      version = version + 1 where id = ${payout.id}`)
  return finish(cx, payout, { ...news(payout), type: "PayoutFailed", reason: cx.input.reason })
})

export const retryPayout = command(payoutsContract.retry, async (cx) => {
  const { payout, to } = await take(cx, cx.input, "retry")
  await cx.tx.run(
    sql`update payouts set status = ${to}, status_reason = null, version = version + 1 where id = ${payout.id}`,
  )
  return finish(cx, payout, { ...news(payout), type: "PayoutRetried" })
})

export const cancelPayout = command(payoutsContract.cancel, async (cx) => {
  const { payout, to } = await take(cx, cx.input, "cancel")
  await cx.tx.run(sql`
    update payouts set status = ${to}, released_by = null, released_at = null, status_reason = ${cx.input.reason},
      version = version + 1 where id = ${payout.id}`)
  return finish(cx, payout, { ...news(payout), type: "PayoutCancelled", reason: cx.input.reason })
})

export const changePayee = command(payoutsContract.changePayee, async (cx) => {
  const { payoutId, version: _version, ...after } = cx.input
  const { payout } = await take(cx, cx.input, "changePayee")
  const before = await payoutDetail(cx, payoutId)
  await cx.tx.run(sql`
    update payouts set method = ${after.method}, payee_name = ${after.payeeName}, payee_bank = ${after.payeeBank},
      payee_branch_code = ${after.payeeBranchCode}, payee_account_number = ${after.payeeAccountNumber},
      prepared_by = array(select distinct unnest(prepared_by || ${actorUserId(cx.actor)}::uuid)),
      payee_changed_by = ${actorUserId(cx.actor)}, version = version + 1
    where id = ${payoutId}`)
  const { method, payeeName, payeeBank, payeeBranchCode, payeeAccountNumber } = before
  return finish(cx, payout, {
    ...news(payout),
    type: "PayoutPayeeChanged",
    before: { method, payeeName, payeeBank, payeeBranchCode, payeeAccountNumber },
    after,
  })
})
