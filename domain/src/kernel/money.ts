/** The currencies that a house can keep its money in: one, for all of it (specification 2, section 9). */
export const currencies = ["ZAR", "USD", "EUR"] as const
export type Currency = (typeof currencies)[number]

/** How people write them before an amount, and what they are called. */
export const currencySigns: Record<Currency, string> = { ZAR: "R", USD: "$", EUR: "€" }
export const currencyNames: Record<Currency, string> = { ZAR: "rand", USD: "US dollars", EUR: "euros" }

/** An amount of money in whole cents of the house's currency. Always an integer; never rands, never a fraction. */
export type Cents = number

const nbsp = "\u00a0"

/**
 * An amount as people read it: `R 1 234,50`, with no-break spaces and a decimal comma; a minus stands in front of the
 * currency's sign. The only place where money becomes text, so that every browser and every document shows the same.
 */
export function formatMoney(amount: Cents, currency: Currency): string {
  return `${amount < 0 ? "-" : ""}${currencySigns[currency]}${nbsp}${formatAmount(Math.abs(amount))}`
}

/** An amount as people type it, where the sign stands beside it already: `1 234,50`. */
export function formatAmount(amount: Cents): string {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of cents: ${amount}`)
  const digits = String(Math.abs(amount)).padStart(3, "0")
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, nbsp)
  return `${amount < 0 ? "-" : ""}${whole},${digits.slice(-2)}`
}

/**
 * The title of amounts in a file or on a document, with the code of their currency: `Amount (EUR)`. Rand goes without it,
 * as it always did.
 */
export const amountTitle = (title: string, currency: Currency): string =>
  currency === "ZAR" ? title : `${title} (${currency})`

/** What may stand before an amount that is typed or read from a file: the house's own currency and no other. */
const signed = Object.fromEntries(
  currencies.map((currency) => {
    const sign = currencySigns[currency].replace("$", "\\$")
    return [
      currency,
      new RegExp(`^([-\u2212]?)\\s?(?:(?:${sign}|${currency})\\s?)?([-\u2212]?)\\s?(\\d[\\d ,.]*)$`, "i"),
    ]
  }),
) as Record<Currency, RegExp>

/**
 * Reads an amount as people type it: `1234.5`, `1 234,50`, `R1,234.50`, `R 1 234,50`, `-R 5`, `ZAR 5`.
 * A comma before exactly three digits separates thousands, before one or two it is the decimal comma.
 * Returns cents, or null where the text is not an amount, or one of another currency (more than two decimals included:
 * nothing is rounded away).
 */
export function parseMoney(text: string, currency: Currency): Cents | null {
  const plain = text.replace(/[\s\u00a0\u2009\u202f]+/g, " ").trim()
  const parts = signed[currency].exec(plain)
  if (!parts || (parts[1] && parts[2])) return null
  const amount =
    /^(\d+)(?:[.,](\d{1,2}))?$/.exec(parts[3]!) ??
    /^(\d{1,3}(?: \d{3})+)(?:[.,](\d{1,2}))?$/.exec(parts[3]!) ??
    /^(\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(parts[3]!)
  if (!amount) return null
  const value = Number(amount[1]!.replace(/[ ,]/g, "") + (amount[2] ?? "").padEnd(2, "0"))
  if (!Number.isSafeInteger(value)) return null
  return (parts[1] || parts[2]) && value !== 0 ? -value : value
}

/** The total of an invoice line: quantity × unit price, rounded once, half away from zero. Quantity may be a decimal. */
export function lineTotal(quantity: number, unitCents: Cents): Cents {
  const total = quantity * unitCents
  // Of whole numbers a product that is safe is exact: nearly all lines, of which a premium run has thousands.
  if (Number.isInteger(quantity) && Number.isInteger(unitCents) && Number.isSafeInteger(total)) return total || 0
  const { units, scale } = decimal(quantity)
  return divideRounded(BigInt(unitCents) * units, scale)
}

/** `percent` per cent of an amount (15 means 15 %; decimals allowed), rounded once, half away from zero. */
export function percentOf(amount: Cents, percent: number): Cents {
  const { units, scale } = decimal(percent)
  return divideRounded(BigInt(amount) * units, scale * 100n)
}

/** `amount × part ÷ whole`, rounded once, half away from zero; exact, since the product may be beyond what a number holds. */
export function shareOf(amount: Cents, part: number, whole: number): Cents {
  const sign = whole < 0 ? -1n : 1n
  return divideRounded(BigInt(amount) * BigInt(part) * sign, BigInt(whole) * sign)
}

/** The decimal that a number is written as, exactly: 14.5 is 145 units of scale 10. Binary fractions never enter. */
function decimal(value: number): { units: bigint; scale: bigint } {
  if (!Number.isFinite(value)) throw new RangeError(`not a number: ${value}`)
  const text = /e/i.test(String(value)) ? value.toFixed(20) : String(value)
  const [whole, fraction = ""] = text.split(".")
  return { units: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) }
}

function divideRounded(numerator: bigint, denominator: bigint): Cents {
  const away = numerator < 0n ? -denominator : denominator
  const result = Number((numerator * 2n + away) / (denominator * 2n))
  if (!Number.isSafeInteger(result)) throw new RangeError("amount out of range")
  return result === 0 ? 0 : result
}
