import type { Day } from "../kernel/calendar.ts"
import { type Plan, planWords } from "./member-cover.ts"

interface OfMember {
  record: { kind: "member"; id: string; label: string }
  groupId: string
}
/** News of a policy's members, told on the policy. */
interface OfPolicy {
  record: { kind: "policy"; id: string; label: string }
  groupId: string
}
interface Change {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export type MemberFact =
  | ({ type: "MemberAdded"; startOn: Day } & OfMember)
  | ({ type: "MemberUpdated" } & OfMember & Change)
  | ({ type: "MemberSuspended"; on: Day; reason: string } & OfMember)
  | ({ type: "MemberReinstated"; on: Day; reason: string } & OfMember)
  /** `on` is the last day of cover. */
  | ({ type: "MemberTerminated"; on: Day; reason: string } & OfMember)
  | ({ type: "MemberPlansWithdrawn"; plans: Plan[]; reason: string } & OfMember)
  | ({ type: "MemberTierChanged"; on: Day; reason?: string } & OfMember & Change)
  /** What they earn stands in no trail: only that it was set, and from when. */
  | ({ type: "MemberSalarySet"; on: Day; reason?: string } & OfMember)
  | ({ type: "MemberRemoved" } & OfMember)
  | ({ type: "MembersAdded"; count: number; names: string[] } & OfPolicy)
  | ({ type: "MembersRemoved"; count: number; names: string[] } & OfPolicy)

type Numbered = { id: string; number: string; groupId: string }

/** What every fact about a member begins with. */
export const newsOf = ({ id, number, groupId }: Numbered): OfMember => ({
  record: { kind: "member", id, label: number },
  groupId,
})

/** What a fact about people of a policy holds, told on the policy; the first three are named. */
export const newsOnPolicy = (
  { id, number, groupId }: Numbered,
  people: readonly { firstName: string; lastName: string }[],
): OfPolicy & { count: number; names: string[] } => ({
  record: { kind: "policy", id, label: number },
  groupId,
  count: people.length,
  names: people.slice(0, 3).map(({ firstName, lastName }) => `${firstName} ${lastName}`),
})

/** The member's policy, as `newsOnPolicy` asks for it. */
export const policyOf = (member: { policyId: string; policyNumber: string; groupId: string }): Numbered => ({
  id: member.policyId,
  number: member.policyNumber,
  groupId: member.groupId,
})

type Said<T extends MemberFact["type"]> = Extract<MemberFact, { type: T }>

/** "added Ann Nkosi", "added 3 members: Ann Nkosi, Ben Botha and others". */
function named(verb: string, { count, names }: { count: number; names: string[] }): string {
  if (count === 1) return `${verb} ${names[0] ?? "1 member"}`
  const first = names.slice(0, 3).join(", ")
  return `${verb} ${count} members${first ? `: ${first}${count > 3 ? " and others" : ""}` : ""}`
}

/** The trail in words, without its subject. */
export const memberSentences = {
  MemberAdded: (fact: Said<"MemberAdded">) => `added the member, starting ${fact.startOn}`,
  MemberUpdated: () => "changed the member's details",
  MemberSuspended: (fact: Said<"MemberSuspended">) => `suspended the member from ${fact.on}`,
  MemberReinstated: (fact: Said<"MemberReinstated">) => `reinstated the member from ${fact.on}`,
  MemberTerminated: (fact: Said<"MemberTerminated">) => `ended the membership as of ${fact.on}`,
  MemberPlansWithdrawn: (fact: Said<"MemberPlansWithdrawn">) =>
    `withdrew ${fact.plans.map(({ kind, on }) => `${planWords[kind]} ${on}`).join(", ")}`,
  MemberSalarySet: (fact: Said<"MemberSalarySet">) => `set the salary from ${fact.on}`,
  MemberTierChanged: (fact: Said<"MemberTierChanged">) =>
    `moved the member from ${String(fact.before.tierName)} to ${String(fact.after.tierName)} from ${fact.on}`,
  MemberRemoved: () => "removed the member from the draft",
  MembersAdded: (fact: Said<"MembersAdded">) => named("added", fact),
  MembersRemoved: (fact: Said<"MembersRemoved">) => named("removed", fact),
}
