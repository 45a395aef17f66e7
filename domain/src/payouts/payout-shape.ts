import { z } from "zod"
import { line } from "../kernel/text-shape.ts"
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
  })
  .superRefine((value, context) => {
    if (!bankMethods.includes(value.method)) return
    const issue = (path: string, message: string): void => {
      context.addIssue({ code: "custom", path: [path], message })
    }
    if (value.payeeBank === "") issue("payeeBank", "Give the bank")
    if (!/^\d{6}$/.test(value.payeeBranchCode)) issue("payeeBranchCode", "A branch code has 6 digits")
    if (!/^\d{5,16}$/.test(value.payeeAccountNumber))
      issue("payeeAccountNumber", "An account number has 5 to 16 digits")
  })

export type Payee = z.infer<typeof payee>

/** The fields of a payee, taken from whatever has them. */
export const payeeFields = (from: Payee): Payee => ({
  method: from.method,
  payeeName: from.payeeName,
  payeeBank: from.payeeBank,
  payeeBranchCode: from.payeeBranchCode,
  payeeAccountNumber: from.payeeAccountNumber,
})
