import { joinTexts, parseDecimal } from "@milkwood/domain/banking/bank-cells"
import {
  firstBalanceFault,
  type ReadLine,
  type ReadStatement,
  type StatementFault,
} from "@milkwood/domain/banking/statement"
import { type Day, validDay } from "@milkwood/domain/kernel/calendar"
import type { Cents, Currency } from "@milkwood/domain/kernel/money"
import { unreadableFile } from "../platform/files/unreadable.ts"
import { expectFewLines } from "./statement-lines.ts"

interface Field {
  tag: string
  text: string
}

/** Each field's value must begin like this: wrapped texts may also begin with ":12:" or ":26:" as part of a time. */
const fieldContentPatterns: Record<string, RegExp> = {
  "20": /^/,
  "21": /^/,
  "25": /^/,
  "28": /^[\d/]/,
  "28C": /^[\d/]/,
  "34F": /^[A-Z]{3}/,
  "60F": /^[CD]\d{6}[A-Z]{3}\d/,
  "60M": /^[CD]\d{6}[A-Z]{3}\d/,
  "61": /^\d{6}/,
  "62F": /^[CD]\d{6}[A-Z]{3}\d/,
  "62M": /^[CD]\d{6}[A-Z]{3}\d/,
  "64": /^[CD]\d{6}[A-Z]{3}\d/,
  "65": /^[CD]\d{6}[A-Z]{3}\d/,
  "86": /^/,
  NS: /^/,
  "90C": /^\d/,
  "90D": /^\d/,
  "13D": /^\d{10}/,
}

/** Tags allowed before a header field: elsewhere, such a tag is the minutes of a time within a text. */
const precedingFieldPatterns: Record<string, RegExp> = {
  "20": /^(?:62F|62M|64|65|86|none|25)$/,
  "21": /^20$/,
  "25": /^2[01]$/,
  "28": /^25$/,
  "28C": /^25$/,
}

function splitFields(text: string): Field[] {
  const lines = text
    .replace(/\{[1235]:(?:[^{}]|\{[^{}]*\})*\}/g, "")
    .replace(/\{4:\r?\n?/g, "")
    .replace(/\r\n?/g, "\n")
    .split("\n")
  const fields: Field[] = []
  for (const [at, line] of lines.entries()) {
    const found = /^:(\d{2}[A-Z]?|NS):(.*)$/.exec(line)
    const [tag, rest] = [found?.[1] ?? "", found?.[2] ?? ""]
    const isField =
      fieldContentPatterns[tag]?.test(rest) &&
      (precedingFieldPatterns[tag]?.test(fields.at(-1)?.tag ?? "none") ?? true) &&
      (tag !== "20" || fields.length === 0 || isHeadNext(lines, at))
    if (isField) fields.push({ tag, text: rest })
    else if (/^-\}?\s*$/.test(line) || /^:940:\s*$/.test(line)) fields.push({ tag: "none", text: "" })
    else if (fields.length > 0 && line.trim() !== "") fields.at(-1)!.text += `\n${line}`
  }
  return fields.filter(({ tag }) => tag !== "none")
}

const isHeadNext = (lines: readonly string[], at: number): boolean => /^:2[15]:/.test(lines[at + 1] ?? "")

