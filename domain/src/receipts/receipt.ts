import { z } from "zod"
import { type Day, day } from "../kernel/calendar.ts"
import { type Cents, cents, formatRand } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { line, text } from "../kernel/text.ts"
import { type ReceiptStatus, receiptMethods } from "./receipt-statuses.ts"

export * from "./receipt-statuses.ts"

/** The status is derived, never stored (specification 2, section 4; design: product, "Money in"). */
export function receiptStatus(receipt: {
  amountCents: Cents
  allocatedCents: Cents
  reversedAt: string | null
}): ReceiptStatus {
  if (receipt.reversedAt !== null) return "Reversed"
  return receipt.allocatedCents === receipt.amountCents ? "Allocated" : "Pending"
}

/** What a receipt is to be set against: an invoice and an amount above 0. */
export const allocationInput = z.object({
  invoiceId: z.uuid(),
  amountCents: cents.min(1, "An allocation is more than R 0"),
})
export type AllocationInput = z.infer<typeof allocationInput>

/** What is captured of a receipt; the number may be left blank to be given one. */
export const receiptForm = z.object({
  number: line(40),
  receivedOn: day,
  policyId: z.uuid("Choose a policy"),
  amountCents: cents.min(1, "The amount must be more than R 0").max(100_000_000_000_00, "The amount is too large"),
  method: z.enum(receiptMethods),
  reference: line(140),
  notes: text(2_000),
})
export type ReceiptForm = z.infer<typeof receiptForm>

/** An invoice that still wants money, as allocation sees it. */
export interface OpenInvoice {
  id: string
  number: string
  dueOn: Day
  outstandingCents: Cents
}

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

export type AllocationRefusal = "NOT_OPEN" | "OVER_ALLOCATED"

/**
 * Whether these allocations may be made: to open invoices of the policy, each once, none beyond what it still wants,
 * all together not beyond what is left of the receipt. Answers them as they are.
 */
export function checkAllocations(
  allocations: readonly AllocationInput[],
  leftCents: Cents,
  open: readonly OpenInvoice[],
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
        `${formatRand(amountCents)} is more than the ${formatRand(invoice.outstandingCents)} that ${invoice.number} still wants.`,
      )
    }
  }
  const total = allocations.reduce((sum, allocation) => sum + allocation.amountCents, 0)
  if (total > leftCents) {
    return refuse(
      "OVER_ALLOCATED",
      `${formatRand(total)} is more than the ${formatRand(leftCents)} of this receipt that is not allocated.`,
    )
  }
  return allocations
}

/** A live allocation of an invoice, newest last. */
export interface LiveAllocation {
  id: string
  receiptId: string
  amountCents: Cents
}

/**
 * What to release when an invoice wants less than is set against it (a credit note): the newest first, whole; what
 * was released too much of the last one is set against the invoice again. Units: cents.
 */
export function releaseDownTo(
  allowedCents: Cents,
  live: readonly LiveAllocation[],
): { release: LiveAllocation[]; again: { receiptId: string; amountCents: Cents } | null } {
  let excess = live.reduce((sum, allocation) => sum + allocation.amountCents, 0) - allowedCents
  const release: LiveAllocation[] = []
  let again: { receiptId: string; amountCents: Cents } | null = null
  for (const allocation of [...live].reverse()) {
    if (excess <= 0) break
    release.push(allocation)
    if (allocation.amountCents > excess)
      again = { receiptId: allocation.receiptId, amountCents: allocation.amountCents - excess }
    excess -= allocation.amountCents
  }
  return { release, again }
}

export const receiptActions = ["allocate", "reverse"] as const
export type ReceiptAction = (typeof receiptActions)[number]

/** What may be done with a receipt now by somebody who may write receipts. */
export function receiptActionsFor(status: ReceiptStatus, mayWrite: boolean): ReceiptAction[] {
  if (!mayWrite || status === "Reversed") return []
  return status === "Pending" ? ["allocate", "reverse"] : ["reverse"]
}
