import type { Day } from "../kernel/calendar.ts"
import { headerKey } from "../kernel/header-words.ts"
import type { Cents, Currency } from "../kernel/money.ts"
import { joinTexts, monthByName, parseBankAmount, parseBankDay } from "./bank-cells.ts"
import { completeYear, sortOldestFirst } from "./bank-csv-order.ts"
import { isRemark, separateRemarks } from "./bank-csv-remarks.ts"
import {
  firstBalanceFault,
  type LeftOutRow,
  type ReadLine,
  type ReadStatement,
  type StatementFault,
} from "./statement.ts"

export const csvFields = ["day", "text", "reference", "amount", "moneyIn", "moneyOut", "balance"] as const
export type CsvField = (typeof csvFields)[number]

export const csvFieldLabels: Record<CsvField, string> = {
  day: "Date",
  text: "Description",
  reference: "Reference",
  amount: "Amount (negative for money out)",
  moneyIn: "Money in",
  moneyOut: "Money out",
  balance: "Balance",
}

export type CsvColumns = Partial<Record<CsvField, number>> & { dayOrder: "DMY" | "MDY" }

/** The columns chosen for the account's last unknown CSV, reused for a file with the same header. */
export interface RememberedColumns {
  header: string[]
  columns: CsvColumns
}

export interface CsvTable {
  /** Index of the header row; -1 if there is no header. */
  headerRow: number
  header: string[]
  layout: Layout | null
}

interface Layout {
  day: number
  dayOrder: "DMY" | "MDY"
  texts: number[]
  references: number[]
  amount: number | undefined
  moneyIn: number | undefined
  moneyOut: number | undefined
  side: number | undefined
  fee: number | undefined
  balance: number | undefined
  account: number | undefined
}

const headerSynonyms = {
  day: "postingdate date effectivedate transactiondate posteddate valuedate datum buchung",
  text: "description statementdescription transactiondescription longdescription originaldescription description1 description2 description3 details narrative particulars payee naamomschrijving namedescription auftraggeberempfanger verwendungszweck mededelingen notifications",
  reference: "reference customerreference originatorreference",
  amount: "amount amounteur amountusd amountzar bedrageur betrag",
  moneyIn: "moneyin credit creditamount deposit",
  moneyOut: "moneyout debit debitamount withdrawal",
  side: "afbij debitcredit",
  fee: "fee fees servicefee",
  balance: "balance runningbalance saldonamutatie resultingbalance saldo",
  account: "account accountnumber rekening",
}

const currencyIn = (header: string | undefined): string | null => /\(([A-Z]{3})\)\s*$/.exec(header ?? "")?.[1] ?? null

function layoutOf(header: readonly string[]): Layout | null {
  const keys = header.map(headerKey)
  const all = (words: string) =>
    words
      .split(" ")
      .map((word) => keys.indexOf(word))
      .filter((at) => at >= 0)
  const first = (words: string) => all(words)[0]
  const [day, amount, moneyIn, moneyOut] = [
    headerSynonyms.day,
    headerSynonyms.amount,
    headerSynonyms.moneyIn,
    headerSynonyms.moneyOut,
  ].map(first)
  const texts = all(headerSynonyms.text)
  if (day === undefined || texts.length === 0 || (amount === undefined && (moneyIn ?? moneyOut) === undefined))
    return null
  return {
    ...{ day, dayOrder: "DMY", texts, references: all(headerSynonyms.reference), amount },
    ...(amount === undefined ? { moneyIn, moneyOut } : { moneyIn: undefined, moneyOut: undefined }),
    ...{ side: first(headerSynonyms.side), fee: first(headerSynonyms.fee) },
    ...{ balance: first(headerSynonyms.balance), account: first(headerSynonyms.account) },
  }
}

