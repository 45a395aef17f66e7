import { type Day, maxDay, minDay } from "../kernel/calendar.ts"
import { type Cents, type Currency, currencyNames, formatMoney } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { mostReceivedCents } from "../receipts/receipt.ts"
import type { BankAccount } from "./bank-account.ts"
import { plainAccount } from "./bank-cells.ts"
import { type CsvColumns, findTable, readBankCsv, rememberedFor } from "./bank-csv.ts"
import { type KeptLine, type NewLine, sortOutLines } from "./known-lines.ts"
import {
  closingOf,
  joinStatements,
  openingOf,
  type ReadLine,
  type ReadStatement,
  type StatementContent,
} from "./statement.ts"
import { daysOf, type ReadDay } from "./statement-days.ts"

type Owner = Pick<BankAccount, "accountNumber" | "columns" | "openedOn">

/** The table of a CSV with the columns that it is read by. */
export interface ReadColumns {
  header: string[]
  columns: CsvColumns
}

/**
 * What a file says of an account. Null where it is a CSV of which nobody knows yet which column is what; `own` are the
 * columns that it was read by, where those are not a bank's. Refuses, with a sentence, what is not of this account, not
 * in the currency of the house, or without lines.
 */
export function statementFor(
  content: StatementContent,
  account: Owner,
  columns: CsvColumns | null,
  currency: Currency,
): Decision<{ statement: ReadStatement; own: ReadColumns | null } | null, "NOT_READ"> {
  if (content.format !== "csv") {
    const statement = ofAccount(content.statements, account, currency)
    return "refused" in statement ? statement : { statement, own: null }
  }
  const table = findTable(content.rows)
  // What somebody said of this header goes before what we take it for.
  const used = columns ?? rememberedFor(table, account.columns)
  const statements = readBankCsv(content.rows, currency, used)
  if (!statements) return null
  const statement = ofAccount(statements, account, currency)
  return "refused" in statement ? statement : { statement, own: used && { header: table.header, columns: used } }
}

function ofAccount(
  statements: readonly ReadStatement[],
  { accountNumber }: Owner,
  currency: Currency,
): Decision<ReadStatement, "NOT_READ"> {
  const own = statements.filter(({ account }) => account === null || isSame(account, accountNumber))
  if (own.length === 0) {
    const others = [...new Set(statements.map(({ account }) => account))].slice(0, 3).join(", ")
    return refuse("NOT_READ", `The file is of account ${others}, not of ${accountNumber}. Nothing was kept.`)
  }
  const statement = joinStatements(own, currency)
  if (statement.currency !== null && statement.currency !== currency) {
    return refuse(
      "NOT_READ",
      `The file is in ${statement.currency}, but the account is in ${currencyNames[currency]}. Nothing was kept.`,
    )
  }
  if (statement.lines.length === 0 && statement.faults.length > 0) {
    return refuse("NOT_READ", `${statement.faults[0]!.sentence} Nothing was kept.`)
  }
  const isEmpty = statement.lines.length === 0 && (!statement.period || closingOf(statement) === null)
  if (isEmpty) return refuse("NOT_READ", "The file has no lines for this account. Nothing was kept.")
  const large = tooLarge(statement, currency)
  return large === null ? statement : refuse("NOT_READ", `${large} Nothing was kept.`)
}

/** A sentence about an amount, balance or total of a statement that is larger than a receipt may be; null without one. */
function tooLarge({ lines, openingCents, closingCents }: ReadStatement, currency: Currency): string | null {
  const most = `more than ${formatMoney(mostReceivedCents, currency)}, the largest amount that can be recorded.`
  const isLarge = (cents: Cents | null) => cents !== null && Math.abs(cents) > mostReceivedCents
  const line = lines.find(({ amountCents, balanceCents }) => isLarge(amountCents) || isLarge(balanceCents))
  if (line) return `Line ${line.line} (${line.day}) has an amount or a balance of ${most}`
  if (isLarge(openingCents) || isLarge(closingCents)) return `The file has a balance of ${most}`
  for (const sign of [1, -1]) {
    const sum = lines.reduce((cents, { amountCents }) => cents + Math.max(0, amountCents * sign), 0)
    if (sum > mostReceivedCents) return `The money ${sign > 0 ? "in" : "out"} of the file comes to ${most}`
  }
  return null
}

/** Banks hide the first digits of a card, and some write an account's last ones alone. */
function isSame(said: string, accountNumber: string): boolean {
  const [theirs, ours] = [plainAccount(said), plainAccount(accountNumber)]
  return theirs === ours || (theirs.length >= 8 && ours.endsWith(theirs))
}

/** What an import adds to an account. Units: cents. */
export interface StatementPlan {
  fromOn: Day
  toOn: Day
  /** The balances before the first and after the last line, where the file says them. */
  openingCents: Cents | null
  closingCents: Cents | null
  fresh: NewLine[]
  known: ReadLine[]
  /** Lines from before the account begins here: its opening balance holds them. */
  earlier: number
  /** Lines without an amount: notices. */
  empty: number
  /** The balance with which the account begins; null where it began with an earlier statement. */
  opens: { on: Day; cents: Cents | null } | null
  /** The days of the file as it states them, also those before the account begins. */
  days: ReadDay[]
}

/**
 * Holds a statement against what is there of its account. `kept` are the account's lines on the days of the statement.
 * The first statement opens the account on its first day, at the balance that the file says, or at the one typed.
 */
export function planImport(
  statement: ReadStatement,
  account: Pick<BankAccount, "openedOn">,
  kept: readonly KeptLine[],
  typedOpeningCents: Cents | null = null,
): StatementPlan {
  const { fromOn, toOn } = periodOf(statement)
  const { openedOn } = account
  const counted = statement.lines.filter(({ day }) => openedOn === null || day >= openedOn)
  const openingCents = openingOf(statement)
  return {
    ...{ fromOn, toOn, openingCents },
    closingCents: closingOf(statement),
    ...sortOutLines(counted, kept),
    earlier: statement.lines.length - counted.length,
    empty: counted.filter(({ amountCents }) => amountCents === 0).length,
    opens: openedOn === null ? { on: fromOn, cents: openingCents ?? typedOpeningCents } : null,
    days: daysOf(statement),
  }
}

/** The days of a statement's lines; without lines, the period that the file names. */
function periodOf({ lines, period }: ReadStatement): { fromOn: Day; toOn: Day } {
  const [first, ...rest] = lines.map(({ day }) => day)
  if (first === undefined) return period!
  return { fromOn: minDay(first, ...rest), toOn: maxDay(first, ...rest) }
}
