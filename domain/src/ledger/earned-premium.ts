import { type Day, firstOfMonth, maxDay } from "../kernel/calendar.ts"
import { type Cents, shareOf } from "../kernel/money.ts"

/** Premium in cents without VAT; `month` is the first day of the cover month. Negative if credited. */
export interface MonthPremium {
  month: Day
  netCents: Cents
}

/** `earnedOn` is the day on which the part becomes income; null until its month begins. */
export interface PremiumPart extends MonthPremium {
  earnedOn: Day | null
}

/**
 * A document's premium by cover month, in month order. `discountCents` is divided in proportion; the parts add up
 * exactly to the lines less the discount. Omits months of 0.
 */
export function premiumByMonth(lines: readonly MonthPremium[], discountCents: Cents): MonthPremium[] {
  const billed = new Map<Day, Cents>()
  for (const { month, netCents } of lines) billed.set(month, (billed.get(month) ?? 0) + netCents)
  const wholeCents = lines.reduce((sum, { netCents }) => sum + netCents, 0)
  // Lines that sum to 0 have no proportions, so the first month gets the discount.
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
 * The day on which each part of a document's premium is earned: the first of its month, or the first open day if that
 * month is closed. A part of the month of the document's ledger entry is earned on that entry's day. Later months stay
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
