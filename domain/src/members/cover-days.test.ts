import { describe, expect, test } from "vitest"
import { fc, seed } from "../../test/property.ts"
import { addDays, type Day } from "../kernel/calendar.ts"
import { type CoverDays, changeCovers, endCovers, rejoinCovers } from "./cover-days.ts"

const createCover = (from: string, until: string | null, kind: CoverDays["kind"] = "covered"): CoverDays => ({
  ...{ from, until, kind, tierId: "standard" },
})
const first = createCover("2026-01-01", "2026-03-31")
const suspendedCover = createCover("2026-04-01", "2026-04-30", "suspended")
const last = createCover("2026-05-01", "2026-06-30")

test.each([
  ["2026-05-15", false, [first, suspendedCover, { ...last, until: "2026-05-15" }]],
  ["2026-02-10", true, [{ ...first, until: "2026-02-10" }]],
  // The last period is extended only with `extend`; earlier periods never are.
  ["2026-12-31", false, [first, suspendedCover, last]],
  ["2026-12-31", true, [first, suspendedCover, { ...last, until: "2026-12-31" }]],
  ["2026-04-15", true, [first, { ...suspendedCover, until: "2026-04-15" }]],
] as const)("ends cover on %s, with extend %s", (lastDay, extend, left) => {
  expect(endCovers([first, suspendedCover, last], lastDay, extend)).toEqual(left)
})

const coverOnDay = (covers: readonly CoverDays[], day: Day) =>
  covers.find(({ from, until }) => from <= day && (until === null || day <= until))

describe("changes of tier and suspension are independent", () => {
  const start: Day = "2026-01-01"
  const opened: CoverDays[] = [{ kind: "covered", tierId: "standard", from: start, until: null }]
  const suspend = (covers: CoverDays[], from: Day) => changeCovers(covers, from, { kind: "suspended" })
  const reinstate = (covers: CoverDays[], from: Day) => changeCovers(covers, from, { kind: "covered" })
  const said = (covers: CoverDays[]) =>
    [...covers]
      .sort((a, b) => (a.from < b.from ? -1 : 1))
      .map(({ kind, tierId, from, until }) => `${kind} ${tierId} ${from} ${until}`)

  test("an earlier suspension recorded late keeps the later suspension", () => {
    let covers = reinstate(suspend(opened, "2026-11-10"), "2026-12-03")
    covers = reinstate(suspend(covers, "2026-10-05"), "2026-10-20")
    expect(said(covers)).toEqual([
      "covered standard 2026-01-01 2026-10-04",
      "suspended standard 2026-10-05 2026-10-19",
      "covered standard 2026-10-20 2026-11-09",
      "suspended standard 2026-11-10 2026-12-02",
      "covered standard 2026-12-03 null",
    ])
  })

  test("a tier change within a suspension keeps the suspension and later tier changes", () => {
    let covers = reinstate(suspend(opened, "2026-03-01"), "2026-06-01")
    covers = changeCovers(covers, "2026-09-01", { tierId: "gold" })
    covers = changeCovers(covers, "2026-04-01", { tierId: "silver" })
    expect(said(covers)).toEqual([
      "covered standard 2026-01-01 2026-02-28",
      "suspended standard 2026-03-01 2026-03-31",
      "suspended silver 2026-04-01 2026-05-31",
      "covered silver 2026-06-01 2026-08-31",
      "covered gold 2026-09-01 null",
    ])
  })

  test("a tier change that replaces later changes has no end date", () => {
    const covers = changeCovers(opened, "2026-09-01", { tierId: "gold" })
    expect(said(changeCovers(covers, "2026-04-01", { tierId: "silver" }, "replace"))).toEqual([
      "covered standard 2026-01-01 2026-03-31",
      "covered silver 2026-04-01 2026-08-31",
      "covered silver 2026-09-01 null",
    ])
  })

  test("a tier dated before cover begins applies from the first day of cover", () => {
    expect(said(changeCovers(opened, "2025-06-01", { tierId: "gold" }))).toEqual(["covered gold 2026-01-01 null"])
  })

  test("a member who rejoins keeps the last tier, even if it is corrected later", () => {
    const left: CoverDays[] = [{ ...opened[0]!, until: "2026-05-31" }]
    const again = { kind: "covered" as const, tierId: "standard", from: "2026-08-01", until: null }
    const silver = changeCovers(left, "2026-03-01", { tierId: "silver" })
    const expected = [
      "covered standard 2026-01-01 2026-02-28",
      "covered silver 2026-03-01 2026-05-31",
      "covered silver 2026-08-01 null",
    ]
    expect(said(rejoinCovers(silver, again))).toEqual(expected)
    expect(said(changeCovers(rejoinCovers(left, again), "2026-03-01", { tierId: "silver" }))).toEqual(expected)
  })

  /** Non-overlapping suspensions that all end, and tier changes. */
  const drawn = fc
    .record({
      gaps: fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 })), { maxLength: 4 }),
      tiers: fc.uniqueArray(fc.nat({ max: 160 }), { maxLength: 4 }),
      dice: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
    })
    .map(({ gaps, tiers, dice }) => {
      let at = 0
      const suspensions = gaps.map(([apart, days]) => {
        const first = at + apart
        at = first + days
        return { first, next: at }
      })
      return { suspensions, tiers: tiers.map((day, index) => ({ day, tierId: `tier ${index}` })), dice }
    })

  test("random suspensions and tier changes give the same cover in any order", () => {
    const day = (at: number) => addDays(start, at)
    fc.assert(
      fc.property(drawn, ({ suspensions, tiers, dice }) => {
        const acts: { rank: number; run: (covers: CoverDays[]) => CoverDays[] }[] = []
        suspensions.forEach(({ first, next }, at) => {
          acts.push({ rank: dice[at]!, run: (covers) => reinstate(suspend(covers, day(first)), day(next)) })
        })
        tiers.forEach(({ day: first, tierId }, at) => {
          acts.push({ rank: dice[at + 4]!, run: (covers) => changeCovers(covers, day(first), { tierId }) })
        })
        const covers = acts.sort((a, b) => a.rank - b.rank).reduce((all, { run }) => run(all), opened)
        for (let at = 0; at <= 170; at++) {
          const isSuspended = suspensions.some(({ first, next }) => first <= at && at < next)
          const tier = tiers.filter(({ day: first }) => first <= at).sort((a, b) => b.day - a.day)[0]
          expect({ at, ...coverOnDay(covers, day(at)) }).toMatchObject({
            kind: isSuspended ? "suspended" : "covered",
            tierId: tier?.tierId ?? "standard",
          })
        }
      }),
      { numRuns: 100, seed },
    )
  })
})
