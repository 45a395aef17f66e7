import type { Day } from "@milkwood/domain/kernel/calendar"
import { terminateOnDeath } from "@milkwood/domain/members/member-steps"
import type { Cx } from "../platform/calls/commands.ts"
import { endCovers, refreshMembers } from "./member-covers.ts"
import { lockMember, saveMember } from "./member-record.ts"

/** Cover ends on the day of death, so that no later month is billed. */
export async function endDeceased(cx: Cx, died: { memberId: string; on: Day; claim: string }): Promise<void> {
  const { memberId, on } = died
  const member = await lockMember(cx, memberId)
  const ended = terminateOnDeath(member, on, `Died; claim ${died.claim} was paid`)
  if (ended.value === member) return
  const whose = { memberIds: [memberId] }
  await endCovers(cx, whose, on)
  await saveMember(cx, member, ended)
  await refreshMembers(cx, whose)
}
