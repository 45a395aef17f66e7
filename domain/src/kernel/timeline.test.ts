import { describe, expect, test } from "vitest"
import { fc, seed } from "../../test/property.ts"
import { addDays, type Day } from "./calendar.ts"
import type { Stretch } from "./stretches.ts"
import { recordFrom } from "./timeline.ts"

interface Amount extends Stretch {
  cents: number
}
const amount = (cents: number, from: Day, until: Day | null = null): Amount => ({ cents, from, until })
const inOrder = <S extends Stretch>(timeline: readonly S[]) => [...timeline].sort((a, b) => (a.from < b.from ? -1 : 1))

const on = <S extends Stretch>(timeline: readonly S[], day: Day): S | undefined =>
  timeline.find(({ from, until }) => from <= day && (until === null || day <= until))

describe("a fact applies until the next recorded change", () => {
  const raise = [amount(100, "2026-01-01", "2027-01-31"), amount(150, "2027-02-01")]
  test.each<[string, Amount[], Day, number | null, "keep" | "replace", Amount[]]>([
    [
      "a planned raise stays",
      raise,
      "2026-11-01",
      101,
      "keep",
      [amount(100, "2026-01-01", "2026-10-31"), amount(101, "2026-11-01", "2027-01-31"), amount(150, "2027-02-01")],
    ],
    [
      "a planned raise is replaced where the user says so",
      raise,
      "2026-11-01",
      101,
      "replace",
      [amount(100, "2026-01-01", "2026-10-31"), amount(101, "2026-11-01")],
    ],
    [
      "a fact of the same day is corrected",
      raise,
      "2027-02-01",
      160,
      "keep",
      [amount(100, "2026-01-01", "2027-01-31"), amount(160, "2027-02-01")],
    ],
    [
      "a fact after all others has no end",
      raise,
      "2027-03-01",
      170,
      "keep",
      [...raise.slice(0, 1), amount(150, "2027-02-01", "2027-02-28"), amount(170, "2027-03-01")],
    ],
    ["a first fact has no end", [], "2026-11-01", 101, "keep", [amount(101, "2026-11-01")]],
    [
      "a fact before all others ends where they begin",
      raise,
      "2025-12-01",
      90,
      "keep",
      [amount(90, "2025-12-01", "2025-12-31"), ...raise],
    ],
    [
      "an equal fact of a later day stays a change of its own",
      [amount(100, "2026-01-01", "2026-03-31"), amount(100, "2026-04-01")],
      "2026-02-01",
      120,
      "keep",
      [amount(100, "2026-01-01", "2026-01-31"), amount(120, "2026-02-01", "2026-03-31"), amount(100, "2026-04-01")],
    ],
    [
      "the day from which nothing is known is a change",
      [amount(100, "2026-01-01", "2026-03-31")],
      "2026-02-01",
      120,
      "keep",
      [amount(100, "2026-01-01", "2026-01-31"), amount(120, "2026-02-01", "2026-03-31")],
    ],
    [
      "nothing is known until the next change",
      raise,
      "2026-11-01",
      null,
      "keep",
      [amount(100, "2026-01-01", "2026-10-31"), amount(150, "2027-02-01")],
    ],
  ])("%s", (_, timeline, from, cents, later, expected) => {
    const made = cents === null ? null : { cents }
    expect(inOrder(recordFrom(timeline, from, made, later))).toEqual(expected)
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
          inOrder(order.reduce<Amount[]>((timeline, [at, cents]) => recordFrom(timeline, day(at), { cents }), []))
        const byDay = [...all].sort(([a], [b]) => a - b)
        const shuffled = all
          .map((fact) => [dice.next().value, fact] as const)
          .sort(([a], [b]) => a - b)
          .map(([, fact]) => fact)
        const recorded = record(shuffled)
        expect(recorded).toEqual(record(byDay))
        for (let at = 0; at <= 61; at++) {
          const last = byDay.filter(([first]) => first <= at).at(-1)
          expect(on(recorded, day(at))?.cents).toBe(last?.[1])
        }
      }),
      { numRuns: 300, seed },
    )
  })
})
