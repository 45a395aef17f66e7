import { z } from "zod"
import { vatClasses } from "../benefits/vat.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { creditKinds } from "./credit-parts.ts"

export const invoiceLine = z.object({
  id: z.uuid(),
  description: z.string(),
  quantity: z.int(),
  unitCents: cents,
  totalCents: cents,
  memberId: z.uuid().nullable(),
  tierId: z.uuid().nullable(),
  tierName: z.string().nullable(),
  /** The first day of the month that the member is billed for; null on what bills no month. */
  billedMonth: day.nullable(),
  vatClass: z.enum(vatClasses),
  /** In per cent. */
  vatPercent: z.number(),
  /** The member that the line is for; the ID number is masked for a policy_holder. */
  member: z.object({ firstName: z.string(), lastName: z.string(), idNumber: z.string().nullable() }).nullable(),
})

export type InvoiceLine = z.infer<typeof invoiceLine>

/** What a credit note takes back of a line, without VAT and before discount. */
export const creditNoteLine = z.object({
  invoiceLineId: z.uuid(),
  memberId: z.uuid().nullable(),
  billedMonth: day.nullable(),
  netCents: cents,
  vatCents: cents,
})

/** A document's VAT of one rate. */
export const vatPart = z.object({ class: z.enum(vatClasses), percent: z.number(), netCents: cents, vatCents: cents })

/** What was taken back of a sent invoice, VAT included in `totalCents`. */
export const creditNoteRow = z.object({
  id: z.uuid(),
  number: z.string(),
  /** A correction counts in what was billed; what a concession gives is never billed again. */
  kind: z.enum(creditKinds),
  creditedOn: day,
  /** Without VAT, after discount. */
  netCents: cents,
  vatCents: cents,
  totalCents: cents,
  /** What of its lines was never asked for: their share of the invoice's discount, and of concessions. */
  discountCents: cents,
  lines: z.array(creditNoteLine),
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
