import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isWorkingDay } from "../kernel/business-days.ts"
import { addDays, type Day, todayInTimezone } from "../kernel/calendar.ts"
import { createClaim } from "./claim.samples.ts"
import type { Claim } from "./claim.ts"
import { advanceClock, type ClaimClock, type ClockPause, countedDays, settleClock, timeLeft } from "./claim-clock.ts"

const calendar = { timezone: "Africa/Johannesburg", extraHolidays: [] }
const promised = { death: 2, disability: 10, medical: 10, maternity: 10, other: 10 }
const at = (day: Day, time = "10:00") => `${day}T${time}:00Z`
const instant = (text: string) => Temporal.Instant.from(text)

/** Plays events on a claim, each with the change and the instant. */
function play(...events: [string, Partial<Claim>, { isMissing?: boolean }?][]): Claim {
  let claim = createClaim({ status: "draft", claimType: "death" })
  for (const [on, changes, { isMissing = false } = {}] of events) {
    const after = { ...claim, ...changes }
    const moment = { now: instant(on), isMissingDocuments: isMissing, promised, calendar }
    claim = { ...after, ...advanceClock(claim, after, moment) }
  }
  return claim
}

const submitted = { status: "submitted" } as const

describe("the due day", () => {
  test("is counted from the submission if the documents are complete", () => {
    // Tuesday 3 November 2026.
    expect(play([at("2026-11-03"), submitted])).toMatchObject({
      promisedDays: 2,
      documentsCompleteAt: "2026-11-03T10:00:00Z",
      dueOn: "2026-11-05",
    })
  })

  test("skips weekends and public holidays", () => {
    expect(play([at("2026-11-06"), submitted]).dueOn).toBe("2026-11-10")
    // Thursday 2 April 2026 is before Good Friday and Family Day.
    expect(play([at("2026-04-02"), submitted]).dueOn).toBe("2026-04-08")
    expect(play([at("2026-12-24"), submitted]).dueOn).toBe("2026-12-29")
  })

  test("is missing until the last required document is there", () => {
    const incomplete = play([at("2026-11-03"), submitted, { isMissing: true }])
    expect(incomplete).toMatchObject({ promisedDays: 2, documentsCompleteAt: null, dueOn: null })
    const complete = play([at("2026-11-03"), submitted, { isMissing: true }], [at("2026-11-09"), {}])
    expect(complete).toMatchObject({ documentsCompleteAt: at("2026-11-09"), dueOn: "2026-11-11" })
  })

  test("is counted anew after a required document was removed", () => {
    const removed = play(
      [at("2026-11-03"), submitted],
      [at("2026-11-04"), {}, { isMissing: true }],
      [at("2026-11-05"), {}],
    )
    expect(removed.dueOn).toBe("2026-11-09")
  })

  test("moves by the working days for which documents were asked", () => {
    const asked: [string, Partial<Claim>] = [at("2026-11-04"), { requestedDocuments: ["other"] }]
    expect(play([at("2026-11-03"), submitted], asked)).toMatchObject({
      dueOn: null,
      documentPauses: [{ from: at("2026-11-04"), until: null }],
    })
    const answered = play([at("2026-11-03"), submitted], asked, [at("2026-11-09"), { requestedDocuments: [] }])
    // 4 November counts, 5, 6 and 9 November do not.
    expect(answered).toMatchObject({ dueOn: "2026-11-10" })
  })

  test("does not move for documents that arrive on the day they were asked for", () => {
    const answered = play(
      [at("2026-11-03"), submitted],
      [at("2026-11-04", "08:00"), { requestedDocuments: ["other"] }],
      [at("2026-11-04", "12:00"), { requestedDocuments: [] }],
    )
    expect(answered.dueOn).toBe("2026-11-05")
  })

  test("is kept by routing, approvals and sending back", () => {
    const statuses = ["under_review", "pending_group_admin", "pending_underwriter", "submitted"] as const
    const steps = statuses.map((status): [string, Partial<Claim>] => [at("2026-11-04"), { status }])
    for (const [count] of steps.entries()) {
      expect(play([at("2026-11-03"), submitted], ...steps.slice(0, count + 1)).dueOn).toBe("2026-11-05")
    }
  })

  test("follows another claim type", () => {
    const edited = play([at("2026-11-03"), submitted], [at("2026-11-04"), { claimType: "medical" }])
    expect(edited).toMatchObject({ promisedDays: 10, dueOn: "2026-11-17" })
  })

  test("uses the days of the organisation's time zone", () => {
    // Already Wednesday in Johannesburg.
    expect(play([at("2026-11-03", "22:30"), submitted]).dueOn).toBe("2026-11-06")
    const inNewYork = { ...calendar, timezone: "America/New_York" }
    // Clocks in New York go back on 1 November 2026: 03:30 UTC is still 31 October, 04:30 UTC on 2 November is 1 November.
    const clock = (complete: string) =>
      settleClock({ ...createClaim(), promisedDays: 1, documentsCompleteAt: complete, documentPauses: [] }, inNewYork)
    expect(clock("2026-11-01T03:30:00Z").dueOn).toBe("2026-11-02")
    expect(clock("2026-11-02T04:30:00Z").dueOn).toBe("2026-11-02")
    expect(clock("2026-11-02T05:30:00Z").dueOn).toBe("2026-11-03")
  })

  test("moves with a holiday that is announced late", () => {
    const claim = play([at("2026-11-03"), submitted])
    const announced = { ...calendar, extraHolidays: ["2026-11-04"] }
    expect(settleClock(claim, announced).dueOn).toBe("2026-11-06")
    expect(settleClock(claim, calendar).dueOn).toBe("2026-11-05")
  })
})

