import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { sql } from "drizzle-orm"
import { command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { countMembers, draftHolds, lockPolicyVersion } from "./policies.queries.ts"

/** Throws a draft away. The database lets go of what hangs on it, and of no other policy. */
export const deleteDraft = command(policiesContract.deleteDraft, async (cx) => {
  const { tx } = cx
  const draft = await lockPolicyVersion(cx, cx.input)
  if (draft.status !== "Draft") throw refused("WRONG_STATUS", "Only a draft can be deleted.")
  if ((await draftHolds(tx, draft.id)).listAtWork)
    throw refused("WRONG_STATUS", "A staff list of this draft is being read. Please try again in a moment.")

  const { id, groupId, number, groupName } = draft
  const group = await tx.row<{ used: boolean }>(sql`
    select exists (select from policies where group_id = g.id and id <> ${id})
      or exists (select from user_groups where group_id = g.id)
      or exists (select from account_links where kind = 'invitation' and used_at is null and revoked_at is null and g.id = any (group_ids)) as used
    from employer_groups g where g.id = ${groupId} for update of g`)
  const groupDeleted = group?.used === false
  await record(cx, [
    {
      type: "PolicyDraftDeleted",
      record: { kind: "policy", id, label: number },
      groupId,
      members: await countMembers(tx, id),
      before: { groupName },
    },
    ...(groupDeleted
      ? [{ type: "GroupDeleted" as const, record: { kind: "group" as const, id: groupId, label: groupName }, groupId }]
      : []),
  ])
  await tx.run(sql`delete from policies where id = ${id}`)
  if (groupDeleted) await tx.run(sql`delete from employer_groups where id = ${groupId}`)
  return { number, groupDeleted }
})
