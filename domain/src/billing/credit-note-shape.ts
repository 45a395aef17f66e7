import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { mailStates } from "../platform/mail-states.ts"
import { timelinePage } from "../platform/timeline-shape.ts"
import { creditNoteActions } from "./credit-note.ts"
import { creditKinds } from "./credit-parts.ts"
import { deliveredMails } from "./delivery-shape.ts"

/** A credit note in the list; `totalCents` includes VAT. */
export const listedCreditNote = z.object({
  id: z.uuid(),
  number: z.string(),
  /** A correction counts in what was billed; what a concession gives is never billed again. */
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
  /** How far its newest mail got; null where there was none, and for those who may not read the outbox. */
  mail: z.enum(mailStates).nullable(),
  allowedActions: z.array(z.enum(creditNoteActions)),
})
export type ListedCreditNote = z.infer<typeof listedCreditNote>

/** A credit note with its lines, its mails and its history. */
export const creditNoteDetail = listedCreditNote.extend({
  /** Without VAT, after discount. */
  netCents: cents,
  /** What of its lines was never asked for, and is not given back. */
  discountCents: cents,
  /** The first hundred of what it takes back, without VAT and before discount; `lineCount` says how many there are. */
  lines: z.array(
    z.object({ id: z.uuid(), description: z.string(), billedMonth: day.nullable(), netCents: cents, vatCents: cents }),
  ),
  lineCount: z.int(),
  createdByName: z.string().nullable(),
  /** Whom it was to be mailed to when it was issued; empty where it was issued without mail. */
  mailTo: z.string(),
  mails: deliveredMails,
  timeline: timelinePage,
})
export type CreditNoteDetail = z.infer<typeof creditNoteDetail>
