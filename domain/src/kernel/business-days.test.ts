import fc from "fast-check"
import { expect, test } from "vitest"
import {
  addWorkingDays,
  isBusinessDay,
  isPublicHoliday,
  isWorkingDay,
  nextBusinessDay,
  publicHolidays,
  workingDaysBetween,
} from "./business-days.ts"
import { addDays } from "./calendar.ts"

test.each([
  // As gazetted, with Sundays observed on Mondays. Days declared for one year only are missing (27 Dec 2022, 15 Dec 2023,
  // 29 May 2024).
  [2022, "01-01 03-21 04-15 04-18 04-27 05-01 05-02 06-16 08-09 09-24 12-16 12-25 12-26"],
  [2023, "01-01 01-02 03-21 04-07 04-10 04-27 05-01 06-16 08-09 09-24 09-25 12-16 12-25 12-26"],
  [2024, "01-01 03-21 03-29 04-01 04-27 05-01 06-16 06-17 08-09 09-24 12-16 12-25 12-26"],
  [2025, "01-01 03-21 04-18 04-21 04-27 04-28 05-01 06-16 08-09 09-24 12-16 12-25 12-26"],
  [2026, "01-01 03-21 04-03 04-06 04-27 05-01 06-16 08-09 08-10 09-24 12-16 12-25 12-26"],
  [2027, "01-01 03-21 03-22 03-26 03-29 04-27 05-01 06-16 08-09 09-24 12-16 12-25 12-26 12-27"],
  [2028, "01-01 03-21 04-14 04-17 04-27 05-01 06-16 08-09 09-24 09-25 12-16 12-25 12-26"],
])("lists the public holidays of %i", (year, holidays) => {
  const days = Array.from({ length: 366 }, (_, at) => addDays(`${year}-01-01`, at))
  const found = days.filter((day) => day.startsWith(String(year)) && isPublicHoliday(day))
  expect(found.map((day) => day.slice(5)).join(" ")).toBe(holidays)
  expect(publicHolidays(year)).toEqual(found)
})

test.each([
  ["2026-11-20", "2026-11-20"],
  ["2026-11-21", "2026-11-23"],
  ["2026-08-08", "2026-08-11"],
  ["2026-12-24", "2026-12-24"],
  ["2026-12-25", "2026-12-28"],
  ["2026-04-03", "2026-04-07"],
])("the first business day on or after %s is %s", (day, first) => {
  expect(nextBusinessDay(day)).toBe(first)
  expect(isBusinessDay(day)).toBe(day === first)
})

const days = fc
  .record({ year: fc.integer({ min: 2000, max: 2099 }), day: fc.integer({ min: 0, max: 364 }) })
  .map(({ year, day }) => addDays(`${year}-01-01`, day))
const extras = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 })

test("the count of working days inverts adding them", () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 30 }), extras, (from, count, offsets) => {
      const extra = offsets.map((offset) => addDays(from, offset))
      const to = addWorkingDays(from, count, extra)
      expect(workingDaysBetween(from, to, extra)).toBe(count)
      if (count > 0) expect(isWorkingDay(to, extra)).toBe(true)
    }),
  )
})

test("working days of adjacent stretches add up, and a late holiday removes at most one", () => {
  fc.assert(
    fc.property(days, fc.nat(30), fc.nat(30), fc.nat(60), (from, first, second, offset) => {
      const [middle, to] = [addDays(from, first), addDays(from, first + second)]
      const whole = workingDaysBetween(from, to)
      expect(workingDaysBetween(from, middle) + workingDaysBetween(middle, to)).toBe(whole)
      const extra = addDays(from, offset)
      const isLost = extra > from && extra <= to && isWorkingDay(extra)
      expect(workingDaysBetween(from, to, [extra])).toBe(whole - (isLost ? 1 : 0))
    }),
  )
})

test("the Monday after a holiday on a Sunday is a holiday", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1995, max: 2199 }), (year) => {
      const holidays = publicHolidays(year)
      for (const day of holidays.filter((each) => Temporal.PlainDate.from(each).dayOfWeek === 7)) {
        expect(isPublicHoliday(addDays(day, 1))).toBe(true)
      }
    }),
  )
})

test.each([
  // Easter week: Good Friday 3 April and Family Day 6 April 2026.
  ["2026-04-01", 2, "2026-04-07"],
  // Sunday 9 August 2026 is observed on Monday.
  ["2026-08-07", 1, "2026-08-11"],
  ["2026-12-24", 2, "2026-12-29"],
  ["2026-11-28", 1, "2026-11-30"],
])("%s and %i working days is %s", (from, count, to) => {
  expect(addWorkingDays(from, count)).toBe(to)
})

test("a holiday announced late moves the day", () => {
  expect(addWorkingDays("2026-11-02", 2)).toBe("2026-11-04")
  expect(addWorkingDays("2026-11-02", 2, ["2026-11-04"])).toBe("2026-11-05")
  expect(addWorkingDays("2026-11-02", 2, ["2026-11-07"])).toBe("2026-11-04")
})