/** Some banks write a short preamble before each statement (ABN AMRO: its address and "940"). */
export const isMt940 = (text: string): boolean =>
  /^(?:\s|\{[^{}]*\}|\{4:|:940:|[A-Z0-9]{3,16}\r?\n)*:(?:20|25|28C?|60F|61|62F|64):/.test(text)

/** Reads MT940 with several accounts or pages. Throws `Unreadable` for incomplete files. */
export function readMt940(text: string, currency: Currency): ReadStatement[] {
  const fields = splitFields(text)
  if (fields.some(({ tag }) => tag === "34F" || tag === "13D")) {
    throw unreadableFile("The file is an interim report (MT942), not a statement. Ask the bank for MT940.")
  }
  if (fields.length === 0)
    throw unreadableFile("The MT940 file is incomplete: it contains no statement. Download it again.")
  const statements: Field[][] = []
  for (const field of fields) {
    if (field.tag === "20" || statements.length === 0) statements.push([])
    statements.at(-1)!.push(field)
  }
  const count = { line: 0 }
  return statements.map((own) => readStatement(own, count, currency))
}

function readStatement(fields: Field[], count: { line: number }, currency: Currency): ReadStatement {
  const account =
    fields
      .find(({ tag }) => tag === "25")
      ?.text.split("\n")[0]
      ?.trim() || null
  const opening = fields.find(({ tag }) => /^60[FM]$/.test(tag))
  const closing = fields.findLast(({ tag }) => /^62[FM]$/.test(tag))
  if (!account || !opening || !closing) {
    const missing = !account
      ? "its account (:25:)"
      : !opening
        ? "its opening balance (:60F:)"
        : "its closing balance (:62F:)"
    throw unreadableFile(`The MT940 file is incomplete: ${missing} is missing. Download it again.`)
  }
  const faults: StatementFault[] = []
  const lines: ReadLine[] = []
  for (const [at, field] of fields.entries()) {
    if (field.tag !== "61") continue
    count.line++
    expectFewLines(count.line)
    const details: string[] = []
    for (let next = at + 1; isDetail(fields[next]); next++) {
      const { tag, text } = fields[next]!
      details.push(tag === "86" ? readDetailText(text) : joinNumberedLines(text))
    }
    const read = readEntry(field.text, details, count.line)
    if (typeof read === "string") faults.push({ line: count.line, sentence: `Entry ${count.line}: ${read}` })
    else lines.push(read)
  }
  const statement = {
    account: account.replaceAll('"', ""),
    currency: opening.text.slice(7, 10),
    openingCents: parseBalance(opening.text),
    closingCents: parseBalance(closing.text),
    lines,
    period: parsePeriod(closing.text),
  }
  const parted = firstBalanceFault(statement, currency)
  return { ...statement, faults: parted ? [...faults, parted] : faults }
}

function parseBalance(text: string): Cents {
  const written = /^([CD])\d{6}[A-Z]{3}(\d+(?:,\d*)?)/.exec(text)!
  const cents = parseDecimal(written[2]!)
  if (cents === null) throw unreadableFile(`“${text.slice(0, 40)}” is not a balance.`)
  return written[1] === "D" && cents !== 0 ? -cents : cents
}

function parsePeriod(text: string): ReadStatement["period"] {
  const [, year, month, date] = /^[CD](\d{2})(\d{2})(\d{2})/.exec(text)!
  const on = validDay(2000 + Number(year), Number(month), date!)
  return on === null ? null : { fromOn: on, toOn: on }
}

const isDetail = (field: Field | undefined): boolean => field?.tag === "86" || field?.tag === "NS"

/** Value date, entry date, C or D (R marks a reversal), funds code, amount, type, references. */
const entry = /^(\d{6})(\d{4}|\s{4})?\s*(R?[CD])([A-Z])?(\d{1,15}(?:,\d*)?)(?:([A-Z][A-Z0-9 ]{3})(.*))?$/

function readEntry(written: string, details: readonly string[], line: number): ReadLine | string {
  const [first = "", ...rest] = written.split("\n")
  // Some banks wrap inside the amount.
  const whole = entry.exec(first) ?? entry.exec([first, ...rest].join(""))
  if (!whole) return `“${first.slice(0, 60)}” is not an entry.`
  const [, value, booked, mark, , amount, , references = ""] = whole
  const cents = parseDecimal(amount!)
  if (cents === null) return `“${amount}” is not an amount.`
  const day = parseEntryDay(value!, booked?.trim() ? booked : undefined)
  if (day === null) return `“${value}” is not a date.`
  // A reversed credit is money out; a reversed debit is money in.
  const isIn = mark === "C" || mark === "RD"
  const [own = ""] = references.split("//")
  const reference = /^NONREF$/i.test(own.trim()) ? "" : own.trim()
  const supplement = entry.test(first) ? rest.join(" ") : ""
  const text = joinTexts([...details, supplement])
  return { line, day, amountCents: isIn || cents === 0 ? cents : -cents, text, reference, balanceCents: null }
}

/** The entry date in the year of the value date; the value date if the entry date is missing or invalid. */
function parseEntryDay(value: string, booked: string | undefined): Day | null {
  const year = 2000 + Number(value.slice(0, 2))
  const valueDay = validDay(year, value.slice(2, 4), value.slice(4, 6))
  if (!booked) return valueDay
  const [valueMonth, month] = [Number(value.slice(2, 4)), Number(booked.slice(0, 2))]
  const turned = month - valueMonth > 6 ? -1 : valueMonth - month > 6 ? 1 : 0
  return validDay(year + turned, month, booked.slice(2, 4)) ?? valueDay
}

/** Maximum line widths: a text that fills its line or numbered part continues in the middle of a word. */
const wrapColumn = 60
const partLength = 26

/** The payer (15, 16) and the remarks (09) of the numbered lines. */
function joinNumberedLines(text: string): string {
  const lines = text.split("\n").map((line) => /^(\d{2})(.*)$/.exec(line))
  const of = (...numbers: string[]) =>
    lines.flatMap((line) => (line && numbers.includes(line[1]!) ? [line[2]!.trim()] : [])).join(" ")
  return joinTexts([of("15", "16"), of("09")])
}

function readDetailText(text: string): string {
  const whole = text
    .split("\n")
    .reduce((joined, next, at, all) => joined + (at > 0 && all[at - 1]!.length < wrapColumn ? " " : "") + next, "")
    .trim()
  const sign = /^\d{3}([?>])\d{2}/.exec(whole)?.[1]
  if (!sign) return whole
  const parts = new Map<string, string>()
  for (const part of whole.split(sign).slice(1)) {
    const number = part.slice(0, 2)
    parts.set(number, (parts.get(number) ?? "") + part.slice(2))
  }
  const of = (pattern: RegExp) => [...parts].flatMap(([number, part]) => (pattern.test(number) ? [part] : []))
  const joined = (texts: string[]) =>
    texts.reduce((whole, next, at) => whole + (at > 0 && texts[at - 1]!.length < partLength ? " " : "") + next, "")
  return joinTexts([joined(of(/^3[23]/)), joined(of(/^2\d|^6[0-3]/)) || joined(of(/^00/))])
}
