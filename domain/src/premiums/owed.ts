import { type Vat, vatAt } from "../benefits/vat.ts"
import { addDays, type Day, daysBetween, lastOfMonth, maxDay, minDay } from "../kernel/calendar.ts"
import { type Cents, shareOf } from "../kernel/money.ts"
import {
  type CoverFact,
  factOn,
  type Instant,
  knownBy,
  type MemberFacts,
  type PeriodFact,
  type PolicyFacts,
} from "./premium-facts.ts"

/** Why a member owes nothing for a month. */
export type NothingOwed =
  | "before billed here from"
  | "not in force"
  | "policy suspended"
  | "not covered"
  | "member suspended"

/** How an amount came about. */
export interface OwedBasis {
  /** The tier on the 1st. */
  tierId: string
  /** What the whole month costs, without VAT. */
  premiumCents: Cents
  /** Of how many days of the month the member was covered, where the month in which cover ends goes by days. */
  days: { covered: number; of: number } | null
}

/**
 * What a member owes for a month: cents without VAT and before any discount, and the VAT of the month. `unrated` is a
 * month that is owed and that no premium covers: it is never nothing, it cannot be billed.
 */
export type Owed = { vat: Vat } & (
  | { cents: Cents; basis: OwedBasis }
  | { cents: 0; nothing: NothingOwed }
  | { cents: null; unrated: true; tierId: string }
)

/**
 * What a policy owes for a member and a month, `month` being its first day, as known at an instant (money: The premium
 * run). Whoever is covered on the 1st pays the whole month, at the premium of the 1st; suspended on it, the member or
 * the policy, nothing. Where the end of cover goes by days, a month in which it ends owes its share of days covered.
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
  if (!premium) return { vat, cents: null, unrated: true, tierId }
  const { premiumCents } = premium
  const rule = factOn(knownBy(policy.endRules, knownAt), month)?.rule ?? "whole month"
  const last = lastOfMonth(month)
  if (rule === "whole month" || (factOn(covers, last) && factOn(periods, last)))
    return { vat, cents: premiumCents, basis: { tierId, premiumCents, days: null } }
  const days = { covered: daysCovered(covers, periods, month, last), of: daysBetween(month, last) + 1 }
  return { vat, cents: shareOf(premiumCents, days.covered, days.of), basis: { tierId, premiumCents, days } }
}

/** On how many days from one to another the member was covered while the policy was in force. */
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
