import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"

/** A month of a member: what it owes and what it was billed, without VAT and before discount. */
export const memberMonth = z.object({
  /** Its first day. */
  month: day,
  /** Null where no premium says what it costs. */
  owedCents: cents.nullable(),
  /** How it came about where rates say it, or who has no rate and why; never what anybody earns. */
  rated: z.string().nullable(),
  billedCents: cents,
  /** Invoices that billed it, and credit notes (below nothing) that corrected them. */
  documents: z.array(
    z.object({ kind: z.enum(["invoice", "creditNote"]), invoiceId: z.uuid(), number: z.string(), cents }),
  ),
  /** Owed less billed; null for employers' people, who do not see drafts, and where it cannot be billed. */
  differenceCents: cents.nullable(),
  /** Why they differ, a sentence for each cause. */
  why: z.array(z.string()),
})
export type MemberMonth = z.infer<typeof memberMonth>

/** What the next invoice of a policy will hold; cents without VAT and before discount. */
export const nextInvoice = z.object({
  /** The first day of the month that it bills. */
  month: day,
  members: z.int(),
  monthCents: cents,
  /** Differences of the months before. */
  adjustmentsCents: cents,
  /** How many members have one, and why, a sentence for each cause; empty where they are too many to be told. */
  adjusted: z.int(),
  why: z.array(z.string()),
  /** Months of members that no premium covers, and that cannot be billed. */
  unrated: z.int(),
})
export type NextInvoice = z.infer<typeof nextInvoice>
