import type { Cents } from "../kernel/money.ts"

/** How a month of an employer stands (specification 2, section 4). */
export const reconciliationStatuses = ["Matched", "Not due", "Shortage", "Excess", "Missing"] as const
export type ReconciliationStatus = (typeof reconciliationStatuses)[number]

/** What was expected of an employer for a month, and what was received. Units: cents. */
export interface Reconciled {
  expectedCents: Cents
  receivedCents: Cents
  /** What invoices of the month still ask for whose due day has not passed. */
  notDueCents: Cents
}

/**
 * Not due: all that is missing may still be paid by its due day. Missing: something is expected, and nothing was
 * received. Shortage: less than expected was received. Excess: more was. The SQL twin is in
 * reconciliation-list.queries.ts; a test compares them.
 */
export function reconciliationStatus({ expectedCents, receivedCents, notDueCents }: Reconciled): ReconciliationStatus {
  if (receivedCents === expectedCents) return "Matched"
  if (receivedCents > expectedCents) return "Excess"
  if (expectedCents - receivedCents <= notDueCents) return "Not due"
  return receivedCents === 0 ? "Missing" : "Shortage"
}

/** What is to be done about a difference. */
export const resolutions = ["write_off", "carry_forward", "keep_as_credit", "refund"] as const
export type Resolution = (typeof resolutions)[number]

export const resolutionNames: Record<Resolution, string> = {
  write_off: "Write off",
  carry_forward: "Carry forward",
  keep_as_credit: "Keep as credit",
  refund: "Refund",
}

/** What each does, for whoever chooses. */
export const resolutionWords: Record<Resolution, string> = {
  write_off: "What is open on the month's invoices is given up. Above the limit a second person confirms it.",
  carry_forward:
    "It is settled with a later payment. Until then it stays as it is; collection still asks for what is open.",
  keep_as_credit: "What was overpaid stays with the policy, for its next invoices.",
  refund: "What was overpaid goes back to the employer, by a refund of the policy's credit, which is made next.",
}

/** What may be done about a difference: nothing where there is none, or nothing is due. */
export function resolutionsOf(row: Reconciled, mayWrite: boolean): Resolution[] {
  const status = reconciliationStatus(row)
  if (!mayWrite || status === "Matched" || status === "Not due") return []
  return status === "Excess" ? ["keep_as_credit", "refund", "carry_forward"] : ["carry_forward", "write_off"]
}
