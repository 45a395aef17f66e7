import type { StaffList } from "@milkwood/domain/staff-lists/staff-list"
import type { StaffListChange } from "@milkwood/domain/staff-lists/staff-list-steps"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { lockRecord, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { notifyScreens } from "../platform/work/live.ts"
import { staffLists } from "./staff-lists.tables.ts"

/** BUSY while a job has locked the list; a job waits instead. NOT_FOUND when the actor cannot see it. */
export async function lockStaffList(
  { tx }: Pick<Cx, "tx">,
  importId: string,
  options: { noWait?: true } = { noWait: true },
): Promise<StaffList> {
  const list = await lockRecord(tx, staffLists, importId, "This import does not exist.", options)
  const policy = await tx.row<{ number: string }>(sql`select number from policies where id = ${list.policyId}`)
  return { ...list, policyNumber: policy!.number }
}

export async function saveStaffList(cx: Cx, before: StaffList, { value, facts }: StaffListChange): Promise<void> {
  await saveRecord(cx.tx, staffLists, before, value)
  await record(cx, facts)
  if (facts.length === 0) await notifyScreens(cx.tx, { kind: "staff_list", id: value.id, groupId: value.groupId })
}
