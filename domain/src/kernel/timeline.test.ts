import { describe, expect, test } from "vitest"
import { fc, seed } from "../../test/property.ts"
import { addDays, type Day } from "./calendar.ts"
import type { DateRange } from "./stretches.ts"
import { recordChangeFrom } from "./timeline.ts"

interface AmountRange extends DateRange {
  cents: number
}
const createAmount = (cents: number, from: Day, until: Day | null = null): AmountRange => ({ cents, from, until })
const sortTimeline = <S extends DateRange>(timeline: readonly S[]) =>
  [...timeline].sort((a, b) => (a.from < b.from ? -1 : 1))

const valueOnDay = <S extends DateRange>(timeline: readonly S[], day: Day): S | undefined =>
  timeline.find(({ from, until }) => from <= day && (until === null || day <= until))

describe("a fact applies until the next recorded change", () => {
  const raise = [createAmount(100, "2026-01-01", "2027-01-31"), createAmount(150, "2027-02-01")]
  test.each<[string, AmountRange[], Day, number | null, "keep" | "replace", AmountRange[]]>([
    [
      "a planned raise stays",
      raise,
      "2026-11-01",
      101,
      "keep",
      [
        createAmount(100, "2026-01-01", "2026-10-31"),
        createAmount(101, "2026-11-01", "2027-01-31"),
        createAmount(150, "2027-02-01"),
      ],
    ],
    [
      "a planned raise is replaced where the user says so",
      raise,
      "2026-11-01",
      101,
      "replace",
      [createAmount(100, "2026-01-01", "2026-10-31"), createAmount(101, "2026-11-01")],
    ],
    [
      "a fact of the same day is corrected",
      raise,
      "2027-02-01",
      160,
      "keep",
      [createAmount(100, "2026-01-01", "2027-01-31"), createAmount(160, "2027-02-01")],
    ],
    [
      "a fact after all others has no end",
      raise,
      "2027-03-01",
      170,
      "keep",
      [...raise.slice(0, 1), createAmount(150, "2027-02-01", "2027-02-28"), createAmount(170, "2027-03-01")],
    ],
    ["a first fact has no end", [], "2026-11-01", 101, "keep", [createAmount(101, "2026-11-01")]],
    [
      "a fact before all others ends where they begin",
      raise,
      "2025-12-01",
      90,
      "keep",
      [createAmount(90, "2025-12-01", "2025-12-31"), ...raise],
    ],
    [
      "an equal fact of a later day stays a change of its own",
      [createAmount(100, "2026-01-01", "2026-03-31"), createAmount(100, "2026-04-01")],
      "2026-02-01",
      120,
      "keep",
      [
        createAmount(100, "2026-01-01", "2026-01-31"),
        createAmount(120, "2026-02-01", "2026-03-31"),
        createAmount(100, "2026-04-01"),
      ],
    ],
    [
      "the day from which nothing is known is a change",
      [createAmount(100, "2026-01-01", "2026-03-31")],
      "2026-02-01",
      120,
      "keep",
      [createAmount(100, "2026-01-01", "2026-01-31"), createAmount(120, "2026-02-01", "2026-03-31")],
    ],
    [
      "nothing is known until the next change",
      raise,
      "2026-11-01",
      null,
      "keep",
      [createAmount(100, "2026-01-01", "2026-10-31"), createAmount(150, "2027-02-01")],
    ],
  ])("%s", (_, timeline, from, cents, later, expected) => {
    const made = cents === null ? null : { cents }
    expect(sortTimeline(recordChangeFrom(timeline, from, made, later))).toEqual(expected)
  })

  test("facts of different days give the same timeline in every order", () => {
    const facts = fc.uniqueArray(fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 9 })), {
      selector: ([day]) => day,
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(facts, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (all, dice) => {
        const day = (at: number) => addDays("2026-01-01", at)
        const record = (order: typeof all) =>
          sortTimeline(
            order.reduce<AmountRange[]>((timeline, [at, cents]) => recordChangeFrom(timeline, day(at), { cents }), []),
          )
        const byDay = [...all].sort(([a], [b]) => a - b)
        const shuffled = all
          .map((fact) => [dice.next().value, fact] as const)
          .sort(([a], [b]) => a - b)
          .map(([, fact]) => fact)
        const recorded = record(shuffled)
        expect(recorded).toEqual(record(byDay))
        for (let at = 0; at <= 61; at++) {
          const last = byDay.filter(([first]) => first <= at).at(-1)
          expect(valueOnDay(recorded, day(at))?.cents).toBe(last?.[1])
        }
      }),
      { numRuns: 300, seed },
    )
  })
})
