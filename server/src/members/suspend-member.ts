import {
  reinstateMember as mayReinstate,
  suspendMember as maySuspend,
  rejoinMember,
} from "@milkwood/domain/members/member-cover"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { sql } from "drizzle-orm"
import { type CallCx, command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { changeCovers, coverAgain, refreshMembers } from "./member-covers.ts"
import { type LockedMember, lockMember, memberDetail } from "./members.queries.ts"
import { refuseSameInPolicy, refusingSamePerson } from "./same-identity.queries.ts"

type Asked = CallCx<{ memberId: string; version: number; on: string; reason: string }>

/** No cover from a day on; a day to come takes effect by itself. */
export const suspendMember = command(membersContract.suspend, async (cx) =>
  turn(cx, "suspend", await lockMember(cx, cx.input)),
)

/** Cover again from a day on: of somebody suspended, or of somebody whose membership had ended. */
export const reinstateMember = command(membersContract.reinstate, async (cx) => {
  const member = await lockMember(cx, cx.input)
  return member.status === "Terminated" ? rejoin(cx, member) : turn(cx, "reinstate", member)
})

async function rejoin(cx: Asked, member: LockedMember) {
  const { on, reason } = cx.input
  orRefuse(rejoinMember(member, on, cx.today))
  const numbers = await cx.tx.row<{ idNumber: string | null; passportNumber: string | null }>(sql`
    select id_number as "idNumber", passport_number as "passportNumber" from members where id = ${member.id}`)
  await refuseSameInPolicy(cx.tx, member.policyId, numbers!, member.id)
  const whose = { memberIds: [member.id] }
  await coverAgain(cx, member.id, on, reason)
  await refusingSamePerson(async () => {
    await cx.tx.run(sql`
      update members set end_on = null, status = 'Active', status_reason = null, updated_at = ${cx.now}, version = version + 1
      where id = ${member.id}`)
    await refreshMembers(cx, whose)
  })
  await record(cx, [
    {
      type: "MemberReinstated",
      record: { kind: "member", id: member.id, label: member.number },
      groupId: member.groupId,
      on,
      reason,
    },
    {
      type: "MembersAdded",
      record: { kind: "policy", id: member.policyId, label: member.policyNumber },
      groupId: member.groupId,
      count: 1,
      names: [member.name],
    },
  ])
  return memberDetail(cx, member.id)
}

async function turn(cx: Asked, action: "suspend" | "reinstate", member: LockedMember) {
  const { on, reason } = cx.input
  const whose = { memberIds: [member.id] }
  orRefuse(action === "suspend" ? maySuspend(member, on) : mayReinstate(member, on))
  await changeCovers(cx, whose, on, { kind: action === "suspend" ? "suspended" : "covered", reason })
  await cx.tx.run(sql`
    update members set updated_at = ${cx.now}, version = version + 1 where id = ${member.id}`)
  await refreshMembers(cx, whose)
  await record(cx, [
    {
      type: action === "suspend" ? "MemberSuspended" : "MemberReinstated",
      record: { kind: "member", id: member.id, label: member.number },
      groupId: member.groupId,
      on,
      reason,
    },
  ])
  return memberDetail(cx, member.id)
}
