import { type Day, yearOf } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { monthNames } from "./difference-words.ts"
import type { Effect, EffectPart } from "./effect.ts"

/** Amounts that are told one by one; of more, how many others there are. */
const told = 4

/**
 * What a change does to the next invoice, as a sentence: "Next invoice: R 700,00 more: August and September,
 * 2 × R 350,00, without VAT". Where it stays as it is, from when on another does not. Of whom rates do not cover, what
 * is missing: "One month of a member cannot be billed: no date of birth".
 */
export function effectSentence({ month, cents, parts, unrated, why, later }: Effect, currency: Currency): string {
  const sentences = [`Next invoice: ${ofNextInvoice(month, cents, parts, currency)}`]
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

function ofNextInvoice(month: Day, cents: Cents, parts: readonly EffectPart[], currency: Currency): string {
  if (parts.length === 0) return "no change"
  const sum = cents === 0 ? "the same in sum" : moreOrLess(cents, currency)
  const withYear = parts.some(({ months }) => months.some((of) => yearOf(of) !== yearOf(month)))
  const amounts = parts.slice(0, told).map((part) => amount(part, cents < 0 ? -1 : 1, withYear, currency))
  const others = parts.length - told
  if (others > 0) amounts.push(others === 1 ? "and one other amount" : `and ${others} other amounts`)
  return `${sum}: ${amounts.join("; ")}, without VAT`
}

/** "August and September, 2 × R 350,00"; of several members "October, 30 members, 30 × R 350,00". */
function amount({ months, members, cents }: EffectPart, sign: 1 | -1, withYear: boolean, currency: Currency): string {
  const times = months.length * members
  return [
    monthNames(months, withYear),
    ...(members > 1 ? [`${members.toLocaleString("en-ZA")} members`] : []),
    `${times > 1 ? `${times.toLocaleString("en-ZA")} × ` : ""}${formatMoney(sign * cents, currency)}`,
  ].join(", ")
}
