import { joinTexts, parseDecimal } from "@milkwood/domain/banking/bank-cells"
import {
  firstBalanceFault,
  type ReadLine,
  type ReadStatement,
  type StatementFault,
} from "@milkwood/domain/banking/statement"
import { type Day, validDay } from "@milkwood/domain/kernel/calendar"
import type { Cents, Currency } from "@milkwood/domain/kernel/money"
import { all, type Element, elementAt, parseXml, textAt } from "../platform/files/read-xml.ts"
import { unreadableFile } from "../platform/files/unreadable.ts"
import { expectFewLines } from "./statement-lines.ts"

const otherMessageFaults: Record<string, string> = {
  BkToCstmrAcctRpt: "The file is an interim report (camt.052), not a statement. Ask the bank for camt.053.",
  BkToCstmrDbtCdtNtfctn: "The file is a notification (camt.054), not a statement. Ask the bank for camt.053.",
}

/** Reads camt.053 of any version: balances and booked entries. Throws `Unreadable`. */
export function readCamt053(text: string, currency: Currency): ReadStatement[] {
  const document = parseXml(text).children[0]
  for (const [name, sentence] of Object.entries(otherMessageFaults))
    if (elementAt(document, name)) throw unreadableFile(sentence)
  const statements = all(elementAt(document, "BkToCstmrStmt"), "Stmt")
  if (statements.length === 0) throw unreadableFile("There is no statement in the XML file. Ask the bank for camt.053.")
  const count = { line: 0 }
  return statements.map((statement) => readStatement(statement, count, currency))
}

function readStatement(found: Element, count: { line: number }, currency: Currency): ReadStatement {
  const faults: StatementFault[] = []
  const lines = all(found, "Ntry").flatMap((entry): ReadLine[] => {
    const status = textAt(entry, "Sts/Cd") || textAt(entry, "Sts")
    if (status !== "" && status !== "BOOK") return []
    const read = readEntry(entry, count.line + 1)
    count.line += typeof read === "string" ? 1 : read.length
    expectFewLines(count.line)
    if (typeof read !== "string") return read
    faults.push({ line: count.line, sentence: `Entry ${count.line}: ${read}` })
    return []
  })
  const balance = (...codes: string[]): Cents | null => {
    const said = codes.map((code) => all(found, "Bal").find((one) => textAt(one, "Tp/CdOrPrtry/Cd") === code))
    const first = said.find((one) => one !== undefined)
    return first ? signedAmountOf(first) : null
  }
  const statement = {
    account: textAt(found, "Acct/Id/IBAN") || textAt(found, "Acct/Id/Othr/Id") || null,
    currency:
      textAt(found, "Acct/Ccy") ||
      (elementAt(found, "Bal/Amt")?.currency ?? elementAt(found, "Ntry/Amt")?.currency ?? null),
    openingCents: balance("OPBD", "PRCD"),
    closingCents: balance("CLBD"),
    lines,
    period: periodOf(found),
  }
  const parted = firstBalanceFault(statement, currency)
  return { ...statement, faults: parted ? [...faults, parted] : faults }
}

/** Signed amount in cents; null if it is invalid. A reversal entry already has its final sign. */
function signedAmountOf(element: Element): Cents | null {
  const cents = parseDecimal(textAt(element, "Amt"))
  return cents !== null && cents !== 0 && textAt(element, "CdtDbtInd") === "DBIT" ? -cents : cents
}

const readDay = (element: Element | undefined): Day | null =>
  parseCamtDay(textAt(element, "Dt") || textAt(element, "DtTm"))

function parseCamtDay(text: string): Day | null {
  const [year = "", month = "", date = ""] = text.slice(0, 10).split("-")
  return validDay(year, month, date)
}

/** The statement's period, or the day of its last balance if it has no entries. */
function periodOf(found: Element): ReadStatement["period"] {
  const dayIn = (name: string) => parseCamtDay(textAt(found, `FrToDt/${name}`))
  const days = all(found, "Bal").flatMap((balance) => readDay(elementAt(balance, "Dt")) ?? [])
  const toOn = dayIn("ToDtTm") ?? dayIn("ToDt") ?? days.toSorted().at(-1) ?? null
  const fromOn = dayIn("FrDtTm") ?? dayIn("FrDt") ?? toOn
  return fromOn === null || toOn === null || fromOn > toOn ? null : { fromOn, toOn }
}

/** One line per entry, or one per payment if the payments add up to the entry. */
function readEntry(entry: Element, line: number): ReadLine[] | string {
  const amountCents = signedAmountOf(entry)
  if (amountCents === null) return `“${textAt(entry, "Amt").slice(0, 40)}” is not an amount.`
  const day = readDay(elementAt(entry, "BookgDt")) ?? readDay(elementAt(entry, "ValDt"))
  if (day === null) return "it has no date."
  const payments = all(entry, "NtryDtls").flatMap((details) => all(details, "TxDtls"))
  const side = amountCents < 0 ? -1 : 1
  const parts = payments.map((payment) => {
    const cents = parseDecimal(textAt(payment, "Amt") || textAt(payment, "AmtDtls/TxAmt/Amt"))
    return cents === null ? null : side * cents
  })
  const note = textAt(entry, "AddtlNtryInf")
  const lineOf = (payment: Element | undefined, cents: Cents, place: number): ReadLine => ({
    ...{ line: line + place, day, amountCents: cents, balanceCents: null },
    ...readTexts(payment, amountCents < 0, note),
  })
  const sums = parts.length > 1 && parts.reduce<Cents>((sum, part) => sum + (part ?? Number.NaN), 0) === amountCents
  if (sums) return payments.map((payment, place) => lineOf(payment, parts[place]!, place))
  return [lineOf(payments[0], amountCents, 0)]
}

function readTexts(payment: Element | undefined, isOut: boolean, note: string): Pick<ReadLine, "text" | "reference"> {
  const party = (role: string) => {
    const found = elementAt(payment, `RltdPties/${role}`)
    return textAt(found, "Nm") || textAt(found, "Pty/Nm")
  }
  const who = isOut ? ["UltmtCdtr", "Cdtr"] : ["UltmtDbtr", "Dbtr"]
  const purpose = all(elementAt(payment, "RmtInf"), "Ustrd").map((one) => one.text)
  const structured = textAt(payment, "RmtInf/Strd/CdtrRefInf/Ref")
  const endToEnd = textAt(payment, "Refs/EndToEndId")
  return {
    text: joinTexts([...who.map(party), ...purpose, textAt(payment, "AddtlTxInf"), note]),
    reference: structured || (endToEnd === "NOTPROVIDED" ? "" : endToEnd),
  }
}
