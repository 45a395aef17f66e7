import { type Day, formatMonth } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Account } from "./account.ts"
import type { PremiumPart } from "./earned-premium.ts"
import type { EntryKind, LedgerEntry, PolicyRef, Posting } from "./entry.ts"

/** One function per event of the posting table. Amounts are positive cents; a part of 0 gets no posting. */

interface EntryEvent {
  on: Day
  policy: PolicyRef
}

type Leg = [account: Account, cents: Cents]

function createEntry(
  kind: EntryKind,
  source: string,
  event: EntryEvent,
  record: LedgerEntry["record"],
  description: string,
  legs: { debit: Leg[]; credit: Leg[] },
): LedgerEntry {
  const posting =
    (sign: 1 | -1) =>
    (leg: Leg): Posting => ({
      account: leg[0],
      amountCents: sign * leg[1],
      policy: event.policy,
    })
  return {
    source,
    kind,
    effectiveOn: event.on,
    description,
    record,
    postings: [...legs.debit.map(posting(1)), ...legs.credit.map(posting(-1))].filter((p) => p.amountCents !== 0),
  }
}

/**
 * An invoice was sent. Premium is net of discount; VAT is owed to the revenue service. For premium earned in another
 * month, see `premiumLegs`.
 */
export function invoiceSent(
  event: EntryEvent & { invoiceId: string; number: string; parts: readonly PremiumPart[]; vatCents: Cents },
): LedgerEntry {
  const { invoiceId, number, on, parts, vatCents } = event
  return createEntry(
    "invoice_sent",
    `invoice:${invoiceId}:sent`,
    event,
    { kind: "invoice", id: invoiceId },
    `Invoice ${number} sent`,
    {
      debit: [["premium_debtors", netOf(parts) + vatCents]],
      credit: [...premiumLegs(parts, on), ["vat_output", vatCents]],
    },
  )
}

/** Credits a sent invoice. `parts` are negative where premium is credited; `vatCents` is the credited VAT. */
export function creditNote(
  event: EntryEvent & {
    creditNoteId: string
    number: string
    invoiceId: string
    parts: readonly PremiumPart[]
    vatCents: Cents
  },
): LedgerEntry {
  const { creditNoteId, number, invoiceId, on, parts, vatCents } = event
  return createEntry(
    "credit_note",
    `credit-note:${creditNoteId}`,
    event,
    { kind: "invoice", id: invoiceId },
    `Credit note ${number}`,
    {
      debit: [["vat_output", vatCents]],
      credit: [...premiumLegs(parts, on), ["premium_debtors", vatCents - netOf(parts)]],
    },
  )
}

/**
 * Premium earned on the entry's day is income; premium earned later is unearned premium; premium earned earlier is
 * accrued premium (which `premiumEarned` posts).
 */
function premiumLegs(parts: readonly PremiumPart[], on: Day): Leg[] {
  const sums = new Map<Account, Cents>()
  for (const { earnedOn, netCents } of parts) {
    const account = earnedOn === on ? "premium_income" : deferralAccount(on, earnedOn)
    sums.set(account, (sums.get(account) ?? 0) + netCents)
  }
  return [...sums]
}

const deferralAccount = (postedOn: Day, earnedOn: Day | null): Account =>
  earnedOn === null || earnedOn > postedOn ? "unearned_premium" : "accrued_premium"

const netOf = (parts: readonly PremiumPart[]): Cents => parts.reduce((sum, { netCents }) => sum + netCents, 0)

/**
 * Premium that is earned on another day than `postedOn`, the day of its document's entry. `creditNoteId`: the credit
 * note of a negative premium, or null.
 */
export function premiumEarned(
  event: EntryEvent & {
    invoiceId: string
    creditNoteId: string | null
    number: string
    month: Day
    netCents: Cents
    postedOn: Day
  },
): LedgerEntry {
  const { on, invoiceId, creditNoteId, number, month, netCents, postedOn } = event
  const document = creditNoteId === null ? `invoice:${invoiceId}` : `credit-note:${creditNoteId}`
  return createEntry(
    "premium_earned",
    `${document}:earned:${month.slice(0, 7)}`,
    event,
    { kind: "invoice", id: invoiceId },
    `Premium of ${formatMonth(month)} earned: ${number}`,
    { debit: [[deferralAccount(postedOn, on), netCents]], credit: [["premium_income", netCents]] },
  )
}

/**
 * A receipt is credit of the policy until it is allocated. Cash, cheques and cards are in "undeposited" until matched
 * to a bank line. `source` is set for a corrected receipt; `bankAccountId` null means the main account.
 */
export function receiptTaken(
  event: EntryEvent & {
    receiptId: string
    source?: string
    number: string
    paidInto: "bank" | "undeposited"
    bankAccountId?: string | null
    amountCents: Cents
  },
): LedgerEntry {
  const { receiptId, source = `receipt:${receiptId}`, number, paidInto, bankAccountId = null, amountCents } = event
  const taken = createEntry("receipt_taken", source, event, { kind: "receipt", id: receiptId }, `Receipt ${number}`, {
    debit: [[paidInto, amountCents]],
    credit: [["unallocated_receipts", amountCents]],
  })
  return withDebitAccount(taken, bankAccountId)
}

