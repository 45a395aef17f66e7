import { changeTier } from "@milkwood/domain/members/member-cover"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { sql } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { memberCoverAt } from "./cover.queries.ts"
import { checkTier } from "./create-member.ts"
import { changeCovers, refreshMembers } from "./member-covers.ts"
import { lockMember, memberDetail } from "./members.queries.ts"

/** Another tier from a day on; what was covered before stays on record. */
export const changeMemberTier = command(membersContract.changeTier, async (cx) => {
  const { tierId, on, reason } = cx.input
  const member = await lockMember(cx, cx.input)
  await checkTier(cx.tx, tierId)
  orRefuse(changeTier(member, tierId, on))
  const before = await memberCoverAt(cx.tx, member.id, on)
  const whose = { memberIds: [member.id] }
  await changeCovers(cx, whose, on, { tierId, reason: reason || null })
  await cx.tx.run(sql`update members set updated_at = ${cx.now}, version = version + 1 where id = ${member.id}`)
  await refreshMembers(cx, whose)
  const after = await memberCoverAt(cx.tx, member.id, on)
  await record(cx, [
    {
      type: "MemberTierChanged",
      record: { kind: "member", id: member.id, label: member.number },
      groupId: member.groupId,
      on,
      ...(reason ? { reason } : {}),
      before: { tierName: before?.tierName ?? member.tierName },
      after: { tierName: after?.tierName ?? member.tierName },
    },
  ])
  return memberDetail(cx, member.id)
})
