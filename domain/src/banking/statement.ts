import { type Day, maxDay, minDay } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

export const statementFormats = ["csv", "ofx", "mt940", "camt053"] as const
export type StatementFormat = (typeof statementFormats)[number]

export const statementFormatNames: Record<StatementFormat, string> = {
  csv: "CSV",
  ofx: "OFX",
  mt940: "MT940",
  camt053: "camt.053",
}

export const statementLimits = {
  bytes: 20 * 1024 * 1024,
  /** V8 heap for reading a file, in megabytes */
  memory: 512,
  /** milliseconds per file */
  time: 30_000,
  /** lines per file */
  lines: 20_000,
  /** characters stored of a line's texts */
  text: 400,
  reference: 140,
} as const

/** A line of the bank, in cents: money in is positive, money out negative. */
export interface ReadLine {
  /** The row of a CSV; otherwise the number of the entry, from 1. */
  line: number
  day: Day
  amountCents: Cents
  text: string
  reference: string
  balanceCents: Cents | null
}

/** A sentence about a row that cannot be read, or about a balance that does not follow from the previous one. */
export interface StatementFault {
  line: number | null
  sentence: string
}

/** A CSV row that is not a payment. Cents. */
export interface LeftOutRow {
  line: number
  text: string
  amountCents: Cents
  /** "balance": the balances show that no money moved. */
  why: "no amount" | "no date" | "balance"
}

/** One account's lines in a file, oldest first. A field is null if the file does not state it. */
export interface ReadStatement {
  account: string | null
  currency: string | null
  openingCents: Cents | null
  closingCents: Cents | null
  lines: ReadLine[]
  faults: StatementFault[]
  leftOut?: LeftOutRow[]
  period?: { fromOn: Day; toOn: Day } | null
}

export type StatementContent =
  | { format: Exclude<StatementFormat, "csv">; statements: ReadStatement[] }
  | { format: "csv"; rows: string[][] }

/**
 * The first balance that does not follow from the one before it; null if all follow. A balance without a predecessor is
 * accepted as stated.
 */
export function firstBalanceFault(statement: Omit<ReadStatement, "faults">, currency: Currency): StatementFault | null {
  const { lines, openingCents, closingCents } = statement
  let running = openingCents
  for (const { line, day, amountCents, balanceCents, text } of lines) {
    const due: Cents | null = running === null ? null : running + amountCents
    if (balanceCents !== null && due !== null && balanceCents !== due) {
      const place = `Line ${line} (${day}, ${text.slice(0, 60) || "no description"})`
      const sum = `${formatMoney(running!, currency)} plus ${formatMoney(amountCents, currency)} is ${formatMoney(due, currency)}`
      return { line, sentence: `${place}: the balance is ${formatMoney(balanceCents, currency)}, but ${sum}.` }
    }
    running = balanceCents ?? due
  }
  if (closingCents !== null && running !== null && running !== closingCents) {
    const sentence = `The closing balance is ${formatMoney(closingCents, currency)}, but the lines add up to ${formatMoney(running, currency)}.`
    return { line: null, sentence }
  }
  return null
}

/** The balance before the first line: stated, or derived from the first balance; null if the file has neither. */
export function openingOf({ openingCents, lines }: Pick<ReadStatement, "openingCents" | "lines">): Cents | null {
  if (openingCents !== null) return openingCents
  let before = 0
  for (const { amountCents, balanceCents } of lines) {
    before += amountCents
    if (balanceCents !== null) return balanceCents - before
  }
  return null
}

/** The balance after the last line, stated or derived; otherwise null. */
export function closingOf({ closingCents, openingCents, lines }: Omit<ReadStatement, "faults">): Cents | null {
  if (closingCents !== null) return closingCents
  let after = 0
  for (const { amountCents, balanceCents } of [...lines].reverse()) {
    if (balanceCents !== null) return balanceCents + after
    after += amountCents
  }
  return openingCents === null ? null : openingCents + after
}

/**
 * Joins an account's statements in file order; requires at least one. Adds a fault if a statement does not open at the
 * previous closing balance.
 */
export function joinStatements(statements: readonly ReadStatement[], currency: Currency): ReadStatement {
  const lines: ReadLine[] = []
  const faults: StatementFault[] = []
  const periods = statements.flatMap(({ period }) => period ?? [])
  let closed: Cents | null = null
  for (const statement of statements) {
    const opens = statement.openingCents
    if (closed !== null && opens !== null && closed !== opens) {
      const line = statement.lines[0]?.line ?? null
      const sentence = `A statement in the file has the opening balance ${formatMoney(opens, currency)}, but the closing balance before it is ${formatMoney(closed, currency)}.`
      faults.push({ line, sentence })
    }
    lines.push(...statement.lines)
    faults.push(...statement.faults)
    closed = closingOf(statement)
  }
  const { account, openingCents } = statements[0]!
  return {
    account,
    currency: statements.find((one) => one.currency !== null)?.currency ?? null,
    openingCents,
    closingCents: statements.length === 1 ? statements[0]!.closingCents : closed,
    lines,
    faults,
    leftOut: statements.flatMap(({ leftOut }) => leftOut ?? []),
    period:
      periods.length === 0
        ? null
        : {
            fromOn: periods.map(({ fromOn }) => fromOn).reduce((a, b) => minDay(a, b)),
            toOn: periods.map(({ toOn }) => toOn).reduce((a, b) => maxDay(a, b)),
          },
  }
}
