import { addMonths, type Day, type DayFormat, daysBetween, formatDay } from "../kernel/calendar.ts"

export interface ClaimReference {
  id: string
  number: string
}

export interface WarningEvidence {
  incidentOn: Day
  notificationOn: Day | null
  /** First day of the insured person's cover up to the incident; null without cover. */
  coveredSince: Day | null
  /** First day of the member's cover after a gap, within three months of the incident. */
  rejoinedOn: Day | null
  /** Other claims for the same person, benefit and incident date, without drafts and rejected ones. */
  sameIncident: ClaimReference[]
  /** Other claims with a document of the same content. */
  sameDocument: ClaimReference[]
}

/** A sentence that ends with the numbers of `claims`, if any. */
export interface ClaimWarning {
  sentence: string
  claims: ClaimReference[]
}

/** A cover that began less than this before the incident is unusual. */
export const recentCoverMonths = 3

export const lateNotificationDays = 90

/** Points to look at before deciding. None blocks, and none contains a medical fact. */
export function claimWarnings(found: WarningEvidence, format: DayFormat): ClaimWarning[] {
  const { incidentOn, notificationOn, coveredSince, rejoinedOn, sameIncident, sameDocument } = found
  const warnings: ClaimWarning[] = []
  const warn = (sentence: string, claims: ClaimReference[] = []) => warnings.push({ sentence, claims })
  if (sameIncident.length > 0) warn("The person, benefit and incident date are the same as on", sameIncident)
  if (sameDocument.length > 0) warn("A document has the same content as one on", sameDocument)
  if (coveredSince && coveredSince <= incidentOn && incidentOn < addMonths(coveredSince, recentCoverMonths))
    warn(
      `Cover began on ${formatDay(coveredSince, format)}, less than ${recentCoverMonths} months before the incident.`,
    )
  if (rejoinedOn) warn(`The member rejoined on ${formatDay(rejoinedOn, format)} after a gap in cover.`)
  const late = notificationOn ? daysBetween(incidentOn, notificationOn) : 0
  if (late > lateNotificationDays) warn(`The claim was reported ${late} days after the incident.`)
  return warnings
}
