import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { mailStates } from "../platform/mail-states.ts"
import { timelinePage } from "../platform/timeline-shape.ts"
import { creditNoteActions } from "./credit-note.ts"
import { creditKinds } from "./credit-parts.ts"
import { deliveredMails } from "./delivery-shape.ts"

/** `totalCents` includes VAT. */
export const listedCreditNote = z.object({
  id: z.uuid(),
  number: z.string(),
  /** A correction reduces the billed amount; a concession does not. */
  kind: z.enum(creditKinds),
  groupId: z.uuid(),
  groupName: z.string(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  invoiceId: z.uuid(),
  invoiceNumber: z.string(),
  creditedOn: day,
  vatCents: cents,
  totalCents: cents,
  reason: z.string(),
  createdAt: instant,
  /** State of the newest mail; null if there is none, and for users who may not read the outbox. */
  mail: z.enum(mailStates).nullable(),
  allowedActions: z.array(z.enum(creditNoteActions)),
})
export type ListedCreditNote = z.infer<typeof listedCreditNote>

export const creditNoteDetail = listedCreditNote.extend({
  /** Without VAT, after discount. */
  netCents: cents,
  /** Share of discount and concessions. */
  discountCents: cents,
  /** The first 100 of `lineCount`, without VAT and before discount. */
  lines: z.array(
    z.object({ id: z.uuid(), description: z.string(), billedMonth: day.nullable(), netCents: cents, vatCents: cents }),
  ),
  lineCount: z.int(),
  createdByName: z.string().nullable(),
  /** Recipient at issue; empty if issued without mail. */
  mailTo: z.string(),
  mails: deliveredMails,
  timeline: timelinePage,
})
export type CreditNoteDetail = z.infer<typeof creditNoteDetail>
