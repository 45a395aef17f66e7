import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/**
 * Reconciling items: deposits and payments not yet on a statement, unposted lines, lines posted with a later effective
 * day.
 */
export const proofKinds = ["deposit", "payment", "unposted", "later"] as const
export type ProofKind = (typeof proofKinds)[number]

export const proofKindNames: Record<ProofKind, string> = {
  deposit: "Outstanding deposits",
  payment: "Outstanding payments",
  unposted: "Lines not posted",
  later: "Lines posted with a later date",
}

export const proofRecords = ["receipt", "payout", "bank_statement", "bank_account"] as const
export type ProofRecord = (typeof proofRecords)[number]

export interface ProofItem {
  kind: ProofKind
  record: ProofRecord
  id: string
  recordId: string
  number: string
  name: string
  on: Day
  countsOn: Day | null
  /** Ledger amount minus bank amount, in cents. */
  amountCents: Cents
}

export interface ProvedBalance {
  cents: Cents
  lastLineOn: Day | null
  number: string | null
}

export interface ProofFacts {
  accountId: string
  name: string
  bank: string
  accountNumber: string
  /** Null if no statement begins on or before the day of the reconciliation. */
  statement: ProvedBalance | null
  ledgerCents: Cents
  items: readonly ProofItem[]
}

export interface ProofGroup {
  kind: ProofKind
  cents: Cents
  items: readonly ProofItem[]
}

/** The bank reconciliation of one account on a day, in cents. */
export interface AccountProof extends Omit<ProofFacts, "items"> {
  groups: ProofGroup[]
  expectedCents: Cents | null
  unexplainedCents: Cents
}

/** Reconciles one account: statement balance plus items must equal the ledger balance. */
export function proveAccount({ items, ...facts }: ProofFacts): AccountProof {
  const groups = proofKinds.map((kind) => {
    const own = items.filter((item) => item.kind === kind)
    return { kind, cents: own.reduce((sum, { amountCents }) => sum + amountCents, 0), items: own }
  })
  const { statement, ledgerCents } = facts
  const expectedCents = statement && groups.reduce((sum, { cents }) => sum + cents, statement.cents)
  return { ...facts, groups, expectedCents, unexplainedCents: ledgerCents - (expectedCents ?? 0) }
}

export interface BankProof {
  month: Day
  day: Day
  accounts: AccountProof[]
  ledgerCents: Cents
  /** Cash, cheques and cards not yet on a statement. They have their own ledger account. */
  undepositedCents: Cents
}

/**
 * `differs`: an account has an unexplained difference. `unproved`: the ledger has money on an account without a
 * statement, or without a bank account.
 */
export function proofState({ accounts, ledgerCents }: BankProof): "proved" | "differs" | "unproved" {
  if (accounts.some(({ statement, unexplainedCents }) => statement !== null && unexplainedCents !== 0)) return "differs"
  if (accounts.some(({ statement, ledgerCents: cents }) => statement === null && cents !== 0)) return "unproved"
  return accounts.length === 0 && ledgerCents !== 0 ? "unproved" : "proved"
}
