import { addDays, type Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

/** A statement and what stands before it in its account. Units: cents. */
export interface BeforeStatement {
  fromOn: Day
  /** As the file says it; null where it says none. */
  openingCents: Cents | null
  /** What the account's lines come to before its first day. */
  beforeCents: Cents
  /** The running sums of the lines of its first day that other statements have: the file may begin after any of them. */
  sameDayCents: readonly Cents[]
  /** The last day of a line or a statement before its first day; null where it begins the account. */
  lastOn: Day | null
}

/**
 * Where a statement does not follow what is there of its account, as a sentence with both balances; null where it does.
 * Of a file without balances days alone can be compared: a stretch on which no statement says anything.
 */
export function gapBefore(
  { fromOn, openingCents, beforeCents, sameDayCents, lastOn }: BeforeStatement,
  currency: Currency,
): string | null {
  if ([0, ...sameDayCents].some((cents) => openingCents === beforeCents + cents)) return null
  if (openingCents !== null) {
    const due = `${formatMoney(beforeCents, currency)} by the lines before ${fromOn}`
    const missing = formatMoney(openingCents - beforeCents, currency)
    const since = lastOn === null ? "" : `, after ${lastOn}`
    return `It opens at ${formatMoney(openingCents, currency)}, but the account stands at ${due}: lines of ${missing} are missing${since}.`
  }
  if (lastOn === null || addDays(lastOn, 1) >= fromOn) return null
  return `No statement says anything from ${addDays(lastOn, 1)} to ${addDays(fromOn, -1)}, and the file says no balance: lines may be missing.`
}
