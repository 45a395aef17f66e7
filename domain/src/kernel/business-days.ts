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

const holidaysByYear = new Map<number, ReadonlySet<Day>>()

/** In order. A holiday on a Sunday makes the following Monday a holiday, too. */
export function publicHolidays(year: number): Day[] {
  const easter = easterSunday(year)
  const named = [...fixedHolidays.map((date) => `${year}-${date}`), addDays(easter, -2), addDays(easter, 1)]
  const observed = named.filter((day) => weekdayOf(day) === 7).map((day) => addDays(day, 1))
  return [...new Set([...named, ...observed])].sort()
}

/** In South Africa. */
export function isPublicHoliday(day: Day): boolean {
  const year = Number(day.slice(0, 4))
  let holidays = holidaysByYear.get(year)
  if (!holidays) {
    holidays = new Set(publicHolidays(year))
    holidaysByYear.set(year, holidays)
  }
  return holidays.has(day)
}

/** Whether South African banks settle payments on this day. */
export const isBusinessDay = (day: Day): boolean => weekdayOf(day) <= 5 && !isPublicHoliday(day)

/** The first business day on or after `day`. */
export function nextBusinessDay(day: Day): Day {
  return isBusinessDay(day) ? day : nextBusinessDay(addDays(day, 1))
}

/** Whether people work on this day. `extra`: holidays that were announced for one year only, such as an election day. */
export const isWorkingDay = (day: Day, extra: readonly Day[] = []): boolean =>
  isBusinessDay(day) && !extra.includes(day)

/** The `count`th working day after `from`, which itself does not count; `from` if `count` is 0. */
export function addWorkingDays(from: Day, count: number, extra: readonly Day[] = []): Day {
  let day = from
  for (let left = count; left > 0; ) {
    day = addDays(day, 1)
    if (isWorkingDay(day, extra)) left -= 1
  }
  return day
}

/** The working days after `from` up to and including `to`; 0 if `to` is not later. */
export function workingDaysBetween(from: Day, to: Day, extra: readonly Day[] = []): number {
  let count = 0
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) if (isWorkingDay(day, extra)) count += 1
  return count
}
