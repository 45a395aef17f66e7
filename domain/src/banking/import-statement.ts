import { type Day, maxDay, minDay } from "../kernel/calendar.ts"
import { type Cents, type Currency, currencyNames, formatMoney } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { maxReceivedCents } from "../receipts/receipt.ts"
import type { BankAccount } from "./bank-account.ts"
import { normalizeAccountNumber } from "./bank-cells.ts"
import { type CsvColumns, findTable, readBankCsv, rememberedColumnsFor } from "./bank-csv.ts"
import { type NewLine, type StoredLine, separateNewLines } from "./known-lines.ts"
import {
  closingOf,
  joinStatements,
  openingOf,
  type ReadLine,
  type ReadStatement,
  type StatementContent,
} from "./statement.ts"
import { type ReadDay, statementDaysOf } from "./statement-days.ts"

type ImportAccount = Pick<BankAccount, "accountNumber" | "columns" | "openedOn">

export interface HeaderColumns {
  header: string[]
  columns: CsvColumns
}

/**
 * Finds an account's statement in a file; null if a CSV's columns are unknown. Refuses another account or currency and
 * a file without lines.
 */
export function selectStatement(
  content: StatementContent,
  account: ImportAccount,
  columns: CsvColumns | null,
  currency: Currency,
): Decision<{ statement: ReadStatement; own: HeaderColumns | null } | null, "NOT_READ"> {
  if (content.format !== "csv") {
    const statement = statementOfAccount(content.statements, account, currency)
    return "refused" in statement ? statement : { statement, own: null }
  }
  const table = findTable(content.rows)
  // The user's choice of columns overrides a bank's known layout.
  const used = columns ?? rememberedColumnsFor(table, account.columns)
  const statements = readBankCsv(content.rows, currency, used)
  if (!statements) return null
  const statement = statementOfAccount(statements, account, currency)
  return "refused" in statement ? statement : { statement, own: used && { header: table.header, columns: used } }
}

function statementOfAccount(
  statements: readonly ReadStatement[],
  { accountNumber }: ImportAccount,
  currency: Currency,
): Decision<ReadStatement, "NOT_READ"> {
  const own = statements.filter(({ account }) => account === null || isSameAccount(account, accountNumber))
  if (own.length === 0) {
    const others = [...new Set(statements.map(({ account }) => account))].slice(0, 3).join(", ")
    return refuse("NOT_READ", `The file is for account ${others}, not for ${accountNumber}. Nothing was imported.`)
  }
  const statement = joinStatements(own, currency)
  if (statement.currency !== null && statement.currency !== currency) {
    return refuse(
      "NOT_READ",
      `The file is in ${statement.currency}, but the account is in ${currencyNames[currency]}. Nothing was imported.`,
    )
  }
  if (statement.lines.length === 0 && statement.faults.length > 0) {
    return refuse("NOT_READ", `${statement.faults[0]!.sentence} Nothing was imported.`)
  }
  const isEmpty = statement.lines.length === 0 && (!statement.period || closingOf(statement) === null)
  if (isEmpty) return refuse("NOT_READ", "The file has no lines for this account. Nothing was imported.")
  const large = amountLimitFault(statement, currency)
  return large === null ? statement : refuse("NOT_READ", `${large} Nothing was imported.`)
}

/** A sentence if an amount, balance or total exceeds the largest receipt; otherwise null. */
function amountLimitFault({ lines, openingCents, closingCents }: ReadStatement, currency: Currency): string | null {
  const most = `more than ${formatMoney(maxReceivedCents, currency)}, the largest amount allowed.`
  const isLarge = (cents: Cents | null) => cents !== null && Math.abs(cents) > maxReceivedCents
  const line = lines.find(({ amountCents, balanceCents }) => isLarge(amountCents) || isLarge(balanceCents))
  if (line) return `Line ${line.line} (${line.day}) has an amount or a balance of ${most}`
  if (isLarge(openingCents) || isLarge(closingCents)) return `The file has a balance of ${most}`
  for (const sign of [1, -1]) {
    const sum = lines.reduce((cents, { amountCents }) => cents + Math.max(0, amountCents * sign), 0)
    if (sum > maxReceivedCents) return `The total money ${sign > 0 ? "in" : "out"} of the file is ${most}`
  }
  return null
}

/** Banks mask the first digits of a card, and some write only the last digits of an account. */
function isSameAccount(said: string, accountNumber: string): boolean {
  const [theirs, ours] = [normalizeAccountNumber(said), normalizeAccountNumber(accountNumber)]
  return theirs === ours || (theirs.length >= 8 && ours.endsWith(theirs))
}

/** The effect of an import on an account, in cents. */
export interface StatementPlan {
  fromOn: Day
  toOn: Day
  openingCents: Cents | null
  closingCents: Cents | null
  fresh: NewLine[]
  known: ReadLine[]
  /** Number of lines before the account's first day; the opening balance includes them. */
  earlier: number
  empty: number
  /** The account's opening day and balance; null unless this is its first statement. */
  opens: { on: Day; cents: Cents | null } | null
  days: ReadDay[]
}

/**
 * Plans an import. `kept` are the account's stored lines on the statement's days. The first statement opens the account
 * on its first day, with the file's or the entered balance.
 */
export function planImport(
  statement: ReadStatement,
  account: Pick<BankAccount, "openedOn">,
  kept: readonly StoredLine[],
  typedOpeningCents: Cents | null = null,
): StatementPlan {
  const { fromOn, toOn } = periodOf(statement)
  const { openedOn } = account
  const counted = statement.lines.filter(({ day }) => openedOn === null || day >= openedOn)
  const openingCents = openingOf(statement)
  return {
    ...{ fromOn, toOn, openingCents },
    closingCents: closingOf(statement),
    ...separateNewLines(counted, kept),
    earlier: statement.lines.length - counted.length,
    empty: counted.filter(({ amountCents }) => amountCents === 0).length,
    opens: openedOn === null ? { on: fromOn, cents: openingCents ?? typedOpeningCents } : null,
    days: statementDaysOf(statement),
  }
}

function periodOf({ lines, period }: ReadStatement): { fromOn: Day; toOn: Day } {
  const [first, ...rest] = lines.map(({ day }) => day)
  if (first === undefined) return period!
  return { fromOn: minDay(first, ...rest), toOn: maxDay(first, ...rest) }
}
