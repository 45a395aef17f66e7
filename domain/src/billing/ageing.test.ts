import fc from "fast-check"
import { expect, test } from "vitest"
import { addDays } from "../kernel/calendar.ts"
import { ageBucketDays, ageBucketOf, ageBuckets } from "./ageing.ts"

test.each([
  ["2026-11-30", "current"],
  ["2026-11-21", "current"],
  ["2026-11-20", "days1to30"],
  ["2026-10-22", "days1to30"],
  ["2026-10-21", "days31to60"],
  ["2026-09-22", "days31to60"],
  ["2026-09-21", "days61to90"],
  ["2026-08-23", "days61to90"],
  ["2026-08-22", "over90"],
  ["2025-01-01", "over90"],
] as const)("an amount due on %s is in bucket %s on 21 November 2026", (dueOn, bucket) => {
  expect(ageBucketOf(dueOn, "2026-11-21")).toBe(bucket)
})

test("the age buckets cover every day without overlap", () => {
  for (const [index, bucket] of ageBuckets.entries()) {
    const next = ageBuckets[index + 1]
    if (next) expect(ageBucketDays[next].from).toBe(ageBucketDays[bucket].to! + 1)
  }
  fc.assert(
    fc.property(fc.integer({ min: -400, max: 400 }), (overdue) => {
      const { from, to } = ageBucketDays[ageBucketOf(addDays("2026-11-21", -overdue), "2026-11-21")]
      expect(overdue).toBeGreaterThanOrEqual(from ?? -Infinity)
      expect(overdue).toBeLessThanOrEqual(to ?? Infinity)
    }),
  )
})
