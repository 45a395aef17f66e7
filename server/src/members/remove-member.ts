import { removeMember as remove } from "@milkwood/domain/members/member-steps"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { eq } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { lockMember } from "./member-record.ts"
import { members } from "./members.tables.ts"

export const removeMember = command(membersContract.remove, async (cx) => {
  const member = await lockMember(cx, cx.input.memberId)
  expectVersion(member, cx.input.version)
  const { facts } = orRefuse(remove(member))
  await cx.tx.delete(members).where(eq(members.id, member.id))
  await record(cx, facts)
  return { policyId: member.policyId }
})
