import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { lineActions, lineStates } from "./bank-placement.ts"

/** A receipt or payment that a line is. */
export const lineMatch = z.object({
  kind: z.enum(["receipt", "payout"]),
  id: z.uuid(),
  number: z.string(),
  /** Whose it is: the group of a receipt, the payee of a payment. */
  name: z.string(),
  /** What of the line it is; signed as the line. */
  amountCents: cents,
})
export type LineMatch = z.infer<typeof lineMatch>

export const bankLineRow = z.object({
  id: z.uuid(),
  accountId: z.uuid(),
  accountName: z.string(),
  statementId: z.uuid(),
  statementNumber: z.string(),
  day,
  text: z.string(),
  reference: z.string(),
  /** In above zero, out below. */
  amountCents: cents,
  balanceCents: cents.nullable(),
  state: z.enum(lineStates),
  note: z.string(),
  /** The receipts and payments that it is, the ten largest first; none while it is to be matched or not ours. */
  matches: z.array(lineMatch),
  /** How many they are. */
  matchCount: z.int(),
  /** Posted without anybody who confirmed it, by the setting. */
  byItself: z.boolean(),
  allowedActions: z.array(z.enum(lineActions)),
})
export type BankLineRow = z.infer<typeof bankLineRow>
