import type { Policy } from "@milkwood/domain/policies/policy"
import type { PolicyChange } from "@milkwood/domain/policies/policy-rules"
import { eq, getTableColumns, sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { type Stored, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { policies } from "./policies.tables.ts"

const noSuchPolicy = "There is no such policy."

/** The policy with its group's name, locked. NOT_FOUND when there is none that the actor may see. */
export async function lockPolicy(tx: Tx, policyId: string): Promise<Policy> {
  const groupName = sql<string>`(select g.name from employer_groups g where g.id = policies.group_id)`
  const [policy] = await tx
    .select({ ...getTableColumns(policies), groupName })
    .from(policies)
    .where(eq(policies.id, policyId))
    .for("update")
  if (!policy) throw refused("NOT_FOUND", noSuchPolicy)
  return policy as Stored<typeof policies> & { groupName: string }
}

/** Writes what a rule made of a locked policy, and tells of it. */
export async function savePolicy(cx: Cx, before: Policy, { value, facts }: PolicyChange): Promise<void> {
  await saveRecord(cx.tx, policies, before, value, { updatedAt: cx.now })
  await record(cx, facts)
}

/** What rooms that add to a policy need to know of it. */
export type HeldPolicy = Pick<Policy, "id" | "groupId" | "number" | "status" | "startOn">

/** Holds a policy as it is: several may add to it at once, but nobody activates or ends it before they are done. */
export async function findHeldPolicy(tx: Tx, policyId: string): Promise<HeldPolicy | undefined> {
  return tx.row<HeldPolicy>(sql`
    select id, group_id as "groupId", number, status, start_on as "startOn"
    from policies where id = ${policyId} for share`)
}

/** As `findHeldPolicy`; NOT_FOUND when there is none. */
export async function holdPolicy(tx: Tx, policyId: string): Promise<HeldPolicy> {
  const policy = await findHeldPolicy(tx, policyId)
  if (!policy) throw refused("NOT_FOUND", noSuchPolicy)
  return policy
}
