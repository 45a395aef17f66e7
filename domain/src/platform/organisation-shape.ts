import { z } from "zod"
import { line, text } from "../kernel/text-shape.ts"

const optionalPattern = (shape: RegExp, message: string) =>
  z
    .string()
    .trim()
    .refine((text) => text === "" || shape.test(text), message)

/** Printed on invoices and payment files; blank until set. */
export const bankAccount = z.object({
  bank: line(60),
  accountHolder: line(100),
  accountNumber: optionalPattern(/^\d{5,16}$/, "Enter an account number of 5 to 16 digits"),
  branchCode: optionalPattern(/^\d{6}$/, "Enter a branch code of 6 digits"),
})

export const organisation = z.object({
  name: line(120).min(1, "Enter the organisation's name"),
  vatNumber: optionalPattern(/^4\d{9}$/, "Enter a VAT number of 10 digits that starts with 4"),
  address: text(400),
  bankAccount,
})

export type Organisation = z.infer<typeof organisation>
