import type { ApprovalWorking } from "../claims/claim.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { LetterRow } from "./letter.ts"

/**
 * The working of an approved amount. The amounts add up to the total in the last row: requested amount, less what is
 * above cover, and the difference that the approvers decided. `working` is null for claims approved by earlier versions,
 * which did not store it.
 */
export function approvalRows(
  requestedCents: Cents,
  approvedCents: Cents,
  working: ApprovalWorking | null,
  currency: Currency,
): LetterRow[] {
  const row = (label: string, cents: Cents | null, isTotal = false): LetterRow => ({
    label,
    value: cents === null ? "" : formatMoney(cents, currency),
    isTotal,
  })
  const allowedCents = working ? working.proposedAmountCents : requestedCents
  const decidedCents = approvedCents - allowedCents
  return [
    row("Amount requested", requestedCents),
    ...(working?.lines ?? []).map((line) => row(line, null)),
    ...(allowedCents < requestedCents
      ? [row("Less: above what the policy covers", allowedCents - requestedCents)]
      : []),
    ...(decidedCents !== 0
      ? [row(decidedCents < 0 ? "Less: reduced by the decision" : "Added by the decision", decidedCents)]
      : []),
    row("Approved amount", approvedCents, true),
  ]
}
