import { randomUUID } from "node:crypto"
import { earlierPayee } from "@milkwood/domain/payouts/payee-guard"
import type { Payout, PayoutSubject } from "@milkwood/domain/payouts/payout"
import { type Payee, payeeFields } from "@milkwood/domain/payouts/payout-shape"
import { made } from "@milkwood/domain/payouts/payout-steps"
import { handsOf } from "@milkwood/domain/platform/permission"
import { actorUserId, ruleActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { expectPerson, expectProof } from "../platform/calls/proof.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { refusingDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { earlierPayees } from "./payee-guard.queries.ts"
import { payouts } from "./payouts.tables.ts"

export interface NewPayout extends Payee, Pick<Payout, "groupId" | "policyId" | "memberId" | "amountCents" | "notes"> {
  subject: PayoutSubject
  /** The subject's label without one. */
  reference: string
  /** Nobody knows the account yet: whoever gave it does not release it, whatever the limit. */
  isPayeeNew?: boolean
}

/**
 * Makes the payment of a subject, waiting for release; for the rooms to the right. PAYMENT_EXISTS where the subject has
 * a live one. Locked before its subject, like every payout: the caller locks and judges the subject afterwards.
 */
export async function makePayout(cx: Cx, { subject, ...order }: NewPayout): Promise<string> {
  const userId = actorUserId(cx.actor)!
  const payout: Payout = {
    id: randomUUID(),
    number: await nextNumber(cx.tx, "payout", cx.today),
    groupId: order.groupId,
    policyId: order.policyId,
    memberId: order.memberId,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectLabel: subject.label,
    amountCents: order.amountCents,
    ...payeeFields(order),
    reference: order.reference || subject.label,
    notes: order.notes,
    status: "pending",
    preparedBy: handsOf(ruleActor(cx.actor)),
    payeeChangedBy: order.isPayeeNew ? userId : null,
    payeeChangedAt: order.isPayeeNew ? cx.now.toString() : null,
    payeeWas: earlierPayee(
      payeeFields(order),
      await earlierPayees(cx.tx, { ...order, subjectKind: subject.kind, subjectId: subject.id }),
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
  // Bank details that nobody knows are given by somebody who can be asked.
  if (order.isPayeeNew) expectPerson(cx)
  // Bank details that differ from an earlier payment.
  if (payout.payeeWas !== null) expectProof(cx)
  await refusingDuplicates(() => cx.tx.insert(payouts).values(payout), "PAYMENT_EXISTS")
  await record(cx, made(payout).facts)
  return payout.id
}
