import { withdrawPlans as mayWithdraw } from "@milkwood/domain/members/member-cover"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { sql } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { goOn, refreshMembers } from "./member-covers.ts"
import { lockMember, memberDetail } from "./members.queries.ts"

/** Takes back notice, and whatever else was recorded for days to come. */
export const withdrawPlans = command(membersContract.withdraw, async (cx) => {
  const { reason } = cx.input
  const member = await lockMember(cx, cx.input)
  const plans = orRefuse(mayWithdraw(member, cx.today))
  const whose = { memberIds: [member.id] }
  await goOn(cx, whose)
  await cx.tx.run(sql`
    update members set end_on = null, status_reason = null, updated_at = ${cx.now}, version = version + 1
    where id = ${member.id}`)
  await refreshMembers(cx, whose)
  await record(cx, [
    {
      type: "MemberPlansWithdrawn",
      record: { kind: "member", id: member.id, label: member.number },
      groupId: member.groupId,
      plans,
      reason,
    },
  ])
  return memberDetail(cx, member.id)
})
