import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Account } from "../ledger/account.ts"

/** The largest amount of a receipt; statements of a bank are held to it as well. */
export const mostReceivedCents: Cents = 100_000_000_000_00

/** Allocated: all of it is set against invoices or refunded. Pending: a part is the policy's credit. */
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

/** The account of the ledger that a receipt is booked to. */
export type PaidInto = Extract<Account, "bank" | "undeposited">

/** A transfer is in the bank; what is handed over or taken by card waits until a statement shows it. */
export const paidIntoBy = (method: ReceiptMethod): PaidInto => (method === "bank_transfer" ? "bank" : "undeposited")

/** A receipt as it is stored. Instants are ISO text. */
export interface Receipt {
  id: string
  number: string
  groupId: string
  policyId: string
  amountCents: Cents
  /** What is set against invoices; kept by the database. */
  allocatedCents: Cents
  /** What refunds have taken of it, from the moment that they are made; kept by the database. */
  refundedCents: Cents
  method: ReceiptMethod
  /** By its method; those from before there was "undeposited" are all in the bank. */
  paidInto: PaidInto
  receivedOn: Day
  reference: string
  notes: string
  /** The payment for several policies that it is a part of. */
  depositId: string | null
  /** Its version when it was posted as it stands now: an edit of its money posts it anew. */
  postedVersion: number
  reversedOn: Day | null
  reversedAt: string | null
  reversedBy: string | null
  reverseReason: string | null
  version: number
}

/** The status is derived, never stored (specification 2, section 4; design: product, "Money in"). */
export function receiptStatus(receipt: Used & Pick<Receipt, "reversedAt">): ReceiptStatus {
  if (receipt.reversedAt !== null) return "Reversed"
  return creditLeft(receipt) === 0 ? "Allocated" : "Pending"
}

type Used = Pick<Receipt, "amountCents" | "allocatedCents" | "refundedCents">

/** What of a receipt that stands is the policy's credit. Units: cents. */
export const creditLeft = ({ amountCents, allocatedCents, refundedCents }: Used): Cents =>
  amountCents - allocatedCents - refundedCents

/** Where its money is posted: the source of its entry in the ledger. */
export const receiptSource = ({ id, postedVersion }: Pick<Receipt, "id" | "postedVersion">): string =>
  postedVersion === 1 ? `receipt:${id}` : `receipt:${id}:${postedVersion}`

/** An invoice that still wants money, as allocation sees it. */
export interface OpenInvoice {
  id: string
  number: string
  dueOn: Day
  outstandingCents: Cents
}

export type AllocationRefusal = "NOT_OPEN" | "OVER_ALLOCATED"

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

/**
 * What of receipts' money that is set against nothing pays an amount, as far as it goes; the oldest receipt first, in the
 * order of their numbers within a day. Units: cents.
 */
export function creditFor(
  wantedCents: Cents,
  receipts: readonly (Used & Pick<Receipt, "id" | "number" | "receivedOn">)[],
): { receiptId: string; amountCents: Cents }[] {
  const oldestFirst = [...receipts].sort((a, b) => compare(a.receivedOn, b.receivedOn) || compare(a.number, b.number))
  let left = wantedCents
  return oldestFirst.flatMap((receipt) => {
    const part = Math.min(left, creditLeft(receipt))
    if (part <= 0) return []
    left -= part
    return [{ receiptId: receipt.id, amountCents: part }]
  })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const receiptActions = ["allocate", "unallocate", "edit", "mail", "download", "reverse"] as const

export type ReceiptAction = (typeof receiptActions)[number]

/**
 * What may be done with a receipt now by somebody who may read, or write, receipts. It may be edited until anything of it
 * is allocated; what a refund has taken is not taken back by reversing it.
 */
export function receiptActionsFor(
  receipt: Pick<Used, "allocatedCents" | "refundedCents"> & { status: ReceiptStatus },
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

/** One payment for several policies. Its receipts together are never more than it. */
export interface Deposit {
  id: string
  number: string
  amountCents: Cents
  method: ReceiptMethod
  receivedOn: Day
  reference: string
  notes: string
}
