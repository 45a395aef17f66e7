import { type Day, firstOfMonth, maxDay } from "../kernel/calendar.ts"
import { type Cents, shareOf } from "../kernel/money.ts"

/** Premium for a cover month, by its first day, without VAT. Below zero where premium is taken back. */
export interface MonthPremium {
  month: Day
  netCents: Cents
}

/** A part of a document's premium, and the day on which it is income; null until its month begins. */
export interface PremiumPart extends MonthPremium {
  earnedOn: Day | null
}

/**
 * Premium of a document by cover month, in the order of the months. `discountCents` of the whole document is shared in
 * proportion to what each month bills; the parts add up to the lines less the discount, to the cent. Months that come to
 * nothing are left out.
 */
export function premiumByMonth(lines: readonly MonthPremium[], discountCents: Cents): MonthPremium[] {
  const billed = new Map<Day, Cents>()
  for (const { month, netCents } of lines) billed.set(month, (billed.get(month) ?? 0) + netCents)
  const wholeCents = lines.reduce((sum, { netCents }) => sum + netCents, 0)
  // Lines that come to nothing together give no proportion: then the first month bears the discount.
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
 * When each part of a document's premium is income. Its day is the first of its month, or the first open day where that
 * month is closed; a part that counts in the month of the document's entry counts on the day of that entry. A part of a
 * later month stays unearned until its month begins.
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
