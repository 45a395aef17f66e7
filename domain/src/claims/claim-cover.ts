import { addMonths, type Day, type DayFormat, formatDay, monthOf } from "../kernel/calendar.ts"
import { type Cents, formatRand } from "../kernel/money.ts"

/** What the house knows about cover on the day of the incident. */
export interface CoverEvidence {
  incidentOn: Day
  requestedAmountCents: Cents
  /** `kind` is what the policy was on the day: in force, suspended, or null for neither. */
  policy: { number: string; startOn: Day | null; endOn: Day | null; kind: "active" | "suspended" | null }
  /** The member's cover on the day, or null where there is none; `since` is when cover first began in the policy. */
  member: { kind: "covered" | "suspended" | null; since: Day | null }
  waitingPeriodMonths: number
  /** Premium invoices of the policy for months up to the incident. */
  premiums: {
    /** Whether a sent invoice covers the incident's own month. */
    invoiced: boolean
    outstandingCents: Cents
    unpaidNumbers: string[]
  }
  /** The cover amount for product, benefit and tier; 0 where the product gives none. */
  maxCoverCents: Cents
  coverPercentage: number | null
}

export const coverChecks = ["policy", "member", "waiting", "premiums", "maximum"] as const

export interface CoverLine {
  check: (typeof coverChecks)[number]
  title: string
  passed: boolean
  /** A sentence that says what the result rests on. */
  evidence: string
}

/**
 * The cover check (design: product, "Claims"): five lines, each pass or fail with its evidence. It informs and blocks
 * nothing. Holds nothing medical, so every reader of the claim may see it.
 */
export function coverCheck(found: CoverEvidence, format: DayFormat): CoverLine[] {
  return [
    policyLine(found, format),
    memberLine(found, format),
    waitingLine(found, format),
    premiumLine(found),
    maximumLine(found),
  ]
}

function policyLine({ policy, incidentOn }: CoverEvidence, format: DayFormat): CoverLine {
  const title = "Policy active on the incident date"
  const on = formatDay(incidentOn, format)
  const line = (passed: boolean, evidence: string): CoverLine => ({ check: "policy", title, passed, evidence })
  if (policy.kind === "suspended") return line(false, `${policy.number} was suspended on ${on}.`)
  if (policy.kind === null) return line(false, `${policy.number} was not in force on ${on}.`)
  const from = policy.startOn ? ` from ${formatDay(policy.startOn, format)}` : ""
  const to = policy.endOn ? ` to ${formatDay(policy.endOn, format)}` : ""
  return line(true, `${policy.number} runs${from}${to}.`)
}

function memberLine({ member, incidentOn }: CoverEvidence, format: DayFormat): CoverLine {
  const on = formatDay(incidentOn, format)
  const evidence =
    member.kind === "covered"
      ? `Covered since ${member.since ? formatDay(member.since, format) : on}.`
      : member.kind === "suspended"
        ? `The member was suspended on ${on}.`
        : `The member had no cover on ${on}.`
  return { check: "member", title: "Member active on the incident date", passed: member.kind === "covered", evidence }
}

function waitingLine({ member, waitingPeriodMonths: months, incidentOn }: CoverEvidence, format: DayFormat): CoverLine {
  const title = "Waiting period over"
  if (months === 0) return { check: "waiting", title, passed: true, evidence: "The policy has no waiting period." }
  if (!member.since) return { check: "waiting", title, passed: false, evidence: "The member's cover had not begun." }
  const over = addMonths(member.since, months)
  const evidence = `${months} ${months === 1 ? "month" : "months"} from ${formatDay(member.since, format)}: over on ${formatDay(over, format)}.`
  return { check: "waiting", title, passed: incidentOn >= over, evidence }
}

function premiumLine({ premiums, incidentOn }: CoverEvidence): CoverLine {
  const title = "Premiums paid up to the incident date"
  const line = (passed: boolean, evidence: string): CoverLine => ({ check: "premiums", title, passed, evidence })
  if (premiums.outstandingCents > 0) {
    return line(false, `${formatRand(premiums.outstandingCents)} outstanding on ${premiums.unpaidNumbers.join(", ")}.`)
  }
  if (!premiums.invoiced) return line(false, `No premium invoice for ${monthOf(incidentOn)} has been sent.`)
  return line(true, `Paid up to ${monthOf(incidentOn)}.`)
}

function maximumLine({ requestedAmountCents, maxCoverCents, coverPercentage }: CoverEvidence): CoverLine {
  const title = "Within the maximum cover"
  const requested = `${formatRand(requestedAmountCents)} requested`
  if (maxCoverCents === 0) {
    return { check: "maximum", title, passed: false, evidence: `${requested}; the product gives no cover amount here.` }
  }
  const percentage = coverPercentage === null ? "" : ` (cover percentage ${coverPercentage}\u00a0%)`
  const evidence = `${requested}, ${formatRand(maxCoverCents)} maximum cover${percentage}.`
  return { check: "maximum", title, passed: requestedAmountCents <= maxCoverCents, evidence }
}
