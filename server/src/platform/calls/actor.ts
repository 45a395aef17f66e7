import { groupRoles, type Role, type RuleActor } from "@milkwood/domain/platform/permission"
import type { ProofWay } from "@milkwood/domain/platform/proof"
import { type SQL, sql } from "drizzle-orm"

export interface ActorSession {
  id: string
  provenAt: Temporal.Instant
  proofBy: ProofWay
}

/**
 * A signed-in user, or a program with a service key. `groupIds` are the employers assigned to a group_admin or
 * policy_holder.
 */
export interface UserActor {
  kind: "user"
  userId: string
  name: string
  email: string
  role: Role | null
  groupIds: string[]
  /** Set for a service key, which cannot prove an identity and has no account. */
  program?: { keyMadeBy: string }
  /**
   * Without a session, actions that need a proof of identity are refused. "played" marks demo and test users; no
   * request can get it.
   */
  session?: ActorSession | "played"
}

/** The system itself, in jobs and sweeps; `onBehalfOf` is the user who requested the work. */
export interface SystemActor {
  kind: "system"
  name: string
  onBehalfOf: string | null
}

export type Actor = UserActor | SystemActor

/** The actor as domain rules see it. The system has no role, is offered no actions and skips permission checks. */
export function ruleActor(actor: Actor): RuleActor {
  const userId = actorUserId(actor) ?? ""
  return actor.kind === "user"
    ? { userId, role: actor.role, keyMadeBy: actor.program?.keyMadeBy }
    : { userId, role: null }
}

export function seesAllGroups(actor: Actor): boolean {
  return actor.kind === "system" || (actor.role !== null && !groupRoles.includes(actor.role))
}

export function actorSeesGroup(actor: Actor, groupId: string): boolean {
  return seesAllGroups(actor) || (actor.kind === "user" && actor.groupIds.includes(groupId))
}

/** `actorSeesGroup` in SQL, for statements that run as staff. `group` is the column of the group's id. */
export const seesGroupSql = (actor: Actor, group: SQL): SQL =>
  seesAllGroups(actor) || actor.kind !== "user" ? sql`true` : sql`${group} = any (${sql.param(actor.groupIds)}::uuid[])`

export function actorUserId(actor: Actor): string | null {
  return actor.kind === "user" ? actor.userId : actor.onBehalfOf
}
