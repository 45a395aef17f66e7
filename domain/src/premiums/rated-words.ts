import { type Currency, formatMoney } from "../kernel/money.ts"
import { agesText, personNames } from "../policies/rates.ts"
import type { RatedPart, Uncovered } from "./rated.ts"

/**
 * How an amount was calculated: "Gold, 35 to 44: R 412,00; spouse R 180,00; 2 children, 2 × R 45,00". For a rate per
 * mille it names only the band, because amount and rate would reveal the sum assured and so perhaps the salary.
 */
export function ratedPartsText(parts: readonly RatedPart[], tierName: string, currency: Currency): string {
  return parts
    .map(({ row, count, cents }) => {
      const ages = agesText(row)
      const amount = row.perMille !== null ? "" : `${count > 1 ? `${count} × ` : ""}${formatMoney(cents, currency)}`
      if (row.person === "member")
        return [[tierName, ages].filter(Boolean).join(", "), amount].filter(Boolean).join(": ")
      const names = personNames[row.person]
      const who = [count > 1 ? `${count} ${names.many}` : names.one, ages].filter(Boolean).join(" ")
      return `${who}${count > 1 ? "," : ""} ${amount}`
    })
    .join("; ")
}

/** Such as "spouse: no rate applies". */
export function uncoveredText(uncovered: Uncovered | null): string {
  if (!uncovered) return "no premium"
  const { person, why } = uncovered
  const who = person === "member" ? "" : `${personNames[person].one}: `
  switch (why) {
    case "no row":
      return `${who}no rate applies`
    case "no date of birth":
      return `${who}no date of birth`
    case "no salary":
      return "no salary on the 1st"
    case "no sum assured":
      return "no sum assured for the tier"
  }
}

/** For lists: "No rate for the spouse", "No date of birth: child". */
export function noPremiumText({ person, why }: Uncovered): string {
  const { one } = personNames[person]
  const isOwn = person === "member" || person === "family"
  switch (why) {
    case "no row":
      return person === "member" ? "No rate for the member" : `No rate for the ${one}`
    case "no date of birth":
      return isOwn ? "No date of birth" : `No date of birth: ${one}`
    case "no salary":
      return "No salary"
    case "no sum assured":
      return "No sum assured for the tier"
  }
}

/** For a policy in lists: "No rate for 2 people". */
export const noRateForText = (people: number): string => `No rate for ${people} ${people === 1 ? "person" : "people"}`
