import type { Dependent, DependentsDiff } from "@milkwood/domain/members/dependents"
import type { Member } from "@milkwood/domain/members/member"
import { editMember } from "@milkwood/domain/members/member-edit"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { and, eq, inArray, isNull } from "drizzle-orm"
import { type Cx, command, invalidInput, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { violatedConstraint } from "../platform/database/database.ts"
import { addDependents, coverDependents, loadTier } from "./create-member.ts"
import { lockMember, saveMember } from "./member-record.ts"
import { memberDetail } from "./members.queries.ts"
import { dependentCovers, dependents } from "./members.tables.ts"
import { refuseDuplicateInPolicy, refuseDuplicatePerson, refuseTakenEmployeeNumber } from "./same-identity.queries.ts"

/** Saves only the sections that were sent. */
export const updateMember = command(membersContract.update, async (cx) => {
  const { tx, input, today } = cx
  const { memberId, version, allocation: wanted, ...sections } = input
  const member = await lockMember(cx, memberId)
  expectVersion(member, version)
  const family = (await memberDetail(cx, memberId)).dependents
  const allocation = wanted && { ...wanted, tierName: (await loadTier(tx, wanted.tierId)).name }
  const edited = orRefuse(editMember(member, family, { ...sections, allocation }, today))
  if (sections.personal) await refuseDuplicateInPolicy(tx, member.policyId, edited.value, member.id)
  await refuseTakenEmployeeNumber(tx, member.policyId, sections.employment?.employeeNumber, member.id)
  await refuseDuplicatePerson(() => saveMember(cx, member, edited))
  await saveDependents(cx, member, family, edited.dependents)
  return memberDetail(cx, memberId)
})

/** INVALID for the removal of a dependent who is the insured person of a claim. */
export async function saveDependents(
  cx: Cx,
  member: Member,
  before: readonly Dependent[],
  { added, changed, removed }: DependentsDiff,
): Promise<void> {
  const { tx, now } = cx
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id)
    await tx
      .delete(dependents)
      .where(and(eq(dependents.memberId, member.id), inArray(dependents.id, ids)))
      .catch((error: unknown) => {
        if (violatedConstraint(error) !== "claims_dependent_of_member") throw error
        throw invalidInput(
          [{ path: "dependents", message: "A dependent with a claim cannot be removed" }],
          "A dependent with a claim cannot be removed. Enter the last day of their cover instead.",
        )
      })
  }
  for (const { id, ...values } of changed) {
    await tx
      .update(dependents)
      .set({ ...values, updatedAt: now })
      .where(and(eq(dependents.memberId, member.id), eq(dependents.id, id)))
  }
  const rated = changed.filter((one) => rateFields(one) !== rateFields(before.find(({ id }) => id === one.id)!))
  const gone = [...removed, ...rated].map(({ id }) => id)
  if (gone.length > 0) {
    await tx
      .update(dependentCovers)
      .set({ supersededAt: now })
      .where(and(inArray(dependentCovers.dependentId, gone), isNull(dependentCovers.supersededAt)))
  }
  if (rated.length > 0) await coverDependents(cx, member, rated)
  await addDependents(cx, member, added, before.length)
}

/** Only these fields affect rates. */
const rateFields = ({ relationship, dateOfBirth, fromOn, untilOn }: Dependent) =>
  JSON.stringify([relationship, dateOfBirth, fromOn, untilOn])
