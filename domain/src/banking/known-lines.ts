import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { ReadLine } from "./statement.ts"

/** A line of an account that was imported before. */
export interface KeptLine {
  day: Day
  amountCents: Cents
  text: string
  reference: string
  balanceCents: Cents | null
}

/** A line that is new, with its place among those of its file that are equal to it, from 1. */
export interface NewLine extends ReadLine {
  ordinal: number
}

/**
 * Which lines of a file are new to their account. A line is known again by day, amount, texts, balance where both have
 * one, and its place among equals: files that overlap add nothing twice, and two real equal payments on one day both
 * count. Lines without an amount are nobody's money and are neither.
 */
export function sortOutLines(
  lines: readonly ReadLine[],
  kept: readonly KeptLine[],
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
  // First those that agree in everything, so that a line without a balance does not take another's place.
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

/** What two lines have in common that may be one and the same, their balances left aside. */
export const keyOf = ({ day, amountCents, text, reference }: Omit<KeptLine, "balanceCents">): string =>
  `${day}\n${amountCents}\n${text.toLowerCase()}\n${reference.toLowerCase()}`
