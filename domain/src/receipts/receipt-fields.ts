import type { Fields } from "../kernel/field.ts"
import { day, money, namesFromValues, reference, status, text, words } from "../kernel/list.ts"
import { receiptMethodNames, receiptStatuses } from "./receipt.ts"

export const receiptFields = {
  receiptNumber: reference("Receipt number"),
  policyNumber: { ...reference("Policy number"), groups: true },
  groupName: { ...text("Group name"), groups: true },
  amount: money("Amount"),
  allocated: money("Allocated"),
  refunded: money("Refunded"),
  unallocated: money("Unallocated"),
  paymentMethod: { ...words("Payment method", receiptMethodNames), groups: true },
  receivedOn: { ...day("Receipt date"), groups: true },
  status: { ...status("Status", namesFromValues(receiptStatuses)), groups: true },
  reference: text("Reference"),
  reversedOn: { ...day("Reversed date"), groups: true },
} as const satisfies Fields
