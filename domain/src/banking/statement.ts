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
  /** of V8's heap while a file is read, in megabytes */
  memory: 512,
  /** of work on one file, in milliseconds */
  time: 30_000,
  /** in one file */
  lines: 20_000,
  /** Characters that are kept of a line's texts. */
  text: 400,
  reference: 140,
} as const

/** A line as the bank has it: what came in is above zero, what went out below. Units: cents. */
export interface ReadLine {
  /** Where it stands in the file: the row of a CSV, otherwise the number of the entry, from 1. */
  line: number
  /** The day on which the bank booked it. */
  day: Day
  amountCents: Cents
  text: string
  reference: string
  /** The balance after it, where the file says one. */
  balanceCents: Cents | null
}

/** A row or an entry that stands in the file and cannot be read, or a balance that does not follow; as a sentence. */
export interface StatementFault {
  line: number | null
  sentence: string
}

/** A row of a CSV that is no payment. Units: cents. */
export interface LeftOutRow {
  line: number
  text: string
  amountCents: Cents
  /** The row has no amount, no date, or the balances show that no money moved. */
  why: "no amount" | "no date" | "balance"
}

/** What a file says of one account, its lines from the oldest to the newest. Null is what the file does not say. */
export interface ReadStatement {
  account: string | null
  currency: string | null
  openingCents: Cents | null
  closingCents: Cents | null
  lines: ReadLine[]
  faults: StatementFault[]
  /** Rows that are no payments; formats other than CSV have none. */
  leftOut?: LeftOutRow[]
  /** The period that the file names, for a statement without lines. */
  period?: { fromOn: Day; toOn: Day } | null
}

/** A file as it was read, before it is held against an account: a CSV as its cells, everything else as statements. */
export type StatementContent =
  | { format: Exclude<StatementFormat, "csv">; statements: ReadStatement[] }
  | { format: "csv"; rows: string[][] }

/**
 * Where the balances of a statement part, the first place alone; null where they follow from each other. A balance
 * that follows from no other (none before it, none said for the opening) is taken as said.
 */
export function partedAt(statement: Omit<ReadStatement, "faults">, currency: Currency): StatementFault | null {
  const { lines, openingCents, closingCents } = statement
  let running = openingCents
  for (const { line, day, amountCents, balanceCents, text } of lines) {
    const due: Cents | null = running === null ? null : running + amountCents
    if (balanceCents !== null && due !== null && balanceCents !== due) {
      const place = `Line ${line} (${day}, ${text.slice(0, 60) || "without text"})`
      const sum = `${formatMoney(running!, currency)} and ${formatMoney(amountCents, currency)} make ${formatMoney(due, currency)}`
      return { line, sentence: `${place}: the balance says ${formatMoney(balanceCents, currency)}, but ${sum}.` }
    }
    running = balanceCents ?? due
  }
  if (closingCents !== null && running !== null && running !== closingCents) {
    const sentence = `The statement closes at ${formatMoney(closingCents, currency)}, but its lines come to ${formatMoney(running, currency)}.`
    return { line: null, sentence }
  }
  return null
}

/** The balance before the first line: as the file says it, or as the first balance makes it; null where neither does. */
export function openingOf({ openingCents, lines }: Pick<ReadStatement, "openingCents" | "lines">): Cents | null {
  if (openingCents !== null) return openingCents
  let before = 0
  for (const { amountCents, balanceCents } of lines) {
    before += amountCents
    if (balanceCents !== null) return balanceCents - before
  }
  return null
}

/** The balance after the last line, in the same way. */
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
 * The statements that a file holds of one account as one: it opens as the first and closes as the last. Where one does
 * not open as the one before it closed, that is a fault. Takes at least one, in the order of the file.
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
      const sentence = `A statement in the file opens at ${formatMoney(opens, currency)}, but the one before it closed at ${formatMoney(closed, currency)}.`
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
