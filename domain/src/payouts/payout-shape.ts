import { z } from "zod"
import { bankDetailProblems } from "../kernel/bank-details.ts"
import { line, optionalEmail } from "../kernel/text-shape.ts"
import { type PayoutMethod, payoutMethods } from "./payout.ts"

const payeeKeys = { bank: "payeeBank", branchCode: "payeeBranchCode", accountNumber: "payeeAccountNumber" } as const

const bankMethods: readonly PayoutMethod[] = ["bank_transfer", "eft"]

/** Bank details are required for bank payments. */
export const payee = z
  .object({
    method: z.enum(payoutMethods),
    payeeName: line(140).min(1, "Enter the payee's name"),
    payeeBank: line(60),
    payeeBranchCode: line(6),
    payeeAccountNumber: line(16),
    /** Address for the remittance advice after completion; empty: none. */
    payeeEmail: optionalEmail.default(""),
  })
  .superRefine((value, context) => {
    if (!bankMethods.includes(value.method)) return
    const { payeeBank: bank, payeeBranchCode: branchCode, payeeAccountNumber: accountNumber } = value
    for (const { field, message } of bankDetailProblems({ bank, branchCode, accountNumber })) {
      context.addIssue({ code: "custom", path: [payeeKeys[field]], message })
    }
  })

export type Payee = z.infer<typeof payee>

export const payeeFields = (from: Payee): Payee => ({
  method: from.method,
  payeeName: from.payeeName,
  payeeBank: from.payeeBank,
  payeeBranchCode: from.payeeBranchCode,
  payeeAccountNumber: from.payeeAccountNumber,
  payeeEmail: from.payeeEmail,
})
