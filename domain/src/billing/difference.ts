import type { Day } from "../kernel/calendar.ts"
import { compareInstants, factOn, factsKnownAt, type Instant, type RecordedTimes } from "../kernel/dated-fact.ts"
import type { Cents } from "../kernel/money.ts"
import type { Relationship } from "../members/member.ts"
import type { MemberFacts } from "../members/member-dated-facts.ts"
import { calculateOwedPremium } from "../premiums/owed.ts"
import type { PolicyFacts } from "../premiums/premium-facts.ts"
import { findChangeBetween, type KnownFacts, type PremiumChange, type TierChange } from "./difference-change.ts"

export type CauseKind =
  /** No member of the policy has been billed for the month yet. */
  | "month"
  /** The month's invoice lacked the member, although the premium was already recorded. */
  | "left out"
  /** A manual line or credit note billed a different amount than owed. */
  | "billed otherwise"
  | PremiumChange["kind"]

export interface Cause {
  kind: CauseKind
  /** Effective day; for an end, the last day of cover. */
  on: Day | null
  recordedAt: Instant | null
  /** Monthly cents after and before. */
  premium: { cents: Cents; beforeCents: Cents } | null
  person?: Relationship
  tier?: TierChange
  /** The manual document, or the invoice without the member. */
  document?: Pick<BilledDocument, "kind" | "number" | "by" | "run">
  months: { month: Day; cents: Cents }[]
}

/** Amounts without VAT and before discount, in cents; negative for credit notes. */
export interface BilledDocument {
  kind: "invoice" | "creditNote"
  number: string
  at: Instant
  cents: Cents
  /** User name, if known. */
  by: string | null
  /** The run's number; null if made manually. */
  run: string | null
}

/** Billed without VAT and before discount. */
export interface BilledMonth {
  month: Day
  billedCents: Cents
  /** When any member was first billed for the month; null if never. */
  policyBilledAt: Instant | null
  /** Whether a valid invoice billed the member. */
  isBilled?: boolean
  /** Documents that sum to `billedCents`, oldest first. If absent, `billed otherwise` explains the whole month. */
  documents?: readonly BilledDocument[]
  /** The policy's first invoice for this month. */
  policyInvoice?: Pick<BilledDocument, "kind" | "number" | "by" | "run">
}

/**
 * Explains a member's differences, as known at an instant, by the facts recorded since each month was billed. The cents
 * of a month's causes sum to owed less billed. Months without a premium, or before the first month billed here, have
 * none.
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
    const due = calculateOwedPremium(policy, member, month, knownAt)
    const now = due.cents
    const isEarlier = "nothing" in due && due.nothing === "before billed here from"
    if (now === null || now === billedCents || isEarlier) continue
    if (policyBilledAt === null && billedCents === 0) {
      add({ kind: "month", on: null, recordedAt: null, premium: null }, month, now)
      continue
    }
    const history = instants.map((at) => calculateOwedPremium(policy, member, month, at).cents ?? 0)
    // The billed amount was owed at some earlier instant; facts recorded later caused the difference.
    let since = history.lastIndexOf(billedCents)
    const isByHand = since < 0 && (billedCents !== 0 || isBilled === true)
    if (isByHand && !documents?.length) {
      add({ kind: "billed otherwise", on: null, recordedAt: null, premium: null }, month, now - billedCents)
      continue
    }
    if (isByHand) {
      const found = findManualCause(documents!, history, instants)
      since = found.since
      for (const { document, cents } of found.documents)
        add({ kind: "billed otherwise", on: null, recordedAt: null, premium: null, document }, month, cents)
    }
    for (let index = since + 1; index < instants.length; index++) {
      const cents = history[index]! - (index === 0 ? 0 : history[index - 1]!)
      if (cents === 0) continue
      const at = instants[index]!
      const change = findChangeBetween(
        index === 0 ? null : knownFactsAt(policy, member, month, instants[index - 1]!),
        knownFactsAt(policy, member, month, at),
        month,
      )
      const early = policyBilledAt !== null && compareInstants(at, policyBilledAt) < 0 && billedCents === 0 && !isByHand
      const isLeftOut = early && cents > 0
      add(
        isLeftOut
          ? {
              ...changeHead(change),
              kind: "left out",
              recordedAt: at,
              ...(policyInvoice && { document: policyInvoice }),
            }
          : { ...change, recordedAt: at },
        month,
        cents,
      )
    }
  }
  return [...causes.values()]
}

const changeHead = ({ on, premium, person }: PremiumChange) => ({ on, premium, ...(person && { person }) })

/**
 * Manual documents since the billed amount last equalled the owed amount, with the difference that each makes, and the
 * index of that instant. If the amounts were never equal, the first document is compared with what was owed when it was
 * made.
 */
function findManualCause(
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

function instantsOf(policy: PolicyFacts, member: MemberFacts, knownAt: Instant): Instant[] {
  const facts: RecordedTimes[] = [
    ...[policy.periods, policy.premiums, policy.endRules, policy.billedFrom].flat(),
    ...[member.covers, member.births ?? [], member.dependents ?? [], member.salaries ?? []].flat(),
  ]
  const all = facts.flatMap(({ recordedAt, supersededAt }) =>
    supersededAt ? [recordedAt, supersededAt] : [recordedAt],
  )
  return [...new Set(all)].filter((at) => compareInstants(at, knownAt) <= 0).sort(compareInstants)
}

function knownFactsAt(policy: PolicyFacts, member: MemberFacts, month: Day, at: Instant): KnownFacts {
  const [covers, periods] = [factsKnownAt(member.covers, at), factsKnownAt(policy.periods, at)]
  return {
    covers,
    periods,
    billedFrom: factsKnownAt(policy.billedFrom, at)[0]?.month ?? null,
    premium: factOn(factsKnownAt(policy.premiums, at), month),
    endRule: factOn(factsKnownAt(policy.endRules, at), month),
    bornOn: factsKnownAt(member.births ?? [], at)[0]?.bornOn ?? null,
    dependents: factsKnownAt(member.dependents ?? [], at),
    salary: factOn(factsKnownAt(member.salaries ?? [], at), month),
  }
}
