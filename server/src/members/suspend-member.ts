import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import type { Member } from "@milkwood/domain/members/member"
import * as rules from "@milkwood/domain/members/member-steps"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { type CallCx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { changeCovers, coverRejoinedMember, refreshMembers } from "./member-covers.ts"
import { lockMember, saveMember } from "./member-record.ts"
import { memberDetail } from "./members.queries.ts"
import { refuseDuplicateInPolicy, refuseDuplicatePerson } from "./same-identity.queries.ts"

type SuspensionCx = CallCx<{
  memberId: string
  version: number
  on: string
  reason: string
  laterChanges?: LaterChanges
}>

/** A suspension from a future day takes effect automatically. */
export const suspendMember = command(membersContract.suspend, async (cx) => {
  const member = await lockMember(cx, cx.input.memberId)
  expectVersion(member, cx.input.version)
  const suspended = orRefuse(rules.suspendMember(member, cx.input.on, cx.input.reason, cx.input.laterChanges))
  return changeKind(cx, member, suspended, "suspended")
})

/** Covers a suspended or terminated member again from a day. */
export const reinstateMember = command(membersContract.reinstate, async (cx) => {
  const member = await lockMember(cx, cx.input.memberId)
  expectVersion(member, cx.input.version)
  if (member.status === "Terminated") return rejoin(cx, member)
  const reinstated = orRefuse(rules.reinstateMember(member, cx.input.on, cx.input.reason, cx.input.laterChanges))
  return changeKind(cx, member, reinstated, "covered")
})

async function rejoin(cx: SuspensionCx, member: Member) {
  const { on, reason } = cx.input
  const rejoined = orRefuse(rules.rejoinMember(member, on, reason, cx.today))
  await refuseDuplicateInPolicy(cx.tx, member.policyId, member, member.id)
  await coverRejoinedMember(cx, member.id, on, reason)
  await refuseDuplicatePerson(async () => {
    await saveMember(cx, member, rejoined)
    await refreshMembers(cx, { memberIds: [member.id] })
  })
  return memberDetail(cx, member.id)
}

async function changeKind(
  cx: SuspensionCx,
  member: Member,
  decided: rules.MemberChange,
  kind: "covered" | "suspended",
) {
  const { on, reason, laterChanges: later } = cx.input
  const whose = { memberIds: [member.id] }
  await changeCovers(cx, whose, on, { kind, reason, later })
  await saveMember(cx, member, decided)
  await refreshMembers(cx, whose)
  return memberDetail(cx, member.id)
}
