import fc from "fast-check"
import { expect, test } from "vitest"
import { formatShare, parseShare, splitByShares, sumOfShares, wholeShare } from "./shares.ts"

test.each([
  ["100", 10_000],
  ["33.33", 3_333],
  ["33,3", 3_330],
  ["50 %", 5_000],
  [" 0.01% ", 1],
  ["33.333", null],
  ["-5", null],
  ["half", null],
  ["", null],
])("reads the share %j", (text, share) => expect(parseShare(text)).toBe(share))

test("a written share reads back as the same share", () => {
  fc.assert(fc.property(fc.nat(wholeShare), (share) => parseShare(formatShare(share)) === share))
})

test("cents left after rounding down go to the largest remainders, then to the earlier share", () => {
  expect(splitByShares(100_00, [3_333, 3_333, 3_334])).toEqual([33_33, 33_33, 33_34])
  expect(splitByShares(1_00, [3_333, 3_333, 3_334])).toEqual([33, 33, 34])
  expect(splitByShares(1, [5_000, 5_000])).toEqual([1, 0])
  expect(splitByShares(10, [2_500, 2_500, 5_000])).toEqual([3, 2, 5])
})

test("refuses shares of 99.99 %", () => {
  expect(() => splitByShares(100, [9_999])).toThrow(RangeError)
})

/** Up to eight shares above zero that add up to 100.00 %. */
const shares = fc
  .uniqueArray(fc.integer({ min: 1, max: wholeShare - 1 }), { maxLength: 7 })
  .map((cuts) => [0, ...cuts.sort((one, other) => one - other), wholeShare])
  .map((cuts) => cuts.slice(1).map((cut, at) => cut - cuts[at]!))

test("the parts add up to the amount, and each differs from its exact share by less than a cent", () => {
  fc.assert(
    fc.property(fc.nat(9_000_000_000_000), shares, (amount, each) => {
      expect(sumOfShares(each)).toBe(wholeShare)
      const parts = splitByShares(amount, each)
      expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(amount))
      parts.forEach((part, at) => {
        const difference = BigInt(part) * BigInt(wholeShare) - BigInt(amount) * BigInt(each[at]!)
        expect(difference < BigInt(wholeShare) && difference > -BigInt(wholeShare)).toBe(true)
      })
    }),
  )
})

test("a larger share never gets less", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), shares, (amount, each) => {
      const sorted = [...each].sort((one, other) => other - one)
      const parts = splitByShares(amount, sorted)
      return parts.every((part, at) => at === 0 || part <= parts[at - 1]!)
    }),
  )
})
