import { describe, expect, test } from "vitest"
import { checkClosable, checkReopenable, effectiveDay, firstOpenDay } from "./closed-months.ts"

const today = "2026-11-20"

test("the first open day is after the last closed month and within the open years", () => {
  expect(firstOpenDay(today, null)).toBe("2026-01-01")
  expect(firstOpenDay(today, "2026-10-01")).toBe("2026-11-01")
  expect(firstOpenDay(today, "2024-03-01")).toBe("2026-01-01")
  expect(firstOpenDay("2027-02-10", "2026-12-01")).toBe("2027-01-01")
})

test.each([
  ["2026-11-03", undefined, "2026-11-03"],
  ["2026-10-31", undefined, "2026-11-01"],
  ["2025-12-31", undefined, "2026-11-01"],
  ["2026-10-31", "2026-11-09", "2026-11-09"],
  ["2026-11-12", "2026-11-09", "2026-11-12"],
])("with October closed, a document of %s correcting one of %s takes effect on %s", (day, corrects, counts) =>
  expect(effectiveDay(day, "2026-11-01", corrects)).toBe(counts))

describe("closing a month", () => {
  test.each([
    ["2026-10-01", null, true],
    ["2026-03-01", null, true],
    ["2026-10-01", "2026-09-01", true],
    ["2026-10-01", "2026-08-01", { refused: "NOT_NEXT", message: "Months close in order. Close Sep 2026 first." }],
    ["2026-10-01", "2026-10-01", { refused: "CLOSED" }],
    ["2026-09-01", "2026-10-01", { refused: "CLOSED" }],
    ["2026-11-01", "2026-10-01", { refused: "NOT_OVER", message: "Nov 2026 is not over yet." }],
    ["2026-12-01", null, { refused: "NOT_OVER" }],
  ])("%s after the last closed month %s: %o", (month, closed, expected) => {
    const decided = checkClosable(month, today, closed)
    if (expected === true) expect(decided).toBe(true)
    else expect(decided).toMatchObject(expected as object)
  })

  test("is possible from the day after the month's last day", () => {
    expect(checkClosable("2026-10-01", "2026-10-31", null)).toMatchObject({ refused: "NOT_OVER" })
    expect(checkClosable("2026-10-01", "2026-11-01", null)).toBe(true)
  })
})

test.each([
  ["2026-10-01", "2026-10-01", true],
  ["2026-09-01", "2026-10-01", false],
  ["2026-11-01", "2026-10-01", false],
  ["2026-10-01", null, false],
])("%s can be reopened if %s was closed last: %s", (month, closed, may) =>
  expect(checkReopenable(month, closed) === true).toBe(may))
