import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { Relationship } from "../members/member.ts"
import { owed } from "../premiums/owed.ts"
import {
  compareInstants,
  factOn,
  type Instant,
  knownBy,
  type MemberFacts,
  type PolicyFacts,
  type Recorded,
} from "../premiums/premium-facts.ts"
import { type Change, changeBetween, type Stated, type TierChange } from "./difference-change.ts"

/** Why a member's month is owed otherwise than it was billed. */
export type CauseKind =
  /** The month itself: nobody of the policy was billed for it yet. */
  | "month"
  /** The invoice of the month did not have the member, though what the member owes was recorded by then. */
  | "left out"
  /** A line or a credit note that somebody made by hand billed another amount than was owed. */
  | "billed otherwise"
  | Change["kind"]

/** A cause of a difference: what happened, on which day, recorded when, and what it comes to in which months. */
export interface Cause {
  kind: CauseKind
  /** The day on which it happened; of an end, the last day of cover. Null where there is none. */
  on: Day | null
  recordedAt: Instant | null
  /** What a month costs since and before, where a premium changed. */
  premium: { cents: Cents; beforeCents: Cents } | null
  /** Which dependent of the member it is about. */
  person?: Relationship
  /** The member's tier since and before, where it changed. */
  tier?: TierChange
  /** The document made by hand, or the invoice that lacked the member. */
  document?: Pick<BilledDocument, "kind" | "number" | "by" | "run">
  months: { month: Day; cents: Cents }[]
}

/** A document that billed a month of a member, or took it back: below zero. Cents without VAT and before discount. */
export interface BilledDocument {
  kind: "invoice" | "creditNote"
  number: string
  at: Instant
  cents: Cents
  /** The name of the user who made it; null if nobody is known. */
  by: string | null
  /** The number of the premium run that made it; null if it was made by hand. */
  run: string | null
}

/** A month of a member, and what it was billed without VAT and before discount. */
export interface BilledMonth {
  month: Day
  billedCents: Cents
  /** When somebody of the policy was first billed for this month; null where nobody was. */
  policyBilledAt: Instant | null
  /** Whether an invoice that stands billed the member for this month. */
  isBilled?: boolean
  /** The documents that come to `billedCents`, oldest first. Without them `billed otherwise` takes the whole month. */
  documents?: readonly BilledDocument[]
  /** The invoice that first billed the policy for this month. */
  policyInvoice?: Pick<BilledDocument, "kind" | "number" | "by" | "run">
}

/**
 * The causes of a member's differences, as known at an instant: what was recorded since the months were billed as they
 * were, in the order of recording. The cents of the causes sum to owed less billed of every month. A month that no
 * premium covers has none: it cannot be billed. Nor have months before that from which the policy is billed here: what
 * was billed for them, somewhere, is left as it is.
 */
