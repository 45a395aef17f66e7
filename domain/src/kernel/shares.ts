import type { Cents } from "./money.ts"

/** A share in hundredths of a per cent: 10 000 is 100.00 %. */
export type BasisPoints = number

export const wholeShare: BasisPoints = 10_000

/** "33.33 %". */
export const formatShare = (share: BasisPoints): string => `${shareText(share)} %`

/** "33.33". */
export function shareText(share: BasisPoints): string {
  const points = Math.abs(share)
  const text = `${Math.floor(points / 100)}.${String(points % 100).padStart(2, "0")}`
  return share < 0 ? `-${text}` : text
}

/** Reads "33.33", "33,3" and "50 %" with at most two decimals; null for other text. */
export function parseShare(text: string): BasisPoints | null {
  const found = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(text.trim())
  return found ? Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : null
}

export const sumOfShares = (shares: readonly BasisPoints[]): BasisPoints =>
  shares.reduce((sum, share) => sum + share, 0)

/**
 * Splits an amount by shares that add up to 100.00 %. The parts are whole cents and add up to the amount. Cents left
 * after rounding down go to the largest remainders, then to the earlier share.
 */
export function splitByShares(amount: Cents, shares: readonly BasisPoints[]): Cents[] {
  if (sumOfShares(shares) !== wholeShare) throw new RangeError("the shares do not add up to 100.00 %")
  const whole = BigInt(wholeShare)
  const exact = shares.map((share) => BigInt(amount) * BigInt(share))
  const parts = exact.map((each) => Number(each / whole))
  const left = amount - parts.reduce((sum, part) => sum + part, 0)
  const byRemainder = exact
    .map((each, at) => ({ at, remainder: Number(each % whole) }))
    .sort((one, other) => other.remainder - one.remainder || one.at - other.at)
  for (const { at } of byRemainder.slice(0, left)) parts[at]! += 1
  return parts
}
