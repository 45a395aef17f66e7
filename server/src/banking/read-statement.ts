import { type StatementContent, statementLimits } from "@milkwood/domain/banking/statement"
import type { Currency } from "@milkwood/domain/kernel/money"
import { normalizeLine } from "@milkwood/domain/kernel/text"
import Papa from "papaparse"
import { decodeText } from "../platform/files/decode-text.ts"
import { unreadableFile } from "../platform/files/unreadable.ts"
import { readCamt053 } from "./read-camt053.ts"
import { isMt940, readMt940 } from "./read-mt940.ts"
import { readOfx } from "./read-ofx.ts"
import { expectFewLines } from "./statement-lines.ts"

const notAStatementMessage = "The file is not a bank statement. Choose a CSV, OFX, MT940 or camt.053 file."

/**
 * Reads a bank statement by its contents, not its name. A CSV remains as cells until the import of an account maps its
 * columns. Runs in a separate process (statement-reader.ts). Throws `Unreadable` with a sentence.
 */
export function readStatementFile(bytes: Buffer, currency: Currency): StatementContent {
  refuseOtherKinds(bytes)
  const text = decode(bytes)
  const content = parseContent(text, currency)
  expectFewLines(content.format === "csv" ? content.rows.length : countLines(content.statements))
  return content
}

const countLines = (statements: { lines: unknown[]; faults: unknown[] }[]) =>
  statements.reduce((sum, { lines, faults }) => sum + lines.length + faults.length + 1, -1)

function parseContent(text: string, currency: Currency): StatementContent {
  if (/<!(?:DOCTYPE|ENTITY)\b/i.test(text)) {
    throw unreadableFile("The file contains a DOCTYPE, which bank statements never have, so it was not read.")
  }
  if (/^\s*(?:OFXHEADER\s*:|(?:<\?xml[^>]*>\s*)?(?:<\?OFX[^>]*>\s*)?<OFX>)/i.test(text)) {
    return { format: "ofx", statements: readOfx(text).map(shortenTexts) }
  }
  if (/^\s*</.test(text)) {
    if (/^\s*<html/i.test(text))
      throw unreadableFile("The file is a web page, not a bank statement. Download it again.")
    return { format: "camt053", statements: readCamt053(text, currency).map(shortenTexts) }
  }
  if (isMt940(text)) {
    return { format: "mt940", statements: readMt940(text, currency).map(shortenTexts) }
  }
  if (/^(?:\s|#[^\n]*\n|\^)*!(?:Type|Account|Option|Clear):?/i.test(text)) {
    throw unreadableFile("The file is QIF, in which dates are ambiguous. Ask the bank for OFX or CSV.")
  }
  return { format: "csv", rows: readRows(text) }
}

function shortenTexts<S extends { lines: { text: string; reference: string }[] }>(statement: S): S {
  const { text, reference } = statementLimits
  return {
    ...statement,
    lines: statement.lines.map((line) => ({
      ...line,
      text: normalizeLine(line.text).slice(0, text).toWellFormed(),
      reference: normalizeLine(line.reference).slice(0, reference).toWellFormed(),
    })),
  }
}

/** Archives, workbooks and PDFs named like a statement. */
function refuseOtherKinds(bytes: Buffer): void {
  if (bytes.subarray(0, 4).toString("latin1") === "PK\x03\x04") {
    // Bit 0 of the first entry's flags marks encryption.
    const locked = (bytes[6] ?? 0) & 1
    throw unreadableFile(
      locked
        ? "The file is a password-protected archive. Unpack it and choose the statement."
        : "The file is an archive or a workbook. Save the statement as CSV and choose it again.",
    )
  }
  if (bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))) {
    throw unreadableFile(
      bytes.includes(Buffer.from("EncryptedPackage", "utf16le"))
        ? "The workbook is password-protected. Save the statement as CSV and choose it again."
        : "The file is a workbook. Save the statement as CSV and choose it again.",
    )
  }
  if (bytes.subarray(0, 4).toString("latin1") === "%PDF") {
    throw unreadableFile(
      bytes.includes("/Encrypt")
        ? "The file is a password-protected PDF. Download the statement as CSV or OFX."
        : "The file is a PDF. Download the statement as CSV or OFX.",
    )
  }
}

/** Uses the encoding that the XML declares, or detects it from the bytes. */
function decode(bytes: Buffer): string {
  const declared = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/i.exec(
    bytes.subarray(0, 200).toString("latin1"),
  )?.[1]
  if (declared && /^(?:iso-8859-1|latin1|windows-1252)$/i.test(declared)) {
    return new TextDecoder("windows-1252").decode(bytes)
  }
  const text = decodeText(bytes, notAStatementMessage)
  if (isMixed(bytes)) {
    throw unreadableFile("The file mixes two encodings, so some characters cannot be read reliably. Download it again.")
  }
  // Some banks begin a file with a control character.
  return text.replace(/^[\ufeff\p{Cc}]+/u, "")
}

function isMixed(bytes: Buffer): boolean {
  const [one, two] = bytes
  if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff)) return false
  const text = new TextDecoder("utf-8").decode(bytes)
  // Valid Western European letters or punctuation indicate UTF-8: bytes of another encoding rarely form them.
  return text.includes("\ufffd") && /[\u00a0-\u00ff\u2010-\u2027]/.test(text)
}

const delimiters = [",", ";", "\t", "|"]

function readRows(text: string): string[][] {
  const said = /^sep=(.)\r?\n/i.exec(text)
  const body = said ? text.slice(said[0].length) : text
  const delimiter = said?.[1] ?? bestDelimiter(body.slice(0, 64_000))
  const { data } = Papa.parse<string[]>(body, { delimiter })
  const rows = data.map((cells) =>
    cells.slice(0, 60).map((cell) => normalizeLine(cell).slice(0, statementLimits.text).toWellFormed()),
  )
  while (rows.length > 0 && rows.at(-1)!.every((cell) => cell === "")) rows.pop()
  if (!rows.some((cells) => cells.filter(Boolean).length >= 3)) throw unreadableFile(notAStatementMessage)
  return said ? [[], ...rows] : rows
}

function bestDelimiter(sample: string): string {
  const widths = delimiters.map((delimiter) => {
    const { data } = Papa.parse<string[]>(sample, { delimiter, preview: 60 })
    return { delimiter, cells: data.reduce((sum, row) => sum + (row.length > 2 ? row.length : 0), 0) }
  })
  return widths.reduce((one, other) => (other.cells > one.cells ? other : one)).delimiter
}
