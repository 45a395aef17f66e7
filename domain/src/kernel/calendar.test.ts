import { describe, expect, it, test } from "vitest"
import { fc } from "../../test/property.ts"
import {
  addDays,
  addMonths,
  ageOn,
  dayFormats,
  daysBetween,
  firstOfMonth,
  formatDay,
  isoMonthOf,
  lastOfMonth,
  maxDay,
  minDay,
  orderOf,
  parseDay,
  todayInTimezone,
  validDay,
} from "./calendar.ts"
import { day, instant } from "./calendar-shape.ts"

const anyDay = fc
  .integer({ min: -40_000, max: 80_000 })
  .map((days) => Temporal.PlainDate.from("1970-01-01").add({ days }).toString())

describe("schemas", () => {
  it.each(["2026-11-20", "2024-02-29", "1900-02-28"])("the schema accepts the day %s", (text) =>
    expect(day.parse(text)).toBe(text))
  it.each([
    "2026-02-29",
    "1900-02-29",
    "2026-13-01",
    "2026-1-1",
    "20-11-2026",
    "2026-11-20T00:00:00Z",
    "",
  ])("refuses %j", (text) => expect(day.safeParse(text).success).toBe(false))
  it("the schema accepts an instant only with an offset", () => {
    expect(instant.safeParse("2026-11-20T08:00:00.000Z").success).toBe(true)
    expect(instant.safeParse("2026-11-20T08:00:00+02:00").success).toBe(true)
    expect(instant.safeParse("2026-11-20T08:00:00").success).toBe(false)
  })
})

describe("months", () => {
  it.each([
    ["2026-01-31", 1, "2026-02-28"],
    ["2024-01-31", 1, "2024-02-29"],
    ["2026-01-31", 2, "2026-03-31"],
    ["2024-02-29", 12, "2025-02-28"],
    ["2024-02-29", 48, "2028-02-29"],
    ["2026-03-31", -1, "2026-02-28"],
    ["2026-12-15", 1, "2027-01-15"],
  ])("adding to %s %i months gives %s", (from, months, to) => expect(addMonths(from, months)).toBe(to))

  it("a month has a first and a last day", () => {
    expect(firstOfMonth("2026-11-20")).toBe("2026-11-01")
    expect(firstOfMonth("2026-11")).toBe("2026-11-01")
    expect(lastOfMonth("2024-02-10")).toBe("2024-02-29")
    expect(lastOfMonth("1900-02")).toBe("1900-02-28")
    expect(isoMonthOf("2026-11-20")).toBe("2026-11")
  })
  it("consecutive months have no gap between them", () =>
    fc.assert(
      fc.property(anyDay, (of) => addDays(lastOfMonth(of), 1) === firstOfMonth(addMonths(firstOfMonth(of), 1))),
    ))
})

describe("days", () => {
  it("days can be added and subtracted", () => {
    expect(daysBetween("2026-11-20", "2026-11-21")).toBe(1)
    expect(daysBetween("2026-03-01", "2026-02-01")).toBe(-28)
    expect(addDays("2024-02-28", 1)).toBe("2024-02-29")
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31")
  })
  it("adding the difference between two days to the first gives the second", () =>
    fc.assert(fc.property(anyDay, anyDay, (a, b) => addDays(a, daysBetween(a, b)) === b)))
  it("days sort as text", () =>
    fc.assert(fc.property(anyDay, anyDay, (a, b) => maxDay(a, b) === (daysBetween(a, b) > 0 ? b : a))))
  it("a list of days has a maximum and a minimum", () => {
    expect(maxDay("2026-01-02", "2025-12-31", "2026-01-03")).toBe("2026-01-03")
    expect(minDay("2026-01-02", "2025-12-31", "2026-01-03")).toBe("2025-12-31")
  })
})

describe("age", () => {
  it.each([
    ["2000-11-21", "2026-11-20", 25],
    ["2000-11-20", "2026-11-20", 26],
    ["2004-02-29", "2025-02-28", 20],
    ["2004-02-29", "2025-03-01", 21],
  ])("computes the age for a birth on %s, as of %s", (born, on, years) => expect(ageOn(born, on)).toBe(years))
})

describe("today", () => {
  it.each([
    ["2026-11-20T21:59:59Z", "2026-11-20"],
    ["2026-11-20T22:00:00Z", "2026-11-21"],
    ["2024-02-28T22:00:00Z", "2024-02-29"],
  ])("computes today in Johannesburg at %s", (now, today) =>
    expect(todayInTimezone(Temporal.Instant.from(now), "Africa/Johannesburg")).toBe(today))
  it("today differs between timezones", () => {
    const now = Temporal.Instant.from("2026-11-21T02:00:00Z")
    expect(todayInTimezone(now, "UTC")).toBe("2026-11-21")
    expect(todayInTimezone(now, "America/New_York")).toBe("2026-11-20")
  })
})

describe("written days", () => {
  test("a day must exist in the calendar", () => {
    const part = (max: number) => fc.integer({ min: 0, max })
    fc.assert(
      fc.property(part(9999), part(14), part(33), (year, month, date) => {
        let calendar: string | null = null
        try {
          calendar = Temporal.PlainDate.from({ year, month, day: date }, { overflow: "reject" }).toString()
        } catch {}
        expect(validDay(String(year), month, String(date))).toBe(calendar)
      }),
    )
    expect([validDay(2000, 2, 29), validDay(1900, 2, 29), validDay(2024, 2, 29)]).toEqual([
      "2000-02-29",
      null,
      "2024-02-29",
    ])
    expect([validDay("1.99", 1, 1), validDay("x", 1, 1)]).toEqual([null, null])
  })

  it.each([
    ["YYYY-MM-DD", "2026-11-05"],
    ["DD-MM-YYYY", "05-11-2026"],
    ["MM-DD-YYYY", "11-05-2026"],
  ] as const)("a day is formatted as %s", (format, text) => expect(formatDay("2026-11-05", format)).toBe(text))

  it.each([
    ["05-11-2026", "DMY", "2026-11-05"],
    ["5/11/2026", "DMY", "2026-11-05"],
    ["05.11.2026", "MDY", "2026-05-11"],
    ["2026-11-05", "DMY", "2026-11-05"],
    ["2026/11/5", "YMD", "2026-11-05"],
    ["20261105", "YMD", "2026-11-05"],
    [" 29 02 2024 ", "DMY", "2024-02-29"],
    ["29-02-2026", "DMY", null],
    ["13/13/2026", "DMY", null],
    ["25/12/2026", "MDY", null],
    ["05-11-2026", "YMD", null],
    ["05-11/2026", "DMY", null],
    ["05-11-26", "DMY", null],
    ["", "DMY", null],
    ["yesterday", "YMD", null],
  ] as const)("parses %j in the order %s", (text, order, read) => expect(parseDay(text, order)).toBe(read))

  it("a formatted day parses back from every format", () =>
    fc.assert(
      fc.property(
        anyDay,
        fc.constantFrom(...dayFormats),
        (of, format) => parseDay(formatDay(of, format), orderOf(format)) === of,
      ),
    ))
})
