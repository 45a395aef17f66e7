import fc from "fast-check"
import { expect, test } from "vitest"
import { type MonthPremium, premiumByMonth, premiumParts } from "./earned-premium.ts"

const [october, november, december] = ["2026-10-01", "2026-11-01", "2026-12-01"] as const
const createMonthPremium = (month: string, netCents: number): MonthPremium => ({ month, netCents })

test.each([
  [
    "adds up the lines of a month",
    [createMonthPremium(november, 100), createMonthPremium(november, 50)],
    0,
    [createMonthPremium(november, 150)],
  ],
  [
    "leaves out a month that comes to nothing",
    [createMonthPremium(october, 100), createMonthPremium(october, -100), createMonthPremium(november, 7)],
    0,
    [createMonthPremium(november, 7)],
  ],
  [
    "sorts the months",
    [createMonthPremium(december, 1), createMonthPremium(october, 2)],
    0,
    [createMonthPremium(october, 2), createMonthPremium(december, 1)],
  ],
  [
    "shares a discount like the premium",
    [createMonthPremium(october, 300), createMonthPremium(november, 100)],
    40,
    [createMonthPremium(october, 270), createMonthPremium(november, 90)],
  ],
  [
    "shares the odd cent of a discount once",
    [createMonthPremium(october, 100), createMonthPremium(november, 100), createMonthPremium(december, 100)],
    100,
    [createMonthPremium(october, 67), createMonthPremium(november, 66), createMonthPremium(december, 67)],
  ],
  [
    "shares a discount over a month that is taken back",
    [createMonthPremium(october, -100), createMonthPremium(november, 300)],
    20,
    [createMonthPremium(october, -90), createMonthPremium(november, 270)],
  ],
  [
    "puts the discount of lines that come to nothing on the first month",
    [createMonthPremium(october, 100), createMonthPremium(november, -100)],
    -7,
    [createMonthPremium(october, 107), createMonthPremium(november, -100)],
  ],
] as const)("splits a document's premium by month %s", (_what, lines, discountCents, expected) =>
  expect(premiumByMonth(lines, discountCents)).toEqual(expected))

test("premium by month adds up to the discounted lines, within a cent per month", () => {
  const anyMonth = fc.constantFrom("2026-08-01", "2026-09-01", october, november, december)
  const lines = fc.array(fc.record({ month: anyMonth, netCents: fc.integer({ min: -50_000, max: 1e9 }) }), {
    minLength: 1,
  })
  fc.assert(
    fc.property(lines, fc.double({ min: 0, max: 1, noNaN: true }), (billed, part) => {
      const wholeCents = billed.reduce((sum, { netCents }) => sum + netCents, 0)
      fc.pre(wholeCents > 0)
      const discountCents = Math.floor(wholeCents * part)
      const byMonth = premiumByMonth(billed, discountCents)
      expect(byMonth.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(wholeCents - discountCents)
      for (const { month, netCents } of byMonth) {
        const ofMonth = billed.filter((one) => one.month === month).reduce((sum, one) => sum + one.netCents, 0)
        expect(Math.abs(netCents - ofMonth * (1 - discountCents / wholeCents))).toBeLessThan(1.01)
      }
    }),
  )
})

test.each([
  ["its own month counts on the document's day", november, "2026-11-20", "2026-01-01", "2026-11-23", "2026-11-20"],
  ["a later month waits", december, "2026-11-20", "2026-01-01", "2026-11-23", null],
  ["a later month that has begun counts on its first", december, "2026-11-20", "2026-01-01", "2026-12-04", december],
  ["an open earlier month counts on its first", october, "2026-11-20", "2026-01-01", "2026-11-23", october],
  [
    "a closed month counts with a document of the first open month",
    october,
    "2026-11-20",
    november,
    "2026-11-23",
    "2026-11-20",
  ],
  [
    "a closed month counts on the first open day before the document",
    "2026-08-01",
    "2026-11-20",
    october,
    "2026-11-23",
    october,
  ],
  [
    "a month before a document of a later month counts at once",
    november,
    "2026-12-15",
    "2026-01-01",
    "2026-11-23",
    november,
  ],
] as const)("the day on which premium is earned: %s", (_what, month, postedOn, firstOpen, today, earnedOn) =>
  expect(premiumParts([createMonthPremium(month, 1)], { postedOn, firstOpen, today })).toEqual([
    { ...createMonthPremium(month, 1), earnedOn },
  ]))
