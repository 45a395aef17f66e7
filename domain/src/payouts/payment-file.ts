import type { Day } from "../kernel/calendar.ts"
import type { Cents, Currency } from "../kernel/money.ts"
import { normalizeLine } from "../kernel/text.ts"
import type { PaymentFileFormat } from "./batch.ts"

export interface PaymentFileHead {
  messageId: string
  /** ISO text, to the second. */
  createdAt: string
  executionOn: Day
  payer: { name: string; accountNumber: string; branchCode: string }
  count: number
  controlSumCents: Cents
  currency: Currency
}

export interface FilePayment {
  endToEndId: string
  amountCents: Cents
  payeeName: string
  branchCode: string
  accountNumber: string
  reference: string
}

/** Letters that cannot be simplified by removing diacritics. */
const letterReplacements: Record<string, string> = {
  ...{
    ß: "ss",
    æ: "ae",
    Æ: "AE",
    ø: "o",
    Ø: "O",
    œ: "oe",
    Œ: "OE",
    đ: "d",
    Đ: "D",
    ð: "d",
    þ: "th",
    Þ: "Th",
    ł: "l",
    Ł: "L",
  },
  ...{ "’": "'", "‘": "'", "“": " ", "”": " ", "–": "-", "—": "-", "&": "+", "@": " at ", ı: "i" },
}

/** Text in the banks' character set: unaccented Latin letters, digits and a few signs, on one line. */
export function transliterate(text: string, length: number): string {
  const plain = text
    .replace(/[^\x20-\x7e]|[&@]/gu, (letter) => letterReplacements[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9 /\-?:().,'+]/g, " ")
  return normalizeLine(plain).slice(0, length).trim()
}

export function plainAmount(cents: Cents): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`
}

interface Writer {
  extension: "xml" | "csv"
  mime: string
  open(head: PaymentFileHead): string
  payment(payment: FilePayment, head: PaymentFileHead): string
  close(head: PaymentFileHead): string
}

/** The reference replaces a name that is empty after transliteration: the field is mandatory. */
const payeeNameOf = ({ payeeName, endToEndId }: FilePayment, length: number) =>
  transliterate(payeeName, length) || endToEndId

const pain001: Writer = {
  extension: "xml",
  mime: "application/xml",
  open: ({ messageId, createdAt, executionOn, payer, count, controlSumCents, currency }) => {
    const name = transliterate(payer.name, 140) || "Payer"
    const totals = `<NbOfTxs>${count}</NbOfTxs><CtrlSum>${plainAmount(controlSumCents)}</CtrlSum>`
    return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
<CstmrCdtTrfInitn>
<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${createdAt}</CreDtTm>${totals}<InitgPty><Nm>${name}</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>${messageId}</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>true</BtchBookg>${totals}<ReqdExctnDt><Dt>${executionOn}</Dt></ReqdExctnDt><Dbtr><Nm>${name}</Nm></Dbtr><DbtrAcct><Id><Othr><Id>${payer.accountNumber}</Id></Othr></Id><Ccy>${currency}</Ccy></DbtrAcct><DbtrAgt>${agentElement(payer.branchCode)}</DbtrAgt><ChrgBr>SLEV</ChrgBr>
`
  },
  payment: (payment, { currency }) => {
    const { endToEndId, amountCents, branchCode, accountNumber } = payment
    return `<CdtTrfTxInf><PmtId><EndToEndId>${endToEndId}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${plainAmount(amountCents)}</InstdAmt></Amt><CdtrAgt>${agentElement(branchCode)}</CdtrAgt><Cdtr><Nm>${payeeNameOf(payment, 140)}</Nm></Cdtr><CdtrAcct><Id><Othr><Id>${accountNumber}</Id></Othr></Id></CdtrAcct><RmtInf><Ustrd>${transliterate(payment.reference, 140) || endToEndId}</Ustrd></RmtInf></CdtTrfTxInf>
`
  },
  close: () => "</PmtInf>\n</CstmrCdtTrfInitn>\n</Document>\n",
}

/** South African banks are identified by branch code; there is no IBAN. */
const agentElement = (branchCode: string) =>
  `<FinInstnId><ClrSysMmbId><ClrSysId><Cd>ZANCC</Cd></ClrSysId><MmbId>${branchCode}</MmbId></ClrSysMmbId></FinInstnId>`

const toCsvLine = (...cells: string[]) =>
  `${cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`

/** Strips leading signs that a spreadsheet would read as a formula. */
const toCsvText = (text: string, length: number) =>
  transliterate(text.replace(/^[=+@-]+/, ""), length).replaceAll(",", " ")

const fnb: Writer = {
  extension: "csv",
  mime: "text/csv",
  open: ({ executionOn, payer }) =>
    `BInSol - U ver 1.00\r\n${executionOn.split("-").toReversed().join("/")}\r\n${payer.accountNumber}\r\n` +
    "RECIPIENT NAME,RECIPIENT ACCOUNT,RECIPIENT ACCOUNT TYPE,BRANCHCODE,AMOUNT,OWN REFERENCE,RECIPIENT REFERENCE\r\n",
  payment: (payment) =>
    toCsvLine(
      toCsvText(payeeNameOf(payment, 30), 30),
      payment.accountNumber,
      // FNB detects the account type itself: 1 means current account.
      "1",
      payment.branchCode,
      plainAmount(payment.amountCents),
      payment.endToEndId,
      toCsvText(payment.reference, 20) || payment.endToEndId,
    ),
  close: () => "",
}

const standardBank: Writer = {
  extension: "csv",
  mime: "text/csv",
  open: ({ messageId, executionOn, payer, count, controlSumCents }) =>
    toCsvLine("HEADER", messageId, payer.accountNumber, payer.branchCode, executionOn.replaceAll("-", "")) +
    toCsvLine("CONTROL", String(count), plainAmount(controlSumCents)) +
    toCsvLine(
      "BENEFICIARY NAME",
      "BENEFICIARY ACCOUNT",
      "BRANCH CODE",
      "AMOUNT",
      "OWN REFERENCE",
      "BENEFICIARY REFERENCE",
    ),
  payment: (payment) =>
    toCsvLine(
      toCsvText(payeeNameOf(payment, 32), 32),
      payment.accountNumber,
      payment.branchCode,
      plainAmount(payment.amountCents),
      payment.endToEndId,
      toCsvText(payment.reference, 20) || payment.endToEndId,
    ),
  close: () => "",
}

export const paymentFileWriters: Record<PaymentFileFormat, Writer> = { pain001, fnb, standard_bank: standardBank }
