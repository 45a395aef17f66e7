import type { Day } from "../kernel/calendar.ts"
import { lifecycle } from "../kernel/lifecycle.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Refusal, refuse } from "../kernel/refusal.ts"
import { hasPermission, isProgram, type RuleActor } from "../platform/permission.ts"
import type { BatchStatus } from "./batch.ts"
import { canConfirmPayee, type PayeeChange, refuseChangedPayee } from "./payee-guard.ts"
import type { Payee } from "./payout-shape.ts"

export const payoutStatuses = ["pending", "processing", "completed", "failed", "cancelled", "returned"] as const

export type PayoutStatus = (typeof payoutStatuses)[number]

export const payoutMethods = ["bank_transfer", "eft", "cheque", "cash"] as const

export type PayoutMethod = (typeof payoutMethods)[number]

export const payoutMethodNames: Record<PayoutMethod, string> = {
  bank_transfer: "Bank Transfer",
  eft: "EFT",
  cheque: "Cheque",
  cash: "Cash",
}

export const payoutStatusNames: Record<PayoutStatus, string> = {
  pending: "Pending",
  processing: "Processing",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
  returned: "Returned",
}

/** Statuses of payments, and of claims that await a payment ("waiting"). */
export const paymentRowStatuses = ["waiting", ...payoutStatuses] as const

export const paymentRowStatusNames: Record<(typeof paymentRowStatuses)[number], string> = {
  waiting: "Waiting for payment",
  ...payoutStatusNames,
}

/** Payout lifecycle (docs/payouts.md). */
export const payoutLifecycle = lifecycle({
  name: "payout",
  initial: "pending",
  states: payoutStatuses,
  actions: {
    changePayee: [
      { from: ["pending"], to: "pending" },
      { from: ["failed"], to: "failed" },
    ],
    confirmPayee: [
      { from: ["pending"], to: "pending" },
      { from: ["failed"], to: "failed" },
    ],
    release: { from: ["pending"], to: "processing" },
    complete: { from: ["processing"], to: "completed" },
    fail: { from: ["processing"], to: "failed" },
    retry: { from: ["failed"], to: "pending" },
    cancel: { from: ["pending", "processing", "failed"], to: "cancelled" },
    return: { from: ["completed"], to: "returned" },
    // A bank line was unmatched: undoes the step it caused.
    takeBack: [
      { from: ["completed"], to: "processing" },
      { from: ["returned"], to: "completed" },
    ],
  },
  words: {
    record: "A payment that",
    done: {
      changePayee: "given another payee",
      confirmPayee: "given a confirmed payee",
      release: "released",
      complete: "completed",
      fail: "marked as failed",
      retry: "retried",
      cancel: "cancelled",
      return: "returned",
      takeBack: "taken back",
    },
  },
})

export type PayoutAction = (typeof payoutLifecycle.actions)[number]

export const payoutActions = payoutLifecycle.actions as [PayoutAction, ...PayoutAction[]]

export const subjectKinds = ["claim", "refund"] as const

/**
 * The claim or refund that a payment is for. Its module creates the payment and reacts to its events; payouts imports
 * neither.
 */
export interface PayoutSubject {
  kind: (typeof subjectKinds)[number]
  id: string
  label: string
}

export interface PayoutPreparation {
  status: PayoutStatus
  amountCents: Cents
  /**
   * Users who made the payment or changed its payee; for an API key, also the user who created the key (`preparerIds`).
   */
  preparedBy: readonly string[]
  /** The last user who changed the payee; null if unchanged. */
  payeeChangedBy: string | null
}

/** Instants are ISO text. */
export interface Payout extends Payee, PayoutPreparation, PayeeChange {
  id: string
  number: string
  groupId: string
  policyId: string
  subjectKind: PayoutSubject["kind"]
  subjectId: string
  subjectLabel: string
  memberId: string | null
  /** The recorded payee of a claim; null for a typed payee. */
  payeeId: string | null
  reference: string
  notes: string
  preparedBy: string[]
  createdBy: string
  createdAt: string
  releasedBy: string | null
  releasedAt: string | null
  completedOn: Day | null
  completedAt: string | null
  returnedOn: Day | null
  /** The paying account, once known; null: the main account. */
  bankAccountId: string | null
  /** Counts of undone releases, completions and returns: each repetition posts again. */
  releasesUndone: number
  completionsUndone: number
  returnsUndone: number
  statusReason: string | null
  version: number
}

export const payoutSubjectOf = (payout: Pick<Payout, "subjectKind" | "subjectId" | "subjectLabel">): PayoutSubject => ({
  kind: payout.subjectKind,
  id: payout.subjectId,
  label: payout.subjectLabel,
})

/**
 * Four eyes (docs/payouts.md): preparers may release up to `releaseLimitCents` (0: never). The last user who changed
 * the payee may never release.
 */
export function canRelease(payout: PayoutPreparation, actor: RuleActor, releaseLimitCents: Cents): boolean {
  if (payout.payeeChangedBy === actor.userId) return false
  return payout.amountCents <= releaseLimitCents || !payout.preparedBy.includes(actor.userId)
}

/** The actor's current actions, in lifecycle order. Undo is offered only at the bank line. */
export function allowedPayoutActions(
  payout: PayoutPreparation & PayeeChange & { batchStatus: BatchStatus | null },
  actor: RuleActor,
  {
    releaseLimitCents,
    payeeWaitHours,
    now,
  }: { releaseLimitCents: Cents; payeeWaitHours: number; now: Temporal.Instant },
): PayoutAction[] {
  if (!hasPermission(actor.role, "payouts.write")) return []
  const isReady = payout.batchStatus !== "open" && refuseChangedPayee(payout, payeeWaitHours, now) === null
  const possible: Partial<Record<PayoutAction, boolean>> = {
    release: !isProgram(actor) && isReady && canRelease(payout, actor, releaseLimitCents),
    confirmPayee: !isProgram(actor) && canConfirmPayee(payout, actor),
    cancel: payout.batchStatus !== "open",
    takeBack: false,
  }
  return payoutLifecycle.actionsFrom(payout.status).filter((action) => possible[action] ?? true)
}

/** FOUR_EYES with the reason if the actor may not release the payment; else null. */
export function refuseOwnRelease(
  payout: PayoutPreparation,
  actor: RuleActor,
  releaseLimitCents: Cents,
  currency: Currency,
): Refusal<"FOUR_EYES"> | null {
  if (canRelease(payout, actor, releaseLimitCents)) return null
  return refuse(
    "FOUR_EYES",
    payout.payeeChangedBy === actor.userId
      ? "You changed the payee of this payment. Someone else must release it."
      : releaseLimitCents === 0
        ? "You prepared this payment. Someone else must release it."
        : `You prepared this payment. Above ${formatMoney(releaseLimitCents, currency)}, someone else must release it.`,
  )
}