const layoutOfColumns = (columns: CsvColumns): Layout => ({
  day: columns.day ?? -1,
  dayOrder: columns.dayOrder,
  texts: columns.text === undefined ? [] : [columns.text],
  references: columns.reference === undefined ? [] : [columns.reference],
  amount: columns.amount,
  moneyIn: columns.moneyIn,
  moneyOut: columns.moneyOut,
  side: undefined,
  fee: undefined,
  balance: columns.balance,
  account: undefined,
})

/** Nedbank's export has no header: one or two days, then text, amount and sometimes the balance. */
function layoutWithoutHeader(rows: readonly string[][]): Layout | null {
  if (headerKey(rows[0]?.[0] ?? "") !== "statementenquiry") return null
  const row = rows.find((cells) => parseBankDay(cells[0] ?? "") !== null)
  if (!row) return null
  const two = parseBankDay(row[1] ?? "") !== null ? 1 : 0
  const unused = { moneyIn: undefined, moneyOut: undefined, side: undefined, fee: undefined, account: undefined }
  const balance = row.length > 3 + two ? 3 + two : undefined
  return { ...unused, references: [], day: 0, dayOrder: "DMY", texts: [1 + two], amount: 2 + two, balance }
}

const maxHeaderSearchRows = 40

export function findTable(rows: readonly string[][]): CsvTable {
  for (const [headerRow, header] of rows.slice(0, maxHeaderSearchRows).entries()) {
    const layout = layoutOf(header)
    if (layout) return { headerRow, header: header.map((cell) => cell.trim()), layout }
  }
  const layout = layoutWithoutHeader(rows)
  if (layout) return { headerRow: -1, header: [], layout }
  const widest = Math.max(0, ...rows.slice(0, maxHeaderSearchRows).map((cells) => countFilledCells(cells)))
  const headerRow = rows.findIndex((cells) => countFilledCells(cells) >= widest * 0.6)
  const begins = rows[headerRow] ?? []
  return begins.some((cell) => parseBankDay(cell) !== null)
    ? { headerRow: headerRow - 1, header: begins.map((_, at) => `Column ${at + 1}`), layout: null }
    : { headerRow, header: begins.map((cell, at) => cell.trim() || `Column ${at + 1}`), layout: null }
}

const countFilledCells = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== "").length

export const areColumnsSufficient = (columns: CsvColumns): boolean =>
  columns.day !== undefined &&
  columns.text !== undefined &&
  (columns.amount !== undefined || columns.moneyIn !== undefined || columns.moneyOut !== undefined)

export const rememberedColumnsFor = (table: CsvTable, last: RememberedColumns | null): CsvColumns | null =>
  last && last.header.join("\n") === table.header.join("\n") ? last.columns : null

/** Reads one statement per account; null if the columns are unknown. Other rows become faults; nothing is guessed. */
export function readBankCsv(
  rows: readonly string[][],
  currency: Currency,
  columns: CsvColumns | null = null,
): ReadStatement[] | null {
  if (!columns && rows[0]?.[0]?.trim() === "2" && rows.some((cells) => cells[0]?.trim() === "5")) {
    return [readFnbMailStatement(rows, currency)]
  }
  const table = findTable(rows)
  const layout = columns && areColumnsSufficient(columns) ? layoutOfColumns(columns) : table.layout
  if (!layout) return null
  const said = readPreamble(rows.slice(0, table.headerRow === -1 ? maxHeaderSearchRows : table.headerRow), currency)
  const read = rows.flatMap((cells, at) => (at > table.headerRow ? [readRow(cells, at + 1, layout, currency)] : []))
  const accounts = new Set(read.flatMap((row) => (row.account && row.line ? [row.account] : [])))
  const each = accounts.size === 0 ? [null] : [...accounts]
  return each.map((account) => {
    const own = read.filter((row) => each.length === 1 || row.account === account)
    const maybe = new Set(own.flatMap(({ line, isRemark }) => (line && isRemark ? [line.line] : [])))
    const { lines, leftOut, faults } = separateRemarks(addFees(own), maybe, said.openingCents, currency)
    const statement = {
      account: account ?? said.account,
      currency: layout.amount === undefined ? null : currencyIn(table.header[layout.amount]),
      openingCents: said.openingCents,
      closingCents: said.closingCents,
      lines,
    }
    const parted = firstBalanceFault(statement, currency)
    return {
      ...statement,
      faults: [
        ...own.flatMap(({ fault }) => fault ?? []),
        ...faults,
        ...countFaults(said, lines),
        ...(parted ? [parted] : []),
      ],
      leftOut: [...own.flatMap(({ leftOut }) => leftOut ?? []), ...leftOut].sort((a, b) => a.line - b.line),
    }
  })
}

