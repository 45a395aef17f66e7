import { correctRow } from "@milkwood/domain/staff-lists/staff-list-steps"
import { staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { startCheck } from "./check-staff-list.ts"
import { lockStaffList } from "./staff-list-record.ts"
import { readStaffList } from "./staff-lists.queries.ts"

export const correctStaffListRow = command(staffListsContract.correct, async (cx) => {
  const { importId, version, line, cells } = cx.input
  const list = await lockStaffList(cx, importId)
  expectVersion(list, version)
  await startCheck(cx, list, list.mapping, orRefuse(correctRow(list, line, cells)))
  return readStaffList(cx, importId)
})
