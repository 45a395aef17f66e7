import { randomUUID } from "node:crypto"
import { type SQL, sql } from "drizzle-orm"
import { approveStage, createApprovedClaim } from "../../claims/claims.samples.ts"
import { hasLivePayout } from "../../payouts/payouts.queries.ts"
import { samplePayee } from "../../payouts/payouts.samples.ts"
import { createRefundForm } from "../../refunds/refunds.samples.ts"
import { isOnceIn, pickRow, reason, type SimulatedActions, type SimulationContext } from "./hand.ts"

interface PickedPayout {
  id: string
  version: number
}

interface PayoutStepInput {
  payoutId: string
  version: number
  idempotencyKey: string
}

/** Payments in an open batch are released with the batch. */
const isInNoOpenBatchSql = sql`not exists (select from payout_batch_payments i join payout_batches b on b.id = i.batch_id
  where i.payout_id = o.id and i.removed_at is null and b.status = 'open')`

const pickPayout = (hand: SimulationContext, statuses: string[], where: SQL) =>
  pickRow<PickedPayout>(
    hand,
    sql`select id, version from payouts o
      where policy_id = ${hand.policy.policyId} and status = any (${sql.param(statuses)}::text[]) and ${where} order by number`,
  )

const payoutStep =
  (from: string[], step: (hand: SimulationContext, input: PayoutStepInput) => unknown, where = sql`true`) =>
  async (hand: SimulationContext) => {
    const payout = await pickPayout(hand, from, isOnceIn(hand, 5) ? sql`true` : where)
    return payout && step(hand, { payoutId: payout.id, version: payout.version, idempotencyKey: randomUUID() })
  }

const currentDay = (hand: SimulationContext) => hand.app.clock.now().toString().slice(0, 10)

/** One payment in four is a cheque, which is completed by hand and never in a batch. */
const pickPayee = (hand: SimulationContext) =>
  isOnceIn(hand, 4) ? { ...samplePayee, method: "cheque" as const } : samplePayee

const selectUnpaidClaims = (policyId: string, where: SQL): SQL => sql`
  select c.id, (c.approved_amount_cents - coalesce((select sum(amount_cents) from payouts
      where subject_kind = 'claim' and subject_id = c.id and status = 'completed'), 0))::bigint as "openCents"
  from claims c where c.policy_id = ${policyId} and c.status = 'approved' and ${where} order by c.number`

interface PickedClaim {
  claimId: string
  version: number
}

const selectClaims = (policyId: string, status: string): SQL => sql`
  select c.id as "claimId", c.version from claims c where c.policy_id = ${policyId} and c.status = ${status} order by c.number`

export const payoutActions: SimulatedActions = {
  refund: {
    weight: 5,
    async act(hand) {
      const { policyId } = hand.policy
      const why = hand.draw.of(["overpayment", "policy_cancellation", "pro_rata_refund", "other"] as const)
      const offer = await hand.maker.refunds.offer({ policyId, reason: why })
      const amountCents = 1 + hand.draw.below(Math.max(1, offer.creditAfterCents))
      const method = hand.draw.of(["bank_transfer", "bank_transfer", "eft", "cheque", "credit_note"] as const)
      const form = createRefundForm({ policyId, amountCents, method, reason: why })
      return hand.maker.refunds.process({
        ...{ ...form, correctionCents: offer.correctionCents, idempotencyKey: randomUUID() },
      })
    },
  },
  "cancel a kept refund": {
    weight: 3,
    async act(hand) {
      const refund = await pickRow<PickedPayout>(
        hand,
        sql`select id, version from refunds where method = 'credit_note'
          and status = 'processing' order by number`,
      )
      if (!refund) return false
      const { id: refundId, version } = refund
      return hand.maker.refunds.cancel({ refundId, version, idempotencyKey: randomUUID(), reason })
    },
  },
  claim: {
    weight: 1,
    async act(hand) {
      const member = await pickRow<{ id: string }>(
        hand,
        sql`select id from members where policy_id = ${hand.policy.policyId} and status = 'Active' order by number limit 1`,
      )
      const { cast, benefitId } = hand.policy
      return member && createApprovedClaim(cast, { memberId: member.id, benefitId })
    },
  },
  "withdraw an approval": {
    weight: 2,
    async act(hand) {
      const claim = await pickRow<PickedClaim>(hand, selectClaims(hand.policy.policyId, "approved"))
      if (!claim) return false
      return hand.policy.cast.manager.claims.withdrawApproval({ ...claim, reason })
    },
  },
  "approve a claim again": {
    weight: 2,
    async act(hand) {
      const found = await pickRow<PickedClaim>(hand, selectClaims(hand.policy.policyId, "under_review"))
      if (!found) return false
      const { cast } = hand.policy
      let claim = await cast.manager.claims.route(found)
      while (claim.status.startsWith("pending_"))
        claim = await approveStage(cast, claim, 1 + hand.draw.below(claim.amountBeforeCents))
      return claim
    },
  },
  "pay a claim": {
    weight: 6,
    async act(hand) {
      const where = isOnceIn(hand, 4) ? sql`true` : sql`not ${hasLivePayout("claim", sql`c.id`)}`
      const claim = await pickRow<{ id: string; openCents: number }>(
        hand,
        selectUnpaidClaims(hand.policy.policyId, where),
      )
      if (!claim) return false
      const amountCents = isOnceIn(hand, 4) ? undefined : 1 + hand.draw.below(Math.max(1, claim.openCents))
      return hand.maker.claims.pay({
        ...{
          idempotencyKey: randomUUID(),
          claimId: claim.id,
          reference: "",
          notes: "",
          ...pickPayee(hand),
          amountCents,
        },
      })
    },
  },
  release: {
    weight: 8,
    act: payoutStep(["pending"], ({ second }, input) => second.payouts.release(input), isInNoOpenBatchSql),
  },
  "change a payee": {
    weight: 1,
    act: payoutStep(["pending", "failed"], ({ maker }, { payoutId, version }) =>
      maker.payouts.changePayee({
        payoutId,
        version,
        ...samplePayee,
        payeeName: "L Botha",
        payeeAccountNumber: "62007654321",
      }),
    ),
  },
  "confirm a payee": {
    weight: 3,
    act: payoutStep(
      ["pending", "failed"],
      ({ second }, { payoutId, version }) => second.payouts.confirmPayee({ payoutId, version }),
      sql`former_payee is not null and payee_confirmed_by is null`,
    ),
  },
  complete: {
    weight: 4,
    act: payoutStep(["processing"], (hand, input) =>
      hand.second.payouts.complete({ ...input, completedOn: currentDay(hand) }),
    ),
  },
  fail: {
    weight: 2,
    act: payoutStep(["processing"], ({ second }, input) => second.payouts.fail({ ...input, reason })),
  },
  retry: { weight: 2, act: payoutStep(["failed"], ({ maker }, input) => maker.payouts.retry(input)) },
  "call off": {
    weight: 1,
    act: payoutStep(["pending", "processing", "failed"], ({ maker }, input) =>
      maker.payouts.cancel({ ...input, reason }),
    ),
  },
  return: {
    weight: 2,
    act: payoutStep(["completed"], (hand, input) =>
      hand.second.payouts.return({ ...input, returnedOn: currentDay(hand), reason }),
    ),
  },
}
