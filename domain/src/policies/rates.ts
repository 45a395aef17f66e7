import { type Cents, type Currency, currencySigns, formatMoney, shareOf } from "../kernel/money.ts"

/** `family` is one rate for all dependents of a member together, added to the member's own. */
export const ratedPersons = ["member", "spouse", "child", "parent", "other", "family"] as const

export type RatedPerson = (typeof ratedPersons)[number]

/** The day on which ages are calculated: the 1st of the month, or the latest policy anniversary. */
export const ageDays = ["month", "anniversary"] as const

export type AgeDay = (typeof ageDays)[number]

/** The base of a rate per mille: one amount, an amount per tier, or a multiple of the monthly salary. */
export type SumAssured =
  | { kind: "fixed"; cents: Cents }
  | { kind: "tier"; sums: { tierId: string; cents: Cents }[] }
  | { kind: "salary"; multiple: number }

/**
 * A monthly amount, or a rate per mille of the sum assured. Without a tier, the row applies to tiers without their own
 * row; without ages, to all ages. Ages are full years, inclusive.
 */
export interface RateRow {
  person: RatedPerson
  tierId: string | null
  ageFrom: number | null
  ageUntil: number | null
  cents: Cents | null
  perMille: number | null
}

export interface RateTable {
  ageOn: AgeDay
  sumAssured: SumAssured | null
  rows: RateRow[]
}

export const hasAges = ({ ageFrom, ageUntil }: RateRow): boolean => ageFrom !== null || ageUntil !== null

export function agesText({ ageFrom, ageUntil }: Pick<RateRow, "ageFrom" | "ageUntil">): string | null {
  if (ageFrom === null && ageUntil === null) return null
  if (ageUntil === null) return `${ageFrom} and over`
  if (ageFrom === null || ageFrom === 0) return `up to ${ageUntil}`
  return ageFrom === ageUntil ? String(ageFrom) : `${ageFrom} to ${ageUntil}`
}

export const personNames: Record<RatedPerson, { one: string; many: string }> = {
  member: { one: "member", many: "members" },
  spouse: { one: "spouse", many: "spouses" },
  child: { one: "child", many: "children" },
  parent: { one: "parent", many: "parents" },
  other: { one: "other dependent", many: "other dependents" },
  family: { one: "family", many: "families" },
}

/** `row` is the index of the wrong row. */
export interface RateProblem {
  row: number | null
  message: string
}

/**
 * Problems of a rate table: duplicate rows, a rate per mille without sum assured, a family rate beside rates of
 * dependents, no member rate.
 */
export function findRateProblems({ sumAssured, rows }: RateTable): RateProblem[] {
  const problems: RateProblem[] = []
  if (!rows.some(({ person }) => person === "member")) problems.push({ row: null, message: "Enter a rate for members" })
  const each = rows.some(({ person }) => person !== "member" && person !== "family")
  for (const [place, row] of rows.entries()) {
    const wrong = (message: string) => problems.push({ row: place, message })
    const { person, ageFrom, ageUntil, cents, perMille } = row
    if ((cents === null) === (perMille === null)) wrong("Enter either an amount or a rate per mille")
    if (perMille !== null && person !== "member") wrong("Only a member's rate can be per mille of the sum assured")
    else if (perMille !== null && !sumAssured) wrong("Enter the sum assured for this rate per mille")
    if (ageFrom !== null && ageUntil !== null && ageUntil < ageFrom) wrong("The last age is below the first age")
    if (person === "family" && each) wrong("Enter either one family rate, or a rate for each dependent")
    const same = rows.findIndex((other) => isOverlapping(row, other))
    if (same < place) wrong(`Row ${same + 1} already has a rate for some of these people`)
  }
  return problems
}

function isOverlapping(one: RateRow, other: RateRow): boolean {
  return (
    one.person === other.person &&
    one.tierId === other.tierId &&
    (one.ageFrom ?? 0) <= (other.ageUntil ?? Number.POSITIVE_INFINITY) &&
    (other.ageFrom ?? 0) <= (one.ageUntil ?? Number.POSITIVE_INFINITY)
  )
}

/**
 * Raises all rates by a percentage (negative lowers): amounts to the cent, rates per mille to four decimals, half away
 * from zero. Sums assured are unchanged.
 */
export function raiseRates<T extends RateTable>(table: T, percent: number): T {
  const times = (value: number, scale: number) =>
    shareOf(Math.round(value * scale), Math.round((100 + percent) * 100), 10_000) / scale
  return {
    ...table,
    rows: table.rows.map((row) => ({
      ...row,
      cents: row.cents === null ? null : times(row.cents, 1),
      perMille: row.perMille === null ? null : times(row.perMille, 10_000),
    })),
  }
}

export const perThousand = (currency: Currency): string => `per ${currencySigns[currency]} 1 000`

/** For example "R 412,00", "0,85 per R 1 000". */
export const rateText = ({ cents, perMille }: Pick<RateRow, "cents" | "perMille">, currency: Currency): string =>
  cents !== null ? formatMoney(cents, currency) : `${String(perMille).replace(".", ",")} ${perThousand(currency)}`

/** A rate table as audit trail lines, for example "member, Gold, 35 to 44: R 412,00". */
export function describeRateTable(
  { ageOn, sumAssured, rows }: RateTable,
  tierName: (id: string) => string,
  currency: Currency,
): string[] {
  const lines = rows.map((row) => {
    const who = [personNames[row.person].one, row.tierId && tierName(row.tierId), agesText(row)].filter(Boolean)
    return `${who.join(", ")}: ${rateText(row, currency)}`
  })
  if (rows.some(hasAges)) lines.push(`age as at the ${ageOn === "month" ? "1st of the month" : "policy's anniversary"}`)
  if (sumAssured?.kind === "fixed") lines.push(`sum assured ${formatMoney(sumAssured.cents, currency)}`)
  if (sumAssured?.kind === "salary") lines.push(`sum assured ${String(sumAssured.multiple).replace(".", ",")} × salary`)
  for (const { tierId, cents } of sumAssured?.kind === "tier" ? sumAssured.sums : [])
    lines.push(`sum assured for ${tierName(tierId)} ${formatMoney(cents, currency)}`)
  return lines
}
