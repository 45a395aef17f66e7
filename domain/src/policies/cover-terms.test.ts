import { expect, test } from "vitest"
import { recordChangeFrom } from "../kernel/timeline.ts"
import { termOn } from "./cover-terms.ts"

const createTerm = (from: string, until: string | null, months: number) => ({ from, until, months })

test.each([
  ["2025-06-30", 0],
  ["2026-01-01", 0],
  ["2026-03-31", 0],
  ["2026-04-01", 6],
  ["2026-08-31", 6],
  ["2026-09-01", 3],
  ["2030-01-01", 3],
])("the term of %s is the latest that began, or else the first", (day, months) => {
  const timeline = [
    createTerm("2026-09-01", null, 3),
    createTerm("2026-01-01", "2026-03-31", 0),
    createTerm("2026-04-01", "2026-08-31", 6),
  ]
  expect(termOn(timeline, day)?.months).toBe(months)
})

test("a back-dated term applies until the day before the next recorded change", () => {
  let timeline = [createTerm("2026-01-01", null, 0)]
  timeline = recordChangeFrom(timeline, "2026-10-01", { months: 6 })
  timeline = recordChangeFrom(timeline, "2026-05-01", { months: 3 })
  expect(termOn(timeline, "2026-05-01")?.months).toBe(3)
  expect(termOn(timeline, "2026-09-30")?.months).toBe(3)
  expect(termOn(timeline, "2026-10-01")?.months).toBe(6)
})
