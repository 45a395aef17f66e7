import type { Day } from "../kernel/calendar.ts"
import type { LaterChanges } from "../kernel/timeline.ts"
import { type PlannedChange, plannedChangePhrases } from "./member-cover.ts"

interface MemberFactHead {
  record: { kind: "member"; id: string; label: string }
  groupId: string
}
interface PolicyFactHead {
  record: { kind: "policy"; id: string; label: string }
  groupId: string
}
interface Change {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** Beneficiaries are named with their shares, without ID numbers and accounts. */
type NominationFact = MemberFactHead &
  (
    | { type: "MemberNominationRecorded"; after: RecordedNomination }
    | { type: "MemberNominationCorrected"; reason: string; before: RecordedNomination; after: RecordedNomination }
    | { type: "MemberNominationWithdrawn"; reason: string; before: RecordedNomination }
    | { type: "NominationDocumentAttached"; nominationOn: Day; after: { document: string } }
    | { type: "NominationDocumentRemoved"; nominationOn: Day; before: { document: string } }
  )

interface RecordedNomination {
  nominationOn: Day
  beneficiaries: string
}

interface NamedMember {
  id: string
  name: string
}

export type MemberFact =
  | ({ type: "MemberAdded"; startOn: Day } & MemberFactHead)
  | ({ type: "MemberUpdated" } & MemberFactHead & Change)
  /** `replacesLater`: later changes already recorded are cancelled. */
  | ({ type: "MemberSuspended"; on: Day; reason: string; replacesLater?: boolean } & MemberFactHead)
  | ({ type: "MemberReinstated"; on: Day; reason: string; replacesLater?: boolean } & MemberFactHead)
  /** `on` is the last day of cover. */
  | ({ type: "MemberTerminated"; on: Day; reason: string } & MemberFactHead)
  | ({ type: "MemberPlansWithdrawn"; plans: PlannedChange[]; reason: string } & MemberFactHead)
  | ({ type: "MemberTierChanged"; on: Day; reason?: string; replacesLater?: boolean } & MemberFactHead & Change)
  /** The audit trail never contains the amount. */
  | ({ type: "MemberSalarySet"; on: Day; reason?: string; replacesLater?: boolean } & MemberFactHead)
  | ({ type: "MemberRemoved" } & MemberFactHead)
  | NominationFact
  | ({ type: "MembersAdded" | "MembersRemoved"; count: number; names: NamedMember[] } & PolicyFactHead)

export const replacesLaterFlag = (later: LaterChanges | undefined): { replacesLater?: true } =>
  later === "replace" ? { replacesLater: true } : {}

type NumberedMember = { id: string; number: string; groupId: string }

export const memberFactHead = ({ id, number, groupId }: NumberedMember): MemberFactHead => ({
  record: { kind: "member", id, label: number },
  groupId,
})

/** Only the first three people are named. */
export const memberFactOnPolicy = (
  { id, number, groupId }: NumberedMember,
  people: readonly { id: string; firstName: string; lastName: string }[],
): PolicyFactHead & { count: number; names: NamedMember[] } => ({
  record: { kind: "policy", id, label: number },
  groupId,
  count: people.length,
  names: people.slice(0, 3).map(({ id, firstName, lastName }) => ({ id, name: `${firstName} ${lastName}` })),
})

export const policyRecordOf = (member: {
  policyId: string
  policyNumber: string
  groupId: string
}): NumberedMember => ({
  id: member.policyId,
  number: member.policyNumber,
  groupId: member.groupId,
})

type MemberFactOf<T extends MemberFact["type"]> = Extract<MemberFact, { type: T }>

/** "added Ann Nkosi", "added 3 members: Ann Nkosi, Ben Botha and others". */
function describeMembers(
  verb: string,
  { count, names: of }: { count: number; names: (NamedMember | string)[] },
): string {
  // The stored trail has plain names.
  const names = of.map((one) => (typeof one === "string" ? one : one.name))
  if (count === 1) return `${verb} ${names[0] ?? "1 member"}`
  const first = names.slice(0, 3).join(", ")
  return `${verb} ${count} members${first ? `: ${first}${count > 3 ? " and others" : ""}` : ""}`
}

type MemberNames = { count: number; names: (NamedMember | string)[] }

const replacingLaterText = ({ replacesLater }: { replacesLater?: boolean }) =>
  replacesLater ? ", replacing later changes" : ""

export const memberSentences = {
  MemberAdded: (fact: MemberFactOf<"MemberAdded">) => `added the member, starting ${fact.startOn}`,
  MemberUpdated: () => "edited the member's details",
  MemberSuspended: (fact: MemberFactOf<"MemberSuspended">) =>
    `suspended the member from ${fact.on}${replacingLaterText(fact)}`,
  MemberReinstated: (fact: MemberFactOf<"MemberReinstated">) =>
    `reinstated the member from ${fact.on}${replacingLaterText(fact)}`,
  MemberTerminated: (fact: MemberFactOf<"MemberTerminated">) => `ended the membership as of ${fact.on}`,
  MemberPlansWithdrawn: (fact: MemberFactOf<"MemberPlansWithdrawn">) =>
    `withdrew ${fact.plans.map(({ kind, on }) => `${plannedChangePhrases[kind]} ${on}`).join(", ")}`,
  MemberSalarySet: (fact: MemberFactOf<"MemberSalarySet">) =>
    `set the salary from ${fact.on}${replacingLaterText(fact)}`,
  MemberTierChanged: (fact: MemberFactOf<"MemberTierChanged">) =>
    `moved the member from ${String(fact.before.tierName)} to ${String(fact.after.tierName)} from ${fact.on}${replacingLaterText(fact)}`,
  MemberRemoved: () => "removed the member from the draft",
  MemberNominationRecorded: (fact: MemberFactOf<"MemberNominationRecorded">) =>
    `recorded the beneficiaries from ${fact.after.nominationOn}`,
  MemberNominationCorrected: (fact: MemberFactOf<"MemberNominationCorrected">) =>
    `corrected the beneficiaries from ${fact.before.nominationOn}`,
  MemberNominationWithdrawn: (fact: MemberFactOf<"MemberNominationWithdrawn">) =>
    `withdrew the nomination from ${fact.before.nominationOn}`,
  NominationDocumentAttached: (fact: MemberFactOf<"NominationDocumentAttached">) =>
    `added a document to the nomination from ${fact.nominationOn}`,
  NominationDocumentRemoved: (fact: MemberFactOf<"NominationDocumentRemoved">) =>
    `deleted a document of the nomination from ${fact.nominationOn}`,
  MembersAdded: (fact: MemberNames) => describeMembers("added", fact),
  MembersRemoved: (fact: MemberNames) => describeMembers("removed", fact),
}
