import type { Day } from "../kernel/calendar.ts"
import type { LedgerEntry } from "../ledger/entry.ts"
import {
  claimPayoutCompleted,
  claimPayoutReturnedEntry,
  refundCompleted,
  refundReleased,
  refundReturnedEntry,
} from "../ledger/posting-rules.ts"
import type { Payout, PayoutSubject } from "./payout.ts"

export interface PostingReversal {
  source: string
  on: Day
  reason: string
}

interface Postings {
  /** Null if a release posts nothing. Reversed when the payment later fails or is cancelled. */
  released: ((payout: Payout, on: Day, nth: number) => LedgerEntry) | null
  completed: (payout: Payout, on: Day, nth: number) => LedgerEntry
  returned: (payout: Payout, on: Day, nth: number) => LedgerEntry
}

const policyRefOf = ({ policyId, groupId }: Payout) => ({ policyId, groupId })
const claimRefOf = (payout: Payout) => ({
  payoutId: payout.id,
  claimNumber: payout.subjectLabel,
  amountCents: payout.amountCents,
  policy: policyRefOf(payout),
})
const refundRefOf = (payout: Payout) => ({
  payoutId: payout.id,
  reference: payout.subjectLabel,
  amountCents: payout.amountCents,
  policy: policyRefOf(payout),
})

const postings: Record<PayoutSubject["kind"], Postings> = {
  claim: {
    released: null,
    completed: (payout, on, nth) => claimPayoutCompleted({ ...claimRefOf(payout), on, nth }),
    returned: (payout, on, nth) => claimPayoutReturnedEntry({ ...claimRefOf(payout), on, nth }),
  },
  refund: {
    released: (payout, on, attempt) => refundReleased({ ...refundRefOf(payout), on, attempt }),
    completed: (payout, on, nth) => refundCompleted({ ...refundRefOf(payout), on, nth }),
    returned: (payout, on, nth) => refundReturnedEntry({ ...refundRefOf(payout), on, nth }),
  },
}

/** Postings without a bank account belong to the main account. */
function withPayoutAccount(entry: LedgerEntry, { bankAccountId }: Payout): LedgerEntry {
  if (bankAccountId === null) return entry
  return {
    ...entry,
    postings: entry.postings.map((posting) => (posting.account === "bank" ? { ...posting, bankAccountId } : posting)),
  }
}

/**
 * Entries to post and to reverse for a step of a payment. A release is dated `today`; completions, returns and their
 * reversals have their own dates.
 */
export function postingsOfStep(
  before: Payout,
  after: Payout,
  today: Day,
): { post: LedgerEntry[]; undo: PostingReversal[] } {
  const of = postings[after.subjectKind]
  const { releasesUndone, completionsUndone, returnsUndone } = before
  const released = () => of.released?.(before, today, releasesUndone + 1)
  const completed = (payout: Payout) =>
    withPayoutAccount(of.completed(payout, payout.completedOn!, completionsUndone + 1), payout)
  const returned = (payout: Payout) =>
    withPayoutAccount(of.returned(payout, payout.returnedOn!, returnsUndone + 1), payout)
  const nothing = { post: [], undo: [] }
  switch (`${before.status} ${after.status}`) {
    case "pending processing": {
      const entry = released()
      return entry ? { ...nothing, post: [entry] } : nothing
    }
    case "processing failed":
    case "processing cancelled": {
      const source = released()?.source
      const reason = after.status === "failed" ? "the payment failed" : "the payment was cancelled"
      return source ? { ...nothing, undo: [{ source, on: today, reason }] } : nothing
    }
    case "processing completed":
      return { ...nothing, post: [completed(after)] }
    case "completed returned":
      return { ...nothing, post: [returned(after)] }
    case "completed processing":
      return {
        ...nothing,
        undo: [{ source: completed(before).source, on: before.completedOn!, reason: "the completion was undone" }],
      }
    case "returned completed":
      return {
        ...nothing,
        undo: [{ source: returned(before).source, on: before.returnedOn!, reason: "the return was undone" }],
      }
    default:
      return nothing
  }
}
