/** `YYYY-MM-DD` without timezone. Days compare and sort as text. */
export type Day = string

export const dayFormats = ["YYYY-MM-DD", "DD-MM-YYYY", "MM-DD-YYYY"] as const

export type DayFormat = (typeof dayFormats)[number]

export const dayOrders = ["YMD", "DMY", "MDY"] as const

export type DayOrder = (typeof dayOrders)[number]

/** The order in which a user of this format types a date. */
export function orderOf(format: DayFormat): DayOrder {
  return { "YYYY-MM-DD": "YMD", "DD-MM-YYYY": "DMY", "MM-DD-YYYY": "MDY" }[format] as DayOrder
}

/** `days` may be negative. */
export function addDays(from: Day, days: number): Day {
  return Temporal.PlainDate.from(from).add({ days }).toString()
}

/**
 * `months` may be negative. A missing day becomes the month's last. In a series, always add to the first date,
 * otherwise the 31st is lost.
 */
export function addMonths(from: Day, months: number): Day {
  return Temporal.PlainDate.from(from).add({ months }, { overflow: "constrain" }).toString()
}

/** Completed years. A person born on 29 February has their birthday on 1 March in a common year. */
export function ageOn(dateOfBirth: Day, on: Day): number {
  const born = Temporal.PlainDate.from(dateOfBirth)
  const then = Temporal.PlainDate.from(on)
  const birthdayAhead = then.month < born.month || (then.month === born.month && then.day < born.day)
  return then.year - born.year - (birthdayAhead ? 1 : 0)
}

/** From today to tomorrow is 1; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from)
}

/** Here a year starts in March, so that a leap day is last. */
function dayNumber(day: Day): number {
  const month = Number(day.slice(5, 7))
  const isEarly = month < 3
  const year = yearOf(day) - (isEarly ? 1 : 0)
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  const days = Math.floor((153 * (month + (isEarly ? 9 : -3)) + 2) / 5)
  return 365 * year + leaps + days + Number(day.slice(8, 10))
}

/** The first day of a month, given by a day or `YYYY-MM`. */
export function firstOfMonth(of: Day): Day {
  return `${of.slice(0, 7)}-01`
}

/** The last day of a month, given by a day or `YYYY-MM`. */
export function lastOfMonth(of: Day): Day {
  const first = Temporal.PlainDate.from(firstOfMonth(of))
  return first.with({ day: first.daysInMonth }).toString()
}

export function yearOf(of: Day): number {
  return Number(of.slice(0, 4))
}

/** `YYYY-MM`. */
export function isoMonthOf(of: Day): string {
  return of.slice(0, 7)
}

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** "Nov 2026" */
export function formatMonth(of: Day): string {
  return `${monthNames[Number(of.slice(5, 7)) - 1]} ${of.slice(0, 4)}`
}

/** Merges consecutive months: "Jan–Oct 2026, Dec 2026". Days must be sorted. */
export function formatMonths(days: readonly Day[]): string {
  const runs: { from: Day; to: Day }[] = []
  for (const first of days.map(firstOfMonth)) {
    const last = runs.at(-1)
    if (last && addMonths(last.to, 1) === first) last.to = first
    else runs.push({ from: first, to: first })
  }
  return runs
    .map(({ from, to }) => {
      if (from === to) return formatMonth(from)
      const start = from.slice(0, 4) === to.slice(0, 4) ? formatMonth(from).slice(0, 3) : formatMonth(from)
      return `${start}–${formatMonth(to)}`
    })
    .join(", ")
}

export function maxDay(first: Day, ...others: Day[]): Day {
  return others.reduce((latest, other) => (other > latest ? other : latest), first)
}

export function minDay(first: Day, ...others: Day[]): Day {
  return others.reduce((earliest, other) => (other < earliest ? other : earliest), first)
}

/** `now` is a parameter, so that the caller controls the clock. */
export function todayInTimezone(now: Temporal.Instant, timezone: string): Day {
  return now.toZonedDateTimeISO(timezone).toPlainDate().toString()
}

export function formatDay(of: Day, format: DayFormat): string {
  const [year, month, date] = of.split("-") as [string, string, string]
  return format.replace("YYYY", year).replace("MM", month).replace("DD", date)
}

/**
 * Parts separated by `-`, `/`, `.` or spaces in the given order. A leading four-digit year means year, month, day;
 * `20261120` is accepted. Two-digit years are refused as ambiguous. Null for anything but a real day.
 */
export function parseDay(text: string, order: DayOrder): Day | null {
  const written = text.trim()
  const ymd = /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})$/.exec(written)
  if (ymd) return validDay(ymd[1]!, ymd[3]!, ymd[4]!)
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(written)
  if (compact) return validDay(compact[1]!, compact[2]!, compact[3]!)
  const yearLast = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$/.exec(written)
  if (!yearLast || order === "YMD") return null
  return order === "DMY"
    ? validDay(yearLast[4]!, yearLast[3]!, yearLast[1]!)
    : validDay(yearLast[4]!, yearLast[1]!, yearLast[3]!)
}

/** Null for a day that does not exist. Years have at most four digits. */
export function validDay(year: string | number, month: string | number, date: string | number): Day | null {
  const [y, m, d] = [Number(year), Number(month), Number(date)]
  // Checks without exceptions, which would dominate the cost of a long import.
  if (![y, m, d].every(Number.isInteger) || y < 0 || y > 9999 || m < 1 || m > 12 || d < 1 || d > lastDateOfMonth(y, m))
    return null
  return `${String(y).padStart(4, "0")}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`
}

function lastDateOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
