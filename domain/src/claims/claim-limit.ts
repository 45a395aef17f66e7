import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { ClaimStatus, ClaimType } from "./claim.ts"

/** Claims of these types add up over the person's life; other types add up per calendar year. */
const lifetimeClaimTypes: readonly ClaimType[] = ["death", "disability"]

export interface OtherClaim {
  number: string
  status: ClaimStatus
  claimType: ClaimType
  incidentOn: Day
  isSameBenefit: boolean
  isSamePerson: boolean
  isEarlier: boolean
  /** The approved amount; before approval, the amount from which the next approver starts. */
  amountCents: Cents
}

export interface LimitEvidence {
  incidentOn: Day
  /** The cost of the incident; null or 0 when unknown. */
  claimAmountCents: Cents | null
  requestedAmountCents: Cents
  /** Cover of the benefit at the member's tier; null when the product does not give it. */
  given: {
    /** 0 means no maximum. */
    maxCoverCents: Cents
    /** 0 means not set, which is 100. */
    coverPercentage: number
  } | null
  others: readonly OtherClaim[]
}

export interface CoverLimit {
  limitCents: Cents | null
  proposedAmountCents: Cents
  working: string[]
}

/**
 * Whether another claim reduces this claim's cover. It must be for the same person and benefit, and either approved or
 * submitted earlier and in progress. It must also fall in the same calendar year, unless its type adds up over life.
 */
export const isCountedAgainst = (other: OtherClaim, { incidentOn }: Pick<LimitEvidence, "incidentOn">): boolean =>
  other.isSamePerson &&
  other.isSameBenefit &&
  other.status !== "draft" &&
  other.status !== "rejected" &&
  other.status !== "withdrawn" &&
  (other.isEarlier || other.status === "approved" || other.status === "paid") &&
  (lifetimeClaimTypes.includes(other.claimType) || other.incidentOn.slice(0, 4) === incidentOn.slice(0, 4))

/**
 * The cover limit of a claim in cents: the cover percentage of the claimed amount, capped by the maximum that other
 * claims leave.
 */
export function calculateCoverLimit(found: LimitEvidence, currency: Currency): CoverLimit {
  const { given, claimAmountCents, requestedAmountCents } = found
  const money = (cents: Cents) => formatMoney(cents, currency)
  if (given === null) {
    const working = ["The product type does not include this benefit for the member's tier."]
    return { limitCents: 0, proposedAmountCents: 0, working }
  }
  const working: string[] = []
  const limits: Cents[] = []
  const percent = given.coverPercentage || 100
  if (percent < 100) {
    const base = claimAmountCents || requestedAmountCents
    const share = Math.round((base * percent) / 100)
    limits.push(share)
    working.push(`${money(base)} ${claimAmountCents ? "claimed" : "requested"} × ${percent} % = ${money(share)}.`)
  }
  if (given.maxCoverCents > 0) {
    const counted = found.others.filter((other) => isCountedAgainst(other, found))
    const used = counted.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const left = Math.max(0, given.maxCoverCents - used)
    limits.push(left)
    working.push(
      used > 0
        ? `${money(given.maxCoverCents)} maximum cover less ${money(used)} for ${claimNumbersText(counted)} leaves ${money(left)}.`
        : `${money(given.maxCoverCents)} maximum cover.`,
    )
  } else working.push("No maximum cover is set.")
  const limitCents = limits.length > 0 ? Math.min(...limits) : null
  return { limitCents, proposedAmountCents: Math.min(requestedAmountCents, limitCents ?? Infinity), working }
}

function claimNumbersText(claims: readonly OtherClaim[]): string {
  const numbers = claims.slice(0, 3).map(({ number }) => number)
  const more = claims.length - numbers.length
  return more > 0 ? `${numbers.join(", ")} and ${more} other ${more === 1 ? "claim" : "claims"}` : numbers.join(", ")
}
