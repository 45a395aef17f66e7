import { expect, test } from "vitest"
import { changePercent, comparisonOn } from "./dashboard.ts"

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
])("on %s the figures are compared with last month's", (today, expected) => {
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
