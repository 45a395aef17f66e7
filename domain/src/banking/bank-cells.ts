import { type Day, parseDay, validDay } from "../kernel/calendar.ts"
import { type Cents, type Currency, parseMoney } from "../kernel/money.ts"

/**
 * Parses bank amounts such as `R 1,150.00`, `1.234,56`, `(123.45)`, `123.45-` and `123.45 Dr`. `150,00` is 150.00;
 * `15,000` is 15000. Returns cents, negative for brackets, a minus and Dr; null otherwise.
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
  if (/\d\.\d{3},\d{1,2}$/.test(text)) text = text.replaceAll(".", "").replace(",", ".")
  const cents = parseMoney(text, currency)
  if (cents === null) return null
  return cents === 0 ? 0 : sign * cents
}

/** Parses a decimal of OFX or ISO 20022 (`-3.77000`, `120`, `12,5`). Null for fractions of a cent. */
export function parseDecimal(written: string): Cents | null {
  const parts = /^([+-]?)(\d+)(?:[.,](\d*))?$/.exec(written.trim())
  if (!parts) return null
  const fraction = (parts[3] ?? "").replace(/0+$/, "")
  if (fraction.length > 2) return null
  const cents = Number(parts[2]! + fraction.padEnd(2, "0"))
  if (!Number.isSafeInteger(cents)) return null
  return parts[1] === "-" && cents !== 0 ? -cents : cents
}

const monthPrefixes = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

export const monthByName = (name: string): number => monthPrefixes.indexOf(name.slice(0, 3).toLowerCase()) + 1

/**
 * Parses dates of South African banks, such as `20260216`, `16/02/2026` (day first) and `16-Feb-26`, with or without a
 * time. Null if it is not a real day.
 */
export function parseBankDay(written: string, order: "DMY" | "MDY" = "DMY"): Day | null {
  const text = written
    .replace(/["']/g, "")
    .trim()
    .replace(/[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?$/, "")
  const named = /^(\d{1,2})[-/ ]?([A-Za-z]{3,9})[-/ ]?(\d{4}|\d{2})$/.exec(text)
  if (named) {
    const year = named[3]!.length === 2 ? `20${named[3]}` : named[3]!
    return validDay(year, monthByName(named[2]!), named[1]!)
  }
  return parseDay(text, order)
}

/** Account number without branch, spaces and leading zeros, for comparison. */
export const normalizeAccountNumber = (number: string): string =>
  (number.split("/").at(-1) ?? "")
    .replace(/[^0-9A-Za-z]/g, "")
    .replace(/^0+/, "")
    .toUpperCase()

export function joinTexts(texts: readonly (string | undefined)[]): string {
  const kept: string[] = []
  for (const text of texts) {
    const plain = (text ?? "").replace(/[\s\p{Cc}]+/gu, " ").trim()
    if (plain && !kept.some((other) => other.includes(plain))) kept.push(plain)
  }
  return kept.join(" ")
}
