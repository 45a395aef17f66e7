import { expect, test } from "vitest"
import { isBusinessDay, isPublicHoliday, nextBusinessDay } from "./business-days.ts"
import { addDays } from "./calendar.ts"

test.each([
  // As gazetted, with Sundays observed on Mondays.
  [2024, "01-01 03-21 03-29 04-01 04-27 05-01 06-16 06-17 08-09 09-24 12-16 12-25 12-26"],
  [2025, "01-01 03-21 04-18 04-21 04-27 04-28 05-01 06-16 08-09 09-24 12-16 12-25 12-26"],
  [2026, "01-01 03-21 04-03 04-06 04-27 05-01 06-16 08-09 08-10 09-24 12-16 12-25 12-26"],
  [2027, "01-01 03-21 03-22 03-26 03-29 04-27 05-01 06-16 08-09 09-24 12-16 12-25 12-26 12-27"],
])("lists the public holidays of %i", (year, holidays) => {
  const days = Array.from({ length: 366 }, (_, at) => addDays(`${year}-01-01`, at))
  const found = days.filter((day) => day.startsWith(String(year)) && isPublicHoliday(day))
  expect(found.map((day) => day.slice(5)).join(" ")).toBe(holidays)
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
