import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { sortOldestFirst } from "./bank-csv-order.ts"
import type { LeftOutRow, ReadLine, StatementFault } from "./statement.ts"

const remarkPattern =
  /^(?:balance )?(?:brought|carried) forward|^(?:open(?:ing)?|clos(?:e|ing)) balance|^(?:sub)?total\b|provisional statement/i

const bareRemarkPattern =
  /^(?:(?:balance )?(?:brought|carried) forward|(?:open(?:ing)?|clos(?:e|ing)) balance|(?:sub)?totals?(?: (?:of )?(?:debits?|credits?|fees|payments|deposits|withdrawals|in|out))?|provisional statement)[\s:.]*$/i

export const isRemark = (text: string): boolean => remarkPattern.test(text)

export interface ClassifiedRemarks {
  lines: ReadLine[]
  leftOut: LeftOutRow[]
  faults: StatementFault[]
}

/**
 * Decides which rows that look like totals are payments. A row is skipped if the balances are consistent without it, or
 * if it only repeats the balance. A bare remark that no balance confirms is a faulty line.
 */
export function separateRemarks(
  rows: readonly ReadLine[],
  maybe: ReadonlySet<number>,
  openingCents: Cents | null,
  currency: Currency,
): ClassifiedRemarks {
  const ordered = sortOldestFirst(rows)
  const sorted: ClassifiedRemarks = { lines: [], leftOut: [], faults: [] }
  let running = openingCents
  for (const [at, row] of ordered.entries()) {
    if (maybe.has(row.line)) {
      const after = nextBalanceBefore(ordered.slice(at + 1, at + 1 + maxRowsAhead), maybe)
      const { isPayment, isConfirmed } = judgeRow(row, running, after)
      if (!isPayment) {
        sorted.leftOut.push({ line: row.line, text: row.text, amountCents: row.amountCents, why: "balance" })
        continue
      }
      if (!isConfirmed && bareRemarkPattern.test(row.text)) sorted.faults.push(doubtfulPaymentFault(row, currency))
    }
    sorted.lines.push(row)
    running = row.balanceCents ?? (running === null ? null : running + row.amountCents)
  }
  return sorted
}

const maxRowsAhead = 20

function judgeRow(
  row: ReadLine,
  before: Cents | null,
  after: Cents | null,
): { isPayment: boolean; isConfirmed: boolean } {
  const { amountCents, balanceCents: own } = row
  const moved = own ?? after
  if (before !== null && moved === before + amountCents) return { isPayment: true, isConfirmed: true }
  const stood = after ?? own
  if (before !== null && stood === before) return { isPayment: false, isConfirmed: true }
  const isRepeated = bareRemarkPattern.test(row.text) && (own ?? before ?? after) === amountCents
  return { isPayment: !isRepeated, isConfirmed: isRepeated }
}

function nextBalanceBefore(next: readonly ReadLine[], maybe: ReadonlySet<number>): Cents | null {
  let between = 0
  for (const { line, amountCents, balanceCents } of next) {
    if (maybe.has(line)) return null
    between += amountCents
    if (balanceCents !== null) return balanceCents - between
  }
  return null
}

function doubtfulPaymentFault({ line, text, amountCents }: ReadLine, currency: Currency): StatementFault {
  const sentence = `Line ${line}: “${text.slice(0, 60)}” of ${formatMoney(amountCents, currency)} may not be a payment. The file has no balance to check this against, so the line is imported as a payment.`
  return { line, sentence }
}
