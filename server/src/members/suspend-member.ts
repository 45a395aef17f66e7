import { reinstateMember as mayReinstate, suspendMember as maySuspend } from "@milkwood/domain/members/member-cover"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { sql } from "drizzle-orm"
import { type CallCx, command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { changeCovers, refreshMembers } from "./member-covers.ts"
import { lockMember, memberDetail } from "./members.queries.ts"

type Asked = CallCx<{ memberId: string; version: number; on: string; reason: string }>

/** No cover from a day on; a day to come takes effect by itself. */
export const suspendMember = command(membersContract.suspend, (cx) => turn(cx, "suspend"))

/** Cover again from a day on. */
export const reinstateMember = command(membersContract.reinstate, (cx) => turn(cx, "reinstate"))

async function turn(cx: Asked, action: "suspend" | "reinstate") {
  const { on, reason } = cx.input
  const member = await lockMember(cx, cx.input)
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
