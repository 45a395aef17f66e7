import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { InsuredKind } from "./benefit-terms.ts"

/** The highest sum, in cents, that all policies together may pay on the death of a child younger than `belowAge`. */
export interface ChildCap {
  /** In completed years on the incident day. */
  belowAge: number
  amountCents: Cents
  /** First incident day; null is from the beginning. */
  from: Day | null
}

/**
 * R 20 000 below the age of 6 and R 50 000 below 14, the amounts in the terms of South African funeral insurers since
 * 2023. They are a setting, because the administrator's compliance officer confirms them.
 */
export const initialChildCaps: ChildCap[] = [
  { belowAge: 6, amountCents: 20_000_00, from: null },
  { belowAge: 14, amountCents: 50_000_00, from: null },
]

/**
 * The cap on the cover of a dependent's life on a day; null if none applies. The latest change of an age applies; a
 * child whose age is unknown has the cap of the youngest.
 */
export function childCapOn(
  caps: readonly ChildCap[],
  { insured, age }: { insured: InsuredKind; age: number | null },
  on: Day,
): ChildCap | null {
  if (insured === "member" || (age === null && insured !== "child")) return null
  const current = new Map<number, ChildCap>()
  for (const cap of caps) {
    if (cap.from !== null && cap.from > on) continue
    const earlier = current.get(cap.belowAge)
    if (!earlier || (cap.from ?? "") > (earlier.from ?? "")) current.set(cap.belowAge, cap)
  }
  const ages = [...current.values()].filter(({ belowAge }) => (age ?? 0) < belowAge)
  return ages.sort((a, b) => a.belowAge - b.belowAge)[0] ?? null
}

/** By age, then from the first day on. */
export const sortChildCaps = (caps: readonly ChildCap[]): ChildCap[] =>
  caps.toSorted((a, b) => a.belowAge - b.belowAge || (a.from ?? "").localeCompare(b.from ?? ""))