/** null means the main account, whose id postings omit. */
const withDebitAccount = (entry: LedgerEntry, bankAccountId: string | null): LedgerEntry =>
  entryOnBankAccount(entry, bankAccountId, ({ amountCents }) => amountCents > 0)

const withCreditAccount = (entry: LedgerEntry, bankAccountId: string | null): LedgerEntry =>
  entryOnBankAccount(entry, bankAccountId, ({ amountCents }) => amountCents < 0)

function entryOnBankAccount(
  entry: LedgerEntry,
  bankAccountId: string | null,
  isMeant: (posting: LedgerEntry["postings"][number]) => boolean,
): LedgerEntry {
  if (bankAccountId === null) return entry
  const postings = entry.postings.map((posting) =>
    posting.account === "bank" && isMeant(posting) ? { ...posting, bankAccountId } : posting,
  )
  return { ...entry, postings }
}

/** Part of a receipt was allocated to an invoice of the same policy. */
export function allocation(
  event: EntryEvent & {
    allocationId: string
    receiptId: string
    receiptNumber: string
    invoiceNumber: string
    amountCents: Cents
  },
): LedgerEntry {
  const { allocationId, receiptId, receiptNumber, invoiceNumber, amountCents } = event
  return createEntry(
    "allocation",
    `allocation:${allocationId}`,
    event,
    { kind: "receipt", id: receiptId },
    `${receiptNumber} allocated to ${invoiceNumber}`,
    { debit: [["unallocated_receipts", amountCents]], credit: [["premium_debtors", amountCents]] },
  )
}

/** `nth` counts approvals of the claim from 1; an earlier one was withdrawn. */
export const approvalSource = (claimId: string, nth: number): string =>
  nth === 1 ? `claim:${claimId}:approved` : `claim:${claimId}:approved:${nth}`

/** `seq` numbers the movements of the claim's reserve from 1. */
export const reserveSource = (claimId: string, seq: number): string => `claim:${claimId}:reserve:${seq}`

/** The reserve of an open claim rose by `changeCents`, or fell if negative: an expense that is not decided yet. */
export function claimReserveChanged(
  event: EntryEvent & { claimId: string; seq: number; number: string; changeCents: Cents },
): LedgerEntry {
  const { claimId, seq, number, changeCents } = event
  return createEntry(
    "claim_reserve_changed",
    reserveSource(claimId, seq),
    event,
    { kind: "claim", id: claimId },
    `Reserve of claim ${number} ${changeCents > 0 ? "increased" : "reduced"}`,
    { debit: [["claims_expense", changeCents]], credit: [["claims_outstanding", changeCents]] },
  )
}

/**
 * A claim was approved at its last stage: the approved amount is owed to the claimant. `reserveCents` is the claim's
 * reserve, which is released.
 */
export function claimApproved(
  event: EntryEvent & { claimId: string; nth: number; number: string; amountCents: Cents; reserveCents: Cents },
): LedgerEntry {
  const { claimId, nth, number, amountCents, reserveCents } = event
  return createEntry(
    "claim_approved",
    approvalSource(claimId, nth),
    event,
    { kind: "claim", id: claimId },
    `Claim ${number} approved`,
    {
      debit: [
        ["claims_outstanding", reserveCents],
        ["claims_expense", amountCents - reserveCents],
      ],
      credit: [["claims_payable", amountCents]],
    },
  )
}

const payoutSource = (payoutId: string, step: string, nth: number): string =>
  nth === 1 ? `payout:${payoutId}:${step}` : `payout:${payoutId}:${step}:${nth}`

/** A claim was paid. `nth` counts completions of this payment from 1. */
export function claimPayoutCompleted(
  event: EntryEvent & { payoutId: string; nth: number; claimNumber: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, nth, claimNumber, amountCents } = event
  return createEntry(
    "claim_payout_completed",
    payoutSource(payoutId, "completed", nth),
    event,
    { kind: "payout", id: payoutId },
    `Claim ${claimNumber} paid`,
    { debit: [["claims_payable", amountCents]], credit: [["bank", amountCents]] },
  )
}

/**
 * Reserves credit for a released refund. `attempt` counts releases from 1, because a failed refund may be released
 * again.
 */
export function refundReleased(
  event: EntryEvent & { payoutId: string; attempt: number; reference: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, attempt, reference, amountCents } = event
  return createEntry(
    "refund_released",
    `payout:${payoutId}:released:${attempt}`,
    event,
    { kind: "payout", id: payoutId },
    `Refund ${reference} released`,
    { debit: [["unallocated_receipts", amountCents]], credit: [["refunds_payable", amountCents]] },
  )
}

/** A released refund was debited by the bank. */
export function refundCompleted(
  event: EntryEvent & { payoutId: string; nth: number; reference: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, nth, reference, amountCents } = event
  return createEntry(
    "refund_completed",
    payoutSource(payoutId, "completed", nth),
    event,
    { kind: "payout", id: payoutId },
    `Refund ${reference} paid`,
    { debit: [["refunds_payable", amountCents]], credit: [["bank", amountCents]] },
  )
}

