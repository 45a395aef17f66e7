import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"

/**
 * Gives all policies of a renamed group a new version, so that a policy page that still shows the old name cannot save
 * it. Locks in the order of ids, as other commands that lock several policies.
 */
export async function renewPolicyVersions({ tx }: Cx, { groupId }: { groupId: string }): Promise<void> {
  await tx.run(sql`select from policies where group_id = ${groupId} order by id for update`)
  await tx.run(sql`update policies set version = version + 1 where group_id = ${groupId}`)
}
