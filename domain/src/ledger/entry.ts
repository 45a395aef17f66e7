import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { type Account, accounts } from "./account.ts"

/** The events of the posting table; each can be reversed. */
export const entryKinds = [
  "invoice_sent",
  "credit_note",
  "premium_earned",
  "receipt_taken",
  "receipt_deposited",
  "allocation",
  "claim_reserve_changed",
  "claim_approved",
  "claim_payout_completed",
  "claim_payout_returned",
  "refund_released",
  "refund_completed",
  "refund_returned",
  "write_off",
  "bank_opening",
  "bank_charge",
  "bank_interest",
  "reversal",
] as const
export type EntryKind = (typeof entryKinds)[number]

/** Required on `perPolicy` accounts. */
export interface PolicyRef {
  policyId: string
  groupId: string
}

export interface Posting {
  account: Account
  /** Debit positive, credit negative; never 0. */
  amountCents: Cents
  policy: PolicyRef | null
  /** For account "bank"; null = main bank account. */
  bankAccountId?: string | null
}

export interface LedgerEntry {
  /** Such as `invoice:{id}:sent`. Unique, so that an event cannot be posted twice. */
  source: string
  kind: EntryKind
  effectiveOn: Day
  description: string
  record: { kind: string; id: string }
  postings: Posting[]
}

/**
 * At least two postings, none 0, in whole cents with sum 0, and a policy on `perPolicy` accounts. The database enforces
 * the same rule.
 */
export function isBalanced(entry: LedgerEntry): boolean {
  return (
    entry.postings.length >= 2 &&
    entry.postings.every(
      (posting) =>
        Number.isSafeInteger(posting.amountCents) &&
        posting.amountCents !== 0 &&
        (!accounts[posting.account].perPolicy || posting.policy !== null),
    ) &&
    entry.postings.reduce((sum, posting) => sum + posting.amountCents, 0) === 0
  )
}

/** Swaps debit and credit. A posted entry is never changed or deleted. */
export function reversalOf(entry: LedgerEntry, effectiveOn: Day, reason: string): LedgerEntry {
  return {
    ...entry,
    source: `${entry.source}:reversed`,
    kind: "reversal",
    effectiveOn,
    description: `Reversed: ${entry.description} (${reason})`,
    postings: entry.postings.map((posting) => ({ ...posting, amountCents: -posting.amountCents })),
  }
}
