import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { oldestFirst } from "./bank-csv-order.ts"
import type { LeftOutRow, ReadLine, StatementFault } from "./statement.ts"

/** Beginnings of rows that may be a balance, a total or a notice of the bank, and may be a payment just as well. */
const remark =
  /^(?:balance )?(?:brought|carried) forward|^(?:open(?:ing)?|clos(?:e|ing)) balance|^(?:sub)?total\b|provisional statement/i

/** The same with nothing behind them: no payment is likely to be called so. */
const bareRemark =
  /^(?:(?:balance )?(?:brought|carried) forward|(?:open(?:ing)?|clos(?:e|ing)) balance|(?:sub)?totals?(?: (?:of )?(?:debits?|credits?|fees|payments|deposits|withdrawals|in|out))?|provisional statement)[\s:.]*$/i

export const isRemark = (text: string): boolean => remark.test(text)

/** Lines of an account with those rows among them that may be remarks of the bank. */
export interface SortedRemarks {
  lines: ReadLine[]
  leftOut: LeftOutRow[]
  faults: StatementFault[]
}

/**
 * Decides which rows that read like a balance or a total are payments. A row is left out where the balances around it
 * follow from each other without it, or where it repeats the balance that it stands at. Every other row is a line; one
 * that has only the words of a remark, and that no balance confirms, is a fault as well.
 */
export function sortOutRemarks(
  rows: readonly ReadLine[],
  maybe: ReadonlySet<number>,
  openingCents: Cents | null,
  currency: Currency,
): SortedRemarks {
  const ordered = oldestFirst(rows)
  const sorted: SortedRemarks = { lines: [], leftOut: [], faults: [] }
  let running = openingCents
  for (const [at, row] of ordered.entries()) {
    if (maybe.has(row.line)) {
      const after = balanceAfter(ordered.slice(at + 1, at + 1 + mostAhead), maybe)
      const { isPayment, isConfirmed } = judged(row, running, after)
      if (!isPayment) {
        sorted.leftOut.push({ line: row.line, text: row.text, amountCents: row.amountCents, why: "balance" })
        continue
      }
      if (!isConfirmed && bareRemark.test(row.text)) sorted.faults.push(doubtful(row, currency))
    }
    sorted.lines.push(row)
    running = row.balanceCents ?? (running === null ? null : running + row.amountCents)
  }
  return sorted
}

/** So many rows behind a remark are looked at for the next balance. */
const mostAhead = 20

function judged(
  row: ReadLine,
  before: Cents | null,
  after: Cents | null,
): { isPayment: boolean; isConfirmed: boolean } {
  const { amountCents, balanceCents: own } = row
  const moved = own ?? after
  if (before !== null && moved === before + amountCents) return { isPayment: true, isConfirmed: true }
  const stood = after ?? own
  if (before !== null && stood === before) return { isPayment: false, isConfirmed: true }
  const isRepeated = bareRemark.test(row.text) && (own ?? before ?? after) === amountCents
  return { isPayment: !isRepeated, isConfirmed: isRepeated }
}

/** The balance before the next rows, by the first of them that says one. Null where another remark is first. */
function balanceAfter(next: readonly ReadLine[], maybe: ReadonlySet<number>): Cents | null {
  let between = 0
  for (const { line, amountCents, balanceCents } of next) {
    if (maybe.has(line)) return null
    between += amountCents
    if (balanceCents !== null) return balanceCents - between
  }
  return null
}

function doubtful({ line, text, amountCents }: ReadLine, currency: Currency): StatementFault {
  const sentence = `Line ${line}: “${text.slice(0, 60)}” of ${formatMoney(amountCents, currency)} may be no payment. No balance in the file tells, so it is read as one.`
  return { line, sentence }
}
