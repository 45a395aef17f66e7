import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { deleteDraft as throwAway } from "@milkwood/domain/policies/policy-edit"
import { eq, sql } from "drizzle-orm"
import { deleteGroup, lockGroupToDelete } from "../employers/group-record.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { countMembers, readDraftContents } from "./policies.queries.ts"
import { policies } from "./policies.tables.ts"
import { deleteDocuments } from "./policy-documents.ts"
import { lockPolicy } from "./policy-record.ts"

export const deleteDraft = command(policiesContract.deleteDraft, async (cx) => {
  const { tx } = cx
  const draft = await lockPolicy(tx, cx.input.policyId)
  expectVersion(draft, cx.input.version)
  const { id, groupId, number } = draft
  const group = await lockGroupToDelete(tx, groupId)
  const other = await tx.row(sql`select from policies where group_id = ${groupId} and id <> ${id} limit 1`)
  const { isStaffListRunning } = await readDraftContents(tx, id)
  const groupToItself = group?.hasUsers === false && !other
  const { facts } = orRefuse(
    throwAway(draft, { members: await countMembers(tx, id), isStaffListRunning, groupToItself }),
  )
  await record(cx, facts)
  await deleteDocuments(tx, id)
  await tx.delete(policies).where(eq(policies.id, id))
  if (groupToItself) await deleteGroup(tx, groupId)
  return { number, groupDeleted: groupToItself }
})
