import { randomUUID } from "node:crypto"
import { findEarlierPayee } from "@milkwood/domain/payouts/payee-guard"
import type { Payout, PayoutSubject } from "@milkwood/domain/payouts/payout"
import { type Payee, payeeFields } from "@milkwood/domain/payouts/payout-shape"
import { createPayoutChange } from "@milkwood/domain/payouts/payout-steps"
import { preparerIds } from "@milkwood/domain/platform/permission"
import { actorUserId, ruleActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { expectPerson, expectProof } from "../platform/calls/proof.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { loadEarlierPayees } from "./payee-guard.queries.ts"
import { payouts } from "./payouts.tables.ts"

export interface NewPayout extends Payee, Pick<Payout, "groupId" | "policyId" | "memberId" | "amountCents" | "notes"> {
  subject: PayoutSubject
  /** Default: the label of the claim or refund. */
  reference: string
  /** The recorded payee of a claim. */
  payeeId?: string
  /** Users who recorded the payee's account. */
  alsoPreparedBy?: readonly string[]
  /** The account is unknown: the user who entered it may not release the payment, even below the limit. */
  isPayeeNew?: boolean
}

/**
 * Makes the payment of a claim or refund; it awaits release. PAYMENT_EXISTS if there is a live payment. The payout is
 * locked before its subject: the caller locks the subject afterwards.
 */
export async function makePayout(cx: Cx, { subject, ...order }: NewPayout): Promise<string> {
  const userId = actorUserId(cx.actor)!
  const payout: Payout = {
    id: randomUUID(),
    number: await nextNumber(cx.tx, "payout", cx.today),
    groupId: order.groupId,
    policyId: order.policyId,
    memberId: order.memberId,
    payeeId: order.payeeId ?? null,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectLabel: subject.label,
    amountCents: order.amountCents,
    ...payeeFields(order),
    reference: order.reference || subject.label,
    notes: order.notes,
    status: "pending",
    preparedBy: [...new Set([...preparerIds(ruleActor(cx.actor)), ...(order.alsoPreparedBy ?? [])])],
    payeeChangedBy: order.isPayeeNew ? userId : null,
    payeeChangedAt: order.isPayeeNew ? cx.now.toString() : null,
    formerPayee: findEarlierPayee(
      payeeFields(order),
      await loadEarlierPayees(cx.tx, {
        ...order,
        subjectKind: subject.kind,
        subjectId: subject.id,
        payeeId: order.payeeId ?? null,
      }),
    ),
    payeeConfirmedBy: null,
    createdBy: userId,
    createdAt: cx.now.toString(),
    releasedBy: null,
    releasedAt: null,
    completedOn: null,
    completedAt: null,
    returnedOn: null,
    bankAccountId: null,
    releasesUndone: 0,
    completionsUndone: 0,
    returnsUndone: 0,
    statusReason: null,
    version: 1,
  }
  // Unknown bank details need a responsible user, not an API key.
  if (order.isPayeeNew) expectPerson(cx)
  if (payout.formerPayee !== null) expectProof(cx)
  await refuseDuplicates(() => cx.tx.insert(payouts).values(payout), "PAYMENT_EXISTS")
  await record(cx, createPayoutChange(payout).facts)
  return payout.id
}
