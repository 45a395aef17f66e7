/** An installation uses one currency for everything (specification 2, section 9). */
export const currencies = ["ZAR", "USD", "EUR"] as const
export type Currency = (typeof currencies)[number]

export const currencySigns: Record<Currency, string> = { ZAR: "R", USD: "$", EUR: "€" }
export const currencyNames: Record<Currency, string> = { ZAR: "rand", USD: "US dollars", EUR: "euros" }

/** Whole cents of the installation's currency; always an integer. */
export type Cents = number

const noBreakSpace = "\u00a0"

/** `R 1 234,50` with no-break spaces, independent of locale, so that every browser and document shows the same. */
export function formatMoney(amount: Cents, currency: Currency): string {
  return `${amount < 0 ? "-" : ""}${currencySigns[currency]}${noBreakSpace}${formatAmount(Math.abs(amount))}`
}

/** `1 234,50`, for inputs that show the sign. */
export function formatAmount(amount: Cents): string {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of cents: ${amount}`)
  const digits = String(Math.abs(amount)).padStart(3, "0")
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, noBreakSpace)
  return `${amount < 0 ? "-" : ""}${whole},${digits.slice(-2)}`
}

/** `Amount (EUR)`; no code for rand. */
export const amountTitle = (title: string, currency: Currency): string =>
  currency === "ZAR" ? title : `${title} (${currency})`

/** One pattern per currency: no other currency's sign is accepted. */
const moneyPatterns = Object.fromEntries(
  currencies.map((currency) => {
    const sign = currencySigns[currency].replace("$", "\\$")
    return [
      currency,
      new RegExp(`^([-\u2212]?)\\s?(?:(?:${sign}|${currency})\\s?)?([-\u2212]?)\\s?(\\d[\\d ,.]*)$`, "i"),
    ]
  }),
) as Record<Currency, RegExp>

/**
 * Parses `1234.5`, `1 234,50`, `R1,234.50`, `-R 5`, `ZAR 5`. A comma before exactly three digits separates thousands;
 * before one or two it is a decimal comma. Returns cents, or null for other text, another currency, or more decimals.
 */
export function parseMoney(text: string, currency: Currency): Cents | null {
  const plain = text.replace(/[\s\u00a0\u2009\u202f]+/g, " ").trim()
  const parts = moneyPatterns[currency].exec(plain)
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

/** Quantity (decimals allowed) × unit price, rounded once, half away from zero. */
export function lineTotal(quantity: number, unitCents: Cents): Cents {
  const total = quantity * unitCents
  // A safe integer product is exact; a premium run has thousands of lines.
  if (Number.isInteger(quantity) && Number.isInteger(unitCents) && Number.isSafeInteger(total)) return total || 0
  const { units, scale } = decimalOf(quantity)
  return divideRounded(BigInt(unitCents) * units, scale)
}

/** `percent` 15 means 15 %; decimals allowed. Rounds once, half away from zero. */
export function percentOf(amount: Cents, percent: number): Cents {
  const { units, scale } = decimalOf(percent)
  return divideRounded(BigInt(amount) * units, scale * 100n)
}

/**
 * `amount × part ÷ whole`, rounded once, half away from zero. Exact even when the product exceeds the safe integers.
 */
export function shareOf(amount: Cents, part: number, whole: number): Cents {
  const sign = whole < 0 ? -1n : 1n
  return divideRounded(BigInt(amount) * BigInt(part) * sign, BigInt(whole) * sign)
}

/** The exact decimal value, without binary rounding: 14.5 becomes 145 units of scale 10. */
function decimalOf(value: number): { units: bigint; scale: bigint } {
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
