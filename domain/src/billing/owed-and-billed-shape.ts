import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"

/** Without VAT and before discount. */
export const memberMonth = z.object({
  month: day,
  /** Amount owed; null without a premium. */
  owedCents: cents.nullable(),
  /** How rates gave the amount, or why a rate is missing. Never contains salaries. */
  rated: z.string().nullable(),
  billedCents: cents,
  /** Invoices, and corrections as negative amounts. */
  documents: z.array(
    z.object({ kind: z.enum(["invoice", "creditNote"]), invoiceId: z.uuid(), number: z.string(), cents }),
  ),
  /** Owed less billed; null if it cannot be billed and for employer users, who do not see drafts. */
  differenceCents: cents.nullable(),
  why: z.array(z.string()),
})
export type MemberMonth = z.infer<typeof memberMonth>

/** Cents without VAT and before discount. */
export const nextInvoice = z.object({
  month: day,
  members: z.int(),
  monthCents: cents,
  /** Differences of earlier months. */
  adjustmentsCents: cents,
  /** `adjusted`: members with such a difference. `why`: a sentence per cause; empty if there are too many. */
  adjusted: z.int(),
  why: z.array(z.string()),
  /** Member months without a premium. */
  unrated: z.int(),
})
export type NextInvoice = z.infer<typeof nextInvoice>
