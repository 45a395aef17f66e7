import { joinTexts, parseDecimal } from "@milkwood/domain/banking/bank-cells"
import type { ReadLine, ReadStatement, StatementFault } from "@milkwood/domain/banking/statement"
import { validDay } from "@milkwood/domain/kernel/calendar"
import { unreadableFile } from "../platform/files/unreadable.ts"
import { expectFewLines } from "./statement-lines.ts"

interface Open {
  values: Map<string, string>
  entries: Map<string, string>[]
}

const entityCharacters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

/** Banks write "&" unescaped, so a bare "&" is unchanged. */
const decodeEntities = (value: string): string =>
  value
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entityCharacters[name]!)
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0xffff)))
    .trim()

/**
 * OFX 1 (unclosed tags) and OFX 2 (XML), bank and credit card. Ignores the ledger balance, which may differ from the
 * last line's balance. Also ignores entry ids, which some banks change.
 */
export function readOfx(text: string): ReadStatement[] {
  if (!/<\/OFX>\s*$/i.test(text))
    throw unreadableFile("The OFX file is incomplete: its end is missing. Download it again.")
  const statements: Open[] = []
  let statement: Open | undefined
  let entry: Map<string, string> | undefined
  let count = 0
  for (const [, slash, written, value] of text.matchAll(/<(\/?)([A-Za-z0-9_.]+)[^<>]*>([^<]*)/g)) {
    const tag = written!.toUpperCase()
    if (tag === "STMTRS" || tag === "CCSTMTRS") {
      statement = slash ? undefined : { values: new Map(), entries: [] }
      if (statement) statements.push(statement)
    } else if (tag === "STMTTRN") {
      entry = slash ? undefined : new Map()
      if (entry && statement) {
        statement.entries.push(entry)
        count++
        expectFewLines(count)
      }
    } else if (tag === "LEDGERBAL" || tag === "BANKTRANLIST") {
      entry = undefined
    } else if (!slash && value!.trim()) {
      const into = entry ?? statement?.values
      if (into && !into.has(tag)) into.set(tag, decodeEntities(value!))
    }
  }
  if (statements.length === 0) {
    throw unreadableFile(
      "There is no statement of a bank account in the OFX file. Download the account's transactions.",
    )
  }
  let line = 0
  return statements.map(({ values, entries }) => {
    const faults: StatementFault[] = []
    const lines = entries.flatMap((found): ReadLine[] => {
      line++
      const read = readEntry(found, line)
      if (typeof read !== "string") return [read]
      faults.push({ line, sentence: `Entry ${line}: ${read}` })
      return []
    })
    const [first, last] = [lines[0]?.day ?? "", lines.at(-1)?.day ?? ""]
    return {
      account: values.get("ACCTID") ?? null,
      currency: values.get("CURDEF") ?? null,
      openingCents: null,
      closingCents: null,
      lines: first > last ? lines.reverse() : lines,
      faults,
    }
  })
}

function readEntry(found: Map<string, string>, line: number): ReadLine | string {
  const posted = found.get("DTPOSTED") ?? ""
  const day = validDay(posted.slice(0, 4), posted.slice(4, 6), posted.slice(6, 8))
  const amount = found.get("TRNAMT") ?? ""
  const amountCents = parseDecimal(amount)
  if (amountCents === null) return amount ? `“${amount.slice(0, 40)}” is not an amount.` : "it has no amount."
  if (day === null) return posted ? `“${posted.slice(0, 40)}” is not a date.` : "it has no date."
  const text = joinTexts([found.get("NAME"), found.get("MEMO")])
  const reference = found.get("CHECKNUM") ?? found.get("REFNUM") ?? ""
  return { line, day, amountCents, text, reference, balanceCents: null }
}
