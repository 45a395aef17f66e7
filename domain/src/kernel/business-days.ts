import { addDays, type Day } from "./calendar.ts"

/** South African public holidays with a fixed date (Public Holidays Act 36 of 1994). */
const fixedHolidays = ["01-01", "03-21", "04-27", "05-01", "06-16", "08-09", "09-24", "12-16", "12-25", "12-26"]

function easterSunday(year: number): Day {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const epact =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  const text = (number: number) => String(number).padStart(2, "0")
  return `${year}-${text(Math.floor(days / 31))}-${text((days % 31) + 1)}`
}

const weekdayOf = (day: Day): number => Temporal.PlainDate.from(day).dayOfWeek

/** In South Africa; a Sunday holiday is also observed on the Monday. */
export function isPublicHoliday(day: Day): boolean {
  const year = Number(day.slice(0, 4))
  const isNamed = (of: Day) => fixedHolidays.includes(of.slice(5))
  if (isNamed(day) || (weekdayOf(day) === 1 && isNamed(addDays(day, -1)))) return true
  // Good Friday and Family Day.
  return day === addDays(easterSunday(year), -2) || day === addDays(easterSunday(year), 1)
}

/** Whether South African banks settle payments on this day. */
export const isBusinessDay = (day: Day): boolean => weekdayOf(day) <= 5 && !isPublicHoliday(day)

/** The first business day on or after `day`. */
export function nextBusinessDay(day: Day): Day {
  return isBusinessDay(day) ? day : nextBusinessDay(addDays(day, 1))
}
