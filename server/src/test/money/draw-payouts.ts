import { randomUUID } from "node:crypto"
import { type SQL, sql } from "drizzle-orm"
import { approvedClaim } from "../../claims/claims.samples.ts"
import { hasLivePayout } from "../../payouts/payouts.queries.ts"
import { samplePayee } from "../../payouts/payouts.samples.ts"
import { refundOf } from "../../refunds/refunds.samples.ts"
import { type Deeds, type Hand, onceIn, pick, reason } from "./hand.ts"

interface Drawn {
  id: string
  version: number
}

interface Step {
  payoutId: string
  version: number
  idempotencyKey: string
}

/** Payments in an open batch are released with the batch. */
const inNoOpenBatch = sql`not exists (select from payout_batch_payments i join payout_batches b on b.id = i.batch_id
  where i.payout_id = o.id and i.removed_at is null and b.status = 'open')`

const aPayout = (hand: Hand, statuses: string[], where: SQL) =>
  pick<Drawn>(
    hand,
    sql`select id, version from payouts o
      where policy_id = ${hand.policy.policyId} and status = any (${sql.param(statuses)}::text[]) and ${where} order by number`,
  )

const stepOf =
  (from: string[], step: (hand: Hand, input: Step) => unknown, where = sql`true`) =>
  async (hand: Hand) => {
    const payout = await aPayout(hand, from, onceIn(hand, 5) ? sql`true` : where)
    return payout && step(hand, { payoutId: payout.id, version: payout.version, idempotencyKey: randomUUID() })
  }

const day = (hand: Hand) => hand.app.clock.now().toString().slice(0, 10)

/** One in four is a cheque, completed by hand and never in a batch. */
const payeeOf = (hand: Hand) => (onceIn(hand, 4) ? { ...samplePayee, method: "cheque" as const } : samplePayee)

const unpaidClaims = (policyId: string, where: SQL): SQL => sql`
  select c.id, (c.approved_amount_cents - coalesce((select sum(amount_cents) from payouts
      where subject_kind = 'claim' and subject_id = c.id and status = 'completed'), 0))::bigint as "openCents"
  from claims c where c.policy_id = ${policyId} and c.status = 'approved' and ${where} order by c.number`

export const payoutDeeds: Deeds = {
  refund: {
    weight: 5,
    async act(hand) {
      const { policyId } = hand.policy
      const why = hand.draw.of(["overpayment", "policy_cancellation", "pro_rata_refund", "other"] as const)
      const offer = await hand.maker.refunds.offer({ policyId, reason: why })
      const amountCents = 1 + hand.draw.below(Math.max(1, offer.creditAfterCents))
      const method = hand.draw.of(["bank_transfer", "bank_transfer", "eft", "cheque", "credit_note"] as const)
      const form = refundOf({ policyId, amountCents, method, reason: why })
      return hand.maker.refunds.process({
        ...{ ...form, correctionCents: offer.correctionCents, idempotencyKey: randomUUID() },
      })
    },
  },
  "cancel a kept refund": {
    weight: 3,
    async act(hand) {
      const refund = await pick<Drawn>(
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
      const member = await pick<{ id: string }>(
        hand,
        sql`select id from members where policy_id = ${hand.policy.policyId} and status = 'Active' order by number limit 1`,
      )
      const { cast, benefitId } = hand.policy
      return member && approvedClaim(cast, { memberId: member.id, benefitId })
    },
  },
  "pay a claim": {
    weight: 6,
    async act(hand) {
      const where = onceIn(hand, 4) ? sql`true` : sql`not ${hasLivePayout("claim", sql`c.id`)}`
      const claim = await pick<{ id: string; openCents: number }>(hand, unpaidClaims(hand.policy.policyId, where))
      if (!claim) return false
      const amountCents = onceIn(hand, 4) ? undefined : 1 + hand.draw.below(Math.max(1, claim.openCents))
      return hand.maker.claims.pay({
        ...{ idempotencyKey: randomUUID(), claimId: claim.id, reference: "", notes: "", ...payeeOf(hand), amountCents },
      })
    },
  },
  release: {
    weight: 8,
    act: stepOf(["pending"], ({ second }, input) => second.payouts.release(input), inNoOpenBatch),
  },
  "change a payee": {
    weight: 1,
    act: stepOf(["pending", "failed"], ({ maker }, { payoutId, version }) =>
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
    act: stepOf(
      ["pending", "failed"],
      ({ second }, { payoutId, version }) => second.payouts.confirmPayee({ payoutId, version }),
      sql`former_payee is not null and payee_confirmed_by is null`,
    ),
  },
  complete: {
    weight: 4,
    act: stepOf(["processing"], (hand, input) => hand.second.payouts.complete({ ...input, completedOn: day(hand) })),
  },
  fail: { weight: 2, act: stepOf(["processing"], ({ second }, input) => second.payouts.fail({ ...input, reason })) },
  retry: { weight: 2, act: stepOf(["failed"], ({ maker }, input) => maker.payouts.retry(input)) },
  "call off": {
    weight: 1,
    act: stepOf(["pending", "processing", "failed"], ({ maker }, input) => maker.payouts.cancel({ ...input, reason })),
  },
  return: {
    weight: 2,
    act: stepOf(["completed"], (hand, input) =>
      hand.second.payouts.return({ ...input, returnedOn: day(hand), reason }),
    ),
  },
}
