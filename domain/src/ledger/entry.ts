import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { type Account, accounts } from "./account.ts"

/** What happened; one kind an event of the design's table of postings, and the reversal of any of them. */
export const entryKinds = [
  "invoice_sent",
  "credit_note",
  "premium_earned",
  "receipt_taken",
  "receipt_deposited",
  "allocation",
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

/** The policy that an amount is about; required on the accounts that are kept per policy. */
export interface PolicyRef {
  policyId: string
  groupId: string
}

export interface Posting {
  account: Account
  /** Debit above zero, credit below; never zero. */
  amountCents: Cents
  policy: PolicyRef | null
  /** The bank account of a posting on "bank"; null is the main one. */
  bankAccountId?: string | null
}

/** A balanced entry of the journal, before it is posted. */
export interface LedgerEntry {
  /** What it comes from, e.g. `invoice:{id}:sent`. Unique: the same event can never be posted twice. */
  source: string
  kind: EntryKind
  /** The day on which it counts; the instant of posting is added by the server. */
  effectiveOn: Day
  description: string
  /** The record that it belongs to, for the link from the ledger. */
  record: { kind: string; id: string }
  postings: Posting[]
}

/**
 * Whether an entry may be posted: at least two postings, none of zero, whole cents, adding up to nothing,
 * and a policy wherever the account is kept per policy. The database checks the same again at commit.
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

/** The same entry with its sides changed: what undoes it. A posted entry is never changed or deleted. */
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
