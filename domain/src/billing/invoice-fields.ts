import type { Fields } from "../kernel/field.ts"
import { day, money, reference, status, text } from "../kernel/list.ts"
import { invoiceStatusNames } from "./invoice.ts"

export const invoiceFields = {
  invoiceNumber: reference("Invoice number"),
  policyNumber: { ...reference("Policy number"), groups: true },
  amount: money("Amount"),
  paymentStatus: { ...status("Payment status", invoiceStatusNames), groups: true },
  dueOn: { ...day("Due date"), groups: true },
  paymentOn: { ...day("Payment date"), groups: true },
  paymentMethod: { ...text("Payment method"), groups: true },
  groupName: { ...text("Group name"), groups: true },
  invoiceOn: { ...day("Invoice date"), groups: true },
  periodStartOn: { ...day("Period start"), groups: true },
  vat: money("VAT"),
  credited: money("Credited"),
  paid: money("Paid"),
  outstanding: money("Outstanding"),
} as const satisfies Fields
