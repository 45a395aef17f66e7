import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/**
 * Why the bank and the ledger differ on a day, item by item: deposits and payments that the ledger has and no statement
 * shows yet, lines that are not posted, and lines posted with a later effective day.
 */
export const proofKinds = ["deposit", "payment", "unposted", "later"] as const
export type ProofKind = (typeof proofKinds)[number]

export const proofKindNames: Record<ProofKind, string> = {
  deposit: "Outstanding deposits",
  payment: "Outstanding payments",
  unposted: "Lines not posted",
  later: "Lines posted with a later day",
}

export const proofRecords = ["receipt", "payout", "bank_statement", "bank_account"] as const
export type ProofRecord = (typeof proofRecords)[number]

/** A receipt, payment or line that the bank and the ledger do not both count on the day. */
export interface ProofItem {
  kind: ProofKind
  record: ProofRecord
  /** Of the receipt, payment, line or entry. */
  id: string
  /** The record on whose page it is shown: of a line, its statement. */
  recordId: string
  /** Of the receipt or payment; of a line, that of its statement. */
  number: string
  /** The payer or payee; of a line, its text. */
  name: string
  on: Day
  /** The day on which the ledger counts it, where that is later. */
  countsOn: Day | null
  /** What the ledger counts of it beyond the bank; below zero where the bank counts more. */
  amountCents: Cents
}

/** The balance of a bank account by its statements. */
export interface ProvedBalance {
  cents: Cents
  /** The day of the last line on or before the proved day; null where the account has none, and its opening counts. */
  lastLineOn: Day | null
  /** The statement that states it; null where the lines are added up, since no file states a balance. */
  number: string | null
}

/** What a bank account is proved from. */
export interface ProofFacts {
  accountId: string
  name: string
  bank: string
  accountNumber: string
  /** Null where no statement begins by the day. */
  statement: ProvedBalance | null
  ledgerCents: Cents
  items: readonly ProofItem[]
}

export interface ProofGroup {
  kind: ProofKind
  cents: Cents
  items: readonly ProofItem[]
}

/** The bank reconciliation of one account on a day. Units: cents. */
export interface AccountProof extends Omit<ProofFacts, "items"> {
  groups: ProofGroup[]
  /** The statement's balance with all items; null without a statement. */
  expectedCents: Cents | null
  /** What no item explains; all of the ledger's balance where there is no statement. */
  unexplainedCents: Cents
}

/** Reconciles one account: the balance of its statements with every item is what the ledger must have. */
export function proveAccount({ items, ...facts }: ProofFacts): AccountProof {
  const groups = proofKinds.map((kind) => {
    const own = items.filter((item) => item.kind === kind)
    return { kind, cents: own.reduce((sum, { amountCents }) => sum + amountCents, 0), items: own }
  })
  const { statement, ledgerCents } = facts
  const expectedCents = statement && groups.reduce((sum, { cents }) => sum + cents, statement.cents)
  return { ...facts, groups, expectedCents, unexplainedCents: ledgerCents - (expectedCents ?? 0) }
}

/** The bank reconciliation of all accounts on the last day of a month. */
export interface BankProof {
  month: Day
  day: Day
  accounts: AccountProof[]
  /** The account "bank" of the ledger; of all bank accounts together. */
  ledgerCents: Cents
  /** Cash, cheques and cards that no statement shows yet: an account of its own in the ledger, and not the bank's. */
  undepositedCents: Cents
}

/**
 * The state of the check: `proved`; `differs` where the statements leave something unexplained; `unproved` where the ledger
 * has money on an account without a statement, or on none: nothing contradicts it, and nothing proves it.
 */
export function proofState({ accounts, ledgerCents }: BankProof): "proved" | "differs" | "unproved" {
  if (accounts.some(({ statement, unexplainedCents }) => statement !== null && unexplainedCents !== 0)) return "differs"
  if (accounts.some(({ statement, ledgerCents: cents }) => statement === null && cents !== 0)) return "unproved"
  return accounts.length === 0 && ledgerCents !== 0 ? "unproved" : "proved"
}
