import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"

export const invoiceLine = z.object({
  id: z.uuid(),
  description: z.string(),
  quantity: z.int(),
  unitCents: cents,
  totalCents: cents,
  memberId: z.uuid().nullable(),
  tierId: z.uuid().nullable(),
  tierName: z.string().nullable(),
  /** The member that the line is for; the ID number is masked for a policy_holder. */
  member: z.object({ firstName: z.string(), lastName: z.string(), idNumber: z.string().nullable() }).nullable(),
})

export type InvoiceLine = z.infer<typeof invoiceLine>

/** A correction of a sent invoice, VAT included in `totalCents`. */
export const creditNoteRow = z.object({
  id: z.uuid(),
  number: z.string(),
  creditedOn: day,
  netCents: cents,
  vatCents: cents,
  totalCents: cents,
  reason: z.string(),
  createdAt: instant,
})

/** A payment that an invoice received. */
export const invoicePayment = z.object({
  receiptId: z.uuid(),
  receiptNumber: z.string(),
  receivedOn: day,
  amountCents: cents,
})
