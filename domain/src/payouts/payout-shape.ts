import { z } from "zod"
import { emailOrNothing, line } from "../kernel/text-shape.ts"
import { payeeBankFaults } from "./payee-banks.ts"
import { type PayoutMethod, payoutMethods } from "./payout.ts"

const bankMethods: readonly PayoutMethod[] = ["bank_transfer", "eft"]

/** Who is paid, and how. Bank details are needed where the money goes through a bank. */
export const payee = z
  .object({
    method: z.enum(payoutMethods),
    payeeName: line(140).min(1, "Give the payee's name"),
    payeeBank: line(60),
    payeeBranchCode: line(6),
    payeeAccountNumber: line(16),
    /** Where the remittance advice goes to, once the payment is completed; empty for nowhere. */
    payeeEmail: emailOrNothing.default(""),
  })
  .superRefine((value, context) => {
    if (!bankMethods.includes(value.method)) return
    for (const { path, message } of payeeBankFaults(value)) context.addIssue({ code: "custom", path: [path], message })
  })

export type Payee = z.infer<typeof payee>

/** The fields of a payee, taken from whatever has them. */
export const payeeFields = (from: Payee): Payee => ({
  method: from.method,
  payeeName: from.payeeName,
  payeeBank: from.payeeBank,
  payeeBranchCode: from.payeeBranchCode,
  payeeAccountNumber: from.payeeAccountNumber,
  payeeEmail: from.payeeEmail,
})
