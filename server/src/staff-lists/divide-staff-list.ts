import { randomUUID } from "node:crypto"
import type { StaffList } from "@milkwood/domain/staff-lists/staff-list"
import { staffListFactHead } from "@milkwood/domain/staff-lists/staff-list-facts"
import { type NamedPolicy, splitIdOf, splitList } from "@milkwood/domain/staff-lists/staff-list-steps"
import { staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { startJob } from "../platform/work/jobs.ts"
import { startCheck } from "./check-staff-list.ts"
import { lockStaffList, saveStaffList } from "./staff-list-record.ts"
import { readOtherPoliciesNamed, readStaffList } from "./staff-lists.queries.ts"
import { staffLists } from "./staff-lists.tables.ts"

export const rowsFile = { kind: "staff_list_rows", mime: "text/plain" }

export const divideStaffList = command(staffListsContract.divide, async (cx) => {
  const { importId, version } = cx.input
  const list = await lockStaffList(cx, importId)
  expectVersion(list, version)
  const others = await readOtherPoliciesNamed(cx.tx, list)
  const { value, facts } = orRefuse(splitList(list, others))
  const jobId = await startJob(cx, {
    kind: "staffLists.divide",
    label: `Dividing ${list.fileName} by policy`,
    payload: { importId, others },
    groupId: list.groupId,
    resultPath: `/members/import/${importId}`,
  })
  await saveStaffList(cx, list, { value: { ...value, jobId }, facts })
  return readStaffList(cx, importId)
})

export async function insertSiblingList(
  cx: Cx,
  from: StaffList,
  { policyId, policyNumber, groupId }: NamedPolicy,
  part: { rowsFileId: string; rowCount: number; sample: string[][] },
): Promise<void> {
  const id = randomUUID()
  const { fileName, extension, headers, headerLine, sheet, mapping } = from
  await cx.tx.insert(staffLists).values({
    ...{ id, groupId, policyId, fileName, extension, status: "uploaded", headers, headerLine, sheet, mapping, ...part },
    ...{ divisionId: splitIdOf(from), createdBy: from.createdBy, createdAt: cx.now },
    notes: [`This list contains only the rows for ${policyNumber}. The file contains other rows too.`],
  })
  await record(cx, [
    { type: "StaffListUploaded", ...staffListFactHead({ id, groupId, fileName, policyNumber }), rows: part.rowCount },
  ])
  await startCheck(cx, await lockStaffList(cx, id, {}), mapping)
}
