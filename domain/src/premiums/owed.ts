import { type Vat, vatAt } from "../benefits/vat.ts"
import { addDays, type Day, daysBetween, lastOfMonth, maxDay, minDay } from "../kernel/calendar.ts"
import { factOn, factsKnownAt, type Instant, isInForceOn } from "../kernel/dated-fact.ts"
import { type Cents, shareOf } from "../kernel/money.ts"
import type { CoverFact, MemberFacts } from "../members/member-dated-facts.ts"
import type { PeriodFact, PolicyFacts, PremiumFact } from "./premium-facts.ts"
import { ageDayOf, type PremiumRating, type RatedPart, ratePremium, type Uncovered } from "./rated.ts"

export type NothingOwed =
  | "before billed here from"
  | "not in force"
  | "policy suspended"
  | "not covered"
  | "member suspended"

export interface PremiumBasis {
  tierId: string
  /** Per full month, without VAT. */
  premiumCents: Cents
  /** Empty for a flat premium. */
  parts: readonly RatedPart[]
  /** Covered days of the month, if the policy bills by days and cover was partial. */
  days: { covered: number; of: number } | null
}

/**
 * The premium of a member for a month: cents without VAT and before discount, and the month's VAT. `unrated`: the
 * member owes, but cannot be billed without a premium. `uncovered` names the person without a rate; null if there is
 * neither a premium nor a rate table.
 */
export type OwedPremium = { vat: Vat } & (
  | { cents: Cents; basis: PremiumBasis }
  | { cents: 0; nothing: NothingOwed }
  | { cents: null; unrated: true; tierId: string; uncovered: Uncovered | null }
)

/**
 * The premium of a member for the month that begins on `month`, as known at `knownAt`. Cover on the 1st owes the full
 * month at that day's premium; a suspended member or policy owes nothing. A rate table uses tier, dependents and salary
 * on the 1st, and ages on its own age day. A policy by days owes the share of covered days.
 */
export function calculateOwedPremium(
  policy: PolicyFacts,
  member: MemberFacts,
  month: Day,
  knownAt: Instant,
): OwedPremium {
  const vat = vatAt(factsKnownAt(policy.vat, knownAt), month)
  const nothing = (why: NothingOwed): OwedPremium => ({ vat, cents: 0, nothing: why })
  const billedFrom = factsKnownAt(policy.billedFrom, knownAt)[0]
  if (billedFrom && month < billedFrom.month) return nothing("before billed here from")

  const periods = factsKnownAt(policy.periods, knownAt)
  const covers = factsKnownAt(member.covers, knownAt)
  const cover = factOn(covers, month)
  if (!cover) return nothing("not covered")
  const period = factOn(periods, month)
  if (!period) return nothing("not in force")
  if (period.kind === "suspended") return nothing("policy suspended")
  if (cover.kind === "suspended") return nothing("member suspended")

  const { tierId } = cover
  const premium = factOn(factsKnownAt(policy.premiums, knownAt), month)
  const costs = premium
    ? premiumCostOf(policy, premium, member, cover, { month, knownAt })
    : { cents: null, uncovered: null }
  if (costs.cents === null) return { vat, cents: null, unrated: true, tierId, uncovered: costs.uncovered }
  const { cents: premiumCents, parts } = costs
  const rule = factOn(factsKnownAt(policy.endRules, knownAt), month)?.rule ?? "whole month"
  const last = lastOfMonth(month)
  const whole: OwedPremium = { vat, cents: premiumCents, basis: { tierId, premiumCents, parts, days: null } }
  if (rule === "whole month") return whole
  const days = { covered: countDaysCovered(covers, periods, month, last), of: daysBetween(month, last) + 1 }
  if (days.covered === days.of) return whole
  return { vat, cents: shareOf(premiumCents, days.covered, days.of), basis: { tierId, premiumCents, parts, days } }
}

function premiumCostOf(
  policy: PolicyFacts,
  { premiumCents, rates }: PremiumFact,
  member: MemberFacts,
  { tierId }: CoverFact,
  { month, knownAt }: { month: Day; knownAt: Instant },
): PremiumRating {
  if (!rates) return { cents: premiumCents, parts: [] }
  const dependents = factsKnownAt(member.dependents ?? [], knownAt).filter((one) => isInForceOn(one, month))
  const household = {
    tierId,
    bornOn: factsKnownAt(member.births ?? [], knownAt)[0]?.bornOn ?? null,
    salaryCents: factOn(factsKnownAt(member.salaries ?? [], knownAt), month)?.monthlyCents ?? null,
    dependents: dependents.map(({ relationship: person, bornOn }) => ({ person, bornOn })),
  }
  return ratePremium(rates, household, ageDayOf(rates, month, policy.startOn ?? month))
}

function countDaysCovered(covers: readonly CoverFact[], periods: readonly PeriodFact[], from: Day, until: Day): number {
  let days = 0
  for (const cover of covers)
    for (const period of periods) {
      if (cover.kind !== "covered" || period.kind !== "active") continue
      const first = maxDay(from, cover.from, period.from)
      const last = minDay(until, cover.until ?? until, period.until ?? until)
      if (first <= last) days += daysBetween(first, addDays(last, 1))
    }
  return days
}