export function causesOf(
  policy: PolicyFacts,
  member: MemberFacts,
  months: readonly BilledMonth[],
  knownAt: Instant,
): Cause[] {
  const instants = instantsOf(policy, member, knownAt)
  const causes = new Map<string, Cause>()
  const add = (cause: Omit<Cause, "months">, month: Day, cents: Cents) => {
    if (cents === 0) return
    const key = JSON.stringify(cause)
    const there = causes.get(key) ?? { ...cause, months: [] }
    there.months.push({ month, cents })
    causes.set(key, there)
  }
  for (const { month, billedCents, policyBilledAt, isBilled, documents, policyInvoice } of months) {
    const due = owed(policy, member, month, knownAt)
    const now = due.cents
    const isEarlier = "nothing" in due && due.nothing === "before billed here from"
    if (now === null || now === billedCents || isEarlier) continue
    if (policyBilledAt === null && billedCents === 0) {
      add({ kind: "month", on: null, recordedAt: null, premium: null }, month, now)
      continue
    }
    const history = instants.map((at) => owed(policy, member, month, at).cents ?? 0)
    // What was billed is what was owed as it was known once; all that was recorded later makes the difference.
    let since = history.lastIndexOf(billedCents)
    const isByHand = since < 0 && (billedCents !== 0 || isBilled === true)
    if (isByHand && !documents?.length) {
      add({ kind: "billed otherwise", on: null, recordedAt: null, premium: null }, month, now - billedCents)
      continue
    }
    if (isByHand) {
      const found = madeByHand(documents!, history, instants)
      since = found.since
      for (const { document, cents } of found.documents)
        add({ kind: "billed otherwise", on: null, recordedAt: null, premium: null, document }, month, cents)
    }
    for (let index = since + 1; index < instants.length; index++) {
      const cents = history[index]! - (index === 0 ? 0 : history[index - 1]!)
      if (cents === 0) continue
      const at = instants[index]!
      const change = changeBetween(
        index === 0 ? null : statedAt(policy, member, month, instants[index - 1]!),
        statedAt(policy, member, month, at),
        month,
      )
      const early = policyBilledAt !== null && compareInstants(at, policyBilledAt) < 0 && billedCents === 0 && !isByHand
      const isLeftOut = early && cents > 0
      add(
        isLeftOut
          ? { ...plain(change), kind: "left out", recordedAt: at, ...(policyInvoice && { document: policyInvoice }) }
          : { ...change, recordedAt: at },
        month,
        cents,
      )
    }
  }
  return [...causes.values()]
}

/** What is left of a change where the member was not on the invoice: the day. */
const plain = ({ on, premium, person }: Change) => ({ on, premium, ...(person && { person }) })

/**
 * The documents made by hand since the month was last billed as owed, each with what it makes the difference, and the
 * last instant that the documents before them rest on. Where the month was never billed as owed, its first document is
 * held against what was known when it was made.
 */
function madeByHand(
  documents: readonly BilledDocument[],
  history: readonly Cents[],
  instants: readonly Instant[],
): { since: number; documents: { document: NonNullable<Cause["document"]>; cents: Cents }[] } {
  const since = (from: number, at: number, first: Cents) => ({
    since: at,
    documents: documents.slice(from).map(({ kind, number, by, run, cents }, place) => ({
      document: { kind, number, by, run },
      cents: (place === 0 ? first : 0) - cents,
    })),
  })
  for (let count = documents.length - 1; count > 0; count--) {
    const billedCents = documents.slice(0, count).reduce((sum, { cents }) => sum + cents, 0)
    const at = history.lastIndexOf(billedCents)
    if (at >= 0) return since(count, at, 0)
  }
  const at = instants.findLastIndex((instant) => compareInstants(instant, documents[0]!.at) <= 0)
  return since(0, at, history[at] ?? 0)
}

/** The instants at which what is known changed, in order. */
function instantsOf(policy: PolicyFacts, member: MemberFacts, knownAt: Instant): Instant[] {
  const facts: Recorded[] = [
    ...[policy.periods, policy.premiums, policy.endRules, policy.billedFrom].flat(),
    ...[member.covers, member.births ?? [], member.dependents ?? [], member.salaries ?? []].flat(),
  ]
  const all = facts.flatMap(({ recordedAt, supersededAt }) =>
    supersededAt ? [recordedAt, supersededAt] : [recordedAt],
  )
  return [...new Set(all)].filter((at) => compareInstants(at, knownAt) <= 0).sort(compareInstants)
}

/** What was known at an instant of what decides about a month. */
function statedAt(policy: PolicyFacts, member: MemberFacts, month: Day, at: Instant): Stated {
  const [covers, periods] = [knownBy(member.covers, at), knownBy(policy.periods, at)]
  return {
    covers,
    periods,
    billedFrom: knownBy(policy.billedFrom, at)[0]?.month ?? null,
    premium: factOn(knownBy(policy.premiums, at), month),
    endRule: factOn(knownBy(policy.endRules, at), month),
    bornOn: knownBy(member.births ?? [], at)[0]?.bornOn ?? null,
    dependents: knownBy(member.dependents ?? [], at),
    salary: factOn(knownBy(member.salaries ?? [], at), month),
  }
}
