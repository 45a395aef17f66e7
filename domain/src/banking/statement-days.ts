import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { keyOf } from "./known-lines.ts"
import { openingOf, type ReadStatement } from "./statement.ts"

/** One day of a statement, as its file states it. Units: cents. */
export interface StatementDay {
  day: Day
  /** The lines of the day, from the first. */
  amounts: Cents[]
  /** The balance after the last line of the day; null where the file states no balances. */
  closingCents: Cents | null
}

/** A day with the keys of its lines in a fixed order, by which the same lines in two files are recognised. */
export interface ReadDay extends StatementDay {
  keys: string[]
}

/**
 * The days of a file on which it has lines, in order. The balance of a day is the one stated for its last line, otherwise
 * the opening balance with the lines up to it. Lines without an amount are left out.
 */
export function daysOf(statement: Pick<ReadStatement, "openingCents" | "lines">): ReadDay[] {
  const days = new Map<Day, ReadDay>()
  let running = openingOf(statement)
  const inOrder = [...statement.lines].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  for (const line of inOrder) {
    if (line.amountCents === 0) continue
    running = line.balanceCents ?? (running === null ? null : running + line.amountCents)
    const of = days.get(line.day) ?? { day: line.day, amounts: [], closingCents: null, keys: [] }
    days.set(line.day, { ...of, closingCents: running })
    of.amounts.push(line.amountCents)
    of.keys.push(keyOf(line))
  }
  return [...days.values()].map((of) => ({ ...of, keys: of.keys.sort() }))
}
