import type { Cents } from "../kernel/money.ts"

/** Specification 2, section 4. */
export const reconciliationStatuses = ["Matched", "Not due", "Shortage", "Excess", "Missing"] as const
export type ReconciliationStatus = (typeof reconciliationStatuses)[number]

/** An employer's month, in cents. */
export interface Reconciled {
  expectedCents: Cents
  receivedCents: Cents
  /** Open on the month's invoices and not yet due. */
  notDueCents: Cents
}

/**
 * Not due: the whole shortfall is not yet due. Missing: nothing was received. Shortage and Excess: less or more than
 * expected was received. The SQL version is in reconciliation-list.queries.ts; a test compares them.
 */
export function reconciliationStatus({ expectedCents, receivedCents, notDueCents }: Reconciled): ReconciliationStatus {
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

export const resolutionWords: Record<Resolution, string> = {
  write_off: "What is open on the month's invoices is given up. Above the limit a second person confirms it.",
  carry_forward:
    "It is settled with a later payment. Until then it stays as it is; collection still asks for what is open.",
  keep_as_credit: "What was overpaid stays with the policy, for its next invoices.",
  refund: "What was overpaid goes back to the employer, by a refund of the policy's credit, which is made next.",
}

/** The resolutions that the user can choose; none if the difference is zero or not due. */
export function resolutionsOf(row: Reconciled, mayWrite: boolean): Resolution[] {
  const status = reconciliationStatus(row)
  if (!mayWrite || status === "Matched" || status === "Not due") return []
  return status === "Excess" ? ["keep_as_credit", "refund", "carry_forward"] : ["carry_forward", "write_off"]
}