interface ReadRow {
  account: string | null
  line?: ReadLine
  feeCents: Cents
  fault?: StatementFault
  leftOut?: LeftOutRow
  /** The row looks like a balance or a total; the balances decide whether it is a payment. */
  isRemark?: boolean
}

function readRow(cells: readonly string[], line: number, layout: Layout, currency: Currency): ReadRow {
  const cell = (at: number | undefined) => (at === undefined ? "" : (cells[at] ?? "").trim())
  const account = cell(layout.account) || null
  const text = joinTexts(layout.texts.map(cell))
  const nothing = { account, feeCents: 0 }
  const amounts = [layout.amount, layout.moneyIn, layout.moneyOut, layout.fee].map(cell)
  const day = parseBankDay(cell(layout.day), layout.dayOrder)
  const remark = isRemark(text) || isRemark(cell(0))
  const leftOut = (why: LeftOutRow["why"], amountCents: Cents): ReadRow => ({
    ...nothing,
    leftOut: { line, text: text || cell(0), amountCents, why },
  })
  if (amounts.every((amount) => amount === "")) {
    return day === null && !remark ? nothing : leftOut("no amount", 0)
  }
  const read = amounts.map((amount) => (amount === "" ? 0 : parseBankAmount(amount, currency)))
  const broken = amounts.find((_, at) => read[at] === null)
  if (day === null && broken !== undefined) return nothing
  // A total below the table has no date, so it cannot be posted.
  const written = cell(layout.day)
  if (day === null && remark && (written === "" || isRemark(written))) {
    return leftOut("no date", read.find((cents) => cents !== 0) ?? 0)
  }
  const fault = (sentence: string): ReadRow => ({ ...nothing, fault: { line, sentence: `Line ${line}: ${sentence}` } })
  if (day === null) return fault(`“${written.slice(0, 40)}” is not a date.`)
  if (broken !== undefined) return fault(`“${broken.slice(0, 40)}” is not an amount.`)
  const [amount, moneyIn, moneyOut, feeCents] = read as [Cents, Cents, Cents, Cents]
  const balance = cell(layout.balance)
  const balanceCents = balance === "" ? null : parseBankAmount(balance, currency)
  if (balance !== "" && balanceCents === null) return fault(`“${balance.slice(0, 40)}” is not a balance.`)
  const reference = joinTexts(layout.references.map(cell))
  const isOut = /^(?:af|debit)$/i.test(cell(layout.side))
  const signed = isOut && amount !== 0 ? -Math.abs(amount) : amount
  const amountCents = layout.amount === undefined ? moneyIn - Math.abs(moneyOut) : signed
  if (remark && amountCents === 0) return leftOut("no amount", 0)
  return { account, feeCents, isRemark: remark, line: { line, day, amountCents, text, reference, balanceCents } }
}

/** Fee signs differ, and some banks include the fee in the amount: choose the reading that most balances confirm. */
function addFees(rows: readonly ReadRow[]): ReadLine[] {
  const readings = [1, -1, 0].map((sign) =>
    rows.flatMap(({ line, feeCents }) => (line ? [{ ...line, amountCents: line.amountCents + sign * feeCents }] : [])),
  )
  if (rows.every(({ feeCents }) => feeCents === 0)) return readings[0]!
  return readings.reduce((best, lines) => (countMatchingBalances(lines) > countMatchingBalances(best) ? lines : best))
}

