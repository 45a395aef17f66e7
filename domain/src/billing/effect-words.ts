import { type Day, yearOf } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { monthNames } from "./difference-words.ts"
import type { Effect, EffectPart } from "./effect.ts"

/** Amounts that are told one by one; of more, how many others there are. */
const told = 4

/**
 * What a change does to the next invoice, as a sentence: "Next invoice: R 700,00 more: once for August, R 350,00; and
 * every month from September, R 350,00, without VAT". Earlier months are billed once and stand apart. Where it stays as it is, from when on another does not. Of whom rates do not cover, what
 * is missing: "One month of a member cannot be billed: no date of birth".
 */
export function effectSentence(effect: Effect, currency: Currency): string {
  const { unrated, why, later } = effect
  const sentences = [`Next invoice: ${ofNextInvoice(effect, currency)}`]
  if (later)
    sentences.push(
      `From ${monthNames([later.month], true)} on ${moreOrLess(later.cents, currency)} a month, without VAT`,
    )
  const reasons = why.length > 0 ? why.join("; ") : "no premium"
  if (unrated > 0)
    sentences.push(
      `${unrated === 1 ? "One month of a member" : `${unrated.toLocaleString("en-ZA")} months of members`} cannot be billed: ${reasons}`,
    )
  else if (why.length > 0) sentences.push(`Later months cannot be billed: ${reasons}`)
  return sentences.join(". ")
}

/**
 * What a change does to the next invoices, a sentence each: of several policies, with their numbers, the first few. Of
 * several members, of how many it is not told, since the change would be refused; of one, nothing is told then.
 */
export function effectSentences(
  effects: readonly (Effect & { policyNumber: string })[],
  refused: number,
  currency: Currency,
): string[] {
  const several = effects.length > 1
  const sentences = effects
    .slice(0, told)
    .map((effect) => `${several ? `${effect.policyNumber}: ` : ""}${effectSentence(effect, currency)}`)
  const others = effects.length - told
  if (others > 0) sentences.push(others === 1 ? "And one other policy" : `And ${others} other policies`)
  if (refused > 0 && (effects.length > 0 || refused > 1))
    sentences.push(
      `Not in it: ${refused === 1 ? "one member" : `${refused.toLocaleString("en-ZA")} members`} for whom this will be refused`,
    )
  return sentences
}

const moreOrLess = (cents: Cents, currency: Currency) =>
  `${formatMoney(Math.abs(cents), currency)} ${cents > 0 ? "more" : "less"}`

function ofNextInvoice({ month, cents, parts, isMonthly }: Effect, currency: Currency): string {
  if (parts.length === 0) return "no change"
  const sum = cents === 0 ? "the same in sum" : moreOrLess(cents, currency)
  const withYear = parts.some(({ months }) => months.some((of) => yearOf(of) !== yearOf(month)))
  const words = (some: readonly EffectPart[]) => {
    const amounts = some.slice(0, told).map((part) => amount(part, cents < 0 ? -1 : 1, withYear, currency))
    const others = some.length - told
    if (others > 0) amounts.push(others === 1 ? "and one other amount" : `and ${others} other amounts`)
    return amounts.join("; ")
  }
  // Earlier months are billed once; where the month recurs, they stand apart from it.
  const [once, monthly] = [ofMonths(parts, (of) => of < month), ofMonths(parts, (of) => of >= month)]
  if (!isMonthly || once.length === 0 || monthly.length === 0) return `${sum}: ${words(parts)}, without VAT`
  return `${sum}: once for ${words(once)}; and every month from ${words(monthly)}, without VAT`
}

/** The parts with those of their months that are asked for. */
const ofMonths = (parts: readonly EffectPart[], isAsked: (month: Day) => boolean): EffectPart[] =>
  parts.map((part) => ({ ...part, months: part.months.filter(isAsked) })).filter(({ months }) => months.length > 0)

/** "August and September, 2 × R 350,00"; of several members "October, 30 members, 30 × R 350,00". */
function amount({ months, members, cents }: EffectPart, sign: 1 | -1, withYear: boolean, currency: Currency): string {
  const times = months.length * members
  return [
    monthNames(months, withYear),
    ...(members > 1 ? [`${members.toLocaleString("en-ZA")} members`] : []),
    `${times > 1 ? `${times.toLocaleString("en-ZA")} × ` : ""}${formatMoney(sign * cents, currency)}`,
  ].join(", ")
}
