import { type Day, yearOf } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { monthNames } from "./difference-words.ts"
import type { Effect, EffectPart } from "./effect.ts"

/** Amounts listed; the rest are counted. */
const maxListedAmounts = 4

/**
 * "Next invoice: R 700,00 more (once for August R 350,00; then monthly from September R 350,00; excl. VAT)". Adds the
 * first later month that changes, and why months cannot be billed.
 */
export function effectSentence(effect: Effect, currency: Currency): string {
  const { unrated, why, later } = effect
  const sentences = [`Next invoice: ${nextInvoiceSentence(effect, currency)}`]
  if (later)
    sentences.push(
      `From ${monthNames([later.month], true)}: ${signedAmountText(later.cents, currency)} a month, excl. VAT`,
    )
  const reasons = why.length > 0 ? why.join("; ") : "no premium"
  if (unrated > 0)
    sentences.push(
      `${unrated === 1 ? "One member month" : `${unrated.toLocaleString("en-ZA")} member months`} cannot be billed: ${reasons}`,
    )
  else if (why.length > 0) sentences.push(`Later months cannot be billed: ${reasons}`)
  return sentences.join(". ")
}

/** One sentence for each of the first few policies, and the number of refused members if there are several. */
export function effectSentences(
  effects: readonly (Effect & { policyNumber: string })[],
  refused: number,
  currency: Currency,
): string[] {
  const several = effects.length > 1
  const sentences = effects
    .slice(0, maxListedAmounts)
    .map((effect) => `${several ? `${effect.policyNumber}: ` : ""}${effectSentence(effect, currency)}`)
  const others = effects.length - maxListedAmounts
  if (others > 0) sentences.push(others === 1 ? "And one other policy" : `And ${others} other policies`)
  if (refused > 0 && (effects.length > 0 || refused > 1))
    sentences.push(
      `Not included: ${refused === 1 ? "one member" : `${refused.toLocaleString("en-ZA")} members`} for whom this change will be refused`,
    )
  return sentences
}

const signedAmountText = (cents: Cents, currency: Currency) =>
  `${formatMoney(Math.abs(cents), currency)} ${cents > 0 ? "more" : "less"}`

function nextInvoiceSentence({ month, cents, parts, isMonthly }: Effect, currency: Currency): string {
  if (parts.length === 0) return "no change"
  const sum = cents === 0 ? "same total" : signedAmountText(cents, currency)
  const withYear = parts.some(({ months }) => months.some((of) => yearOf(of) !== yearOf(month)))
  const words = (some: readonly EffectPart[]) => {
    const amounts = some
      .slice(0, maxListedAmounts)
      .map((part) => effectPartText(part, cents < 0 ? -1 : 1, withYear, currency))
    const others = some.length - maxListedAmounts
    if (others > 0) amounts.push(others === 1 ? "and one other amount" : `and ${others} other amounts`)
    return amounts.join("; ")
  }
  const [once, monthly] = [
    filterPartsByMonth(parts, (of) => of < month),
    filterPartsByMonth(parts, (of) => of >= month),
  ]
  const [only] = parts
  if (parts.length === 1 && only!.members * only!.months.length === 1)
    return `${sum} for ${monthNames(only!.months, withYear)}, excl. VAT`
  if (!isMonthly || once.length === 0 || monthly.length === 0) return `${sum} (${words(parts)}; excl. VAT)`
  return `${sum} (once for ${words(once)}; then monthly from ${words(monthly)}; excl. VAT)`
}

const filterPartsByMonth = (parts: readonly EffectPart[], isAsked: (month: Day) => boolean): EffectPart[] =>
  parts.map((part) => ({ ...part, months: part.months.filter(isAsked) })).filter(({ months }) => months.length > 0)

/** "August and September, 2 × R 350,00", or "October, 30 members, 30 × R 350,00". */
function effectPartText(
  { months, members, cents }: EffectPart,
  sign: 1 | -1,
  withYear: boolean,
  currency: Currency,
): string {
  const times = months.length * members
  return [
    monthNames(months, withYear),
    ...(members > 1 ? [`${members.toLocaleString("en-ZA")} members`] : []),
    `${times > 1 ? `${times.toLocaleString("en-ZA")} × ` : ""}${formatMoney(sign * cents, currency)}`,
  ].join(", ")
}
