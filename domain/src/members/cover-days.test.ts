import { expect, test } from "vitest"
import { type CoverDays, endedCovers } from "./cover-days.ts"

const cover = (from: string, until: string | null, kind: CoverDays["kind"] = "covered"): CoverDays => ({
  ...{ from, until, kind, tierId: "standard" },
})
const first = cover("2026-01-01", "2026-03-31")
const pause = cover("2026-04-01", "2026-04-30", "suspended")
const last = cover("2026-05-01", "2026-06-30")

test.each([
  ["2026-05-15", false, [first, pause, { ...last, until: "2026-05-15" }]],
  ["2026-02-10", true, [{ ...first, until: "2026-02-10" }]],
  // What was to end sooner stays, unless it is to go on; what stands before the last stretch never does.
  ["2026-12-31", false, [first, pause, last]],
  ["2026-12-31", true, [first, pause, { ...last, until: "2026-12-31" }]],
  ["2026-04-15", true, [first, { ...pause, until: "2026-04-15" }]],
] as const)("cover ends with %s, extended: %s", (lastDay, extend, left) => {
  expect(endedCovers([first, pause, last], lastDay, extend)).toEqual(left)
})
