import { type Vat, vatAt } from "../benefits/vat.ts"
import { addDays, type Day, daysBetween, lastOfMonth, maxDay, minDay } from "../kernel/calendar.ts"
import { type Cents, shareOf } from "../kernel/money.ts"
import {
  type CoverFact,
  factOn,
  holdsOn,
  type Instant,
  knownBy,
  type MemberFacts,
  type PeriodFact,
  type PolicyFacts,
  type PremiumFact,
} from "./premium-facts.ts"
import { ageDayOf, type Rated, type RatedPart, rated, type Uncovered } from "./rated.ts"

export type NothingOwed =
  | "before billed here from"
  | "not in force"
  | "policy suspended"
  | "not covered"
  | "member suspended"

export interface OwedBasis {
  tierId: string
  /** Per full month, without VAT. */
  premiumCents: Cents
  /** Empty for a flat premium. */
  parts: readonly RatedPart[]
  /** Covered days of the month, if the policy bills by days and cover was partial. */
  days: { covered: number; of: number } | null
}

/**
 * The premium of a member for a month: cents without VAT and before discount, and the month's VAT. `unrated`: owed, but
 * without a premium, so it cannot be billed. `uncovered` names the person without a rate; null if there is neither a
 * premium nor a rate table.
 */
export type Owed = { vat: Vat } & (
  | { cents: Cents; basis: OwedBasis }
  | { cents: 0; nothing: NothingOwed }
  | { cents: null; unrated: true; tierId: string; uncovered: Uncovered | null }
)

/**
 * The premium of a member for the month that begins on `month`, as known at `knownAt` (money: The premium run). Cover
 * on the 1st owes the full month at that day's premium; a suspended member or policy owes nothing. A rate table uses
 * tier, dependents and salary on the 1st, and ages on its own age day. A policy by days owes the share of covered days.
 */
export function owed(policy: PolicyFacts, member: MemberFacts, month: Day, knownAt: Instant): Owed {
  const vat = vatAt(knownBy(policy.vat, knownAt), month)
  const nothing = (why: NothingOwed): Owed => ({ vat, cents: 0, nothing: why })
  const billedFrom = knownBy(policy.billedFrom, knownAt)[0]
  if (billedFrom && month < billedFrom.month) return nothing("before billed here from")

  const periods = knownBy(policy.periods, knownAt)
  const covers = knownBy(member.covers, knownAt)
  const cover = factOn(covers, month)
  if (!cover) return nothing("not covered")
  const period = factOn(periods, month)
  if (!period) return nothing("not in force")
  if (period.kind === "suspended") return nothing("policy suspended")
  if (cover.kind === "suspended") return nothing("member suspended")

  const { tierId } = cover
  const premium = factOn(knownBy(policy.premiums, knownAt), month)
  const costs = premium ? costOf(policy, premium, member, cover, { month, knownAt }) : { cents: null, uncovered: null }
  if (costs.cents === null) return { vat, cents: null, unrated: true, tierId, uncovered: costs.uncovered }
  const { cents: premiumCents, parts } = costs
  const rule = factOn(knownBy(policy.endRules, knownAt), month)?.rule ?? "whole month"
  const last = lastOfMonth(month)
  const whole: Owed = { vat, cents: premiumCents, basis: { tierId, premiumCents, parts, days: null } }
  if (rule === "whole month") return whole
  const days = { covered: daysCovered(covers, periods, month, last), of: daysBetween(month, last) + 1 }
  if (days.covered === days.of) return whole
  return { vat, cents: shareOf(premiumCents, days.covered, days.of), basis: { tierId, premiumCents, parts, days } }
}

function costOf(
  policy: PolicyFacts,
  { premiumCents, rates }: PremiumFact,
  member: MemberFacts,
  { tierId }: CoverFact,
  { month, knownAt }: { month: Day; knownAt: Instant },
): Rated {
  if (!rates) return { cents: premiumCents, parts: [] }
  const dependents = knownBy(member.dependents ?? [], knownAt).filter((one) => holdsOn(one, month))
  const household = {
    tierId,
    bornOn: knownBy(member.births ?? [], knownAt)[0]?.bornOn ?? null,
    salaryCents: factOn(knownBy(member.salaries ?? [], knownAt), month)?.monthlyCents ?? null,
    dependents: dependents.map(({ relationship: person, bornOn }) => ({ person, bornOn })),
  }
  return rated(rates, household, ageDayOf(rates, month, policy.startOn ?? month))
}

function daysCovered(covers: readonly CoverFact[], periods: readonly PeriodFact[], from: Day, until: Day): number {
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
