import { changeTier } from "@milkwood/domain/members/member-steps"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { loadTier } from "./create-member.ts"
import { changeCovers, refreshMembers } from "./member-covers.ts"
import { lockMember, saveMember } from "./member-record.ts"
import { memberDetail } from "./members.queries.ts"

export const changeMemberTier = command(membersContract.changeTier, async (cx) => {
  const { memberId, version, tierId, on, reason, laterChanges: later } = cx.input
  const member = await lockMember(cx, memberId)
  expectVersion(member, version)
  const changed = orRefuse(changeTier(member, await loadTier(cx.tx, tierId), on, { reason, later }))
  const whose = { memberIds: [memberId] }
  await changeCovers(cx, whose, on, { tierId, reason: reason || null, later })
  await saveMember(cx, member, changed)
  await refreshMembers(cx, whose)
  return memberDetail(cx, memberId)
})
