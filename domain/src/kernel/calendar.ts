/** A business day, `YYYY-MM-DD`, without a time or a zone. Days compare and sort as text. */
export type Day = string

/** How days are shown; the setting "date format". */
export const dayFormats = ["YYYY-MM-DD", "DD-MM-YYYY", "MM-DD-YYYY"] as const

export type DayFormat = (typeof dayFormats)[number]

/** In which order the parts of a written date stand. */
export const dayOrders = ["YMD", "DMY", "MDY"] as const

export type DayOrder = (typeof dayOrders)[number]

/** The order in which somebody who sees this format will type a date. */
export function orderOf(format: DayFormat): DayOrder {
  return { "YYYY-MM-DD": "YMD", "DD-MM-YYYY": "DMY", "MM-DD-YYYY": "MDY" }[format] as DayOrder
}

/** The day that many days later (earlier when negative). */
export function addDays(from: Day, days: number): Day {
  return Temporal.PlainDate.from(from).add({ days }).toString()
}

/**
 * The day that many calendar months later (earlier when negative); a day that the month lacks becomes its last:
 * 31 January + 1 month is 28 or 29 February. Add to the first date of a series, not to the result before, or the
 * 31st is lost for good.
 */
export function addMonths(from: Day, months: number): Day {
  return Temporal.PlainDate.from(from).add({ months }, { overflow: "constrain" }).toString()
}

/** Full years of age on a day. Somebody born on 29 February turns a year older on 1 March of a common year. */
export function ageOn(dateOfBirth: Day, on: Day): number {
  const born = Temporal.PlainDate.from(dateOfBirth)
  const then = Temporal.PlainDate.from(on)
  const birthdayAhead = then.month < born.month || (then.month === born.month && then.day < born.day)
  return then.year - born.year - (birthdayAhead ? 1 : 0)
}

/** Days from one day to another: 1 from today to tomorrow, negative when the second is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from)
}

/** Days since a day long ago, counted in years that begin in March: a leap day is their last. */
function dayNumber(day: Day): number {
  const month = Number(day.slice(5, 7))
  const isEarly = month < 3
  const year = yearOf(day) - (isEarly ? 1 : 0)
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  const days = Math.floor((153 * (month + (isEarly ? 9 : -3)) + 2) / 5)
  return 365 * year + leaps + days + Number(day.slice(8, 10))
}

/** The first day of the month that a day (or a `YYYY-MM` month) falls in. */
export function firstOfMonth(of: Day): Day {
  return `${of.slice(0, 7)}-01`
}

/** The last day of the month that a day (or a `YYYY-MM` month) falls in. */
export function lastOfMonth(of: Day): Day {
  const first = Temporal.PlainDate.from(firstOfMonth(of))
  return first.with({ day: first.daysInMonth }).toString()
}

/** The year that a day falls in. */
export function yearOf(of: Day): number {
  return Number(of.slice(0, 4))
}

/** The month that a day falls in, `YYYY-MM`. */
export function monthOf(of: Day): string {
  return of.slice(0, 7)
}

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** A month for people, "Nov 2026". */
export function formatMonth(of: Day): string {
  return `${monthNames[Number(of.slice(5, 7)) - 1]} ${of.slice(0, 4)}`
}

/** Months for people, those that follow each other as one: "Jan–Oct 2026, Dec 2026". Takes any days, in order. */
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

/** The latest of some days. */
export function maxDay(first: Day, ...others: Day[]): Day {
  return others.reduce((latest, other) => (other > latest ? other : latest), first)
}

/** The earliest of some days. */
export function minDay(first: Day, ...others: Day[]): Day {
  return others.reduce((earliest, other) => (other < earliest ? other : earliest), first)
}

/** Today in a timezone: the moment is handed in, so that "today" changes at midnight there and nowhere else. */
export function todayIn(now: Temporal.Instant, timezone: string): Day {
  return now.toZonedDateTimeISO(timezone).toPlainDate().toString()
}

/** A day in the format of the settings. */
export function formatDay(of: Day, format: DayFormat): string {
  const [year, month, date] = of.split("-") as [string, string, string]
  return format.replace("YYYY", year).replace("MM", month).replace("DD", date)
}

/**
 * Reads a day written with `-`, `/`, `.` or spaces between its parts, in the given order; a year in front (four
 * digits) always means year, month, day, and `20261120` is read too. Years have four digits: a two-digit year would
 * be a guess. Returns null where the text is not a real day.
 */
export function parseDay(text: string, order: DayOrder): Day | null {
  const written = text.trim()
  const ymd = /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})$/.exec(written)
  if (ymd) return realDay(ymd[1]!, ymd[3]!, ymd[4]!)
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(written)
  if (compact) return realDay(compact[1]!, compact[2]!, compact[3]!)
  const yearLast = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$/.exec(written)
  if (!yearLast || order === "YMD") return null
  return order === "DMY"
    ? realDay(yearLast[4]!, yearLast[3]!, yearLast[1]!)
    : realDay(yearLast[4]!, yearLast[1]!, yearLast[3]!)
}

/** The day of these parts, or null when the calendar has no such day. Years have at most four digits. */
export function realDay(year: string | number, month: string | number, date: string | number): Day | null {
  const [y, m, d] = [Number(year), Number(month), Number(date)]
  // A long list asks this several times a row, and an exception for each day that is none costs more than the rest.
  if (![y, m, d].every(Number.isInteger) || y < 0 || y > 9999 || m < 1 || m > 12 || d < 1 || d > lastDate(y, m))
    return null
  return `${String(y).padStart(4, "0")}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`
}

function lastDate(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
