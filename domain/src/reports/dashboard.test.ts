import { expect, test } from "vitest"
import { changePercent, comparisonOn, lossRatioOf, monthEndsBefore, monthsUpTo } from "./dashboard.ts"

test.each([
  [
    "2026-11-21",
    {
      asOf: "2026-11-21",
      asOfBefore: "2026-10-31",
      from: "2026-11-01",
      to: "2026-11-21",
      fromBefore: "2026-10-01",
      toBefore: "2026-10-21",
    },
  ],
  [
    "2026-03-31",
    {
      asOf: "2026-03-31",
      asOfBefore: "2026-02-28",
      from: "2026-03-01",
      to: "2026-03-31",
      fromBefore: "2026-02-01",
      toBefore: "2026-02-28",
    },
  ],
  [
    "2028-03-30",
    {
      asOf: "2028-03-30",
      asOfBefore: "2028-02-29",
      from: "2028-03-01",
      to: "2028-03-30",
      fromBefore: "2028-02-01",
      toBefore: "2028-02-29",
    },
  ],
  [
    "2027-01-01",
    {
      asOf: "2027-01-01",
      asOfBefore: "2026-12-31",
      from: "2027-01-01",
      to: "2027-01-01",
      fromBefore: "2026-12-01",
      toBefore: "2026-12-01",
    },
  ],
])("on %s the figures are compared with those of last month", (today, expected) => {
  expect(comparisonOn(today)).toEqual(expected)
})

test.each([
  [110, 100, 10],
  [90, 100, -10],
  [0, 3, -100],
  [1, 3, -67],
  [5, 0, null],
  [0, 0, null],
])("%i after %i is a change of %s per cent", (now, before, percent) => {
  expect(changePercent(now, before)).toBe(percent)
})

test("the dashboard charts cover this month so far and eleven complete months", () => {
  const months = monthsUpTo("2028-03-31")
  expect([months.length, months[0], months.at(-1)]).toEqual([12, "2027-04-01", "2028-03-01"])
  const ends = monthEndsBefore("2028-03-31")
  expect([ends.length, ends[0], ends.at(-1)]).toEqual([11, "2027-04-30", "2028-02-29"])
})

test.each([
  [632, 1_000, 63.2],
  [1_100, 1_000, 110],
  [1, 3, 33.3],
  [-5, 100, -5],
  [5, 0, null],
])("%i cents of claims in %i of premium are a loss ratio of %s per cent", (incurred, earned, ratio) => {
  expect(lossRatioOf(incurred, earned)).toBe(ratio)
})
