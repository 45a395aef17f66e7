import { type KeyRole, keyState, programName } from "@milkwood/domain/users/service-key"
import type { ServiceKeyRow } from "@milkwood/domain/users/service-keys.contract"
import { usersContract } from "@milkwood/domain/users/users.contract"
import { type SQL, sql } from "drizzle-orm"
import type { UserActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { groupsWhere } from "./users.ports.ts"

/** Active keys first. */
export const listServiceKeys = query(usersContract.serviceKeys.list, async (cx) => {
  const keys = await readServiceKeys(cx, sql`true`)
  return { keys: [...keys.filter(isActive), ...keys.filter((key) => !isActive(key))] }
})

const isActive = ({ state }: ServiceKeyRow): boolean => state === "active"

/** Throws NOT_FOUND. */
export async function readServiceKey(cx: Cx, id: string): Promise<ServiceKeyRow> {
  const [key] = await readServiceKeys(cx, sql`k.id = ${id}`)
  if (!key) throw refused("NOT_FOUND", "This service key does not exist.")
  return key
}

interface StoredProgram {
  id: string
  name: string
  role: KeyRole
  madeBy: string
  groupIds: string[]
}

export const programActorOf = ({ id, name, role, madeBy, groupIds }: StoredProgram): UserActor => ({
  kind: "user",
  program: { keyMadeBy: madeBy },
  userId: id,
  name: programName(name),
  email: "",
  role,
  groupIds,
})

/** The actor for work that a program requested; undefined if its key is expired or revoked. */
export async function readActiveProgram(tx: Tx, id: string, now: Temporal.Instant): Promise<UserActor | undefined> {
  const found = await tx.row<StoredProgram & { expiresAt: string; revokedAt: string | null }>(sql`
    select k.id, k.name, k.role, k.made_by as "madeBy", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      array(select g.group_id::text from user_groups g where g.user_id = k.id order by g.group_id) as "groupIds"
    from service_keys k where k.id = ${id}`)
  if (!found) return undefined
  const state = keyState({ ...found, expiresAt: Temporal.Instant.from(found.expiresAt) }, now)
  return state === "active" ? programActorOf(found) : undefined
}

async function readServiceKeys({ tx, now }: Cx, condition: SQL): Promise<ServiceKeyRow[]> {
  const found = await tx.rows<Omit<ServiceKeyRow, "state" | "allowedActions">>(sql`
    select k.id, k.name, k.role, k.hint, maker.name as "madeBy", k.made_at as "madeAt", k.expires_at as "expiresAt",
      k.last_used_at as "lastUsedAt", k.last_used_from as "lastUsedFrom", k.revoked_at as "revokedAt",
      revoker.name as "revokedBy",
      ${groupsWhere(sql`g.id in (select group_id from user_groups where user_id = k.id)`)} as groups
    from service_keys k join users maker on maker.id = k.made_by left join users revoker on revoker.id = k.revoked_by
    where ${condition} order by k.made_at desc, k.id limit 500`)
  return found.map((key) => {
    const state = keyState({ ...key, expiresAt: Temporal.Instant.from(key.expiresAt) }, now)
    return { ...key, state, allowedActions: state === "active" ? ["revoke"] : [] }
  })
}
