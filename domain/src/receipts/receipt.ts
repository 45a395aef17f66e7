import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Account } from "../ledger/account.ts"

/** The largest amount of a receipt; also applied to bank statements. */
export const maxReceivedCents: Cents = 100_000_000_000_00

/** Allocated: fully allocated or refunded. Pending: part of it is credit of the policy. */
export const receiptStatuses = ["Allocated", "Pending", "Reversed"] as const

export type ReceiptStatus = (typeof receiptStatuses)[number]

export const receiptMethods = ["bank_transfer", "cheque", "cash", "credit_card", "debit_card"] as const

export type ReceiptMethod = (typeof receiptMethods)[number]

export const receiptMethodNames: Record<ReceiptMethod, string> = {
  bank_transfer: "Bank Transfer",
  cheque: "Cheque",
  cash: "Cash",
  credit_card: "Credit Card",
  debit_card: "Debit Card",
}

export type ReceiptAccount = Extract<Account, "bank" | "undeposited">

/** A bank transfer is already in the bank; cash, cheques and cards are undeposited until matched to a bank line. */
export const receiptAccountFor = (method: ReceiptMethod): ReceiptAccount =>
  method === "bank_transfer" ? "bank" : "undeposited"

/** Instants are ISO text. */
export interface Receipt {
  id: string
  number: string
  groupId: string
  policyId: string
  amountCents: Cents
  /** Total allocated, maintained by a trigger. */
  allocatedCents: Cents
  /** Total of refunds from their creation on, maintained by a trigger. */
  refundedCents: Cents
  method: ReceiptMethod
  /** Follows the method; receipts older than the "undeposited" account are all in the bank. */
  paidInto: ReceiptAccount
  receivedOn: Day
  reference: string
  notes: string
  depositId: string | null
  /** Its version at the last posting: an edit of its money posts it again. */
  postedVersion: number
  reversedOn: Day | null
  reversedAt: string | null
  reversedBy: string | null
  reverseReason: string | null
  version: number
}

/** The status is calculated and never stored (specification 2, section 4). */
export function receiptStatus(receipt: ReceiptUsage & Pick<Receipt, "reversedAt">): ReceiptStatus {
  if (receipt.reversedAt !== null) return "Reversed"
  return remainingCreditOf(receipt) === 0 ? "Allocated" : "Pending"
}

type ReceiptUsage = Pick<Receipt, "amountCents" | "allocatedCents" | "refundedCents">

/** The unallocated and unrefunded part of a receipt that is not reversed, in cents. */
export const remainingCreditOf = ({ amountCents, allocatedCents, refundedCents }: ReceiptUsage): Cents =>
  amountCents - allocatedCents - refundedCents

/** The source of the receipt's ledger entry. */
export const receiptSource = ({ id, postedVersion }: Pick<Receipt, "id" | "postedVersion">): string =>
  postedVersion === 1 ? `receipt:${id}` : `receipt:${id}:${postedVersion}`

export interface OpenInvoice {
  id: string
  number: string
  dueOn: Day
  outstandingCents: Cents
}

export type AllocationRefusal = "NOT_OPEN" | "OVER_ALLOCATED"

/** Newest last. */
export interface LiveAllocation {
  id: string
  receiptId: string
  amountCents: Cents
}

/**
 * The allocations to release when an invoice owes less than is allocated to it (a credit note). Whole allocations are
 * released, newest first; any excess of the last is allocated again. Cents.
 */
export function releaseAllocationsDownTo(
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

/** Takes up to `wantedCents` from the credit, oldest receipt first, by number within a day. */
export function creditFor(
  wantedCents: Cents,
  receipts: readonly (ReceiptUsage & Pick<Receipt, "id" | "number" | "receivedOn">)[],
): { receiptId: string; amountCents: Cents }[] {
  const oldestFirst = [...receipts].sort(
    (a, b) => compareTexts(a.receivedOn, b.receivedOn) || compareTexts(a.number, b.number),
  )
  let left = wantedCents
  return oldestFirst.flatMap((receipt) => {
    const part = Math.min(left, remainingCreditOf(receipt))
    if (part <= 0) return []
    left -= part
    return [{ receiptId: receipt.id, amountCents: part }]
  })
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const receiptActions = ["allocate", "unallocate", "edit", "mail", "download", "reverse"] as const

export type ReceiptAction = (typeof receiptActions)[number]

/**
 * Actions by permission. A receipt can be edited until part of it is allocated; reversing it does not recover refunds.
 */
export function receiptActionsFor(
  receipt: Pick<ReceiptUsage, "allocatedCents" | "refundedCents"> & { status: ReceiptStatus },
  mayWrite: boolean,
): ReceiptAction[] {
  if (!mayWrite) return ["download"]
  const { status, allocatedCents, refundedCents } = receipt
  if (status === "Reversed") return ["download"]
  return receiptActions.filter(
    (action) =>
      (action !== "allocate" || status === "Pending") &&
      (action !== "unallocate" || allocatedCents > 0) &&
      (action !== "edit" || allocatedCents + refundedCents === 0) &&
      (action !== "reverse" || refundedCents === 0),
  )
}

/** One payment for several policies. The total of its receipts never exceeds it. */
export interface Deposit {
  id: string
  number: string
  amountCents: Cents
  method: ReceiptMethod
  receivedOn: Day
  reference: string
  notes: string
}
