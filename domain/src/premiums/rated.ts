import { addMonths, ageOn, type Day, maxDay } from "../kernel/calendar.ts"
import { type Cents, shareOf } from "../kernel/money.ts"
import { hasAges, type RatedPerson, type RateRow, type RateTable } from "../policies/rates.ts"

/** Somebody who is rated. */
export interface Person {
  person: RatedPerson
  bornOn: Day | null
}

/** What is rated: a member in a tier, with the dependents who are covered on the 1st. */
export interface Household {
  tierId: string
  bornOn: Day | null
  /** What the member earns a month on the 1st. */
  salaryCents: Cents | null
  dependents: readonly Person[]
}

/** A rate that counted, how often, and what each of them came to. `row` is that of the table. */
export interface RatedPart {
  row: RateRow
  count: number
  cents: Cents
}

/** Why somebody has no rate. */
export const unratedReasons = ["no row", "no date of birth", "no salary", "no sum assured"] as const

export type Unrated = (typeof unratedReasons)[number]

/** Whom of a household a table does not cover, and why. */
export interface Uncovered {
  person: RatedPerson
  why: Unrated
}

/** What a household costs a month, rate by rate; or whom the table does not cover. */
export type Rated = { cents: Cents; parts: RatedPart[] } | { cents: null; uncovered: Uncovered }

/**
 * The day on which ages count for a month: its 1st, or the anniversary of the policy's start on or before it. A policy
 * that starts on 29 February has its anniversary on the 28th in other years.
 */
export function ageDayOf({ ageOn: counts }: Pick<RateTable, "ageOn">, month: Day, startOn: Day): Day {
  return counts === "month" ? month : addMonths(startOn, 12 * Math.max(0, ageOn(startOn, month)))
}

/** An age in full years; who is born later is nought. */
const ageAt = (bornOn: Day, on: Day): number => ageOn(bornOn, maxDay(bornOn, on))

/**
 * What a household costs by a rate table, `on` being the day of ages. A row of the member's tier goes before one of every
 * tier. Once a table has a rate for any dependent, each of them needs one: nobody is taken along for nothing, unless a
 * row says R 0,00.
 */
export function rated(table: RateTable, household: Household, on: Day): Rated {
  const { tierId, bornOn, dependents } = household
  const has = (of: (person: RatedPerson) => boolean) => table.rows.some(({ person }) => of(person))
  const people: Person[] = [{ person: "member", bornOn }]
  if (has((person) => person === "family")) {
    if (dependents.length > 0) people.push({ person: "family", bornOn })
  } else if (has((person) => person !== "member")) people.push(...dependents)

  const parts: RatedPart[] = []
  let sum = 0
  for (const one of people) {
    const age = one.bornOn === null ? null : ageAt(one.bornOn, on)
    const row = rowFor(table.rows, one.person, tierId, age)
    const cents = row && amountOf(row, table, household)
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

function rowFor(
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

/** What a row comes to: its amount, or its rate per mille of the sum assured, rounded once; or why neither is known. */
function amountOf(
  { cents, perMille }: RateRow,
  { sumAssured }: RateTable,
  { tierId, salaryCents }: Household,
): Cents | Unrated {
  if (perMille === null) return cents ?? "no row"
  // In ten-thousandths, as the rate is kept.
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
