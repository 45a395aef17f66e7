import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"

/** Lines oldest first, in cents. */
export interface WrittenStatement {
  accountNumber: string
  openingCents: Cents
  lines: readonly WrittenLine[]
}

export interface WrittenLine {
  day: Day
  text: string
  reference: string
  amountCents: Cents
}

interface Balanced extends WrittenLine {
  balanceCents: Cents
}

export function decimals(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const slashed = (day: Day) => day.replaceAll("-", "/")
const plain = (day: Day) => day.replaceAll("-", "")
const short = (day: Day) => plain(day).slice(2)

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const named = (day: Day) => `${day.slice(8)}${monthNames[Number(day.slice(5, 7)) - 1]}${day.slice(0, 4)}`

const csv = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.map((cell) => (/[",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(","))

const joined = ({ text, reference }: WrittenLine) => [text, reference].filter(Boolean).join(" ")

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

function balanced({ openingCents, lines }: WrittenStatement): Balanced[] {
  let balanceCents = openingCents
  return lines.map((line) => {
    balanceCents += line.amountCents
    return { ...line, balanceCents }
  })
}

const closing = (statement: WrittenStatement) => balanced(statement).at(-1)?.balanceCents ?? statement.openingCents

function fnb(statement: WrittenStatement): string {
  const rows = balanced(statement).map((line) => [
    ...[slashed(line.day), decimals(line.amountCents), decimals(line.balanceCents), joined(line)],
  ])
  const balance = decimals(closing(statement))
  return csv([
    ...[["ACCOUNT TRANSACTION HISTORY"], [""], ["Name:", " Milkwood"]],
    ["Account:", ` ${statement.accountNumber}`, " Business Account"],
    ...[["Balance:", balance, balance], [""], ["Date", "Amount", "Balance", "Description"]],
    ...rows.reverse(),
  ]).join("\n")
}

function absa(statement: WrittenStatement): string {
  const rows = balanced(statement).map((line) => [
    ...[plain(line.day), joined(line), decimals(line.amountCents), decimals(line.balanceCents)],
  ])
  return csv([["Date", "Description", "Amount", "Balance"], ...rows]).join("\r\n")
}

function nedbank(statement: WrittenStatement): string {
  const rows = balanced(statement).map((line) => [
    ...[named(line.day), joined(line), decimals(line.amountCents), decimals(line.balanceCents)],
  ])
  return csv([
    ...[["Statement Enquiry:"], ["Account Number :", statement.accountNumber]],
    ...[
      ["Account Description :", "Cheque"],
      ["Statement Number:", "629"],
    ],
    ...rows,
  ]).join("\n")
}

function standardBank(statement: WrittenStatement): string {
  const lines = balanced(statement)
  const rows = lines.map((line) => [
    ...[slashed(line.day), line.text, decimals(line.amountCents), decimals(line.balanceCents), line.reference],
  ])
  const carried = (day: Day | undefined, name: string, cents: Cents) =>
    day ? [[slashed(day), name, "", decimals(cents), ""]] : []
  return csv([
    ["Date", "Description", "Amount", "Balance", "Customer Reference"],
    ...carried(lines[0]?.day, "OPEN BALANCE", statement.openingCents),
    ...rows,
    ...carried(lines.at(-1)?.day, "CLOSE BALANCE", closing(statement)),
  ]).join("\n")
}

function capitec(statement: WrittenStatement): string {
  const header =
    "Nr,Account,Posting Date,Transaction Date,Description,Original Description,Parent Category,Category,Money In,Money Out,Fee,Balance"
  const rows = balanced(statement).map((line, at) => {
    const amount = decimals(line.amountCents)
    const [moneyIn, moneyOut] = line.amountCents > 0 ? [amount, ""] : ["", amount]
    const said = [joined(line), joined(line), "Other", "Other"]
    return [
      ...[String(at + 1), statement.accountNumber, line.day, line.day, ...said, moneyIn, moneyOut, ""],
      decimals(line.balanceCents),
    ]
  })
  return [header, ...csv(rows)].join("\n")
}

function bankZero(statement: WrittenStatement): string {
  const rows = balanced(statement).map((line) => [
    ...[line.day, "Mon", "11:55", line.amountCents > 0 ? "Pay in" : "Payment", line.text, line.reference, "0.00"],
    ...[decimals(line.amountCents), decimals(line.balanceCents), "No"],
  ])
  const header = "Date,Day,Time,Type,Description 1,Description 2,Fee,Amount,Balance,Has Attachments"
  return [header, ...csv(rows)].join("\n")
}

function ofx1(statement: WrittenStatement): string {
  const entries = statement.lines.map(({ day, text, reference, amountCents }, at) =>
    [
      ...["<STMTTRN>", `<TRNTYPE>${amountCents > 0 ? "CREDIT" : "DEBIT"}`, `<DTPOSTED>${plain(day)}`],
      ...[`<TRNAMT>${decimals(amountCents)}`, `<FITID>${at + 1}`],
      ...(reference ? [`<CHECKNUM>${escaped(reference)}`] : []),
      ...[`<MEMO>${escaped(text)}`, "</STMTTRN>"],
    ].join("\n"),
  )
  return [
    ...["OFXHEADER:100", "DATA:OFXSGML", "VERSION:102", "", "<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>ZAR"],
    `<BANKACCTFROM><BANKID>250655<ACCTID>${statement.accountNumber}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>`,
    ...entries,
    "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>",
  ].join("\n")
}

function ofx2(statement: WrittenStatement): string {
  const entries = statement.lines.map(
    ({ day, text, reference, amountCents }, at) =>
      `<STMTTRN><DTPOSTED>${plain(day)}120000</DTPOSTED><TRNAMT>${decimals(amountCents)}</TRNAMT><FITID>${at + 1}</FITID>${
        reference ? `<REFNUM>${escaped(reference)}</REFNUM>` : ""
      }<MEMO>${escaped(text)}</MEMO></STMTTRN>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="200"?><OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>ZAR</CURDEF><BANKACCTFROM><ACCTID>${
    statement.accountNumber
  }</ACCTID></BANKACCTFROM><BANKTRANLIST>${entries.join("")}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
}

function mt940(statement: WrittenStatement): string {
  const amount = (cents: Cents) => decimals(Math.abs(cents)).replace(".", ",")
  const balance = (tag: string, day: Day, cents: Cents) =>
    `:${tag}:${cents < 0 ? "D" : "C"}${short(day)}ZAR${amount(cents)}`
  const wrapped = (text: string) => text.match(/.{1,60}/g)?.join("\n") ?? ""
  const entries = statement.lines.map(({ day, text, reference, amountCents }) => {
    const side = amountCents < 0 ? "D" : "C"
    const booked = short(day).slice(2)
    return `:61:${short(day)}${booked}${side}${amount(amountCents)}NTRF${reference.slice(0, 16) || "NONREF"}\n:86:${wrapped(text)}`
  })
  const [first, last] = [statement.lines[0], statement.lines.at(-1)]
  return [
    ...[":20:STATEMENT", `:25:250655/${statement.accountNumber}`, ":28C:1/1"],
    balance("60F", first?.day ?? "2026-01-01", statement.openingCents),
    ...entries,
    balance("62F", last?.day ?? "2026-01-01", closing(statement)),
    "-",
  ].join("\n")
}

function camt053(statement: WrittenStatement): string {
  const amount = (cents: Cents) =>
    `<Amt Ccy="ZAR">${decimals(Math.abs(cents))}</Amt><CdtDbtInd>${cents < 0 ? "DBIT" : "CRDT"}</CdtDbtInd>`
  const balance = (code: string, cents: Cents) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(cents)}</Bal>`
  const entries = statement.lines.map(({ day, text, reference, amountCents }) => {
    const refs = `<Refs><EndToEndId>${escaped(reference) || "NOTPROVIDED"}</EndToEndId></Refs>`
    const details = `<TxDtls>${refs}<RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf></TxDtls>`
    const booked = `<Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>`
    return `<Ntry>${amount(amountCents)}${booked}<NtryDtls>${details}</NtryDtls></Ntry>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
    `<BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>${statement.accountNumber}</Id></Othr></Id><Ccy>ZAR</Ccy></Acct>`,
    ...[balance("OPBD", statement.openingCents), balance("CLBD", closing(statement)), ...entries],
    "</Stmt></BkToCstmrStmt></Document>",
  ].join("\n")
}

export const statementFiles = {
  ...{ fnb, absa, nedbank, standardBank, capitec, bankZero },
  ...{ ofx1, ofx2, mt940, camt053 },
} as const satisfies Record<string, (statement: WrittenStatement) => string>

export type StatementFile = keyof typeof statementFiles
