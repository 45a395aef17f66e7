import { type Currency, parseMoney } from "../kernel/money.ts"
import { personNames, type RatedPerson, type RateRow, ratedPersons } from "./rates.ts"

/** Parsed rows, and the numbers (from 1) of unreadable lines. */
export interface PasteResult {
  rows: RateRow[]
  unread: number[]
}

/**
 * Parses rates pasted from a spreadsheet, one tab-separated line per row: person, tier, age from, age to, amount,
 * optional rate per mille. Tier names ignore case; an empty tier means all tiers. A heading line is skipped.
 */
export function parsePastedRates(
  text: string,
  tiers: readonly { id: string; name: string }[],
  currency: Currency,
): PasteResult {
  const found: PasteResult = { rows: [], unread: [] }
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue
    const row = parseRateRow(
      line.split("\t").map((cell) => cell.trim()),
      tiers,
      currency,
    )
    if (row) found.rows.push(row)
    else if (index > 0 || /\d/.test(line)) found.unread.push(index + 1)
  }
  return found
}

function parseRateRow(
  [who = "", tier = "", from = "", until = "", amount = "", perMille = ""]: string[],
  tiers: readonly { id: string; name: string }[],
  currency: Currency,
): RateRow | null {
  const person = parseRatedPerson(who)
  const any = tier === "" || /^(every tier|all)$/i.test(tier)
  const named = tiers.find(({ name }) => name.toLowerCase() === tier.toLowerCase())
  const ages = [from, until].map((age) => (age === "" ? null : /^\d{1,3}$/.test(age) ? Number(age) : undefined))
  const cents = amount === "" ? null : parseMoney(amount, currency)
  const rate = perMille === "" ? null : Number(perMille.replace(",", "."))
  const unread =
    (amount !== "" && cents === null) || (rate !== null && !(rate > 0)) || (cents === null) === (rate === null)
  if (!person || (!any && !named) || ages.includes(undefined) || unread) return null
  return {
    person,
    tierId: named?.id ?? null,
    ageFrom: ages[0] ?? null,
    ageUntil: ages[1] ?? null,
    cents,
    perMille: rate,
  }
}

function parseRatedPerson(written: string): RatedPerson | undefined {
  const word = written.toLowerCase()
  return ratedPersons.find((person) => [person, personNames[person].one, personNames[person].many].includes(word))
}
