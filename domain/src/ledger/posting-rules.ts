import { type Day, formatMonth } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Account } from "./account.ts"
import type { PremiumPart } from "./earned-premium.ts"
import type { EntryKind, LedgerEntry, PolicyRef, Posting } from "./entry.ts"

/**
 * One function for each event of the table of postings (design: data, "Postings"). Amounts are cents above
 * zero; a part that is zero (VAT on an exempt product) leaves no posting.
 */

interface Event {
  /** The day on which it counts. */
  on: Day
  policy: PolicyRef
}

type Leg = [account: Account, cents: Cents]

function entry(
  kind: EntryKind,
  source: string,
  event: Event,
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
 * An invoice was sent: the policy owes its total; premium is net of discount, VAT is owed to the revenue service. Premium
 * of another month than the entry's is not income of this entry: see `premiumLegs`.
 */
export function invoiceSent(
  event: Event & { invoiceId: string; number: string; parts: readonly PremiumPart[]; vatCents: Cents },
): LedgerEntry {
  const { invoiceId, number, on, parts, vatCents } = event
  return entry(
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

/**
 * A sent invoice was corrected, in part or whole: premium and VAT are taken back, the policy owes less. The parts are
 * those of the credit note, below zero where they take premium back; `vatCents` is what is given back.
 */
export function creditNote(
  event: Event & {
    creditNoteId: string
    number: string
    invoiceId: string
    parts: readonly PremiumPart[]
    vatCents: Cents
  },
): LedgerEntry {
  const { creditNoteId, number, invoiceId, on, parts, vatCents } = event
  return entry(
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
 * Where a document's entry of a day credits its premium: income, where that counts on the same day; unearned premium,
 * where it counts later; accrued premium, where it counted in an earlier month, against which `premiumEarned` posted it.
 */
function premiumLegs(parts: readonly PremiumPart[], on: Day): Leg[] {
  const sums = new Map<Account, Cents>()
  for (const { earnedOn, netCents } of parts) {
    const account = earnedOn === on ? "premium_income" : deferralAccount(on, earnedOn)
    sums.set(account, (sums.get(account) ?? 0) + netCents)
  }
  return [...sums]
}

/** The account that bridges the days between a document's entry and its premium. */
const deferralAccount = (postedOn: Day, earnedOn: Day | null): Account =>
  earnedOn === null || earnedOn > postedOn ? "unearned_premium" : "accrued_premium"

const netOf = (parts: readonly PremiumPart[]): Cents => parts.reduce((sum, { netCents }) => sum + netCents, 0)

/**
 * Premium of a month became income on another day than its document's. `postedOn` is the day of the document's entry;
 * `creditNoteId` is that of a credit note, whose premium is below zero, or null.
 */
export function premiumEarned(
  event: Event & {
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
  return entry(
    "premium_earned",
    `${document}:earned:${month.slice(0, 7)}`,
    event,
    { kind: "invoice", id: invoiceId },
    `Premium of ${formatMonth(month)} earned: ${number}`,
    { debit: [[deferralAccount(postedOn, on), netCents]], credit: [["premium_income", netCents]] },
  )
}

/**
 * Money came in for a policy; until it is allocated it is the policy's credit. What did not come by transfer waits in
 * "undeposited" until the bank shows it. `source` where the receipt was corrected since; `bankAccountId` is the bank
 * account that the money reached, null for the main one.
 */
export function receiptTaken(
  event: Event & {
    receiptId: string
    source?: string
    number: string
    paidInto: "bank" | "undeposited"
    bankAccountId?: string | null
    amountCents: Cents
  },
): LedgerEntry {
  const { receiptId, source = `receipt:${receiptId}`, number, paidInto, bankAccountId = null, amountCents } = event
  const taken = entry("receipt_taken", source, event, { kind: "receipt", id: receiptId }, `Receipt ${number}`, {
    debit: [[paidInto, amountCents]],
    credit: [["unallocated_receipts", amountCents]],
  })
  return debitedTo(taken, bankAccountId)
}

/** The entry with its debit of "bank" on one bank account; null is the main account, which postings leave unsaid. */
const debitedTo = (entry: LedgerEntry, bankAccountId: string | null): LedgerEntry =>
  onBankAccount(entry, bankAccountId, ({ amountCents }) => amountCents > 0)

/** The same of its credit of "bank". */
const creditedTo = (entry: LedgerEntry, bankAccountId: string | null): LedgerEntry =>
  onBankAccount(entry, bankAccountId, ({ amountCents }) => amountCents < 0)

function onBankAccount(
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

/** A part of a receipt was set against an invoice of the same policy. */
export function allocation(
  event: Event & {
    allocationId: string
    receiptId: string
    receiptNumber: string
    invoiceNumber: string
    amountCents: Cents
  },
): LedgerEntry {
  const { allocationId, receiptId, receiptNumber, invoiceNumber, amountCents } = event
  return entry(
    "allocation",
    `allocation:${allocationId}`,
    event,
    { kind: "receipt", id: receiptId },
    `${receiptNumber} allocated to ${invoiceNumber}`,
    { debit: [["unallocated_receipts", amountCents]], credit: [["premium_debtors", amountCents]] },
  )
}

/** A claim passed its last stage: the approved amount is owed to the claimant. */
export function claimApproved(event: Event & { claimId: string; number: string; amountCents: Cents }): LedgerEntry {
  const { claimId, number, amountCents } = event
  return entry(
    "claim_approved",
    `claim:${claimId}:approved`,
    event,
    { kind: "claim", id: claimId },
    `Claim ${number} approved`,
    { debit: [["claims_expense", amountCents]], credit: [["claims_payable", amountCents]] },
  )
}

/** A step of a payment may be undone and made again: from the second time on its source says which. */
const payoutSource = (payoutId: string, step: string, nth: number): string =>
  nth === 1 ? `payout:${payoutId}:${step}` : `payout:${payoutId}:${step}:${nth}`

/** The payment of a claim reached the claimant. `nth` counts its completions from 1, as for every payment. */
export function claimPayoutCompleted(
  event: Event & { payoutId: string; nth: number; claimNumber: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, nth, claimNumber, amountCents } = event
  return entry(
    "claim_payout_completed",
    payoutSource(payoutId, "completed", nth),
    event,
    { kind: "payout", id: payoutId },
    `Claim ${claimNumber} paid`,
    { debit: [["claims_payable", amountCents]], credit: [["bank", amountCents]] },
  )
}

/**
 * A premium refund was released: credit of the policy is set aside for it. `attempt` counts the releases of one
 * refund from 1, since one that failed is reversed and may be released again.
 */
export function refundReleased(
  event: Event & { payoutId: string; attempt: number; reference: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, attempt, reference, amountCents } = event
  return entry(
    "refund_released",
    `payout:${payoutId}:released:${attempt}`,
    event,
    { kind: "payout", id: payoutId },
    `Refund ${reference} released`,
    { debit: [["unallocated_receipts", amountCents]], credit: [["refunds_payable", amountCents]] },
  )
}

/** A released refund left the bank. */
export function refundCompleted(
  event: Event & { payoutId: string; nth: number; reference: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, nth, reference, amountCents } = event
  return entry(
    "refund_completed",
    payoutSource(payoutId, "completed", nth),
    event,
    { kind: "payout", id: payoutId },
    `Refund ${reference} paid`,
    { debit: [["refunds_payable", amountCents]], credit: [["bank", amountCents]] },
  )
}

/** A payment of a claim came back after it was completed: the amount is owed to the claimant again. */
export function claimPayoutReturned(
  event: Event & { payoutId: string; nth: number; claimNumber: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, nth, claimNumber, amountCents } = event
  return entry(
    "claim_payout_returned",
    payoutSource(payoutId, "returned", nth),
    event,
    { kind: "payout", id: payoutId },
    `Payment of claim ${claimNumber} came back`,
    { debit: [["bank", amountCents]], credit: [["claims_payable", amountCents]] },
  )
}

/** A refund came back after it had left the bank: it is the policy's credit again. */
export function refundReturned(
  event: Event & { payoutId: string; nth: number; reference: string; amountCents: Cents },
): LedgerEntry {
  const { payoutId, nth, reference, amountCents } = event
  return entry(
    "refund_returned",
    payoutSource(payoutId, "returned", nth),
    event,
    { kind: "payout", id: payoutId },
    `Refund ${reference} came back`,
    { debit: [["bank", amountCents]], credit: [["unallocated_receipts", amountCents]] },
  )
}

/**
 * A statement shows money of a receipt that the ledger has elsewhere: cash, a cheque or a card payment in "undeposited", or
 * a transfer on another bank account. `bankAccountId` is the account of the statement and `takenOn` the account on which
 * the receipt was posted; both are null for the main account.
 */
export function receiptDeposited(
  event: Event & {
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
  const deposited = entry(
    "receipt_deposited",
    `receipt-deposit:${depositId}`,
    event,
    { kind: "receipt", id: receiptId },
    `Receipt ${number} reached the bank`,
    { debit: [["bank", amountCents]], credit: [[paidInto, amountCents]] },
  )
  return creditedTo(debitedTo(deposited, bankAccountId), takenOn)
}

/** What a policy owes on an invoice was given up: its share of VAT is taken back as bad debt relief. */
export function writeOff(
  event: Event & { writeOffId: string; invoiceId: string; invoiceNumber: string; netCents: Cents; vatCents: Cents },
): LedgerEntry {
  const { writeOffId, invoiceId, invoiceNumber, netCents, vatCents } = event
  return entry(
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

/** A bank account begins here: the ledger is brought to its balance. `amountCents` may be below zero, an overdraft. */
export function bankOpening(event: OpeningPosted): LedgerEntry {
  return openingEntry(event, `bank-account:${event.accountId}:opening`, `Opening balance of ${event.name}`)
}

/** An opening balance was corrected, by so much. */
export function bankOpeningCorrected(event: OpeningPosted & { correctionId: string; reason: string }): LedgerEntry {
  const { correctionId, name, reason } = event
  return openingEntry(event, `bank-opening:${correctionId}`, `Opening balance of ${name} corrected: ${reason}`)
}

interface OpeningPosted {
  on: Day
  accountId: string
  name: string
  amountCents: Cents
}

function openingEntry({ on, accountId, amountCents }: OpeningPosted, source: string, description: string): LedgerEntry {
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

/**
 * A line of the bank is a charge or interest. `amountCents` is the line's: what the bank took is below zero, and so is a
 * charge that it gives back above.
 */
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
