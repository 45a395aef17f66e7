import type { Day } from "@milkwood/domain/kernel/calendar"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { mayEnd } from "@milkwood/domain/members/member-cover"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { staffListLifecycle } from "@milkwood/domain/staff-lists/staff-list"
import { staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, invalid, refused } from "../platform/calls/commands.ts"
import { startJob } from "../platform/work/jobs.ts"
import { tellOthers } from "../platform/work/live.ts"
import { policyById } from "../policies/policies.queries.ts"
import { startChecking } from "./check-staff-list.ts"
import { lockStaffListVersion, outdated, type StoredStaffList, staffListDetail } from "./staff-lists.queries.ts"

/**
 * Has the checked rows written; the job does it in one transaction (staff-lists.jobs.ts). A list whose policy has
 * changed since is checked again, so that nobody imports what they did not see.
 */
export const importStaffList = command(staffListsContract.import, async (cx) => {
  const { tx, input, today } = cx
  const list = await lockStaffListVersion(cx, input)
  const status = staffListLifecycle.next(list.status, "import")
  if (!status) throw refused("WRONG_STATUS")
  const policy = await policyById(tx, list.policyId)
  if (!isOpen(policy.status)) throw refused("POLICY_ENDED")
  if (await isOutdated(cx, list)) {
    await startChecking(cx, list, list.mapping)
    return staffListDetail(cx, list.id)
  }
  const { applyChanges, leaversOn } = input
  if (leaversOn && policy.status === "Draft") {
    const message = "Nobody is covered by a draft yet: remove members on the policy's page instead"
    throw invalid([{ path: "leaversOn", message }], `${message}.`)
  }
  if (leaversOn) await refuseBeforeCover(cx, list, leaversOn)
  const writes = list.joinerCount + (applyChanges ? list.changeCount : 0) + (leaversOn ? list.leaverCount : 0)
  if (writes === 0) throw refused("NOTHING_TO_IMPORT")

  const jobId = await startJob(cx, {
    kind: "staffLists.import",
    label: `Import of ${list.fileName} into ${list.policyNumber}`,
    payload: { importId: list.id },
    groupId: list.groupId,
    resultPath: `/members/import/${list.id}`,
  })
  await tx.run(sql`
    update staff_lists
    set status = ${status}, apply_changes = ${applyChanges}, changes_on = ${input.changesOn ?? today}, leavers_on = ${leaversOn},
      job_id = ${jobId}, committed_by = ${actorUserId(cx.actor)}, failure = null, version = version + 1
    where id = ${list.id}`)
  await tellOthers(tx, { kind: "staff_list", id: list.id, groupId: list.groupId })
  return staffListDetail(cx, list.id)
})

async function isOutdated({ tx }: Cx, list: StoredStaffList): Promise<boolean> {
  const found = await tx.row<{ outdated: boolean }>(
    sql`select ${outdated} as outdated from staff_lists i where i.id = ${list.id}`,
  )
  return found!.outdated
}

/** Holds every leaver to the rule for one: the one whose cover begins last. Who was changed since the check stays. */
async function refuseBeforeCover({ tx }: Cx, list: StoredStaffList, leaversOn: Day): Promise<void> {
  const last = await tx.row<{ number: string; name: string; from: Day }>(sql`
    select m.number, m.first_name || ' ' || m.last_name as name, min(lower(c.valid)) as from
    from staff_list_rows r
    join members m on m.id = r.member_id and m.version = r.member_version
    join member_covers c on c.member_id = m.id and c.superseded_at is null
    where r.staff_list_id = ${list.id} and r.outcome = 'leaver'
    group by m.id order by 3 desc, m.number limit 1`)
  const decision = last && mayEnd(last.from, leaversOn)
  if (!isRefusal(decision)) return
  const message = `${decision.message}, of ${last!.name} (${last!.number})`
  throw invalid([{ path: "leaversOn", message }], `${message}.`)
}
