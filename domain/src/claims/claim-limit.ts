import { type CoverGap, coverGapText, type InsuredKind } from "../benefits/benefit-terms.ts"
import type { ChildCap } from "../benefits/child-cap.ts"
import { ageOn, type Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { GivenCover } from "../members/cover-of.ts"
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
  /** The person's cover by the benefit, or why there is none. */
  given: Omit<GivenCover, "salaryMultiple"> | { gap: CoverGap; insured: InsuredKind }
  /** First day of the policy, which begins its years. */
  policyStartOn: Day | null
  others: readonly OtherClaim[]
  /**
   * Of a death claim: the cap on the child's life, and other claims for its death in all policies, approved or in
   * progress since earlier; null without a cap.
   */
  childCap: (ChildCap & { approvedCents: Cents; inProgressCents: Cents }) | null
}

export interface CoverLimit {
  limitCents: Cents | null
  /** What approved claims leave of the cap on a child's life: no approval may exceed it. Null without a cap. */
  childCap: { leftCents: Cents; reason: string } | null
  proposedAmountCents: Cents
  working: string[]
}

/** Another claim of the same person and benefit that is approved, or was submitted earlier and is in progress. */
const isOfSameCover = (other: OtherClaim): boolean =>
  other.isSamePerson &&
  other.isSameBenefit &&
  !["draft", "rejected", "withdrawn"].includes(other.status) &&
  (other.isEarlier || other.status === "approved" || other.status === "paid")

/**
 * Whether another claim reduces this claim's cover: of the same person and benefit, approved or in progress since
 * earlier, and in the same calendar year unless its type adds up over life.
 */
export const isCountedAgainst = (other: OtherClaim, { incidentOn }: Pick<LimitEvidence, "incidentOn">): boolean =>
  isOfSameCover(other) &&
  (lifetimeClaimTypes.includes(other.claimType) || isSameYear(other.incidentOn, incidentOn, null))

/** Years begin on 1 January, or on the anniversary of `startOn`. */
function isSameYear(a: Day, b: Day, startOn: Day | null): boolean {
  const yearOf = (day: Day) => (startOn === null ? Number(day.slice(0, 4)) : ageOn(startOn, day))
  return yearOf(a) === yearOf(b)
}

/**
 * The cover limit of a claim in cents: the cover percentage of the claimed amount, capped by what other claims leave of
 * the maximum, the limit per incident, the limit per year and the cap on a child's life.
 */
export function calculateCoverLimit(found: LimitEvidence, currency: Currency): CoverLimit {
  const { given, claimAmountCents, requestedAmountCents } = found
  const money = (cents: Cents) => formatMoney(cents, currency)
  if ("gap" in given) {
    const working = [coverGapText(given.gap, given.insured)]
    return { limitCents: 0, childCap: approvableCap(found.childCap, currency), proposedAmountCents: 0, working }
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
  const addLimit = (cents: Cents, name: string, counted: readonly OtherClaim[]) => {
    const used = counted.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const left = Math.max(0, cents - used)
    limits.push(left)
    working.push(
      used > 0
        ? `${money(cents)} ${name} less ${money(used)} for ${claimNumbersText(counted)} leaves ${money(left)}.`
        : `${money(cents)} ${name}.`,
    )
  }
  if (given.maxCoverCents > 0) {
    addLimit(
      given.maxCoverCents,
      "maximum cover",
      found.others.filter((other) => isCountedAgainst(other, found)),
    )
  } else working.push("No maximum cover is set.")
  const others = found.others.filter(isOfSameCover)
  if (given.incidentLimitCents !== null) {
    const counted = others.filter(({ incidentOn }) => incidentOn === found.incidentOn)
    addLimit(given.incidentLimitCents, "limit per incident", counted)
  }
  if (given.yearLimitCents !== null) {
    const isByPolicy = given.coverYear === "policy" && found.policyStartOn !== null
    const startOn = isByPolicy ? found.policyStartOn : null
    const counted = others.filter(({ incidentOn }) => isSameYear(incidentOn, found.incidentOn, startOn))
    addLimit(given.yearLimitCents, isByPolicy ? "limit per policy year" : "limit per calendar year", counted)
  }
  const { childCap } = found
  if (childCap) {
    const usedCents = childCap.approvedCents + childCap.inProgressCents
    const left = capLeft(childCap, usedCents, "of other claims for this child", currency)
    limits.push(left.leftCents)
    working.push(left.reason)
  }
  const limitCents = limits.length > 0 ? Math.min(...limits) : null
  const proposedAmountCents = Math.min(requestedAmountCents, limitCents ?? Infinity)
  return { limitCents, childCap: approvableCap(childCap, currency), proposedAmountCents, working }
}

const approvableCap = (cap: LimitEvidence["childCap"], currency: Currency): CoverLimit["childCap"] =>
  cap && capLeft(cap, cap.approvedCents, "approved for this child", currency)

/** Other claims are added up without their numbers, because they can belong to other employers. */
function capLeft(cap: ChildCap, usedCents: Cents, usedFor: string, currency: Currency) {
  const money = (cents: Cents) => formatMoney(cents, currency)
  const leftCents = Math.max(0, cap.amountCents - usedCents)
  const rule = `All policies together pay at most ${money(cap.amountCents)} on the death of a child under ${cap.belowAge}`
  const used = usedCents > 0 ? `; less ${money(usedCents)} ${usedFor} leaves ${money(leftCents)}` : ""
  return { leftCents, reason: `${rule}${used}.` }
}

function claimNumbersText(claims: readonly OtherClaim[]): string {
  const numbers = claims.slice(0, 3).map(({ number }) => number)
  const more = claims.length - numbers.length
  return more > 0 ? `${numbers.join(", ")} and ${more} other ${more === 1 ? "claim" : "claims"}` : numbers.join(", ")
}
