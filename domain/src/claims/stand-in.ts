import { addDays, type Day } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import type { Role } from "../platform/permission.ts"
import type { Stage } from "./claim.ts"

/**
 * Whose stage can be decided by whom while they are away. Anybody else with the role decides a stage already, and there
 * is no other role for the underwriter's; a policy holder does not stand in for a group administrator, whose stage is
 * decided with medical facts at hand.
 */
export const standInRole: Partial<Record<Stage, Role>> = { policy_holder: "group_admin" }

/** For so many days at most. */
export const longestStandIn = 366

/** An account as the rule sees it: only those that are enabled come here. */
export interface StandInPerson {
  userId: string
  name: string
  role: Role | null
  groupIds: readonly string[]
}

export interface StandInInput {
  fromOn: Day
  /** The last day. */
  untilOn: Day
}

/** What can be told of it: no sentence about a claim. */
export interface StandInFact {
  type: "StandInNamed" | "StandInEnded"
  record: { kind: "user"; id: string; label: string }
  groupId: null
  standIn: string
  fromOn: Day
  untilOn: Day
}

export const standInSentences = {
  StandInNamed: ({ standIn, fromOn, untilOn }: StandInFact) =>
    `named ${standIn} to decide claims in their place from ${fromOn} to ${untilOn}`,
  StandInEnded: ({ standIn }: StandInFact) => `ended that ${standIn} decides claims in their place`,
}

/**
 * Names somebody who decides in the place of `person`: themselves, or an administrator for them. The stand-in has the
 * role for it and sees one of the person's groups, and decides claims of those that both see. INVALID names the field;
 * FORBIDDEN for anybody else.
 */
export function nameStandIn(
  person: StandInPerson,
  standIn: StandInPerson,
  { fromOn, untilOn }: StandInInput,
  actor: { userId: string; role: Role | null },
  today: Day,
): Decision<StandInFact, "INVALID" | "FORBIDDEN"> {
  if (!mayNameFor(person.userId, actor)) return refuse("FORBIDDEN", "People can name a stand-in only for themselves.")
  const wrong = (path: string, message: string) => refuse("INVALID", message, { fields: [{ path, message }] })
  const role = person.role === "policy_holder" ? standInRole.policy_holder : undefined
  if (!role) return wrong("personId", `${person.name} does not decide a stage in which somebody else can stand in.`)
  if (standIn.role !== role || !standIn.groupIds.some((id) => person.groupIds.includes(id))) {
    return wrong("standInId", "Choose a group administrator who sees the same group.")
  }
  if (untilOn < today) return wrong("untilOn", "The last day is over")
  if (untilOn < fromOn) return wrong("untilOn", "The last day lies before the first")
  if (untilOn > addDays(fromOn, longestStandIn)) return wrong("untilOn", "Name a stand-in for a year at most")
  return {
    type: "StandInNamed",
    record: { kind: "user", id: person.userId, label: person.name },
    groupId: null,
    standIn: standIn.name,
    fromOn,
    untilOn,
  }
}

/** Whether this actor names stand-ins for this person, and ends them. */
export const mayNameFor = (personId: string, actor: { userId: string; role: Role | null }): boolean =>
  actor.role === "admin" || (actor.role === "policy_holder" && actor.userId === personId)
