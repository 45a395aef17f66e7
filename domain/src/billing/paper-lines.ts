import { type Day, formatMonths } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { monthNames } from "./difference-words.ts"

/** Cents without VAT. */
export interface LineToPrint {
  description: string
  memberNumber: string | null
  /** The member's current name. */
  memberName?: string | null
  billedMonth?: Day | null
  quantity: number
  unitCents: Cents
  totalCents: Cents
}

/** `quantity` × `unitCents` is `totalCents`. */
export type PrintedRow = Pick<LineToPrint, "description" | "memberNumber" | "quantity" | "unitCents" | "totalCents">

/** Rows under one cause as heading, or null. */
export interface PrintedPart {
  cause: string | null
  rows: PrintedRow[]
}

/**
 * Groups adjustments of earlier months by cause, with a row per member and amount: "Thandi Mokoena, Aug–Sep 2026", 2 ×
 * R 20,00. The rows add up to the lines.
 */
export function printedParts(lines: readonly LineToPrint[], currency: Currency): PrintedPart[] {
  const parts: PrintedPart[] = []
  const byCause = new Map<string, PrintedPart>()
  const monthsOf = new Map<string, { row: PrintedRow; months: Set<Day> }>()
  for (const line of lines) {
    const { memberNumber, quantity, unitCents, totalCents } = line
    const said = causeInDescription(line, currency)
    if (!said) {
      const row = { description: line.description, memberNumber, quantity, unitCents, totalCents }
      const last = parts.at(-1)
      if (last?.cause === null) last.rows.push(row)
      else parts.push({ cause: null, rows: [row] })
      continue
    }
    const { cause, who, month } = said
    let part = byCause.get(cause)
    if (!part) {
      part = { cause, rows: [] }
      byCause.set(cause, part)
      parts.push(part)
    }
    const key = JSON.stringify([cause, who, memberNumber, unitCents])
    let found = monthsOf.get(key)
    if (!found) {
      found = { row: { description: "", memberNumber, quantity: 0, unitCents, totalCents: 0 }, months: new Set() }
      monthsOf.set(key, found)
      part.rows.push(found.row)
    }
    found.months.add(month)
    const months = formatMonths([...found.months].sort())
    found.row.description = who ? `${who}, ${months}` : months
    found.row.quantity += quantity
    found.row.totalCents += totalCents
  }
  return parts
}

/** Amounts without VAT. */
export interface BilledPart {
  /** Null for lines without a month. */
  month: Day | null
  /** Null for the regular premium. */
  reason: string | null
  /** Distinct members. */
  people: number
  netCents: Cents
}

/**
 * The invoice's own month first, then adjustments by month, then lines without a month. Months with more than
 * `maxReasons` reasons are one part.
 */
export function billedParts(lines: readonly LineToPrint[], ownMonth: Day, currency: Currency): BilledPart[] {
  const found = new Map<string, BilledPart & { members: Set<string> }>()
  const reasonsOf = new Map<Day | null, Set<string>>()
  const said = lines.map((line) => ({ line, cause: causeInDescription(line, currency)?.cause ?? null }))
  for (const { line, cause } of said) {
    const month = line.billedMonth ?? null
    if (cause !== null) reasonsOf.set(month, (reasonsOf.get(month) ?? new Set()).add(cause))
  }
  for (const { line, cause } of said) {
    const month = line.billedMonth ?? null
    const isMany = (reasonsOf.get(month)?.size ?? 0) > maxReasons
    const reason = cause !== null && isMany ? `${reasonsOf.get(month)!.size} reasons, listed below` : cause
    const key = JSON.stringify([month, reason])
    const part = found.get(key) ?? { month, reason, people: 0, netCents: 0, members: new Set() }
    found.set(key, part)
    if (line.memberNumber) part.members.add(line.memberNumber)
    part.netCents += line.totalCents
  }
  const rank = ({ month, reason }: BilledPart): string =>
    month === null ? "3" : month === ownMonth && reason === null ? "1" : `2 ${month}`
  return [...found.values()]
    .sort((one, other) => (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0))
    .map(({ members, ...part }) => ({ ...part, people: members.size }))
}

const maxReasons = 4

/**
 * The cause in a premium run's line, without member and amount; null for other lines. Works for a member renamed since:
 * the line has the old name.
 */
function causeInDescription({ description, memberName, billedMonth, totalCents }: LineToPrint, currency: Currency) {
  if (!billedMonth) return null
  const tail = [true, false]
    .map((withYear) => `: ${monthNames([billedMonth], withYear)}, ${formatMoney(totalCents, currency)}`)
    .find((end) => description.endsWith(end))
  if (!tail) return null
  const sentence = description.slice(0, -tail.length)
  const named = memberName && sentence.startsWith(memberName) ? sentence.slice(memberName.length) : ""
  const rest = /^:? (?=\S)/.exec(named)
  if (!rest) return { cause: sentence, who: null, month: billedMonth }
  const cause = named.slice(rest[0].length)
  return { cause: `${cause[0]!.toUpperCase()}${cause.slice(1)}`, who: memberName!, month: billedMonth }
}
