import { type Day, parseDay, realDay } from "../kernel/calendar.ts"
import { type Cents, type Currency, parseMoney } from "../kernel/money.ts"

/**
 * An amount as banks and spreadsheets write it: `-50.00`, `R 1,150.00`, `R15 000.00`, `1.234,56`, `(123.45)`,
 * `123.45-`, `123.45 Dr`, `123.45Cr`, `ZAR 99.99`, `+00012.50`. `150,00` is 150.00, `15,000` is 15000. Answers cents,
 * below zero for brackets, a minus on either side and Dr; null where it is no amount.
 */
export function parseBankAmount(written: string, currency: Currency): Cents | null {
  let text = written.replace(/[\s\u00a0\u2009\u202f]+/g, " ").trim()
  let sign = 1
  const bracketed = /^\((.*)\)$/.exec(text)
  if (bracketed) [text, sign] = [bracketed[1]!, -1]
  const sided = /^(.*?)\s?(dr|cr)\.?$/i.exec(text)
  if (sided) {
    text = sided[1]!
    if (sided[2]!.toLowerCase() === "dr") sign = -sign
  }
  const behind = /^(.*\d)\s?[-\u2212]$/.exec(text)
  if (behind) [text, sign] = [behind[1]!, -sign]
  text = text.replace(/^\+\s?/, "")
  // 1.234,56: dots between thousands, a comma before the cents.
  if (/\d\.\d{3},\d{1,2}$/.test(text)) text = text.replaceAll(".", "").replace(",", ".")
  // 1,234,567.80 has its thousands in threes; so has -R1,234.50.
  const cents = parseMoney(text, currency)
  if (cents === null) return null
  return cents === 0 ? 0 : sign * cents
}

/** A decimal as OFX and ISO 20022 write it: `-3.77000`, `120`, `12,5`. Null for more than whole cents. */
export function parseDecimal(written: string): Cents | null {
  const parts = /^([+-]?)(\d+)(?:[.,](\d*))?$/.exec(written.trim())
  if (!parts) return null
  const fraction = (parts[3] ?? "").replace(/0+$/, "")
  if (fraction.length > 2) return null
  const cents = Number(parts[2]! + fraction.padEnd(2, "0"))
  if (!Number.isSafeInteger(cents)) return null
  return parts[1] === "-" && cents !== 0 ? -cents : cents
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** The number of a month by the first three letters of its name; 0 where there is none. */
export const monthByName = (name: string): number => months.indexOf(name.slice(0, 3).toLowerCase()) + 1

/**
 * A day as South African banks write it: `2026/02/16`, `20260216`, `16/02/2026` (the day first), `16Feb2026`,
 * `16-Feb-26`, `16 February 2026`, with quotes or a time behind it. Null where it is no real day.
 */
export function parseBankDay(written: string, order: "DMY" | "MDY" = "DMY"): Day | null {
  const text = written
    .replace(/["']/g, "")
    .trim()
    .replace(/[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?$/, "")
  const named = /^(\d{1,2})[-/ ]?([A-Za-z]{3,9})[-/ ]?(\d{4}|\d{2})$/.exec(text)
  if (named) {
    const year = named[3]!.length === 2 ? `20${named[3]}` : named[3]!
    return realDay(year, monthByName(named[2]!), named[1]!)
  }
  return parseDay(text, order)
}

/** An account's number without branch, spaces and leading zeros, as two spellings of it are compared. */
export const plainAccount = (number: string): string =>
  (number.split("/").at(-1) ?? "")
    .replace(/[^0-9A-Za-z]/g, "")
    .replace(/^0+/, "")
    .toUpperCase()

/** Texts of a line as one, each said once. */
export function joinTexts(texts: readonly (string | undefined)[]): string {
  const kept: string[] = []
  for (const text of texts) {
    const plain = (text ?? "").replace(/[\s\p{Cc}]+/gu, " ").trim()
    if (plain && !kept.some((other) => other.includes(plain))) kept.push(plain)
  }
  return kept.join(" ")
}
