/** A member's result after comparing the list with the invoice (docs/reconciliation.md). */
export const remittanceOutcomes = ["agrees", "other_amount", "not_billed", "not_paid"] as const
export type RemittanceOutcome = (typeof remittanceOutcomes)[number]

export const remittanceOutcomeNames: Record<RemittanceOutcome, string> = {
  agrees: "Agrees",
  other_amount: "Different amount",
  not_billed: "Not on the invoice",
  not_paid: "Not on the list",
}
