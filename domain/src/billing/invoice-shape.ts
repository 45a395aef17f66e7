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
  /** First day of the month; null if none. */
  billedMonth: day.nullable(),
  vatClass: z.enum(vatClasses),
  vatPercent: z.number(),
  /** The ID number is masked for a policy_holder. */
  member: z.object({ firstName: z.string(), lastName: z.string(), idNumber: z.string().nullable() }).nullable(),
})

export type InvoiceLine = z.infer<typeof invoiceLine>

/** Without VAT and before discount. */
export const creditNoteLine = z.object({
  invoiceLineId: z.uuid(),
  memberId: z.uuid().nullable(),
  billedMonth: day.nullable(),
  netCents: cents,
  vatCents: cents,
})

export const vatPart = z.object({ class: z.enum(vatClasses), percent: z.number(), netCents: cents, vatCents: cents })

/** `totalCents` includes VAT. */
export const creditNoteRow = z.object({
  id: z.uuid(),
  number: z.string(),
  /** A correction reduces the billed amount; a concession does not. */
  kind: z.enum(creditKinds),
  creditedOn: day,
  /** Without VAT, after discount. */
  netCents: cents,
  vatCents: cents,
  totalCents: cents,
  /** Share of discount and concessions. */
  discountCents: cents,
  lines: z.array(creditNoteLine),
  reason: z.string(),
  createdAt: instant,
})

export const invoicePayment = z.object({
  receiptId: z.uuid(),
  receiptNumber: z.string(),
  receivedOn: day,
  amountCents: cents,
})
