import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Member } from "@milkwood/domain/members/member"
import { endDependentOnDeath } from "@milkwood/domain/members/member-edit"
import { terminateOnDeath } from "@milkwood/domain/members/member-steps"
import type { Cx } from "../platform/calls/commands.ts"
import { endCovers, refreshMembers } from "./member-covers.ts"
import { lockMember, saveMember } from "./member-record.ts"
import { memberDetail } from "./members.queries.ts"
import { saveDependents } from "./update-member.ts"

/** Cover of the member, or of the dependent who died, ends on the day of death, so that no later month is billed. */
export async function endDeceased(
  cx: Cx,
  died: { memberId: string; dependentId: string | null; on: Day; claim: string },
): Promise<void> {
  const { memberId, dependentId, on } = died
  const member = await lockMember(cx, memberId)
  if (dependentId) return endDependent(cx, member, dependentId, on)
  const ended = terminateOnDeath(member, on, `Died; claim ${died.claim} was paid`)
  if (ended.value === member) return
  const whose = { memberIds: [memberId] }
  await endCovers(cx, whose, on)
  await saveMember(cx, member, ended)
  await refreshMembers(cx, whose)
}

async function endDependent(cx: Cx, member: Member, dependentId: string, on: Day): Promise<void> {
  const family = (await memberDetail(cx, member.id)).dependents
  const ended = endDependentOnDeath(member, family, dependentId, on)
  if (ended.dependents.changed.length === 0) return
  await saveMember(cx, member, ended)
  await saveDependents(cx, member, family, ended.dependents)
}
