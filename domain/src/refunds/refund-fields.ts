import type { Fields } from "../kernel/field.ts"
import { day, money, reference, status, text, words } from "../kernel/list.ts"
import { refundMethodNames, refundReasonNames, refundStatusNames } from "./refund.ts"

export const refundFields = {
  refundNumber: reference("Refund number"),
  policyNumber: { ...reference("Policy number"), groups: true },
  groupName: { ...text("Group name"), groups: true },
  memberName: text("Member name"),
  amount: money("Amount"),
  reason: { ...words("Reason", refundReasonNames), groups: true },
  refundMethod: { ...words("Method", refundMethodNames), groups: true },
  status: { ...status("Status", refundStatusNames), groups: true },
  requestedOn: { ...day("Requested date"), groups: true },
  refundedOn: { ...day("Refund date"), groups: true },
  periodFromOn: { ...day("Period from"), groups: true },
  periodToOn: { ...day("Period to"), groups: true },
  reference: text("Reference"),
} as const satisfies Fields
