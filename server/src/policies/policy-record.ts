import type { Policy } from "@milkwood/domain/policies/policy"
import type { PolicyChange } from "@milkwood/domain/policies/policy-rules"
import { eq, getTableColumns, sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { type Stored, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { policies } from "./policies.tables.ts"

const policyNotFoundMessage = "This policy does not exist."

/** Reads and locks a policy. NOT_FOUND if the actor may not see it. */
export async function lockPolicy(tx: Tx, policyId: string): Promise<Policy> {
  const groupName = sql<string>`(select g.name from employer_groups g where g.id = policies.group_id)`
  const [policy] = await tx
    .select({ ...getTableColumns(policies), groupName })
    .from(policies)
    .where(eq(policies.id, policyId))
    .for("update")
  if (!policy) throw refused("NOT_FOUND", policyNotFoundMessage)
  return policy as Stored<typeof policies> & { groupName: string }
}

export async function savePolicy(cx: Cx, before: Policy, { value, facts }: PolicyChange): Promise<void> {
  await saveRecord(cx.tx, policies, before, value, { updatedAt: cx.now })
  await record(cx, facts)
}

export type PolicyHead = Pick<Policy, "id" | "groupId" | "number" | "status" | "startOn">

/** Shared lock: several callers may add to the policy, but it cannot be activated or ended meanwhile. */
export async function findPolicyHead(tx: Tx, policyId: string): Promise<PolicyHead | undefined> {
  return tx.row<PolicyHead>(sql`
    select id, group_id as "groupId", number, status, start_on as "startOn"
    from policies where id = ${policyId} for share`)
}

/** Like `findHeldPolicy`, but throws NOT_FOUND if there is none. */
export async function requirePolicyHead(tx: Tx, policyId: string): Promise<PolicyHead> {
  const policy = await findPolicyHead(tx, policyId)
  if (!policy) throw refused("NOT_FOUND", policyNotFoundMessage)
  return policy
}
