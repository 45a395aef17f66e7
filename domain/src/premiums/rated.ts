import { addMonths, ageOn, type Day, maxDay } from "../kernel/calendar.ts"
import { type Cents, shareOf } from "../kernel/money.ts"
import { hasAges, type RatedPerson, type RateRow, type RateTable } from "../policies/rates.ts"

export interface RatedLife {
  person: RatedPerson
  bornOn: Day | null
}

/** A member in a tier, with the dependents covered on the 1st. */
export interface Household {
  tierId: string
  bornOn: Day | null
  /** Monthly salary on the 1st. */
  salaryCents: Cents | null
  dependents: readonly RatedLife[]
}

/** A rate row, how often it applied, and the amount of each. */
export interface RatedPart {
  row: RateRow
  count: number
  cents: Cents
}

export const unratedReasons = ["no row", "no date of birth", "no salary", "no sum assured"] as const

export type Unrated = (typeof unratedReasons)[number]

/** A person without a rate, and the reason. */
export interface Uncovered {
  person: RatedPerson
  why: Unrated
}

/** Monthly cost with its parts, or the person without a rate. */
export type PremiumRating = { cents: Cents; parts: RatedPart[] } | { cents: null; uncovered: Uncovered }

/**
 * The day on which ages are taken: the 1st of the month, or the last anniversary of the policy's start. A start on 29
 * February has its anniversary on the 28th in other years.
 */
export function ageDayOf({ ageOn: counts }: Pick<RateTable, "ageOn">, month: Day, startOn: Day): Day {
  return counts === "month" ? month : addMonths(startOn, 12 * Math.max(0, ageOn(startOn, month)))
}

/** Age in full years; 0 before birth. */
const ageAt = (bornOn: Day, on: Day): number => ageOn(bornOn, maxDay(bornOn, on))

/**
 * The monthly cost of a household by a rate table, with ages on `on`. A row of the member's tier overrides one for
 * every tier. If the table rates any dependent, every dependent needs a rate; a free one needs a row of R 0,00.
 */
export function ratePremium(table: RateTable, household: Household, on: Day): PremiumRating {
  const { tierId, bornOn, dependents } = household
  const has = (of: (person: RatedPerson) => boolean) => table.rows.some(({ person }) => of(person))
  const people: RatedLife[] = [{ person: "member", bornOn }]
  if (has((person) => person === "family")) {
    if (dependents.length > 0) people.push({ person: "family", bornOn })
  } else if (has((person) => person !== "member")) people.push(...dependents)

  const parts: RatedPart[] = []
  let sum = 0
  for (const one of people) {
    const age = one.bornOn === null ? null : ageAt(one.bornOn, on)
    const row = findRateRow(table.rows, one.person, tierId, age)
    const cents = row && rateAmountOf(row, table, household)
    if (row === undefined || typeof cents !== "number") {
      const ofAges = age === null && table.rows.some((other) => other.person === one.person && hasAges(other))
      return {
        cents: null,
        uncovered: {
          person: one.person,
          why: typeof cents === "string" ? cents : ofAges ? "no date of birth" : "no row",
        },
      }
    }
    sum += cents
    const part = parts.find((there) => there.row === row)
    if (part) part.count++
    else parts.push({ row, count: 1, cents })
  }
  return { cents: sum, parts }
}

function findRateRow(
  rows: readonly RateRow[],
  person: RatedPerson,
  tierId: string,
  age: number | null,
): RateRow | undefined {
  const fitting = rows.filter(
    (row) =>
      row.person === person &&
      (row.tierId === null || row.tierId === tierId) &&
      (!hasAges(row) ||
        (age !== null && (row.ageFrom ?? 0) <= age && age <= (row.ageUntil ?? Number.POSITIVE_INFINITY))),
  )
  return fitting.find((row) => row.tierId !== null) ?? fitting[0]
}

/** The row's amount, or its rate per mille of the sum assured, rounded once; otherwise the reason why it is unknown. */
function rateAmountOf(
  { cents, perMille }: RateRow,
  { sumAssured }: RateTable,
  { tierId, salaryCents }: Household,
): Cents | Unrated {
  if (perMille === null) return cents ?? "no row"
  const rate = Math.round(perMille * 10_000)
  if (sumAssured?.kind === "fixed") return shareOf(sumAssured.cents, rate, 10_000_000)
  if (sumAssured?.kind === "tier") {
    const sum = sumAssured.sums.find((of) => of.tierId === tierId)
    return sum ? shareOf(sum.cents, rate, 10_000_000) : "no sum assured"
  }
  if (sumAssured?.kind !== "salary") return "no sum assured"
  if (salaryCents === null) return "no salary"
  return shareOf(salaryCents, rate * Math.round(sumAssured.multiple * 100), 1_000_000_000)
}
