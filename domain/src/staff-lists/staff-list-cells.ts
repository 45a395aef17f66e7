import { addDays, type Day, type DayOrder, parseDay, validDay } from "../kernel/calendar.ts"
import type { Choice } from "../kernel/declared-field.ts"
import { type Cents, type Currency, parseMoney } from "../kernel/money.ts"
import { normalizeLine } from "../kernel/text.ts"
import { checkZaIdNumber, isLuhnValid } from "../kernel/za-id-number.ts"
import { maxSalaryCents } from "../members/member.ts"
import { type MemberFieldName, type MemberFields, memberField, memberFieldNames } from "../members/member-fields.ts"
import { staffListLimits } from "./staff-list.ts"

/**
 * Single-line plain text. Removes the apostrophe that the product's files of refused rows add against formulas, so that
 * such a file can be corrected and imported.
 */
export function cleanCell(cell: string): string {
  const plain = normalizeLine(cell.slice(0, staffListLimits.cellCharacters))
  return /^'[=+\-@]/.test(plain) ? plain.slice(1) : plain
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const afrikaansMonths: Record<string, string> = { mrt: "mar", mei: "may", okt: "oct", des: "dec" }

/**
 * Reads 25/06/1985 (in the column's order), 1985-06-25 with or without a time, 25 June 1985, or an Excel day number
 * (38466). Null if not a real day.
 */
export function readDay(text: string, order: DayOrder): Day | null {
  const written = text.replace(/[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?(Z| ?[AP]M)?$/i, "")
  const found = parseDay(written, order)
  if (found) return found
  if (/^\d{1,5}(\.\d+)?$/.test(written)) {
    // Excel's day 60 is 29 February 1900, which did not exist; no member has earlier dates.
    const serial = Math.floor(Number(written))
    return serial > 60 ? addDays("1899-12-30", serial) : null
  }
  const named = /^(\d{1,2})[ .-]+(\p{L}{3,9})\.?[ ,-]+(\d{4})$/u.exec(written)
  if (!named) return null
  const name = named[2]!.toLowerCase().slice(0, 3)
  const month = months.indexOf(afrikaansMonths[name] ?? name)
  return month < 0 ? null : validDay(named[3]!, month + 1, named[1]!)
}

/** The order that leaves the fewest texts invalid; day first on a tie, as is usual in South Africa. */
export function guessDayOrder(texts: Iterable<string>): DayOrder {
  let dayFirst = 0
  let monthFirst = 0
  for (const text of texts) {
    const parts = /^(\d{1,2})[-/. ](\d{1,2})[-/. ]\d{4}/.exec(text)
    if (!parts) continue
    if (Number(parts[1]) > 12) monthFirst += 1
    if (Number(parts[2]) > 12) dayFirst += 1
  }
  return monthFirst < dayFirst ? "MDY" : "DMY"
}

/**
 * Restores zeros that a spreadsheet removed from an ID number (9 to 12 digits are left of births from 2000 to 2009).
 * The result must match its check digit or the date of birth; otherwise returns the text without separators. A number
 * with a leading zero has lost none.
 */
export function restoreLeadingZeros(text: string, today: Day, dateOfBirth: Day | null): string {
  const digits = text.replace(/[\s.-]/g, "").replace(/^'/, "")
  if (!/^[1-9]\d{8,11}$/.test(digits)) return digits
  const padded = digits.padStart(13, "0")
  if (dateOfBirth && padded.slice(0, 6) === dateOfBirth.slice(2).replaceAll("-", "")) return padded
  const checked = checkZaIdNumber(padded, today)
  if (checked.ok) return padded
  // With a valid check digit, report the wrong date, not a short number.
  const wholeButForItsDate = digits.length === 12 && checked.reason === "impossible_date" && isLuhnValid(padded)
  return wholeButForItsDate ? padded : digits
}

/**
 * Reads an amount (`R 25 000,00`, `25000.5`) in cents, and rounds fractions of a cent. Null if invalid or ambiguous
 * (`25.000`).
 */
export function readAmount(text: string, currency: Currency): Cents | null {
  const exact = /^-?(\d+[.,]\d{4,}|\d{4,}[.,]\d{3})$/.test(text) ? Number(text.replace(",", ".")) : null
  return exact === null ? parseMoney(text, currency) : Math.round(exact * 100)
}

/** Monthly, in cents; null if not a plausible salary. */
export function readSalary(text: string, currency: Currency): Cents | null {
  const cents = readAmount(text, currency)
  return cents !== null && cents > 0 && cents <= maxSalaryCents ? cents : null
}

/** Restores the leading zero of a nine-digit South African number. */
export function readPhone(text: string): string {
  return /^[1-9]\d{8}$/.test(text) ? `0${text}` : text
}

const wordKey = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z]/g, "")

const choices = new Map(
  memberFieldNames.map((name) => {
    const { names = {}, cells = {} } = memberField(name)!
    const keys = Object.entries(names).flatMap(([value, read]) =>
      [value, read, ...(cells[value] ?? "").split(" ")].map((word) => [wordKey(word), value] as const),
    )
    return [name, new Map(keys.filter(([key]) => key !== ""))] as const
  }),
)

/** Reads a word from a list ("Male", "M", "Manlik"; "Full-time"); null if unknown. */
export function readChoice<Name extends MemberFieldName>(name: Name, text: string): Choice<MemberFields[Name]> | null {
  return (choices.get(name)!.get(wordKey(text)) as Choice<MemberFields[Name]> | undefined) ?? null
}
