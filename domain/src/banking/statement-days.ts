import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { keyOf } from "./known-lines.ts"
import { openingOf, type ReadStatement } from "./statement.ts"

export interface StatementDay {
  day: Day
  amounts: Cents[]
  closingCents: Cents | null
}

/** Sorted keys of the day's lines, to recognise the same lines in two files. */
export interface ReadDay extends StatementDay {
  keys: string[]
}

/**
 * The days of a file that have lines, in order. A day's balance is the one stated for its last line, or the opening
 * balance plus lines. Lines without an amount are left out.
 */
export function statementDaysOf(statement: Pick<ReadStatement, "openingCents" | "lines">): ReadDay[] {
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
