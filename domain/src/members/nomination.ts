import { bankDetailProblems, hasBankDetails } from "../kernel/bank-details.ts"
import type { Day } from "../kernel/calendar.ts"
import type { FieldError } from "../kernel/procedure.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { type BasisPoints, formatShare, sumOfShares, wholeShare } from "../kernel/shares.ts"
import { hasPermission, type Role } from "../platform/permission.ts"
import { completeBriefIdentity } from "./member-identity.ts"

export const nomineeRelationships = ["spouse", "child", "parent", "sibling", "other", "organisation"] as const

export type NomineeRelationship = (typeof nomineeRelationships)[number]

export const nomineeRelationshipNames: Record<NomineeRelationship, string> = {
  spouse: "Spouse",
  child: "Child",
  parent: "Parent",
  sibling: "Sibling",
  other: "Other person",
  organisation: "Trust or organisation",
}

export const nominationDocumentTypes = ["signed_form", "other"] as const

export type NominationDocumentType = (typeof nominationDocumentTypes)[number]

export const nominationDocumentTypeNames: Record<NominationDocumentType, string> = {
  signed_form: "Signed form",
  other: "Other document",
}

/** A beneficiary in a nomination. The bank account is optional: its three fields are all empty or all filled. */
export interface Nominee {
  name: string
  relationship: NomineeRelationship
  idNumber: string | null
  dateOfBirth: Day | null
  phone: string
  email: string
  bank: string
  branchCode: string
  accountNumber: string
  shareBasisPoints: BasisPoints
}

export const maxNominees = 20

/** The beneficiaries of a member from a day until the next nomination. None: the member revoked the nomination. */
export interface DatedNomination {
  fromOn: Day
  /** Instants are ISO text. */
  recordedAt: string
  supersededAt: string | null
}

export const remainingShare = (nominees: readonly Pick<Nominee, "shareBasisPoints">[]): BasisPoints =>
  wholeShare - sumOfShares(nominees.map(({ shareBasisPoints }) => shareBasisPoints))

/**
 * Completes dates of birth from ID numbers. Refuses INVALID with the fields: a future first day, shares that do not add
 * up to 100.00 %, a person without ID number and date of birth, the same ID number twice, incomplete bank details.
 */
export function checkNomination(
  { fromOn, nominees }: { fromOn: Day; nominees: readonly Nominee[] },
  today: Day,
): Decision<Nominee[], "INVALID"> {
  const wrong: FieldError[] = []
  if (fromOn > today) wrong.push({ path: "fromOn", message: "The day is in the future" })
  const settled = nominees.map((nominee, at): Nominee => {
    const place = `nominees.${at}`
    if (hasBankDetails(nominee)) {
      wrong.push(...bankDetailProblems(nominee).map(({ field, message }) => ({ path: `${place}.${field}`, message })))
    }
    if (nominee.relationship === "organisation") return { ...nominee, idNumber: null, dateOfBirth: null }
    const { problems, ...identity } = completeBriefIdentity(nominee, today, true)
    wrong.push(...problems.map(({ path, message }) => ({ path: `${place}.${path}`, message })))
    return { ...nominee, ...identity }
  })
  const numbers = settled.map(({ idNumber }) => idNumber)
  numbers.forEach((number, at) => {
    if (number && numbers.indexOf(number) < at)
      wrong.push({ path: `nominees.${at}.idNumber`, message: "This person is already in the nomination" })
  })
  const left = remainingShare(settled)
  if (settled.length > 0 && left !== 0) {
    const difference = left > 0 ? `${formatShare(left)} is missing` : `${formatShare(-left)} is too much`
    wrong.push({ path: "nominees", message: `The shares must add up to 100.00 %: ${difference}` })
  }
  return wrong.length > 0 ? refuse("INVALID", wrong[0]!.message, { fields: wrong }) : settled
}

/** The nomination that applies on a day; with `knownAt`, as it was known at that moment. Null if there is none. */
export function nominationOn<N extends DatedNomination>(
  nominations: readonly N[],
  day: Day,
  knownAt?: Temporal.Instant,
): N | null {
  const isKnown = ({ recordedAt, supersededAt }: N) =>
    knownAt === undefined
      ? supersededAt === null
      : isUpTo(recordedAt, knownAt) && !(supersededAt !== null && isUpTo(supersededAt, knownAt))
  return (
    nominations
      .filter((nomination) => isKnown(nomination) && nomination.fromOn <= day)
      .sort((one, other) => (one.fromOn < other.fromOn ? 1 : -1))[0] ?? null
  )
}

const isUpTo = (instant: string, moment: Temporal.Instant) =>
  Temporal.Instant.compare(Temporal.Instant.from(instant), moment) <= 0

export const nominationActions = ["record", "correct", "withdraw", "attach"] as const

export type NominationAction = (typeof nominationActions)[number]

/**
 * A nomination can also be recorded after the membership ended: a signed form may be found after the death. Documents
 * need a member who cannot be removed from a draft.
 */
export function allowedNominationActions(
  member: { isPending: boolean; isForgotten: boolean },
  { role }: { role: Role | null },
): NominationAction[] {
  if (member.isForgotten || !hasPermission(role, "members.write")) return []
  return nominationActions.filter((action) => action !== "attach" || !member.isPending)
}

/** For the audit trail: names and shares only. */
export const nomineesText = (nominees: readonly Pick<Nominee, "name" | "shareBasisPoints">[]): string =>
  nominees.map(({ name, shareBasisPoints }) => `${name} ${formatShare(shareBasisPoints)}`).join(", ") || "none"

/** Names of the values in the audit trail. */
export const nominationFieldNames: Record<string, string> = {
  beneficiaries: "Beneficiaries",
  nominationOn: "Nomination from",
  document: "Document",
}
