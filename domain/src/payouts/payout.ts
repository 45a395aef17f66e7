import { z } from "zod"
import { lifecycle } from "../kernel/lifecycle.ts"
import { type Cents, formatRand } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { line } from "../kernel/text.ts"
import { may, type Role } from "../users/permission.ts"
import { type PayoutMethod, type PayoutStatus, payoutMethods, payoutStatuses } from "./payout-statuses.ts"

export * from "./payout-statuses.ts"

/** A payout's statuses and what leads from one to the next (design: product, "Money out"). */
export const payoutLifecycle = lifecycle({
  name: "payout",
  initial: "pending",
  states: payoutStatuses,
  actions: {
    changePayee: [
      { from: ["pending"], to: "pending" },
      { from: ["failed"], to: "failed" },
    ],
    release: { from: ["pending"], to: "processing" },
    complete: { from: ["processing"], to: "completed" },
    fail: { from: ["processing"], to: "failed" },
    retry: { from: ["failed"], to: "pending" },
    cancel: { from: ["pending", "processing", "failed"], to: "cancelled" },
  },
})
export type PayoutAction = (typeof payoutLifecycle.actions)[number]
export const payoutActions = payoutLifecycle.actions as [PayoutAction, ...PayoutAction[]]

const bankMethods: readonly PayoutMethod[] = ["bank_transfer", "eft"]

/** Who is paid, and how. Bank details are needed where the money goes through a bank. */
export const payee = z
  .object({
    method: z.enum(payoutMethods),
    payeeName: line(140).min(1, "Give the payee's name"),
    payeeBank: line(60),
    payeeBranchCode: line(6),
    payeeAccountNumber: line(16),
  })
  .superRefine((value, context) => {
    if (!bankMethods.includes(value.method)) return
    const issue = (path: string, message: string): void => {
      context.addIssue({ code: "custom", path: [path], message })
    }
    if (value.payeeBank === "") issue("payeeBank", "Give the bank")
    if (!/^\d{6}$/.test(value.payeeBranchCode)) issue("payeeBranchCode", "A branch code has 6 digits")
    if (!/^\d{5,16}$/.test(value.payeeAccountNumber))
      issue("payeeAccountNumber", "An account number has 5 to 16 digits")
  })
export type Payee = z.infer<typeof payee>

/** What the rules look at. */
export interface PayoutFacts {
  status: PayoutStatus
  amountCents: Cents
  /** Everybody who made it or changed its payee. */
  preparedBy: readonly string[]
  /** Who changed the payee last; null while it is as it was made. */
  payeeChangedBy: string | null
}

export interface PayoutActor {
  userId: string
  role: Role | null
}

/**
 * Four eyes (design: product, "Money out"): who made a payout, or changed its payee, may not release it above the limit
 * of the settings; a limit of R 0 means never. Whoever changed the payee last may not at all: changed details need
 * another person's approval. `releaseLimitCents` and amounts in cents.
 */
export function mayRelease(payout: PayoutFacts, actor: PayoutActor, releaseLimitCents: Cents): boolean {
  if (payout.payeeChangedBy === actor.userId) return false
  return payout.amountCents <= releaseLimitCents || !payout.preparedBy.includes(actor.userId)
}

/** What this actor may do with this payout now, in the order of the lifecycle. */
export function allowedPayoutActions(
  payout: PayoutFacts,
  actor: PayoutActor,
  releaseLimitCents: Cents,
): PayoutAction[] {
  if (!may(actor.role, "payouts.write")) return []
  return payoutLifecycle
    .actionsFrom(payout.status)
    .filter((action) => action !== "release" || mayRelease(payout, actor, releaseLimitCents))
}

const deeds: Record<PayoutAction, string> = {
  changePayee: "given another payee",
  release: "released",
  complete: "completed",
  fail: "marked as failed",
  retry: "retried",
  cancel: "cancelled",
}

/**
 * The status that an action leads to. Refuses WRONG_STATUS where the table has no such step, and FOUR_EYES where the
 * actor would release what they prepared.
 */
export function stepPayout(
  payout: PayoutFacts,
  action: PayoutAction,
  actor: PayoutActor,
  releaseLimitCents: Cents,
): Decision<PayoutStatus, "WRONG_STATUS" | "FOUR_EYES"> {
  const to = payoutLifecycle.next(payout.status, action)
  if (to === null) return refuse("WRONG_STATUS", `A ${payout.status} payment cannot be ${deeds[action]}.`)
  if (action === "release" && !mayRelease(payout, actor, releaseLimitCents)) {
    return refuse(
      "FOUR_EYES",
      payout.payeeChangedBy === actor.userId
        ? "You changed the payee of this payment: somebody else must release it."
        : releaseLimitCents === 0
          ? "You prepared this payment: somebody else must release it."
          : `You prepared this payment: above ${formatRand(releaseLimitCents)} somebody else must release it.`,
    )
  }
  return to
}
