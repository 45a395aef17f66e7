import type { Corrections, StaffList } from "@milkwood/domain/staff-lists/staff-list"
import { type ColumnMapping, rememberMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import { checkList } from "@milkwood/domain/staff-lists/staff-list-steps"
import { staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { startJob } from "../platform/work/jobs.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { lockStaffList, saveStaffList } from "./staff-list-record.ts"
import { readStaffList } from "./staff-lists.queries.ts"

/** The mapping is also suggested for the group's next list. */
export const checkStaffList = command(staffListsContract.check, async (cx) => {
  const { importId, version, mapping } = cx.input
  const list = await lockStaffList(cx, importId)
  expectVersion(list, version)
  await startCheck(cx, list, mapping)
  await cx.tx.run(sql`
    insert into staff_list_columns as known (group_id, mapping, updated_at)
    values (${list.groupId}, ${JSON.stringify(rememberMapping(list.headers, mapping))}::jsonb, ${cx.now})
    on conflict (group_id) do update set mapping = excluded.mapping, updated_at = excluded.updated_at`)
  return readStaffList(cx, list.id)
})

export async function startCheck(
  cx: Cx,
  list: StaffList,
  mapping: ColumnMapping,
  corrections: Corrections = list.corrections,
): Promise<void> {
  const policy = await readPolicy(cx.tx, list.policyId)
  const { value, facts } = orRefuse(checkList(list, mapping, policy.status))
  const jobId = await startJob(cx, {
    kind: "staffLists.check",
    label: `Checking ${list.fileName} for ${list.policyNumber}`,
    payload: { importId: list.id },
    groupId: list.groupId,
    resultPath: `/members/import/${list.id}`,
  })
  await saveStaffList(cx, list, { value: { ...value, corrections, jobId }, facts })
}
