import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { staffListLifecycle } from "@milkwood/domain/staff-lists/staff-list"
import { type ColumnMapping, rememberMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import { staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, invalid, refused } from "../platform/calls/commands.ts"
import { startJob } from "../platform/work/jobs.ts"
import { tellOthers } from "../platform/work/live.ts"
import { policyById } from "../policies/policies.queries.ts"
import { lockStaffListVersion, type StoredStaffList, staffListDetail, wrongMapping } from "./staff-lists.queries.ts"

/** Has every row checked with these columns; the group's next list is proposed the same ones. */
export const checkStaffList = command(staffListsContract.check, async (cx) => {
  const { tx, now, input } = cx
  const list = await lockStaffListVersion(cx, input)
  if (!staffListLifecycle.next(list.status, "check")) throw refused("WRONG_STATUS")
  const wrong = wrongMapping(input.mapping, list.headers)
  if (wrong.length > 0) throw invalid(wrong, `${wrong[0]!.message}.`)
  const policy = await policyById(tx, list.policyId)
  if (!isOpen(policy.status)) throw refused("POLICY_ENDED")

  await tx.run(sql`
    insert into staff_list_columns as known (group_id, mapping, updated_at)
    values (${list.groupId}, ${JSON.stringify(rememberMapping(list.headers, input.mapping))}::jsonb, ${now})
    on conflict (group_id) do update set mapping = excluded.mapping, updated_at = excluded.updated_at`)
  await startChecking(cx, list, input.mapping)
  return staffListDetail(cx, list.id)
})

/** Has a job hold every row against the rules and the policy as it is now. */
export async function startChecking(cx: Cx, list: StoredStaffList, mapping: ColumnMapping): Promise<void> {
  const { tx } = cx
  const jobId = await startJob(cx, {
    kind: "staffLists.check",
    label: `Checking ${list.fileName} for ${list.policyNumber}`,
    payload: { importId: list.id },
    groupId: list.groupId,
    resultPath: `/members/import/${list.id}`,
  })
  await tx.run(sql`
    update staff_lists set status = ${staffListLifecycle.next(list.status, "check")}, mapping = ${JSON.stringify(mapping)}::jsonb,
      job_id = ${jobId}, failure = null, version = version + 1
    where id = ${list.id}`)
  await tellOthers(tx, { kind: "staff_list", id: list.id, groupId: list.groupId })
}
