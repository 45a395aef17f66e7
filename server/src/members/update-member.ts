import type { Dependent, DependentsDiff } from "@milkwood/domain/members/dependents"
import type { Member } from "@milkwood/domain/members/member"
import { editMember } from "@milkwood/domain/members/member-edit"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { and, eq, inArray } from "drizzle-orm"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { addDependents, tierById } from "./create-member.ts"
import { lockMember, saveMember } from "./member-record.ts"
import { memberDetail } from "./members.queries.ts"
import { dependents } from "./members.tables.ts"
import { refuseSameInPolicy, refusingSamePerson } from "./same-identity.queries.ts"

/** Saves the sections that were sent; the others stay as they are. */
export const updateMember = command(membersContract.update, async (cx) => {
  const { tx, input, today } = cx
  const { memberId, version, allocation: wanted, ...sections } = input
  const member = await lockMember(cx, memberId)
  expectVersion(member, version)
  const family = (await memberDetail(cx, memberId)).dependents
  const allocation = wanted && { ...wanted, tierName: (await tierById(tx, wanted.tierId)).name }
  const edited = orRefuse(editMember(member, family, { ...sections, allocation }, today))
  if (sections.personal) await refuseSameInPolicy(tx, member.policyId, edited.value, member.id)
  await refusingSamePerson(() => saveMember(cx, member, edited))
  await saveDependents(cx, member, family, edited.dependents)
  return memberDetail(cx, memberId)
})

async function saveDependents(
  cx: Cx,
  member: Member,
  before: readonly Dependent[],
  { added, changed, removed }: DependentsDiff,
): Promise<void> {
  const { tx, now } = cx
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id)
    await tx.delete(dependents).where(and(eq(dependents.memberId, member.id), inArray(dependents.id, ids)))
  }
  for (const { id, firstName, lastName, idNumber, relationship, dateOfBirth, gender } of changed) {
    await tx
      .update(dependents)
      .set({ firstName, lastName, idNumber, relationship, dateOfBirth, gender, updatedAt: now })
      .where(and(eq(dependents.memberId, member.id), eq(dependents.id, id)))
  }
  await addDependents(cx, member, added, before.length)
}