function countMatchingBalances(lines: readonly ReadLine[]): number {
  const ordered = sortOldestFirst(lines)
  return ordered.filter(({ amountCents, balanceCents }, at) => {
    const before = ordered[at - 1]?.balanceCents
    return balanceCents !== null && before != null && before + amountCents === balanceCents
  }).length
}

interface Preamble {
  account: string | null
  openingCents: Cents | null
  closingCents: Cents | null
  debits: number | null
  credits: number | null
}

function readPreamble(rows: readonly string[][], currency: Currency): Preamble {
  const found = new Map<string, string>()
  for (const [name, value] of rows.map((cells) => cells.map((cell) => cell.trim()))) {
    const key = headerKey(name ?? "")
    const inside = /account number\s*:?\s*(\d[\d ]{4,})/i.exec(name ?? "")?.[1]
    if (inside) found.set("accountnumber", inside)
    else if (value && !found.has(key)) found.set(key, value)
  }
  const first = (...keys: string[]) => keys.map((key) => found.get(key)).find((value) => value !== undefined)
  const amount = (...keys: string[]) => parseBankAmount(first(...keys) ?? "", currency)
  const count = (key: string) => (/^\d+$/.test(found.get(key) ?? "") ? Number(found.get(key)) : null)
  return {
    account: first("accountnumber", "account", "accno", "accountno", "iban") ?? null,
    openingCents: amount("openingbalance", "openbalance", "balancebroughtforward"),
    closingCents: amount("closingbalance", "closebalance"),
    debits: count("numberofdebits"),
    credits: count("numberofcredits"),
  }
}

function countFaults({ debits, credits }: Preamble, lines: readonly ReadLine[]): StatementFault[] {
  const out = lines.filter(({ amountCents }) => amountCents < 0).length
  const sides = [
    { said: debits, found: out, name: "debits" },
    { said: credits, found: lines.length - out, name: "credits" },
  ]
  return sides
    .filter(({ said, found }) => said !== null && said !== found)
    .map(({ said, found, name }) => ({
      line: null,
      sentence: `The file states ${said} ${name} but contains ${found}.`,
    }))
}

/** FNB's emailed statement: record 2 is the account, 3 the period, 5 a line (its day has no year). */
function readFnbMailStatement(rows: readonly string[][], currency: Currency): ReadStatement {
  const recordOf = (kind: string) => rows.find((cells) => cells[0]?.trim() === kind) ?? []
  const [from, to] = recordOf("3")
    .slice(2, 4)
    .map((cell) => parseBankDay(cell))
  const faults: StatementFault[] = []
  const lines = rows.flatMap((cells, at): ReadLine[] => {
    if (cells[0]?.trim() !== "5") return []
    const [, , written = "", one, two, three, amount = "", balance = ""] = cells
    const day: Day | null = completeYear(written, { from: from ?? null, to: to ?? null }, monthByName)
    const amountCents = parseBankAmount(amount, currency)
    if (day === null || amountCents === null) {
      const wrong = day === null ? `“${written.trim()}” is not a date` : `“${amount.trim()}” is not an amount`
      faults.push({ line: at + 1, sentence: `Line ${at + 1}: ${wrong}.` })
      return []
    }
    const text = joinTexts([one, two, three])
    return [{ line: at + 1, day, amountCents, text, reference: "", balanceCents: parseBankAmount(balance, currency) }]
  })
  const statement = {
    ...{ account: recordOf("2")[1]?.trim() || null, currency: null, openingCents: null, closingCents: null },
    lines: sortOldestFirst(lines),
  }
  const parted = firstBalanceFault(statement, currency)
  return { ...statement, faults: parted ? [...faults, parted] : faults }
}
