import { addDays, type Day } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import type { Role } from "../platform/permission.ts"
import type { Stage } from "./claim.ts"

/**
 * The role that may decide a stage for an absent person. A policy holder cannot stand in for a group administrator,
 * because that stage needs medical facts. No other role is suitable for the underwriter's stage.
 */
export const standInRole: Partial<Record<Stage, Role>> = { policy_holder: "group_admin" }

/** In days. */
export const maxStandInDays = 366

export interface StandInPerson {
  userId: string
  name: string
  role: Role | null
  groupIds: readonly string[]
}

export interface StandInInput {
  fromOn: Day
  /** Inclusive. */
  untilOn: Day
}

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
    `named ${standIn} as their stand-in for claim decisions from ${fromOn} to ${untilOn}`,
  StandInEnded: ({ standIn }: StandInFact) => `ended ${standIn} as their stand-in for claim decisions`,
}

/**
 * Names a stand-in for `person`; the actor is that person or an administrator. The stand-in has the required role and
 * shares one of the person's groups; stand-ins decide claims of shared groups only. INVALID names the field; FORBIDDEN
 * for other actors.
 */
export function nameStandIn(
  person: StandInPerson,
  standIn: StandInPerson,
  { fromOn, untilOn }: StandInInput,
  actor: { userId: string; role: Role | null },
  today: Day,
): Decision<StandInFact, "INVALID" | "FORBIDDEN"> {
  if (!canNameStandInFor(person.userId, actor)) return refuse("FORBIDDEN", "You can name a stand-in only for yourself.")
  const wrong = (path: string, message: string) => refuse("INVALID", message, { fields: [{ path, message }] })
  const role = person.role === "policy_holder" ? standInRole.policy_holder : undefined
  if (!role)
    return wrong("personId", `${person.name} is not a policy holder. Only a policy holder can have a stand-in.`)
  if (standIn.role !== role || !standIn.groupIds.some((id) => person.groupIds.includes(id))) {
    return wrong("standInId", "Choose a group administrator with access to the same group.")
  }
  if (untilOn < today) return wrong("untilOn", "The last day is in the past")
  if (untilOn < fromOn) return wrong("untilOn", "The last day is before the first day")
  if (untilOn > addDays(fromOn, maxStandInDays)) return wrong("untilOn", "A stand-in can be named for at most one year")
  return {
    type: "StandInNamed",
    record: { kind: "user", id: person.userId, label: person.name },
    groupId: null,
    standIn: standIn.name,
    fromOn,
    untilOn,
  }
}

export const canNameStandInFor = (personId: string, actor: { userId: string; role: Role | null }): boolean =>
  actor.role === "admin" || (actor.role === "policy_holder" && actor.userId === personId)
