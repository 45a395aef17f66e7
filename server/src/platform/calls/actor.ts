import { groupRoles, type Role, type RuleActor } from "@milkwood/domain/platform/permission"
import type { ProofWay } from "@milkwood/domain/platform/proof"

/** What somebody signed in as: the session, and when and how they prove who they are. */
export interface SessionOf {
  id: string
  /** When they last gave a password or a code. */
  provenAt: Temporal.Instant
  /** What they give when they are asked again. */
  proofBy: ProofWay
}

/** A signed-in person, or a program with a key. `groupIds` are the employer groups assigned to a group_admin or policy_holder. */
export interface UserActor {
  kind: "user"
  userId: string
  name: string
  email: string
  role: Role | null
  groupIds: string[]
  /** A program, with a service key: nobody who could prove who they are, or who has an account to look after. */
  program?: { keyMadeBy: string }
  /**
   * Absent where nobody signed in for it: then nothing that asks for a proof is done. "played" are the people of the demo
   * and of tests, whom no request can become.
   */
  session?: SessionOf | "played"
}

/** The house itself, in jobs and sweeps; `onBehalfOf` is the user who asked for the work. */
export interface SystemActor {
  kind: "system"
  name: string
  onBehalfOf: string | null
}

export type Actor = UserActor | SystemActor

/**
 * Who acts, as the rules of the domain see it. Our own work has no role: it is offered none of what people may do, and
 * does what it does without being asked whether it may.
 */
export function ruleActor(actor: Actor): RuleActor {
  const userId = actorUserId(actor) ?? ""
  return actor.kind === "user"
    ? { userId, role: actor.role, keyMadeBy: actor.program?.keyMadeBy }
    : { userId, role: null }
}

/** Whether the actor's view is not limited to groups. */
export function seesAllGroups(actor: Actor): boolean {
  return actor.kind === "system" || (actor.role !== null && !groupRoles.includes(actor.role))
}

export function actorSeesGroup(actor: Actor, groupId: string): boolean {
  return seesAllGroups(actor) || (actor.kind === "user" && actor.groupIds.includes(groupId))
}

/** The account behind an act: a user's own id, or the id of the user on whose behalf the house works. */
export function actorUserId(actor: Actor): string | null {
  return actor.kind === "user" ? actor.userId : actor.onBehalfOf
}
