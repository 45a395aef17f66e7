import { terminateMember as terminate } from "@milkwood/domain/members/member-steps"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { endCovers, refreshMembers } from "./member-covers.ts"
import { lockMember, saveMember } from "./member-record.ts"
import { memberDetail } from "./members.queries.ts"

/** `on` is the last day of membership. A planned last day can be changed until it is reached. */
export const terminateMember = command(membersContract.terminate, async (cx) => {
  const { memberId, version, on, reason } = cx.input
  const member = await lockMember(cx, memberId)
  expectVersion(member, version)
  const terminated = orRefuse(terminate(member, on, reason))
  const whose = { memberIds: [memberId] }
  await endCovers(cx, whose, on, { extend: true })
  await saveMember(cx, member, terminated)
  await refreshMembers(cx, whose)
  return memberDetail(cx, memberId)
})
