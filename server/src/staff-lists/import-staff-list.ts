import type { Day } from "@milkwood/domain/kernel/calendar"
import { applyTransition } from "@milkwood/domain/kernel/lifecycle"
import { type StaffList, staffListLifecycle } from "@milkwood/domain/staff-lists/staff-list"
import { importList } from "@milkwood/domain/staff-lists/staff-list-steps"
import { staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { startJob } from "../platform/work/jobs.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { startCheck } from "./check-staff-list.ts"
import { lockStaffList, saveStaffList } from "./staff-list-record.ts"
import { isOutdatedSql, readStaffList } from "./staff-lists.queries.ts"

/** If the policy changed since the check, the list is checked again, so that users only import what they have seen. */
export const importStaffList = command(staffListsContract.import, async (cx) => {
  const { importId, version, applyChanges, changesOn, leaversOn } = cx.input
  const list = await lockStaffList(cx, importId)
  expectVersion(list, version)
  orRefuse(applyTransition(staffListLifecycle, list, "import"))
  if (await isOutdated(cx, list)) {
    await startCheck(cx, list, list.mapping)
    return readStaffList(cx, list.id)
  }
  const { status: policyStatus } = await readPolicy(cx.tx, list.policyId)
  const latestStarter = leaversOn ? await findLeaverWithLatestStart(cx, list) : null
  const choices = { applyChanges, changesOn: changesOn ?? cx.today, leaversOn }
  const { value, facts } = orRefuse(importList(list, choices, { policyStatus, latestStarter }))
  const jobId = await startJob(cx, {
    kind: "staffLists.import",
    label: `Importing ${list.fileName} into ${list.policyNumber}`,
    payload: { importId: list.id },
    groupId: list.groupId,
    resultPath: `/members/import/${list.id}`,
  })
  await saveStaffList(cx, list, { value: { ...value, jobId, committedBy: actorUserId(cx.actor) }, facts })
  return readStaffList(cx, list.id)
})

async function isOutdated({ tx }: Cx, list: StaffList): Promise<boolean> {
  const found = await tx.row<{ outdated: boolean }>(
    sql`select ${isOutdatedSql} as outdated from staff_lists i where i.id = ${list.id}`,
  )
  return found!.outdated
}

/** The leaver whose cover starts last. Members changed since the check do not leave. */
export async function findLeaverWithLatestStart(
  { tx }: Pick<Cx, "tx">,
  list: Pick<StaffList, "id">,
): Promise<{ number: string; name: string; from: Day } | null> {
  const last = await tx.row<{ number: string; name: string; from: Day }>(sql`
    select m.number, m.first_name || ' ' || m.last_name as name, min(lower(c.valid)) as from
    from staff_list_rows r
    join members m on m.id = r.member_id and m.version = r.member_version
    join member_covers c on c.member_id = m.id and c.superseded_at is null
    where r.staff_list_id = ${list.id} and r.outcome = 'leaver'
    group by m.id order by 3 desc, m.number limit 1`)
  return last ?? null
}
