import { addDays, type Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

export interface PrecedingStatement {
  fromOn: Day
  /** The opening balance that the file states; otherwise null. */
  openingCents: Cents | null
  beforeCents: Cents
  /** Running sums of the first day's lines in other statements: the file may begin after any of them. */
  sameDayCents: readonly Cents[]
  /** The last day of a line or statement before the first day; null if it is the account's first statement. */
  lastOn: Day | null
}

/**
 * A sentence with both balances if a statement does not continue the account's earlier ones; otherwise null. Without
 * balances, finds only days that no statement covers.
 */
export function findGapBefore(
  { fromOn, openingCents, beforeCents, sameDayCents, lastOn }: PrecedingStatement,
  currency: Currency,
): string | null {
  if ([0, ...sameDayCents].some((cents) => openingCents === beforeCents + cents)) return null
  if (openingCents !== null) {
    const due = `the account balance before ${fromOn} is ${formatMoney(beforeCents, currency)}`
    const missing = formatMoney(openingCents - beforeCents, currency)
    const since = lastOn === null ? "" : ` after ${lastOn}`
    return `Its opening balance is ${formatMoney(openingCents, currency)}, but ${due}: lines of ${missing} are missing${since}.`
  }
  if (lastOn === null || addDays(lastOn, 1) >= fromOn) return null
  return `No statement covers ${addDays(lastOn, 1)} to ${addDays(fromOn, -1)}, and the file has no balance: lines may be missing.`
}
