import { addMonths, type Day, type DayFormat, daysBetween, formatDay } from "../kernel/calendar.ts"
import { countryName, homeCountry } from "../kernel/country.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"

export interface ClaimReference {
  id: string
  number: string
}

export interface WarningEvidence {
  incidentOn: Day
  notificationOn: Day | null
  incidentCountry: string
  requestedAmountCents: Cents | null
  /** The benefit's approved amounts; null for readers who do not see the claims of all employers. */
  approved: ApprovedAmounts | null
  /** First day of the insured person's cover up to the incident; null without cover. */
  coveredSince: Day | null
  /** First day of the member's cover after a gap, within three months of the incident. */
  rejoinedOn: Day | null
  /** Other claims for the same person, benefit and incident date, without drafts and rejected ones. */
  sameIncident: ClaimReference[]
  /** Claims of the same type and incident date for the person under another membership, recognised by the ID number. */
  otherMemberships: ClaimReference[]
  /** Other claims with a document of the same content. */
  sameDocument: ClaimReference[]
  /** Other claims with the same bill number, without drafts, rejected and withdrawn ones. */
  sameBill: ClaimReference[]
}

/** Other claims of the benefit that were approved in the last `usualMonths` months, at most the latest `usualClaims.most`. */
export interface ApprovedAmounts {
  claims: number
  medianCents: Cents
}

/** A sentence that ends with the numbers of `claims`, if any. */
export interface ClaimWarning {
  sentence: string
  claims: ClaimReference[]
}

/** A cover that began less than this before the incident is unusual. */
export const recentCoverMonths = 3

export const lateNotificationDays = 90

export const usualMonths = 24

/** A median of fewer claims says nothing; more claims than `most` take too long to read on each view. */
export const usualClaims = { least: 10, most: 1_000 }

/**
 * Points to look at before deciding. None blocks, and none contains a medical fact. The usual amount of a benefit is the
 * median of its approved amounts in the last 24 months, if there are at least ten.
 */
export function claimWarnings(found: WarningEvidence, format: DayFormat, currency: Currency): ClaimWarning[] {
  const { incidentOn, notificationOn, coveredSince, rejoinedOn } = found
  const { sameIncident, otherMemberships, sameDocument, sameBill } = found
  const warnings: ClaimWarning[] = []
  const warn = (sentence: string, claims: ClaimReference[] = []) => warnings.push({ sentence, claims })
  if (sameIncident.length > 0) warn("The person, benefit and incident date are the same as on", sameIncident)
  if (otherMemberships.length > 0)
    warn("The person, claim type and incident date are the same under another membership, on", otherMemberships)
  if (sameDocument.length > 0) warn("A document has the same content as one on", sameDocument)
  if (sameBill.length > 0) warn("The bill number is the same as on", sameBill)
  const { approved, requestedAmountCents } = found
  if (approved && requestedAmountCents !== null && isUnusual(requestedAmountCents, approved))
    warn(
      `The requested amount is more than twice the usual for this benefit: ${formatMoney(approved.medianCents, currency)}, ` +
        `the median of ${approved.claims} claims approved in ${usualMonths} months.`,
    )
  if (found.incidentCountry !== homeCountry)
    warn(`The incident happened outside ${countryName(homeCountry)}: ${countryName(found.incidentCountry)}.`)
  if (coveredSince && coveredSince <= incidentOn && incidentOn < addMonths(coveredSince, recentCoverMonths))
    warn(
      `Cover began on ${formatDay(coveredSince, format)}, less than ${recentCoverMonths} months before the incident.`,
    )
  if (rejoinedOn) warn(`The member rejoined on ${formatDay(rejoinedOn, format)} after a gap in cover.`)
  const late = notificationOn ? daysBetween(incidentOn, notificationOn) : 0
  if (late > lateNotificationDays) warn(`The claim was reported ${late} days after the incident.`)
  return warnings
}

const isUnusual = (cents: Cents, { claims, medianCents }: ApprovedAmounts): boolean =>
  claims >= usualClaims.least && cents > 2 * medianCents
