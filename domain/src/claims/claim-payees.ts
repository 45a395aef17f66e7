import { bankDetailProblems, hasBankDetails } from "../kernel/bank-details.ts"
import { ageOn, type Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { FieldError } from "../kernel/procedure.ts"
import { type Decision, type Refusal, refuse } from "../kernel/refusal.ts"
import { type BasisPoints, formatShare, splitByShares, sumOfShares, wholeShare } from "../kernel/shares.ts"
import { completeBriefIdentity } from "../members/member-identity.ts"
import { type Nominee, nomineeRelationshipNames, nomineeRelationships } from "../members/nomination.ts"
import type { PayoutMethod } from "../payouts/payout.ts"
import type { RuleActor } from "../platform/permission.ts"
import type { Claim, ClaimStatus } from "./claim.ts"

export const payeeBases = ["nomination", "member", "estate", "fund", "decision"] as const

/** Why these people are paid. */
export type PayeeBasis = (typeof payeeBases)[number]

export const payeeBasisNames: Record<PayeeBasis, string> = {
  nomination: "As nominated by the member",
  member: "The member",
  estate: "The member's estate",
  fund: "The retirement fund that owns the policy",
  decision: "By decision of an underwriter",
}

export const payeeReceivers = ["self", "guardian", "trust"] as const

export type PayeeReceiver = (typeof payeeReceivers)[number]

export const payeeReceiverNames: Record<PayeeReceiver, string> = {
  self: "Paid directly",
  guardian: "Through a guardian",
  trust: "Through a trust",
}

export const payeeRelationships = [...nomineeRelationships, "member", "estate"] as const

export type PayeeRelationship = (typeof payeeRelationships)[number]

export const payeeRelationshipNames: Record<PayeeRelationship, string> = {
  ...nomineeRelationshipNames,
  member: "Member",
  estate: "Estate",
}

export interface ClaimPayee {
  name: string
  relationship: PayeeRelationship
  idNumber: string | null
  dateOfBirth: Day | null
  shareBasisPoints: BasisPoints
  receivedBy: PayeeReceiver
  /** The guardian or trust; empty for a payee who is paid directly. */
  receiverName: string
  /** The receiver's account; empty while it is unknown. */
  bank: string
  branchCode: string
  accountNumber: string
  /** For the remittance advice. */
  email: string
}

export interface PayeeSet {
  basis: PayeeBasis
  reason: string
  payees: readonly ClaimPayee[]
}

/** The facts that decide which payees a claim may have. */
export interface PayeeSubject {
  /** Whether the member died. Nominations apply only to that. */
  isOwnDeath: boolean
  incidentOn: Day
  memberName: string
  /** The nomination on the incident day; null for none, and for a revoked one. */
  nominees: readonly Nominee[] | null
  /** The retirement fund that owns the policy; empty if the employer owns it. */
  owningFund: string
}

export const maxPayees = 20

const adultAge = 18

export const isOwnDeath = ({ claimType, dependentId }: Pick<Claim, "claimType" | "dependentId">): boolean =>
  claimType === "death" && dependentId === null

export const accountHolderOf = ({ name, receivedBy, receiverName }: ClaimPayee): string =>
  receivedBy === "self" ? name : receiverName

export const isMinorOn = (dateOfBirth: Day | null, day: Day): boolean =>
  dateOfBirth !== null && ageOn(dateOfBirth, day) < adultAge

/** Whether one of the payees has one of these e-mail addresses. */
export const hasPayeeEmail = (payees: readonly Pick<ClaimPayee, "email">[], emails: readonly string[]): boolean => {
  const keys = emails.map(emailKey)
  return payees.some(({ email }) => email.trim() !== "" && keys.includes(emailKey(email)))
}

/** Users' addresses are stored lower-cased; payees' are stored as entered. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

export type PayeeAccount = Pick<ClaimPayee, "bank" | "branchCode" | "accountNumber" | "email">

/**
 * The payees that the policy's rules suggest. The receiver of a minor must still be named. `lastAccount` is the account
 * of the last completed payment to a sole payee; nominees have the accounts of the nomination.
 */
export function proposePayees(
  { isOwnDeath, incidentOn, memberName, nominees, owningFund }: PayeeSubject,
  lastAccount: PayeeAccount | null = null,
): PayeeSet {
  const alone = (basis: PayeeBasis, payee: Pick<ClaimPayee, "name" | "relationship">): PayeeSet => ({
    basis,
    reason: "",
    payees: [{ ...emptyPayee, ...lastAccount, ...payee, shareBasisPoints: wholeShare }],
  })
  if (!isOwnDeath) return alone("member", { name: memberName, relationship: "member" })
  if (owningFund !== "") return alone("fund", { name: owningFund, relationship: "organisation" })
  if (nominees === null) return alone("estate", { name: `Estate of ${memberName}`, relationship: "estate" })
  return {
    basis: "nomination",
    reason: "",
    payees: nominees.map(({ phone: _, ...nominee }) => ({
      ...nominee,
      receivedBy: isMinorOn(nominee.dateOfBirth, incidentOn) ? "guardian" : "self",
      receiverName: "",
    })),
  }
}

const emptyPayee = {
  idNumber: null,
  dateOfBirth: null,
  receivedBy: "self",
  receiverName: "",
  bank: "",
  branchCode: "",
  accountNumber: "",
  email: "",
} as const

/** Whether the policy leaves no choice: the member for a dependent's death, the fund for a member's. */
export const isOnlyPossiblePayee = ({ basis }: Pick<PayeeSet, "basis">): boolean =>
  basis === "member" || basis === "fund"

const changeableStatuses: readonly ClaimStatus[] = [
  "submitted",
  "under_review",
  "pending_group_admin",
  "pending_underwriter",
  "pending_policy_holder",
  "approved",
]

/** `payments`: whether the claim has a payment that counts, or one that was released before. */
export function refuseNewPayees(
  { status }: Pick<Claim, "status">,
  hasPayments: boolean,
): Refusal<"WRONG_STATUS"> | null {
  if (!changeableStatuses.includes(status)) return refuse("WRONG_STATUS", "The claim's status does not allow payees.")
  if (!hasPayments) return null
  return refuse("WRONG_STATUS", "This claim already has payments. Its payees and shares can no longer change.")
}

export interface PayeeState {
  hasPayees: boolean
  /** As in `refuseNewPayees`. */
  hasPayments: boolean
}

/**
 * Whether a death claim waits for its payees. One with a payment to an entered payee, from a version that allowed it, can
 * no longer have payees.
 */
export const needsPayees = ({ claimType }: Pick<Claim, "claimType">, { hasPayees, hasPayments }: PayeeState): boolean =>
  claimType === "death" && !hasPayees && !hasPayments

/** Refuses a payment to a payee who is entered with the payment. */
export function refuseEnteredPayee(
  claim: Pick<Claim, "claimType">,
  state: PayeeState,
): Refusal<"WRONG_STATUS" | "PAYEES_NEEDED"> | null {
  if (state.hasPayees) {
    return refuse("WRONG_STATUS", "The payees of this claim are recorded. Prepare their payments instead.")
  }
  return needsPayees(claim, state) ? refuse("PAYEES_NEEDED", payeesNeeded) : null
}

export const payeesNeeded = "Record the payees of this death claim before you pay it."

/**
 * Completes dates of birth from ID numbers. INVALID with the fields: shares that do not add up to 100.00 %, a minor on
 * the incident day without guardian or trust, payees that contradict the basis. NEEDS_UNDERWRITER for another user's
 * decision.
 */
export function checkPayees(
  { basis, reason, payees }: PayeeSet,
  subject: PayeeSubject,
  { role }: Pick<RuleActor, "role">,
  today: Day,
): Decision<ClaimPayee[], "INVALID" | "NEEDS_UNDERWRITER"> {
  const wrong: FieldError[] = []
  const settled = payees.map((payee, at): ClaimPayee => {
    const { value, problems } = settlePayee(payee, subject.incidentOn, today)
    wrong.push(...problems.map(({ path, message }) => ({ path: `payees.${at}.${path}`, message })))
    return value
  })
  const left = wholeShare - sumOfShares(payees.map(({ shareBasisPoints }) => shareBasisPoints))
  if (payees.length === 0) wrong.push({ path: "payees", message: "Add a payee" })
  else if (left !== 0) {
    const difference = left > 0 ? `${formatShare(left)} is missing` : `${formatShare(-left)} is too much`
    wrong.push({ path: "payees", message: `The shares must add up to 100.00 %: ${difference}` })
  }
  const contradiction = findContradiction(basis, payees, subject)
  if (contradiction) wrong.push({ path: "basis", message: contradiction })
  if (basis === "decision" && reason.trim() === "") wrong.push({ path: "reason", message: "Enter the reason" })
  if (wrong.length > 0) return refuse("INVALID", wrong[0]!.message, { fields: wrong })
  if (basis === "decision" && role !== "underwriter") {
    return refuse("NEEDS_UNDERWRITER", "Only an underwriter can decide on other payees.")
  }
  return settled
}

/** The receiver and account of one payee, with the problems by field. */
export function settlePayee(
  payee: ClaimPayee,
  incidentOn: Day,
  today: Day,
): { value: ClaimPayee; problems: FieldError[] } {
  const isPerson = !["organisation", "estate", "member"].includes(payee.relationship)
  const { idNumber, dateOfBirth, problems } = completeBriefIdentity(payee, today, isPerson)
  if (payee.receivedBy === "self") {
    if (isPerson && isMinorOn(dateOfBirth, incidentOn)) {
      const message = `${payee.name} was under ${adultAge} on the incident day: choose a guardian or a trust`
      problems.push({ path: "receivedBy", message })
    }
  } else if (payee.receiverName === "") {
    const message = payee.receivedBy === "trust" ? "Enter the name of the trust" : "Enter the guardian's name"
    problems.push({ path: "receiverName", message })
  }
  if (hasBankDetails(payee)) {
    problems.push(...bankDetailProblems(payee).map(({ field, message }) => ({ path: field, message })))
  }
  const receiverName = payee.receivedBy === "self" ? "" : payee.receiverName
  return { value: { ...payee, idNumber, dateOfBirth, receiverName }, problems }
}

function findContradiction(
  basis: PayeeBasis,
  payees: readonly ClaimPayee[],
  { isOwnDeath, nominees, owningFund }: PayeeSubject,
): string | null {
  const isAlone = payees.length === 1
  if (isOwnDeath && owningFund !== "" && basis !== "fund" && basis !== "decision") {
    return `${owningFund} owns the policy: choose the fund or a decision`
  }
  switch (basis) {
    case "nomination": {
      if (!isOwnDeath) return "A nomination applies only to the member's own death"
      if (nominees === null) return "The member has no nomination on the incident day"
      const isSame =
        nominees.length === payees.length &&
        nominees.every(({ name, shareBasisPoints }) =>
          payees.some((payee) => payee.name === name && payee.shareBasisPoints === shareBasisPoints),
        )
      return isSame ? null : "The payees differ from the nomination. Choose a decision and give the reason"
    }
    case "member":
      if (isOwnDeath) return "The member died: choose the nomination, the estate or a decision"
      return isAlone && payees[0]!.relationship === "member" ? null : "The member is the only payee"
    case "estate":
      if (!isOwnDeath) return "The benefit is payable to the member"
      if (nominees !== null) return "The member has a nomination on the incident day"
      return isAlone && payees[0]!.relationship === "estate" ? null : "The estate is the only payee"
    case "fund":
      if (!isOwnDeath) return "The benefit is payable to the member"
      if (owningFund === "") return "No retirement fund owns the policy"
      return isAlone && payees[0]!.name === owningFund && payees[0]!.relationship === "organisation"
        ? null
        : "The fund is the only payee"
    case "decision":
      return null
  }
}

/** The amounts in order of the payees; they add up to the approved amount. Null before the approval. */
export function payeeAmounts(
  approvedCents: Cents | null,
  payees: readonly Pick<ClaimPayee, "shareBasisPoints">[],
): (Cents | null)[] {
  if (approvedCents === null || payees.length === 0) return payees.map(() => null)
  return splitByShares(
    approvedCents,
    payees.map(({ shareBasisPoints }) => shareBasisPoints),
  )
}

const bankMethods: readonly PayoutMethod[] = ["bank_transfer", "eft"]

export interface PreparedPayment<P> {
  payee: P
  amountCents: Cents
  /** From 1. */
  position: number
}

/**
 * The payments that can be prepared now, one for each payee without a payment that counts (`paidIds`). `refused` are the
 * reasons for the others, as sentences without the claim's number.
 */
export function paymentsToPrepare<P extends ClaimPayee & { id: string }>(
  { status, claimType, approvedAmountCents }: Pick<Claim, "status" | "claimType" | "approvedAmountCents">,
  payees: readonly P[] | null,
  paidIds: ReadonlySet<string>,
  method: PayoutMethod,
): { payments: PreparedPayment<P>[]; refused: string[] } {
  if (status !== "approved") return { payments: [], refused: ["The claim is not approved, or it is paid."] }
  if (payees === null) {
    return { payments: [], refused: [claimType === "death" ? payeesNeeded : "The claim has no recorded payees."] }
  }
  const amounts = payeeAmounts(approvedAmountCents, payees)
  const open = payees.flatMap((payee, at) =>
    paidIds.has(payee.id) || !amounts[at] ? [] : [{ payee, amountCents: amounts[at], position: at + 1 }],
  )
  if (open.length === 0) return { payments: [], refused: ["Every payee already has a payment."] }
  const isBank = bankMethods.includes(method)
  const isReady = ({ payee }: PreparedPayment<P>) => !isBank || payee.accountNumber !== ""
  return {
    payments: open.filter(isReady),
    refused: open.filter((one) => !isReady(one)).map(({ payee }) => `${payee.name} has no bank account.`),
  }
}

export interface PayeeEvidence {
  /** Users with the name of a payee or receiver, and what they did. */
  sameNames: { name: string; act: string }[]
  /** Users with the e-mail address of a payee, and what they did. */
  sameEmails: { name: string; act: string }[]
  /**
   * Payees whose account is a payee's of other members' claims, paid or recorded, or a nominee's of other members. Users
   * have no bank account, so accounts of the insurer's staff cannot be compared.
   */
  sameAccounts: { payee: string; claims: RecordReference[]; members: RecordReference[] }[]
  /** Whether the applying nomination was recorded after the incident day. */
  isRecordedLater: boolean
  /** Whether another nomination was known on the incident day. */
  isChangedSince: boolean
}

interface RecordReference {
  id: string
  number: string
}

/** A sentence that ends with the numbers of `claims` or `members`, if any. */
export interface PayeeWarning {
  sentence: string
  claims: RecordReference[]
  members: RecordReference[]
}

/** Points to look at before paying. None blocks. */
export function payeeWarnings(found: PayeeEvidence): PayeeWarning[] {
  const { sameNames, sameEmails, sameAccounts, isRecordedLater, isChangedSince } = found
  const plain = (sentence: string) => ({ sentence, claims: [], members: [] })
  return [
    ...(isRecordedLater ? [plain("The nomination was recorded after the incident date.")] : []),
    ...(isChangedSince ? [plain("On the incident date another nomination was on record.")] : []),
    ...sameNames.map(({ name, act }) => plain(`${name} has the same name as a user who ${act}.`)),
    ...sameEmails.map(({ name, act }) => plain(`A payee has the e-mail address of ${name}, a user who ${act}.`)),
    ...sameAccounts.flatMap(({ payee, claims, members }) => [
      ...(claims.length > 0
        ? [{ sentence: `The account of ${payee} is also on another member's claim:`, claims, members: [] }]
        : []),
      ...(members.length > 0
        ? [{ sentence: `The account of ${payee} is also a nominee's of another member:`, claims: [], members }]
        : []),
    ]),
  ]
}

/** For the audit trail: names and shares only. */
export const payeesText = (payees: readonly Pick<ClaimPayee, "name" | "shareBasisPoints">[]): string =>
  payees.map(({ name, shareBasisPoints }) => `${name} ${formatShare(shareBasisPoints)}`).join(", ")

/** Names of the values in the audit trail. */
export const payeeFieldNames: Record<string, string> = {
  payees: "Payees",
  payeeBasis: "Basis",
  payeeReason: "Reason for the payees",
  payeeReceiver: "Receiver",
  payeeAccount: "Account",
}
