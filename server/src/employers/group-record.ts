import { randomUUID } from "node:crypto"
import type { Employer, EmployerChange, EmployerDetails } from "@milkwood/domain/employers/employer"
import { groupFactHead } from "@milkwood/domain/employers/employer-facts"
import { eq, type SQL, sql } from "drizzle-orm"
import { type Cx, invalidInput, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { type Stored, saveRecord } from "../platform/database/record.ts"
import { refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { employerGroups } from "./employers.tables.ts"

interface Group {
  id: string
  name: string
}

const groupNotFoundMessage = "This employer group does not exist."

/** NAME_TAKEN if another group has this name in any letter case. */
export async function createGroup(cx: Cx, name: string, details: Partial<EmployerDetails> = {}): Promise<string> {
  const id = randomUUID()
  await refusingTakenName(name, () => cx.tx.insert(employerGroups).values({ id, name, ...details, createdAt: cx.now }))
  await record(cx, [{ type: "GroupCreated", ...groupFactHead({ id, name }) }])
  return id
}

/**
 * Locks an open group against renaming, closing and deletion while a policy is added to it. NOT_FOUND if it does not
 * exist, INVALID if it is closed.
 */
export async function lockGroupForShare(tx: Tx, groupId: string): Promise<void> {
  const group = await tx.row<{ name: string; isClosed: boolean }>(sql`
    select name, closed_on is not null as "isClosed" from employer_groups where id = ${groupId} for share`)
  if (!group) throw refused("NOT_FOUND", groupNotFoundMessage)
  if (group.isClosed) {
    const message = `${group.name} is closed. Reopen the employer to add a policy.`
    throw invalidInput([{ path: "groupId", message }], message)
  }
}

export const lockGroup = (tx: Tx, groupId: SQL): Promise<Group | undefined> =>
  tx.row<Group>(sql`select id, name from employer_groups where id = ${groupId} for no key update`)

/**
 * Locks an employer for an edit. Records that refer to it can still be added, because they may hold a lock on one of its
 * policies. NOT_FOUND if the actor may not see it.
 */
export async function lockEmployer(tx: Tx, groupId: string): Promise<Employer> {
  const [employer] = await tx.select().from(employerGroups).where(eq(employerGroups.id, groupId)).for("no key update")
  if (!employer) throw refused("NOT_FOUND", groupNotFoundMessage)
  return employer as Stored<typeof employerGroups>
}

/** NAME_TAKEN if another group has the new name. */
export async function saveEmployer(cx: Cx, before: Employer, { value, facts }: EmployerChange): Promise<void> {
  await refusingTakenName(value.name, () => saveRecord(cx.tx, employerGroups, before, value))
  await record(cx, facts)
}

/** NAME_TAKEN if another group has this name. */
export async function renameGroup(tx: Tx, groupId: string, name: string): Promise<void> {
  await refusingTakenName(name, () =>
    tx
      .update(employerGroups)
      .set({ name, version: sql`${employerGroups.version} + 1` })
      .where(eq(employerGroups.id, groupId)),
  )
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
