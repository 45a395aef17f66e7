import type { Fields } from "../kernel/field.ts"
import { day, money, reference, status, text, words } from "../kernel/list.ts"
import { payoutMethodNames, payoutStatusNames } from "./payout.ts"

/** Account numbers are excluded. */
export const payoutFields = {
  paymentNumber: reference("Payment number"),
  claimNumber: reference("Claim number"),
  memberName: text("Member name"),
  policyNumber: { ...reference("Policy number"), groups: true },
  groupName: { ...text("Group name"), groups: true },
  amount: money("Amount"),
  paymentMethod: { ...words("Payment method", payoutMethodNames), groups: true },
  payeeName: text("Payee"),
  status: { ...status("Status", payoutStatusNames), groups: true },
  preparedOn: { ...day("Prepared date"), groups: true },
  completedOn: { ...day("Paid date"), groups: true },
  reference: text("Reference"),
} as const satisfies Fields
