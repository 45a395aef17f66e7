import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { deleteDraft as throwAway } from "@milkwood/domain/policies/policy-edit"
import { eq, sql } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { countMembers, draftHolds } from "./policies.queries.ts"
import { employerGroups, policies } from "./policies.tables.ts"
import { deleteDocuments } from "./policy-documents.ts"
import { lockPolicy } from "./policy-record.ts"

/** Throws a draft away. The database lets go of what hangs on it, and of no other policy. */
export const deleteDraft = command(policiesContract.deleteDraft, async (cx) => {
  const { tx } = cx
  const draft = await lockPolicy(tx, cx.input.policyId)
  expectVersion(draft, cx.input.version)
  const { id, groupId, number } = draft
  const group = await tx.row<{ used: boolean }>(sql`
    select exists (select from policies where group_id = g.id and id <> ${id})
      or exists (select from user_groups where group_id = g.id)
      or exists (select from account_links where kind = 'invitation' and used_at is null and revoked_at is null and g.id = any (group_ids)) as used
    from employer_groups g where g.id = ${groupId} for update of g`)
  const { listAtWork } = await draftHolds(tx, id)
  const groupToItself = group?.used === false
  const { facts } = orRefuse(throwAway(draft, { members: await countMembers(tx, id), listAtWork, groupToItself }))
  await record(cx, facts)
  await deleteDocuments(tx, id)
  await tx.delete(policies).where(eq(policies.id, id))
  if (groupToItself) await tx.delete(employerGroups).where(eq(employerGroups.id, groupId))
  return { number, groupDeleted: groupToItself }
})
