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
import { type Change, changeBetween, type Stated } from "./difference-change.ts"

/** Why a member's month is owed otherwise than it was billed. */
export type CauseKind =
  /** The month itself: nobody of the policy was billed for it yet. */
  | "month"
  /** They were not on the invoice of the month, though what they owe was recorded by then. */
  | "left out"
  /** What was billed is not what was ever known to be owed: a line typed or credited by hand. */
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
  months: { month: Day; cents: Cents }[]
}

/** A month of a member, and what it was billed without VAT and before discount. */
export interface BilledMonth {
  month: Day
  billedCents: Cents
  /** When somebody of the policy was first billed for this month; null where nobody was. */
  policyBilledAt: Instant | null
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
  for (const { month, billedCents, policyBilledAt } of months) {
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
    const since = history.lastIndexOf(billedCents)
    if (since < 0 && billedCents !== 0) {
      add({ kind: "billed otherwise", on: null, recordedAt: null, premium: null }, month, now - billedCents)
      continue
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
      const early = policyBilledAt !== null && compareInstants(at, policyBilledAt) < 0 && billedCents === 0
      add({ ...change, kind: early && cents > 0 ? "left out" : change.kind, recordedAt: at }, month, cents)
    }
  }
  return [...causes.values()]
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
