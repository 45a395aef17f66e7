import { discardList } from "@milkwood/domain/staff-lists/staff-list-steps"
import { staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { sql } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockStaffList, saveStaffList } from "./staff-list-record.ts"
import { readStaffList } from "./staff-lists.queries.ts"

export const discardStaffList = command(staffListsContract.discard, async (cx) => {
  const list = await lockStaffList(cx, cx.input.importId)
  expectVersion(list, cx.input.version)
  const discarded = orRefuse(discardList(list))
  await cx.tx.run(sql`delete from staff_list_rows where staff_list_id = ${list.id}`)
  await saveStaffList(cx, list, discarded)
  await cx.tx.run(sql`delete from files where id in (${list.fileId}, ${list.rowsFileId})`)
  return readStaffList(cx, list.id)
})
