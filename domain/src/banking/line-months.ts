import { type Day, yearOf } from "../kernel/calendar.ts"

export interface NamedMonth {
  /** 1 to 12. */
  month: number
  year: number | null
  word: string
}

const monthNamePattern =
  "JAN(?:UARY|UARIE)?|FEB(?:RUARY|RUARIE)?|MAR(?:CH)?|MAART|MRT|APR(?:IL)?|MAY|MEI|JUN(?:E|IE)?|JUL(?:Y|IE)?|AUG(?:UST|USTUS)?|SEP(?:T|TEMBER)?|OCT(?:OBER)?|OKT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?|DES(?:EMBER)?"
const monthPrefixes = ["JAN", "FEB", "MA", "AP", "M", "JUN", "JUL", "AU", "S", "O", "N", "D"]

/** A day directly before the name, such as 02NOV, is the payment's day and names no month. */
const namedMonthPattern = new RegExp(
  `(?<![A-Z])(?<!\\d[\\s.-]?)(${monthNamePattern})(?![A-Z])(?:[\\s.'/-]{0,2}(20\\d{2}|\\d{2})(?!\\d))?`,
  "g",
)
const yearFirst = /(?<![\d/-])(20\d{2})[-/](0[1-9]|1[0-2])(?![-/]?\d)/g
const monthFirst = /(?<![\d/-])(0[1-9]|1[0-2])[-/](20\d{2})(?!\d)/g

/** A number of the product whose digits look like a month, such as INV-2026-12. */
const numberedPattern =
  /(?:INV(?:OICES?)?|GP|POL(?:ICY)?|SCHEME|REC(?:EIPT)?|PAY|BAT(?:CH)?|DEP(?:OSIT)?)[\s.:#/_-]*(?:N[OR]\.?\s*)?20\d{2}[\s._/-]{0,3}\d{1,6}/g

/** Finds the months named in an upper-case text. `day` decides whether two digits are a year. */
export function monthsIn(said: string, day: Day): NamedMonth[] {
  const found: NamedMonth[] = []
  const text = said.replace(numberedPattern, " ; ")
  for (const [, word, digits] of text.matchAll(namedMonthPattern)) {
    const year = digits === undefined ? null : Number(digits.length === 2 ? `20${digits}` : digits)
    const isNear = year !== null && Math.abs(year - yearOf(day)) <= 2
    found.push({ month: monthIndexOf(word!), year: isNear ? year : null, word: word! })
  }
  for (const [word, year, month] of text.matchAll(yearFirst)) {
    found.push({ month: Number(month), year: Number(year), word })
  }
  for (const [word, month, year] of text.matchAll(monthFirst)) {
    found.push({ month: Number(month), year: Number(year), word })
  }
  return found
}

function monthIndexOf(word: string): number {
  if (word === "MAY" || word === "MEI") return 5
  return monthPrefixes.findIndex((start, at) => at !== 4 && word.startsWith(start)) + 1
}

export const isMonth = ({ month, year }: NamedMonth, day: Day): boolean =>
  Number(day.slice(5, 7)) === month && (year === null || yearOf(day) === year)
