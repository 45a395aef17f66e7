import { membersContract } from "@milkwood/domain/members/members.contract"
import { eq } from "drizzle-orm"
import { command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { lockMember } from "./members.queries.ts"
import { members } from "./members.tables.ts"

/** Takes a pending member out of a draft: nothing was insured or owed yet, so nothing is kept but the trail. */
export const removeMember = command(membersContract.remove, async (cx) => {
  const member = await lockMember(cx, cx.input)
  if (member.status !== "Pending") {
    throw refused("WRONG_STATUS", "Only members of a draft policy are removed; others are terminated.")
  }
  await cx.tx.delete(members).where(eq(members.id, member.id))
  const { groupId } = member
  await record(cx, [
    { type: "MemberRemoved", record: { kind: "member", id: member.id, label: member.number }, groupId },
    {
      type: "MembersRemoved",
      record: { kind: "policy", id: member.policyId, label: member.policyNumber },
      groupId,
      count: 1,
      names: [member.name],
    },
  ])
  return { policyId: member.policyId }
})
