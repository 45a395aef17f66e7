import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { cents } from "../kernel/money-shape.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { line, text } from "../kernel/text-shape.ts"
import { type AllocationRefusal, maxReceivedCents, type OpenInvoice, receiptMethods } from "./receipt.ts"

export const allocationInput = z.object({
  invoiceId: z.uuid(),
  amountCents: cents.min(1, "Enter an amount above zero"),
})

export type AllocationInput = z.infer<typeof allocationInput>

/** If the number is blank, the server assigns one. */
export const receiptForm = z.object({
  number: line(40),
  receivedOn: day,
  policyId: z.uuid("Choose a policy"),
  amountCents: cents.min(1, "Enter an amount above zero").max(maxReceivedCents, "The amount is too large"),
  method: z.enum(receiptMethods),
  reference: line(140),
  notes: text(2_000),
})

export type ReceiptForm = z.infer<typeof receiptForm>

/** Everything except the number can be changed. */
export const receiptEdit = receiptForm.omit({ number: true })

export type ReceiptEdit = z.infer<typeof receiptEdit>

/** One payment for several policies; the parts add up to its amount. */
export const depositForm = receiptForm.omit({ number: true, policyId: true }).extend({
  parts: z
    .array(
      z.object({
        policyId: z.uuid("Choose a policy"),
        amountCents: cents.min(1, "Enter an amount above zero").max(maxReceivedCents, "The amount is too large"),
        allocations: z.array(allocationInput).max(200).optional(),
      }),
    )
    .min(2, "Add at least two policies")
    .max(100, "Add at most 100 policies"),
})

export type DepositForm = z.infer<typeof depositForm>

/** Allocates an amount in cents to open invoices, oldest due first; the rest stays credit. */
export function allocateOldestFirst(amount: Cents, open: readonly OpenInvoice[]): AllocationInput[] {
  const allocations: AllocationInput[] = []
  let left = amount
  const byDue = [...open].sort((a, b) =>
    a.dueOn === b.dueOn ? compareStrings(a.number, b.number) : compareStrings(a.dueOn, b.dueOn),
  )
  for (const invoice of byDue) {
    const part = Math.min(left, invoice.outstandingCents)
    if (part <= 0) continue
    allocations.push({ invoiceId: invoice.id, amountCents: part })
    left -= part
  }
  return allocations
}

const compareStrings = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Checks the allocations and returns them unchanged. Each invoice must be open, of the policy, and named once. Amounts
 * may not exceed the invoice's open amount or the receipt's unallocated amount.
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
        `${formatMoney(amountCents, currency)} is more than the ${formatMoney(invoice.outstandingCents, currency)} due on ${invoice.number}.`,
      )
    }
  }
  const total = allocations.reduce((sum, allocation) => sum + allocation.amountCents, 0)
  if (total > leftCents) {
    return refuse(
      "OVER_ALLOCATED",
      `${formatMoney(total, currency)} is more than the unallocated ${formatMoney(leftCents, currency)} of this receipt.`,
    )
  }
  return allocations
}
