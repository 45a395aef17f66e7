import { withdrawPlans as withdraw } from "@milkwood/domain/members/member-steps"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { cancelPlannedCovers, refreshMembers } from "./member-covers.ts"
import { lockMember, saveMember } from "./member-record.ts"
import { memberDetail } from "./members.queries.ts"

/** Withdraws a planned end and every other planned change. */
export const withdrawMemberPlans = command(membersContract.withdraw, async (cx) => {
  const { memberId, version, reason } = cx.input
  const member = await lockMember(cx, memberId)
  expectVersion(member, version)
  const withdrawn = orRefuse(withdraw(member, reason, cx.today))
  const whose = { memberIds: [memberId] }
  await cancelPlannedCovers(cx, whose)
  await saveMember(cx, member, withdrawn)
  await refreshMembers(cx, whose)
  return memberDetail(cx, memberId)
})
