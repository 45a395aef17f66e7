import { describe, expect, it } from "vitest"
import { fc } from "../../test/property.ts"
import { amountTitle, currencies, formatAmount, formatMoney, lineTotal, parseMoney, percentOf } from "./money.ts"

const amount = fc.integer({ min: -10_000_000_000_00, max: 10_000_000_000_00 })

describe("formatMoney", () => {
  it.each([
    [0, "R\u00a00,00"],
    [5, "R\u00a00,05"],
    [100, "R\u00a01,00"],
    [123450, "R\u00a01\u00a0234,50"],
    [99999, "R\u00a0999,99"],
    [100000, "R\u00a01\u00a0000,00"],
    [123456789012, "R\u00a01\u00a0234\u00a0567\u00a0890,12"],
    [-123450, "-R\u00a01\u00a0234,50"],
  ])("formats %i cents as %s", (cents, text) => expect(formatMoney(cents, "ZAR")).toBe(text))

  it.each([
    [123450, "USD", "$\u00a01\u00a0234,50"],
    [-123450, "EUR", "-€\u00a01\u00a0234,50"],
  ] as const)("formats %i cents in %s as %s", (cents, currency, text) =>
    expect(formatMoney(cents, currency)).toBe(text))
  it("column titles name the currency, except rand", () =>
    expect(currencies.map((currency) => amountTitle("Amount", currency))).toEqual([
      ...["Amount", "Amount (USD)", "Amount (EUR)"],
    ]))

  it("refuses a fraction of a cent", () => expect(() => formatMoney(1.5, "ZAR")).toThrow(RangeError))
  it("a formatted amount parses back to the same amount", () =>
    fc.assert(
      fc.property(amount, fc.constantFrom(...currencies), (cents, currency) =>
        [formatMoney(cents, currency), formatAmount(cents)].every((text) => parseMoney(text, currency) === cents),
      ),
    ))
})

describe("parseMoney", () => {
  it.each([
    ["1234.5", 123450],
    ["1 234,50", 123450],
    ["1\u00a0234,50", 123450],
    ["R1,234.50", 123450],
    ["R 1 234,50", 123450],
    ["r 350", 35000],
    [" 12 ", 1200],
    ["1,23", 123],
    ["1,2", 120],
    ["1,234", 123400],
    ["1,234,567.89", 123456789],
    ["0.1", 10],
    ["-5", -500],
    ["-R 5,00", -500],
    ["R -5,00", -500],
    ["\u22125", -500],
    ["-0", 0],
  ])("reads %s", (text, cents) => expect(parseMoney(text, "ZAR")).toBe(cents))

  it.each([
    "",
    " ",
    "R",
    "abc",
    "1.2.3",
    "1,23,456",
    "1 23",
    "12 34,50",
    "1.234",
    "1.234,50",
    "12.",
    ".5",
    "--5",
    "-R-5",
  ])("refuses %j", (text) => expect(parseMoney(text, "ZAR")).toBeNull())
  it.each(["5 R", "$5", "1e3", "0x10", "NaN", "99999999999999999", "1234.567", "5c"])("refuses %j", (text) =>
    expect(parseMoney(text, "ZAR")).toBeNull())
  it.each([
    ["€ 1 234,50", "EUR", 123450],
    ["EUR 1234.50", "EUR", 123450],
    ["$1,234.50", "USD", 123450],
    ["ZAR 99.99", "ZAR", 9999],
    ["R 5", "EUR", null],
    ["€ 5", "ZAR", null],
    ["$ 5", "EUR", null],
    ["EUR 5", "USD", null],
  ] as const)("reads %s with the currency %s", (text, currency, cents) =>
    expect(parseMoney(text, currency)).toBe(cents))
  it("reads every amount with up to two decimals exactly", () =>
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.nat(99), (rands, rest) => {
        const decimals = String(rest).padStart(2, "0")
        return (
          parseMoney(`${rands}.${decimals}`, "ZAR") === rands * 100 + rest &&
          parseMoney(`${rands},${decimals}`, "ZAR") === rands * 100 + rest
        )
      }),
    ))
})

describe("amounts round half away from zero", () => {
  it.each([
    [3, 35000, 105000],
    [0.5, 1, 1],
    [0.5, -1, -1],
    [1.5, 101, 152],
    [1.005, 100, 101],
    [2.675, 100, 268],
    [1.1, 110, 121],
    [0, 35000, 0],
    [1e-7, 10_000_000, 1],
  ])("rounds %d × %i cents", (quantity, unit, total) => expect(lineTotal(quantity, unit)).toBe(total))

  it.each([
    [105000, 15, 15750],
    [10, 15, 2],
    [-10, 15, -2],
    [3, 15, 0],
    [1, 14.5, 0],
    [1000, 14.5, 145],
    [33333, 15, 5000],
    [100, 0, 0],
  ])("rounds the VAT on %i cents at %d %%", (cents, percent, vat) => expect(percentOf(cents, percent)).toBe(vat))

  it("rounding a negative amount mirrors the positive amount", () =>
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (cents, hundredths) =>
        Object.is(percentOf(-cents, hundredths / 100) + percentOf(cents, hundredths / 100), 0),
      ),
    ))
  it("the rounding error is at most half a cent", () =>
    fc.assert(
      fc.property(
        amount,
        fc.integer({ min: 0, max: 100 }),
        (cents, percent) => Math.abs(percentOf(cents, percent) * 100 - cents * percent) <= 50,
      ),
    ))
  it("refuses a value that is not a number", () => expect(() => lineTotal(Number.NaN, 100)).toThrow(RangeError))
  it("refuses an amount beyond the safe integers", () => expect(() => lineTotal(1e9, 1e12)).toThrow(RangeError))
})