describe("the decision", () => {
  test("stops the clock and stores the days used", () => {
    const decided = play(
      [at("2026-11-03"), submitted],
      [at("2026-11-03"), { status: "pending_group_admin" }],
      [at("2026-11-09"), { status: "approved", finalApprovalAt: at("2026-11-09") }],
      [at("2026-11-12"), { status: "paid" }],
    )
    expect(decided).toMatchObject({ dueOn: null, workingDaysUsed: 4 })
    expect(timeLeft(decided, "2026-11-30", [])?.text).toBe("Decided in 4 of 2 working days")
  })

  test("that is undone starts a new promise", () => {
    const reopened = play(
      [at("2026-11-03"), submitted],
      [at("2026-11-09"), { status: "rejected", rejectedAt: at("2026-11-09") }],
      [at("2026-11-16"), { status: "under_review", rejectedAt: null }],
    )
    expect(reopened).toMatchObject({ dueOn: "2026-11-18", workingDaysUsed: null })
  })

  test("without complete documents uses no days", () => {
    const rejected = play(
      [at("2026-11-03"), submitted, { isMissing: true }],
      [at("2026-11-09"), { status: "rejected", rejectedAt: at("2026-11-09") }],
    )
    expect(rejected).toMatchObject({ workingDaysUsed: null })
    expect(timeLeft(rejected, "2026-11-30", [])?.text).toBe("Decided")
  })
})

test.each([
  ["2026-11-05", "running", "2 working days left"],
  ["2026-11-06", "running", "1 working day left"],
  ["2026-11-08", "running", "1 working day left"],
  ["2026-11-09", "due", "Due today"],
  ["2026-11-10", "late", "1 working day late"],
  ["2026-11-16", "late", "5 working days late"],
] as const)("on %s a claim due on Monday 9 November 2026 is %s: %s", (today, state, text) => {
  const claim = { status: "under_review", promisedDays: 2, dueOn: "2026-11-09", workingDaysUsed: null } as const
  expect(timeLeft(claim, today, [])).toMatchObject({ state, text })
})

test("a claim due on a Friday is late at the weekend, by no working day yet", () => {
  const claim = { status: "submitted", promisedDays: 2, dueOn: "2026-11-06", workingDaysUsed: null } as const
  expect(timeLeft(claim, "2026-11-07", [])).toEqual({ state: "late", days: 0, text: "Late" })
})

test("a draft has no time left, and an incomplete claim waits for documents", () => {
  const facts = { promisedDays: 2, dueOn: null, workingDaysUsed: null }
  expect(timeLeft({ ...facts, status: "draft" }, "2026-11-05", [])).toBeNull()
  expect(timeLeft({ ...facts, status: "submitted" }, "2026-11-05", [])?.text).toBe("Waiting for documents")
})

const first = "2026-01-01"
const moment = fc.integer({ min: 0, max: 400 * 24 * 60 }).map((minutes) => instant(at(first, "00:00")).add({ minutes }))
/** In order, so that pauses do not overlap. */
const moments = fc
  .array(moment, { minLength: 1, maxLength: 9 })
  .map((found) => found.sort((a, b) => Temporal.Instant.compare(a, b)).map(String))
const timezones = fc.constantFrom("Africa/Johannesburg", "UTC", "America/New_York")

function pausesOf(times: readonly string[]): ClockPause[] {
  const pauses: ClockPause[] = []
  for (let from = 0; from + 1 < times.length; from += 2) pauses.push({ from: times[from]!, until: times[from + 1]! })
  return pauses
}

test("the promise is used up exactly on the due day", () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 20 }), timezones, fc.nat(30), (times, days, timezone, offset) => {
      const [complete, ...others] = times as [string, ...string[]]
      const documentPauses = pausesOf(others)
      const zone = { timezone, extraHolidays: [addDays(todayInTimezone(instant(complete), timezone), offset)] }
      const clock: ClaimClock = settleClock(
        { ...createClaim(), promisedDays: days, documentsCompleteAt: complete, documentPauses },
        zone,
      )
      const due = clock.dueOn!
      const noon = (day: Day) =>
        Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: timezone, plainTime: "12:00" })
      const used = (day: Day) => countedDays(complete, noon(day).toInstant().toString(), documentPauses, zone)
      expect(used(due)).toBe(days)
      expect(used(addDays(due, -1))).toBe(days - 1)
      expect(isWorkingDay(due, zone.extraHolidays)).toBe(true)
    }),
  )
})

test("a pause never brings the due day forward", () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 20 }), (times, days) => {
      const [complete, ...others] = times as [string, ...string[]]
      const claim = { ...createClaim(), promisedDays: days, documentsCompleteAt: complete, documentPauses: [] }
      const paused = settleClock({ ...claim, documentPauses: pausesOf(others) }, calendar).dueOn!
      expect(paused >= settleClock(claim, calendar).dueOn!).toBe(true)
    }),
  )
})
