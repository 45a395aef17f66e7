import { type Day, firstOfMonth, maxDay } from "../kernel/calendar.ts"
import { type Cents, shareOf } from "../kernel/money.ts"

/** Cents without VAT, by first day of the cover month. Negative when credited. */
export interface MonthPremium {
  month: Day
  netCents: Cents
}

/** `earnedOn`: when it becomes income; null until its month begins. */
export interface PremiumPart extends MonthPremium {
  earnedOn: Day | null
}

/**
 * A document's premium by cover month, in month order. `discountCents` is shared in proportion; the parts add up
 * exactly to the lines less the discount. Months of 0 are left out.
 */
export function premiumByMonth(lines: readonly MonthPremium[], discountCents: Cents): MonthPremium[] {
  const billed = new Map<Day, Cents>()
  for (const { month, netCents } of lines) billed.set(month, (billed.get(month) ?? 0) + netCents)
  const wholeCents = lines.reduce((sum, { netCents }) => sum + netCents, 0)
  // Lines that sum to 0 have no proportion: the first month bears the discount.
  const discountUpTo = (cents: Cents) => (wholeCents === 0 ? discountCents : shareOf(discountCents, cents, wholeCents))
  let upTo = 0
  let discounted = 0
  return [...billed]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([month, cents]) => {
      upTo += cents
      const share = discountUpTo(upTo) - discounted
      discounted += share
      return { month, netCents: cents - share }
    })
    .filter(({ netCents }) => netCents !== 0)
}

/**
 * When each part of a document's premium is earned: on the first of its month, or the first open day if that month is
 * closed. A part of the month in which the document's entry counts is earned on that entry's day. Later months stay
 * unearned until they begin.
 */
export function premiumParts(
  byMonth: readonly MonthPremium[],
  { postedOn, firstOpen, today }: { postedOn: Day; firstOpen: Day; today: Day },
): PremiumPart[] {
  return byMonth.map((part) => {
    const countsOn = maxDay(part.month, firstOpen)
    if (firstOfMonth(countsOn) === firstOfMonth(postedOn)) return { ...part, earnedOn: postedOn }
    return { ...part, earnedOn: countsOn < postedOn || part.month <= today ? countsOn : null }
  })
}
