import { staffListLifecycle } from "@milkwood/domain/staff-lists/staff-list"
import { staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { sql } from "drizzle-orm"
import { command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { lockStaffListVersion, staffListDetail } from "./staff-lists.queries.ts"

/** Puts a list aside; its rows and its file, which name people who did not become members, are thrown away. */
export const discardStaffList = command(staffListsContract.discard, async (cx) => {
  const list = await lockStaffListVersion(cx, cx.input)
  const status = staffListLifecycle.next(list.status, "discard")
  if (!status) throw refused("WRONG_STATUS")
  await cx.tx.run(sql`delete from staff_list_rows where staff_list_id = ${list.id}`)
  await cx.tx.run(sql`
    update staff_lists set status = ${status}, sample = '[]', file_id = null, rows_file_id = null, version = version + 1 where id = ${list.id}`)
  await cx.tx.run(sql`delete from files where id in (${list.fileId}, ${list.rowsFileId})`)
  await record(cx, [
    {
      type: "StaffListDiscarded",
      record: { kind: "staff_list", id: list.id, label: list.fileName },
      groupId: list.groupId,
      policyNumber: list.policyNumber,
    },
  ])
  return staffListDetail(cx, list.id)
})
