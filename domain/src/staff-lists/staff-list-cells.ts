import { addDays, type Day, type DayOrder, parseDay, realDay } from "../kernel/calendar.ts"
import type { Choice } from "../kernel/declared-field.ts"
import { type Cents, type Currency, parseMoney } from "../kernel/money.ts"
import { oneLine } from "../kernel/text.ts"
import { checkZaIdNumber, passesLuhn } from "../kernel/za-id-number.ts"
import { highestSalary } from "../members/member.ts"
import { type MemberFieldName, type MemberFields, memberField, memberFieldNames } from "../members/member-fields.ts"
import { staffListLimits } from "./staff-list.ts"

/**
 * A cell as plain text, in one line. The apostrophe with which our own files of refused rows neutralise a formula is
 * taken off again, so that such a file can be mended and imported.
 */
export function cleanCell(cell: string): string {
  const plain = oneLine(cell.slice(0, staffListLimits.cellCharacters))
  return /^'[=+\-@]/.test(plain) ? plain.slice(1) : plain
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const afrikaans: Record<string, string> = { mrt: "mar", mei: "may", okt: "oct", des: "dec" }

/**
 * Reads a date as people and spreadsheets write it: 25/06/1985 in the column's order, 1985-06-25, with a time behind
 * it, 25 June 1985, or the bare number of days that Excel counts (38466). Null where it is not a real day.
 */
export function readDay(text: string, order: DayOrder): Day | null {
  const written = text.replace(/[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?(Z| ?[AP]M)?$/i, "")
  const found = parseDay(written, order)
  if (found) return found
  if (/^\d{1,5}(\.\d+)?$/.test(written)) {
    // Excel's day 60 is 29 February 1900, which never was; nobody on a staff list is affected by the days before it.
    const serial = Math.floor(Number(written))
    return serial > 60 ? addDays("1899-12-30", serial) : null
  }
  const named = /^(\d{1,2})[ .-]+(\p{L}{3,9})\.?[ ,-]+(\d{4})$/u.exec(written)
  if (!named) return null
  const name = named[2]!.toLowerCase().slice(0, 3)
  const month = months.indexOf(afrikaans[name] ?? name)
  return month < 0 ? null : realDay(named[3]!, month + 1, named[1]!)
}

/**
 * The order in which a column writes its dates: the one under which the fewest of its texts are not real days. Day
 * first where both read everything, as is usual in South Africa.
 */
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
 * An ID number as a spreadsheet leaves it: 13 digits when only its leading zeros are missing (people born from 2000 to
 * 2009, 9 to 12 digits left), else the text as it is. Zeros are put back when the result then agrees with its own
 * check digit, or with the date of birth beside it; a number that begins with a zero has lost none, so it is short.
 */
export function restoreLeadingZeros(text: string, today: Day, dateOfBirth: Day | null): string {
  const digits = text.replace(/[\s.-]/g, "").replace(/^'/, "")
  if (!/^[1-9]\d{8,11}$/.test(digits)) return digits
  const padded = digits.padStart(13, "0")
  if (dateOfBirth && padded.slice(0, 6) === dateOfBirth.slice(2).replaceAll("-", "")) return padded
  const checked = checkZaIdNumber(padded, today)
  if (checked.ok) return padded
  // One lost zero with a right check digit is a whole number with a wrong date, not a number that is too short.
  const wholeButForItsDate = digits.length === 12 && checked.reason === "impossible_date" && passesLuhn(padded)
  return wholeButForItsDate ? padded : digits
}

/**
 * An amount in cents, as people and spreadsheets write it (`R 25 000,00`, `25000.5`); what a formula left beyond the
 * cent is rounded. Null where it is none, or may be read as two (`25.000`).
 */
export function readAmount(text: string, currency: Currency): Cents | null {
  const exact = /^-?(\d+[.,]\d{4,}|\d{4,}[.,]\d{3})$/.test(text) ? Number(text.replace(",", ".")) : null
  return exact === null ? parseMoney(text, currency) : Math.round(exact * 100)
}

/** A salary a month in cents. Null where it is no amount that somebody earns. */
export function readSalary(text: string, currency: Currency): Cents | null {
  const cents = readAmount(text, currency)
  return cents !== null && cents > 0 && cents <= highestSalary ? cents : null
}

/** A phone number; the zero that a spreadsheet took from a South African one (nine digits) is put back. */
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

/** A choice as lists write it ("Male", "M", "Manlik"; "Full-time"), or null where the word is not known. */
export function readChoice<Name extends MemberFieldName>(name: Name, text: string): Choice<MemberFields[Name]> | null {
  return (choices.get(name)!.get(wordKey(text)) as Choice<MemberFields[Name]> | undefined) ?? null
}
