import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { holdPolicy } from "../policies/policy-record.ts"
import { endCovers, refreshMembers } from "./member-covers.ts"

/**
 * The reaction to a death claim that was paid: the member's cover ends with the day of death, so that no later month
 * is billed. Whose membership had ended by then stays as they are.
 */
export async function endDeceased(cx: Cx, died: { memberId: string; on: Day; claim: string }): Promise<void> {
  const { memberId, on } = died
  const policy = await cx.tx.row<{ id: string }>(sql`select policy_id as id from members where id = ${memberId}`)
  if (!policy) return
  const { number: policyNumber } = await holdPolicy(cx.tx, policy.id)
  const member = await cx.tx.row<{ number: string; name: string; groupId: string; endOn: Day | null }>(sql`
    select number, first_name || ' ' || last_name as name, group_id as "groupId", end_on as "endOn"
    from members where id = ${memberId} for update`)
  if (!member || (member.endOn !== null && member.endOn <= on)) return
  const reason = `Died; claim ${died.claim} was paid`
  const whose = { memberIds: [memberId] }
  await endCovers(cx, whose, on)
  await cx.tx.run(sql`
    update members set end_on = ${on}::date, status_reason = ${reason}, updated_at = ${cx.now}, version = version + 1
    where id = ${memberId}`)
  await refreshMembers(cx, whose)
  const { groupId } = member
  await record(cx, [
    { type: "MemberTerminated", record: { kind: "member", id: memberId, label: member.number }, groupId, on, reason },
    {
      type: "MembersRemoved",
      record: { kind: "policy", id: policy.id, label: policyNumber },
      groupId,
      count: 1,
      names: [member.name],
    },
  ])
}
