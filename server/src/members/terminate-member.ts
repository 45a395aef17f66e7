import { terminateMember as mayTerminate } from "@milkwood/domain/members/member-cover"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { sql } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { endCovers, refreshMembers } from "./member-covers.ts"
import { lockMember, memberDetail } from "./members.queries.ts"

/** Ends membership after a day; notice given before can be moved to another day until it has come. */
export const terminateMember = command(membersContract.terminate, async (cx) => {
  const { on, reason } = cx.input
  const member = await lockMember(cx, cx.input)
  orRefuse(mayTerminate(member, on))
  const whose = { memberIds: [member.id] }
  await endCovers(cx, whose, on, { extend: true })
  await cx.tx.run(sql`
    update members set end_on = ${on}::date, status_reason = ${reason}, updated_at = ${cx.now}, version = version + 1
    where id = ${member.id}`)
  await refreshMembers(cx, whose)
  const { groupId } = member
  await record(cx, [
    { type: "MemberTerminated", record: { kind: "member", id: member.id, label: member.number }, groupId, on, reason },
    {
      type: "MembersRemoved",
      record: { kind: "policy", id: member.policyId, label: member.policyNumber },
      groupId,
      count: 1,
      names: [member.name],
    },
  ])
  return memberDetail(cx, member.id)
})
