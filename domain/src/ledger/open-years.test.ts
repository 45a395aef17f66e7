import { expect, test } from "vitest"
import { openYears, openYearsError } from "./open-years.ts"

test.each([
  ["2026-01-01", "2025-01-01", "2026-12-31"],
  ["2026-03-31", "2025-01-01", "2026-12-31"],
  ["2026-04-01", "2026-01-01", "2027-12-31"],
  ["2026-12-31", "2026-01-01", "2027-12-31"],
])("on %s, amounts can be dated from %s to %s", (today, from, to) => {
  expect(openYears(today)).toEqual({ from, to })
  expect([from, to].map((day) => openYearsError(day, today))).toEqual([null, null])
})

test.each([
  "1800-01-01",
  "2025-12-31",
  "2028-01-01",
  "2999-12-31",
])("on 2026-11-21, amounts cannot be dated %s", (day) =>
  expect(openYearsError(day, "2026-11-21")).toBe("The date must be between 2026-01-01 and 2027-12-31"))
