import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { ClaimStatus, ClaimType } from "./claim.ts"

/** Types whose claims add up over the member's life; claims of the other types add up by calendar year. */
const lifetimeTypes: readonly ClaimType[] = ["death", "disability"]

/** Another claim of the same member. */
export interface OtherClaim {
  number: string
  status: ClaimStatus
  claimType: ClaimType
  incidentOn: Day
  /** Whether it is for the same benefit. */
  isSameBenefit: boolean
  /** Whether it was submitted before the claim that is checked. */
  isEarlier: boolean
  /** The approved amount; while it is under way the amount that its next approver starts from. */
  amountCents: Cents
}

/** The facts from which the most that cover allows for a claim is worked out. */
export interface LimitEvidence {
  incidentOn: Day
  /** What the incident cost; null or 0 where nobody said. */
  claimAmountCents: Cents | null
  requestedAmountCents: Cents
  /** What the product gives for the benefit at the member's tier; null where it gives nothing. */
  given: {
    /** 0 means no maximum. */
    maxCoverCents: Cents
    /** 0 means not set, which is 100. */
    coverPercentage: number
  } | null
  others: readonly OtherClaim[]
}

export interface CoverLimit {
  /** The most that cover allows for the claim; null without limit. */
  limitCents: Cents | null
  /** What is asked for, as far as cover allows it: approvers start from it. */
  proposedAmountCents: Cents
  /** The working, a sentence each. */
  working: string[]
}

/**
 * Whether another claim uses up the cover of this one: it is for the same benefit, it was approved or it was submitted
 * earlier and is under way, and it falls into the same year unless its type adds up over life.
 */
export const countsAgainst = (other: OtherClaim, { incidentOn }: Pick<LimitEvidence, "incidentOn">): boolean =>
  other.isSameBenefit &&
  other.status !== "draft" &&
  other.status !== "rejected" &&
  (other.isEarlier || other.status === "approved" || other.status === "paid") &&
  (lifetimeTypes.includes(other.claimType) || other.incidentOn.slice(0, 4) === incidentOn.slice(0, 4))

/** The most that cover allows for a claim: its percentage of the claimed amount, and what other claims left of the maximum. */
export function coverLimit(found: LimitEvidence, currency: Currency): CoverLimit {
  const { given, claimAmountCents, requestedAmountCents } = found
  const money = (cents: Cents) => formatMoney(cents, currency)
  if (given === null) {
    const working = ["The product does not give this benefit at the member's tier."]
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
    const counted = found.others.filter((other) => countsAgainst(other, found))
    const used = counted.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const left = Math.max(0, given.maxCoverCents - used)
    limits.push(left)
    working.push(
      used > 0
        ? `${money(given.maxCoverCents)} maximum cover less ${money(used)} of ${named(counted)} leaves ${money(left)}.`
        : `${money(given.maxCoverCents)} maximum cover.`,
    )
  } else working.push("No maximum cover is set.")
  const limitCents = limits.length > 0 ? Math.min(...limits) : null
  return { limitCents, proposedAmountCents: Math.min(requestedAmountCents, limitCents ?? Infinity), working }
}

function named(claims: readonly OtherClaim[]): string {
  const numbers = claims.slice(0, 3).map(({ number }) => number)
  const more = claims.length - numbers.length
  return more > 0 ? `${numbers.join(", ")} and ${more} other ${more === 1 ? "claim" : "claims"}` : numbers.join(", ")
}
