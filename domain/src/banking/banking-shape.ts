import { z } from "zod"
import { line } from "../kernel/text-shape.ts"
import { notOursReasons } from "./bank-placement.ts"

/** The number can be changed until the first statement is imported. */
export const bankAccountForm = z.object({
  name: line(60).min(1, "Enter a name for the account"),
  bank: line(60).min(1, "Enter the name of the bank"),
  accountNumber: z
    .string()
    .trim()
    .regex(/^\d{5,16}$/, "Enter an account number of 5 to 16 digits"),
  branchCode: z
    .string()
    .trim()
    .regex(/^(\d{6})?$/, "Enter a branch code of 6 digits"),
})
export type BankAccountForm = z.infer<typeof bankAccountForm>

/** The reason "unknown" requires a note. */
export const notOursForm = z
  .object({ reason: z.enum(notOursReasons), note: line(200).default("") })
  .refine(({ reason, note }) => reason !== "unknown" || note !== "", {
    path: ["note"],
    message: "Enter a note",
  })

const columnIndex = z.int().min(0).max(59)

/** Column positions from 0. */
export const csvColumns = z.object({
  day: columnIndex.optional(),
  text: columnIndex.optional(),
  reference: columnIndex.optional(),
  amount: columnIndex.optional(),
  moneyIn: columnIndex.optional(),
  moneyOut: columnIndex.optional(),
  balance: columnIndex.optional(),
  dayOrder: z.enum(["DMY", "MDY"]),
})
