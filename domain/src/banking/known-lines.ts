import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { ReadLine } from "./statement.ts"

export interface StoredLine {
  day: Day
  amountCents: Cents
  text: string
  reference: string
  balanceCents: Cents | null
}

export interface NewLine extends ReadLine {
  ordinal: number
}

/**
 * Finds new lines by day, amount, texts, balance (if both have one) and position among equal lines. Overlapping files
 * add no line twice; two equal payments both count. Lines without an amount are ignored.
 */
export function separateNewLines(
  lines: readonly ReadLine[],
  kept: readonly StoredLine[],
): { fresh: NewLine[]; known: ReadLine[] } {
  const seen = new Map<string, { balances: (Cents | null)[]; count: number }>()
  for (const line of kept) {
    const place = seen.get(keyOf(line)) ?? { balances: [], count: 0 }
    place.balances.push(line.balanceCents)
    place.count++
    seen.set(keyOf(line), place)
  }
  const fresh: NewLine[] = []
  const known: ReadLine[] = []
  const undecided: ReadLine[] = []
  // Exact matches first, so that a line without a balance does not use up another line's match.
  for (const line of lines) {
    if (line.amountCents === 0) continue
    const balances = seen.get(keyOf(line))?.balances
    const at = balances?.indexOf(line.balanceCents) ?? -1
    if (at < 0) undecided.push(line)
    else {
      balances!.splice(at, 1)
      known.push(line)
    }
  }
  const added = new Map<string, number>()
  for (const line of undecided) {
    const place = seen.get(keyOf(line))
    const at = place?.balances.findIndex((balance) => line.balanceCents === null || balance === null) ?? -1
    if (at >= 0) {
      place!.balances.splice(at, 1)
      known.push(line)
    } else {
      const before = (place?.count ?? 0) + (added.get(keyOf(line)) ?? 0)
      added.set(keyOf(line), (added.get(keyOf(line)) ?? 0) + 1)
      fresh.push({ ...line, ordinal: before + 1 })
    }
  }
  return { fresh, known }
}

export const keyOf = ({ day, amountCents, text, reference }: Omit<StoredLine, "balanceCents">): string =>
  `${day}\n${amountCents}\n${text.toLowerCase()}\n${reference.toLowerCase()}`
