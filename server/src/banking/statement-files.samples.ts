import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"

/** A statement to write; lines oldest first, in cents. */
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

interface BalancedLine extends WrittenLine {
  balanceCents: Cents
}

export function formatDecimal(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const slashedDay = (day: Day) => day.replaceAll("-", "/")
const compactDay = (day: Day) => day.replaceAll("-", "")
const shortDay = (day: Day) => compactDay(day).slice(2)

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const namedDay = (day: Day) => `${day.slice(8)}${monthNames[Number(day.slice(5, 7)) - 1]}${day.slice(0, 4)}`

const toCsv = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.map((cell) => (/[",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(","))

const joinTexts = ({ text, reference }: WrittenLine) => [text, reference].filter(Boolean).join(" ")

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

function withBalances({ openingCents, lines }: WrittenStatement): BalancedLine[] {
  let balanceCents = openingCents
  return lines.map((line) => {
    balanceCents += line.amountCents
    return { ...line, balanceCents }
  })
}

const closingCentsOf = (statement: WrittenStatement) =>
  withBalances(statement).at(-1)?.balanceCents ?? statement.openingCents

function createFnbFile(statement: WrittenStatement): string {
  const rows = withBalances(statement).map((line) => [
    ...[slashedDay(line.day), formatDecimal(line.amountCents), formatDecimal(line.balanceCents), joinTexts(line)],
  ])
  const balance = formatDecimal(closingCentsOf(statement))
  return toCsv([
    ...[["ACCOUNT TRANSACTION HISTORY"], [""], ["Name:", " Milkwood"]],
    ["Account:", ` ${statement.accountNumber}`, " Business Account"],
    ...[["Balance:", balance, balance], [""], ["Date", "Amount", "Balance", "Description"]],
    ...rows.reverse(),
  ]).join("\n")
}

function createAbsaFile(statement: WrittenStatement): string {
  const rows = withBalances(statement).map((line) => [
    ...[compactDay(line.day), joinTexts(line), formatDecimal(line.amountCents), formatDecimal(line.balanceCents)],
  ])
  return toCsv([["Date", "Description", "Amount", "Balance"], ...rows]).join("\r\n")
}

function createNedbankFile(statement: WrittenStatement): string {
  const rows = withBalances(statement).map((line) => [
    ...[namedDay(line.day), joinTexts(line), formatDecimal(line.amountCents), formatDecimal(line.balanceCents)],
  ])
  return toCsv([
    ...[["Statement Enquiry:"], ["Account Number :", statement.accountNumber]],
    ...[
      ["Account Description :", "Cheque"],
      ["Statement Number:", "629"],
    ],
    ...rows,
  ]).join("\n")
}

function createStandardBankFile(statement: WrittenStatement): string {
  const lines = withBalances(statement)
  const rows = lines.map((line) => [
    ...[
      slashedDay(line.day),
      line.text,
      formatDecimal(line.amountCents),
      formatDecimal(line.balanceCents),
      line.reference,
    ],
  ])
  const carried = (day: Day | undefined, name: string, cents: Cents) =>
    day ? [[slashedDay(day), name, "", formatDecimal(cents), ""]] : []
  return toCsv([
    ["Date", "Description", "Amount", "Balance", "Customer Reference"],
    ...carried(lines[0]?.day, "OPEN BALANCE", statement.openingCents),
    ...rows,
    ...carried(lines.at(-1)?.day, "CLOSE BALANCE", closingCentsOf(statement)),
  ]).join("\n")
}

function createCapitecFile(statement: WrittenStatement): string {
  const header =
    "Nr,Account,Posting Date,Transaction Date,Description,Original Description,Parent Category,Category,Money In,Money Out,Fee,Balance"
  const rows = withBalances(statement).map((line, at) => {
    const amount = formatDecimal(line.amountCents)
    const [moneyIn, moneyOut] = line.amountCents > 0 ? [amount, ""] : ["", amount]
    const said = [joinTexts(line), joinTexts(line), "Other", "Other"]
    return [
      ...[String(at + 1), statement.accountNumber, line.day, line.day, ...said, moneyIn, moneyOut, ""],
      formatDecimal(line.balanceCents),
    ]
  })
  return [header, ...toCsv(rows)].join("\n")
}

function createBankZeroFile(statement: WrittenStatement): string {
  const rows = withBalances(statement).map((line) => [
    ...[line.day, "Mon", "11:55", line.amountCents > 0 ? "Pay in" : "Payment", line.text, line.reference, "0.00"],
    ...[formatDecimal(line.amountCents), formatDecimal(line.balanceCents), "No"],
  ])
  const header = "Date,Day,Time,Type,Description 1,Description 2,Fee,Amount,Balance,Has Attachments"
  return [header, ...toCsv(rows)].join("\n")
}

function createOfx1File(statement: WrittenStatement): string {
  const entries = statement.lines.map(({ day, text, reference, amountCents }, at) =>
    [
      ...["<STMTTRN>", `<TRNTYPE>${amountCents > 0 ? "CREDIT" : "DEBIT"}`, `<DTPOSTED>${compactDay(day)}`],
      ...[`<TRNAMT>${formatDecimal(amountCents)}`, `<FITID>${at + 1}`],
      ...(reference ? [`<CHECKNUM>${escapeXml(reference)}`] : []),
      ...[`<MEMO>${escapeXml(text)}`, "</STMTTRN>"],
    ].join("\n"),
  )
  return [
    ...["OFXHEADER:100", "DATA:OFXSGML", "VERSION:102", "", "<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>ZAR"],
    `<BANKACCTFROM><BANKID>250655<ACCTID>${statement.accountNumber}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>`,
    ...entries,
    "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>",
  ].join("\n")
}

function createOfx2File(statement: WrittenStatement): string {
  const entries = statement.lines.map(
    ({ day, text, reference, amountCents }, at) =>
      `<STMTTRN><DTPOSTED>${compactDay(day)}120000</DTPOSTED><TRNAMT>${formatDecimal(amountCents)}</TRNAMT><FITID>${at + 1}</FITID>${
        reference ? `<REFNUM>${escapeXml(reference)}</REFNUM>` : ""
      }<MEMO>${escapeXml(text)}</MEMO></STMTTRN>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="200"?><OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>ZAR</CURDEF><BANKACCTFROM><ACCTID>${
    statement.accountNumber
  }</ACCTID></BANKACCTFROM><BANKTRANLIST>${entries.join("")}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`
}

function createMt940File(statement: WrittenStatement): string {
  const amount = (cents: Cents) => formatDecimal(Math.abs(cents)).replace(".", ",")
  const balance = (tag: string, day: Day, cents: Cents) =>
    `:${tag}:${cents < 0 ? "D" : "C"}${shortDay(day)}ZAR${amount(cents)}`
  const wrapped = (text: string) => text.match(/.{1,60}/g)?.join("\n") ?? ""
  const entries = statement.lines.map(({ day, text, reference, amountCents }) => {
    const side = amountCents < 0 ? "D" : "C"
    const booked = shortDay(day).slice(2)
    return `:61:${shortDay(day)}${booked}${side}${amount(amountCents)}NTRF${reference.slice(0, 16) || "NONREF"}\n:86:${wrapped(text)}`
  })
  const [first, last] = [statement.lines[0], statement.lines.at(-1)]
  return [
    ...[":20:STATEMENT", `:25:250655/${statement.accountNumber}`, ":28C:1/1"],
    balance("60F", first?.day ?? "2026-01-01", statement.openingCents),
    ...entries,
    balance("62F", last?.day ?? "2026-01-01", closingCentsOf(statement)),
    "-",
  ].join("\n")
}

function createCamt053File(statement: WrittenStatement): string {
  const amount = (cents: Cents) =>
    `<Amt Ccy="ZAR">${formatDecimal(Math.abs(cents))}</Amt><CdtDbtInd>${cents < 0 ? "DBIT" : "CRDT"}</CdtDbtInd>`
  const balance = (code: string, cents: Cents) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(cents)}</Bal>`
  const entries = statement.lines.map(({ day, text, reference, amountCents }) => {
    const refs = `<Refs><EndToEndId>${escapeXml(reference) || "NOTPROVIDED"}</EndToEndId></Refs>`
    const details = `<TxDtls>${refs}<RmtInf><Ustrd>${escapeXml(text)}</Ustrd></RmtInf></TxDtls>`
    const booked = `<Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>`
    return `<Ntry>${amount(amountCents)}${booked}<NtryDtls>${details}</NtryDtls></Ntry>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
    `<BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>${statement.accountNumber}</Id></Othr></Id><Ccy>ZAR</Ccy></Acct>`,
    ...[balance("OPBD", statement.openingCents), balance("CLBD", closingCentsOf(statement)), ...entries],
    "</Stmt></BkToCstmrStmt></Document>",
  ].join("\n")
}

export const statementFiles = {
  ...{
    fnb: createFnbFile,
    absa: createAbsaFile,
    nedbank: createNedbankFile,
    standardBank: createStandardBankFile,
    capitec: createCapitecFile,
    bankZero: createBankZeroFile,
  },
  ...{ ofx1: createOfx1File, ofx2: createOfx2File, mt940: createMt940File, camt053: createCamt053File },
} as const satisfies Record<string, (statement: WrittenStatement) => string>

export type StatementFile = keyof typeof statementFiles
