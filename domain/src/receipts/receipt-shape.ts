import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { cents } from "../kernel/money-shape.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { line, text } from "../kernel/text-shape.ts"
import { type AllocationRefusal, mostReceivedCents, type OpenInvoice, receiptMethods } from "./receipt.ts"

/** What a receipt is to be set against: an invoice and an amount above 0. */
export const allocationInput = z.object({
  invoiceId: z.uuid(),
  amountCents: cents.min(1, "An allocation is more than 0"),
})

export type AllocationInput = z.infer<typeof allocationInput>

/** What is captured of a receipt; the number may be left blank to be given one. */
export const receiptForm = z.object({
  number: line(40),
  receivedOn: day,
  policyId: z.uuid("Choose a policy"),
  amountCents: cents.min(1, "The amount must be more than 0").max(mostReceivedCents, "The amount is too large"),
  method: z.enum(receiptMethods),
  reference: line(140),
  notes: text(2_000),
})

export type ReceiptForm = z.infer<typeof receiptForm>

/** What may still be changed of a receipt: everything but its number. */
export const receiptEdit = receiptForm.omit({ number: true })

export type ReceiptEdit = z.infer<typeof receiptEdit>

/** One payment for several policies: what it is, and which part of it is whose. The parts sum to it. */
export const depositForm = receiptForm.omit({ number: true, policyId: true }).extend({
  parts: z
    .array(
      z.object({
        policyId: z.uuid("Choose a policy"),
        amountCents: cents.min(1, "The amount must be more than 0").max(mostReceivedCents, "The amount is too large"),
        allocations: z.array(allocationInput).max(200).optional(),
      }),
    )
    .min(2, "A deposit is for at least two policies")
    .max(100, "A deposit is for at most 100 policies"),
})

export type DepositForm = z.infer<typeof depositForm>

/** Sets an amount against open invoices, the oldest due first, as far as it goes; the rest stays credit. */
export function allocateOldestFirst(amount: Cents, open: readonly OpenInvoice[]): AllocationInput[] {
  const allocations: AllocationInput[] = []
  let left = amount
  const byDue = [...open].sort((a, b) =>
    a.dueOn === b.dueOn ? compare(a.number, b.number) : compare(a.dueOn, b.dueOn),
  )
  for (const invoice of byDue) {
    const part = Math.min(left, invoice.outstandingCents)
    if (part <= 0) continue
    allocations.push({ invoiceId: invoice.id, amountCents: part })
    left -= part
  }
  return allocations
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Whether these allocations may be made: to open invoices of the policy, each once, none beyond what it still wants,
 * all together not beyond what is left of the receipt. Answers them as they are.
 */
export function checkAllocations(
  allocations: readonly AllocationInput[],
  leftCents: Cents,
  open: readonly OpenInvoice[],
  currency: Currency,
): Decision<readonly AllocationInput[], AllocationRefusal> {
  const wanted = new Map(open.map((invoice) => [invoice.id, invoice]))
  const seen = new Set<string>()
  for (const { invoiceId, amountCents } of allocations) {
    const invoice = wanted.get(invoiceId)
    if (!invoice || seen.has(invoiceId)) return refuse("NOT_OPEN")
    seen.add(invoiceId)
    if (amountCents > invoice.outstandingCents) {
      return refuse(
        "OVER_ALLOCATED",
        `${formatMoney(amountCents, currency)} is more than the ${formatMoney(invoice.outstandingCents, currency)} still open on ${invoice.number}.`,
      )
    }
  }
  const total = allocations.reduce((sum, allocation) => sum + allocation.amountCents, 0)
  if (total > leftCents) {
    return refuse(
      "OVER_ALLOCATED",
      `${formatMoney(total, currency)} is more than the ${formatMoney(leftCents, currency)} of this receipt that is not allocated.`,
    )
  }
  return allocations
}
