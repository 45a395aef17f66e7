import type { Cents } from "../kernel/money.ts"

/** Specification 2, section 4. */
export const reconciliationStatuses = ["Matched", "Not due", "Shortage", "Excess", "Missing"] as const
export type ReconciliationStatus = (typeof reconciliationStatuses)[number]

/** An employer's month, in cents. */
export interface ReconciledAmounts {
  expectedCents: Cents
  receivedCents: Cents
  /** Open on the month's invoices and not yet due. */
  notDueCents: Cents
}

/**
 * Not due: the whole shortfall is not yet due. Missing: nothing was received. Shortage and Excess: less or more than
 * expected was received. The SQL version is in reconciliation-list.queries.ts; a test compares them.
 */
export function reconciliationStatus({
  expectedCents,
  receivedCents,
  notDueCents,
}: ReconciledAmounts): ReconciliationStatus {
  if (receivedCents === expectedCents) return "Matched"
  if (receivedCents > expectedCents) return "Excess"
  if (expectedCents - receivedCents <= notDueCents) return "Not due"
  return receivedCents === 0 ? "Missing" : "Shortage"
}

export const resolutions = ["write_off", "carry_forward", "keep_as_credit", "refund"] as const
export type Resolution = (typeof resolutions)[number]

export const resolutionNames: Record<Resolution, string> = {
  write_off: "Write off",
  carry_forward: "Carry forward",
  keep_as_credit: "Keep as credit",
  refund: "Refund",
}

export const resolutionDescriptions: Record<Resolution, string> = {
  write_off: "Writes off the unpaid amount of the month's invoices. Above the limit, a second person must confirm it.",
  carry_forward:
    "A later payment settles the difference. Until then nothing changes, and unpaid amounts stay in collection.",
  keep_as_credit: "The overpaid amount stays with the policy as credit for its next invoices.",
  refund:
    "The overpaid amount is refunded to the employer from the policy's credit. You prepare the refund in the next step.",
}

/** The resolutions that the user can choose; none if the difference is zero or not due. */
export function resolutionsOf(row: ReconciledAmounts, mayWrite: boolean): Resolution[] {
  const status = reconciliationStatus(row)
  if (!mayWrite || status === "Matched" || status === "Not due") return []
  return status === "Excess" ? ["keep_as_credit", "refund", "carry_forward"] : ["carry_forward", "write_off"]
}
