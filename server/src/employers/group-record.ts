import { randomUUID } from "node:crypto"
import { groupFactHead } from "@milkwood/domain/employers/employer-facts"
import { eq, type SQL, sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { employerGroups } from "./employers.tables.ts"

interface Group {
  id: string
  name: string
}

/** NAME_TAKEN if another group has this name in any letter case. */
export async function createGroup(cx: Cx, name: string): Promise<string> {
  const id = randomUUID()
  await refusingTakenName(name, () => cx.tx.insert(employerGroups).values({ id, name, createdAt: cx.now }))
  await record(cx, [{ type: "GroupCreated", ...groupFactHead({ id, name }) }])
  return id
}

/** Locks a group against renaming and deletion while a record is added to it. NOT_FOUND if it does not exist. */
export async function lockGroupForShare(tx: Tx, groupId: string): Promise<void> {
  const group = await tx.row(sql`select id from employer_groups where id = ${groupId} for share`)
  if (!group) throw refused("NOT_FOUND", "This employer group does not exist.")
}

export const lockGroup = (tx: Tx, groupId: SQL): Promise<Group | undefined> =>
  tx.row<Group>(sql`select id, name from employer_groups where id = ${groupId} for no key update`)

/** NAME_TAKEN if another group has this name. */
export async function renameGroup(tx: Tx, groupId: string, name: string): Promise<void> {
  await refusingTakenName(name, () => tx.update(employerGroups).set({ name }).where(eq(employerGroups.id, groupId)))
}

/** `hasUsers`: an account or an open invitation is assigned to the group. */
export const lockGroupToDelete = (tx: Tx, groupId: string): Promise<{ hasUsers: boolean } | undefined> =>
  tx.row<{ hasUsers: boolean }>(sql`
    select exists (select from user_groups where group_id = g.id)
      or exists (select from account_links where kind = 'invitation' and used_at is null and revoked_at is null
        and g.id = any (group_ids)) as "hasUsers"
    from employer_groups g where g.id = ${groupId} for update of g`)

export async function deleteGroup(tx: Tx, groupId: string): Promise<void> {
  await tx.delete(employerGroups).where(eq(employerGroups.id, groupId))
}

const refusingTakenName = <T>(name: string, write: () => Promise<T>) =>
  refuseDuplicates(write, "NAME_TAKEN", `An employer group named ${name} already exists.`)
