import { expect, test } from "vitest"
import { findGapBefore } from "./statement-gap.ts"

const precedingStatement = { fromOn: "2026-11-01", beforeCents: 900_00, sameDayCents: [], lastOn: "2026-10-31" }

test.each([
  ["it opens where the lines before end", { openingCents: 900_00 }],
  ["it begins after the lines of a known day", { openingCents: 950_00, sameDayCents: [10_00, 50_00] }],
  ["it begins in the middle of a known day", { openingCents: 910_00, sameDayCents: [10_00, 50_00] }],
  ["nothing was booked on the days between", { openingCents: 900_00, lastOn: "2026-10-20" }],
  ["the file says no balance and its days follow", { openingCents: null }],
  ["the file says no balance and begins the account", { openingCents: null, lastOn: null }],
])("finds no gap if %s", (_, more) => {
  expect(findGapBefore({ ...precedingStatement, ...more }, "ZAR")).toBeNull()
})

test("a gap's message has both balances, the missing amount and the gap's start", () => {
  const sentence = findGapBefore({ ...precedingStatement, openingCents: 1_000_00 }, "ZAR")!.replaceAll("\u00a0", " ")
  expect(sentence).toBe(
    "Its opening balance is R 1 000,00, but the account balance before 2026-11-01 is R 900,00: lines of R 100,00 are missing after 2026-10-31.",
  )
  expect(findGapBefore({ ...precedingStatement, openingCents: null, lastOn: "2026-10-20" }, "ZAR")).toBe(
    "No statement covers 2026-10-21 to 2026-10-31, and the file has no balance: lines may be missing.",
  )
})