/** A completed claim payment was returned: the amount is owed again. */
export function claimPayoutReturnedEntry(
  event: EntryEvent & { payoutId: string; nth: number; claimNumber: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, nth, claimNumber, amountCents } = event
  return createEntry(
    "claim_payout_returned",
    payoutSource(payoutId, "returned", nth),
    event,
    { kind: "payout", id: payoutId },
    `Payment of claim ${claimNumber} returned`,
    { debit: [["bank", amountCents]], credit: [["claims_payable", amountCents]] },
  )
}

/** A paid refund was returned: the amount is credit again. */
export function refundReturnedEntry(
  event: EntryEvent & { payoutId: string; nth: number; reference: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, nth, reference, amountCents } = event
  return createEntry(
    "refund_returned",
    payoutSource(payoutId, "returned", nth),
    event,
    { kind: "payout", id: payoutId },
    `Refund ${reference} returned`,
    { debit: [["bank", amountCents]], credit: [["unallocated_receipts", amountCents]] },
  )
}

/**
 * A bank line is matched to a receipt that is posted elsewhere: in "undeposited" (cash, cheque, card) or on another
 * bank account. `bankAccountId` is the line's account, `takenOn` the account of the receipt's posting; null is the main
 * account.
 */
export function receiptDeposited(
  event: EntryEvent & {
    depositId: string
    receiptId: string
    number: string
    paidInto: "bank" | "undeposited"
    takenOn: string | null
    bankAccountId: string | null
    amountCents: Cents
  },
): LedgerEntry {
  const { depositId, receiptId, number, paidInto, takenOn, bankAccountId, amountCents } = event
  const deposited = createEntry(
    "receipt_deposited",
    `receipt-deposit:${depositId}`,
    event,
    { kind: "receipt", id: receiptId },
    `Receipt ${number} deposited in the bank`,
    { debit: [["bank", amountCents]], credit: [[paidInto, amountCents]] },
  )
  return withCreditAccount(withDebitAccount(deposited, bankAccountId), takenOn)
}

/** An invoice's debt was written off; its VAT is reclaimed as bad debt relief. */
export function writeOff(
  event: EntryEvent & {
    writeOffId: string
    invoiceId: string
    invoiceNumber: string
    netCents: Cents
    vatCents: Cents
  },
): LedgerEntry {
  const { writeOffId, invoiceId, invoiceNumber, netCents, vatCents } = event
  return createEntry(
    "write_off",
    `write-off:${writeOffId}`,
    event,
    { kind: "invoice", id: invoiceId },
    `Written off on ${invoiceNumber}`,
    {
      debit: [
        ["write_offs", netCents],
        ["vat_output", vatCents],
      ],
      credit: [["premium_debtors", netCents + vatCents]],
    },
  )
}

/** The opening balance of a bank account; `amountCents` is negative for an overdraft. */
export function bankOpening(event: OpeningEvent): LedgerEntry {
  return openingEntry(event, `bank-account:${event.accountId}:opening`, `Opening balance of ${event.name}`)
}

/** `amountCents` is the difference from the previous opening balance. */
export function openingCorrectedEntry(event: OpeningEvent & { correctionId: string; reason: string }): LedgerEntry {
  const { correctionId, name, reason } = event
  return openingEntry(event, `bank-opening:${correctionId}`, `Opening balance of ${name} corrected: ${reason}`)
}

interface OpeningEvent {
  on: Day
  accountId: string
  name: string
  amountCents: Cents
}

function openingEntry({ on, accountId, amountCents }: OpeningEvent, source: string, description: string): LedgerEntry {
  const posting = (account: Account, cents: Cents): Posting => ({ account, amountCents: cents, policy: null })
  return {
    source,
    kind: "bank_opening",
    effectiveOn: on,
    description,
    record: { kind: "bank_account", id: accountId },
    postings: [
      { ...posting("bank", amountCents), bankAccountId: accountId },
      posting("opening_balances", -amountCents),
    ],
  }
}

/** A bank line is a charge or interest. Charges are negative, refunded charges positive. */
export function bankLineConfirmed(event: {
  placementId: string
  accountId: string
  kind: "charge" | "interest"
  on: Day
  text: string
  amountCents: Cents
}): LedgerEntry {
  const { placementId, accountId, kind, on, text, amountCents } = event
  const [against, name] =
    kind === "charge" ? (["bank_charges", "Bank charge"] as const) : (["interest_received", "Interest"] as const)
  return {
    source: `bank-placement:${placementId}`,
    kind: `bank_${kind}`,
    effectiveOn: on,
    description: text ? `${name}: ${text}` : name,
    record: { kind: "bank_account", id: accountId },
    postings: [
      { account: "bank", amountCents, policy: null, bankAccountId: accountId },
      { account: against, amountCents: -amountCents, policy: null },
    ],
  }
}
