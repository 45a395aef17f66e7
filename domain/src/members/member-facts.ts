import type { Day } from "../kernel/calendar.ts"
import type { LaterChanges } from "../kernel/timeline.ts"
import { type Plan, planPhrases } from "./member-cover.ts"

interface OfMember {
  record: { kind: "member"; id: string; label: string }
  groupId: string
}
interface OfPolicy {
  record: { kind: "policy"; id: string; label: string }
  groupId: string
}
interface Change {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

interface Named {
  id: string
  name: string
}

export type MemberFact =
  | ({ type: "MemberAdded"; startOn: Day } & OfMember)
  | ({ type: "MemberUpdated" } & OfMember & Change)
  /** `replacesLater`: later changes already recorded are cancelled. */
  | ({ type: "MemberSuspended"; on: Day; reason: string; replacesLater?: boolean } & OfMember)
  | ({ type: "MemberReinstated"; on: Day; reason: string; replacesLater?: boolean } & OfMember)
  /** `on` is the last day of cover. */
  | ({ type: "MemberTerminated"; on: Day; reason: string } & OfMember)
  | ({ type: "MemberPlansWithdrawn"; plans: Plan[]; reason: string } & OfMember)
  | ({ type: "MemberTierChanged"; on: Day; reason?: string; replacesLater?: boolean } & OfMember & Change)
  /** The amount is never in the trail. */
  | ({ type: "MemberSalarySet"; on: Day; reason?: string; replacesLater?: boolean } & OfMember)
  | ({ type: "MemberRemoved" } & OfMember)
  | ({ type: "MembersAdded" | "MembersRemoved"; count: number; names: Named[] } & OfPolicy)

export const replacing = (later: LaterChanges | undefined): { replacesLater?: true } =>
  later === "replace" ? { replacesLater: true } : {}

type Numbered = { id: string; number: string; groupId: string }

export const memberFactHead = ({ id, number, groupId }: Numbered): OfMember => ({
  record: { kind: "member", id, label: number },
  groupId,
})

/** Only the first three people are named. */
export const memberFactOnPolicy = (
  { id, number, groupId }: Numbered,
  people: readonly { id: string; firstName: string; lastName: string }[],
): OfPolicy & { count: number; names: Named[] } => ({
  record: { kind: "policy", id, label: number },
  groupId,
  count: people.length,
  names: people.slice(0, 3).map(({ id, firstName, lastName }) => ({ id, name: `${firstName} ${lastName}` })),
})

export const policyOf = (member: { policyId: string; policyNumber: string; groupId: string }): Numbered => ({
  id: member.policyId,
  number: member.policyNumber,
  groupId: member.groupId,
})

type Said<T extends MemberFact["type"]> = Extract<MemberFact, { type: T }>

/** "added Ann Nkosi", "added 3 members: Ann Nkosi, Ben Botha and others". */
function named(verb: string, { count, names: of }: { count: number; names: (Named | string)[] }): string {
  // The stored trail has plain names.
  const names = of.map((one) => (typeof one === "string" ? one : one.name))
  if (count === 1) return `${verb} ${names[0] ?? "1 member"}`
  const first = names.slice(0, 3).join(", ")
  return `${verb} ${count} members${first ? `: ${first}${count > 3 ? " and others" : ""}` : ""}`
}

type NamesPeople = { count: number; names: (Named | string)[] }

const later = ({ replacesLater }: { replacesLater?: boolean }) => (replacesLater ? ", replacing later changes" : "")

export const memberSentences = {
  MemberAdded: (fact: Said<"MemberAdded">) => `added the member, starting ${fact.startOn}`,
  MemberUpdated: () => "edited the member's details",
  MemberSuspended: (fact: Said<"MemberSuspended">) => `suspended the member from ${fact.on}${later(fact)}`,
  MemberReinstated: (fact: Said<"MemberReinstated">) => `reinstated the member from ${fact.on}${later(fact)}`,
  MemberTerminated: (fact: Said<"MemberTerminated">) => `ended the membership as of ${fact.on}`,
  MemberPlansWithdrawn: (fact: Said<"MemberPlansWithdrawn">) =>
    `withdrew ${fact.plans.map(({ kind, on }) => `${planPhrases[kind]} ${on}`).join(", ")}`,
  MemberSalarySet: (fact: Said<"MemberSalarySet">) => `set the salary from ${fact.on}${later(fact)}`,
  MemberTierChanged: (fact: Said<"MemberTierChanged">) =>
    `moved the member from ${String(fact.before.tierName)} to ${String(fact.after.tierName)} from ${fact.on}${later(fact)}`,
  MemberRemoved: () => "removed the member from the draft",
  MembersAdded: (fact: NamesPeople) => named("added", fact),
  MembersRemoved: (fact: NamesPeople) => named("removed", fact),
}
