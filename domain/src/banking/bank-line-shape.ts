import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { lineActions, lineStates } from "./bank-placement.ts"

export const lineMatch = z.object({
  kind: z.enum(["receipt", "payout"]),
  id: z.uuid(),
  number: z.string(),
  name: z.string(),
  /** The part of the line that this match covers; signed like the line. */
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
  /** Money in is positive. */
  amountCents: cents,
  balanceCents: cents.nullable(),
  state: z.enum(lineStates),
  note: z.string(),
  matches: z.array(lineMatch),
  matchCount: z.int(),
  isAutomatic: z.boolean(),
  allowedActions: z.array(z.enum(lineActions)),
})
export type BankLineRow = z.infer<typeof bankLineRow>
