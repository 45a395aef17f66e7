import { changes } from "@milkwood/domain/kernel/changes"
import { type DependentsDiff, diffDependents, settleDependents } from "@milkwood/domain/members/dependents"
import { toComplete } from "@milkwood/domain/members/member"
import { settleIdentity } from "@milkwood/domain/members/member-identity"
import { type MemberDetail, membersContract } from "@milkwood/domain/members/members.contract"
import { and, eq, inArray } from "drizzle-orm"
import { type Cx, command, invalid, orRefuse, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { addDependents, checkTier } from "./create-member.ts"
import { type LockedMember, lockMember, memberDetail } from "./members.queries.ts"
import { dependents, members } from "./members.tables.ts"
import { refuseSameInPolicy, refusingSamePerson } from "./same-identity.queries.ts"

/** Saves the sections that were sent; the others stay as they are. */
export const updateMember = command(membersContract.update, async (cx) => {
  const { tx, now, today, input } = cx
  const member = await lockMember(cx, input)
  if (member.status === "Terminated")
    throw refused("WRONG_STATUS", "The record of a terminated member is kept as it is.")
  const before = await memberDetail(cx, member.id)
  // Somebody who came with a staff list without a number can be edited before the number is known.
  const hadNumber = Boolean(before.personal.idNumber || before.personal.passportNumber)
  const personal = input.personal ? orRefuse(settleIdentity(input.personal, today, hadNumber)) : before.personal
  const contact = input.contact ?? before.contact
  const employment = input.employment ?? before.employment
  if (input.personal) await refuseSameInPolicy(tx, member.policyId, personal, member.id)
  const allocation = await newAllocation(cx, member, input.allocation)

  await refusingSamePerson(() =>
    tx
      .update(members)
      .set({
        ...personal,
        ...contact,
        ...employment,
        ...allocation,
        toComplete: toComplete({ ...personal, ...contact, ...employment }),
        updatedAt: now,
        version: member.version + 1,
      })
      .where(eq(members.id, member.id)),
  )
  if (input.dependents) {
    const family = orRefuse(settleDependents(input.dependents, today))
    await saveDependents(cx, member, before, orRefuse(diffDependents(before.dependents, family)))
  }
  const after = await memberDetail(cx, member.id)
  const changed = changes(flat(before), flat(after), Object.keys(flat(after)))
  if (Object.keys(changed.after).length > 0) {
    await record(cx, [
      {
        type: "MemberUpdated",
        record: { kind: "member", id: member.id, label: member.number },
        groupId: member.groupId,
        ...changed,
      },
    ])
  }
  return after
})

/** Tier and start date are free while the member is pending; later they are dated changes of their own. */
async function newAllocation(
  cx: Cx,
  member: LockedMember,
  wanted: { tierId: string; startOn: string } | undefined,
): Promise<{ tierId?: string; startOn?: string }> {
  if (!wanted) return {}
  if (member.status !== "Pending") {
    if (wanted.startOn !== member.startOn) {
      throw invalid([
        { path: "allocation.startOn", message: "The start date cannot be changed once the policy was activated" },
      ])
    }
    if (wanted.tierId !== member.tierId) {
      throw invalid([{ path: "allocation.tierId", message: "Change the benefit tier from a date on" }])
    }
    return {}
  }
  await checkTier(cx.tx, wanted.tierId)
  return wanted
}

async function saveDependents(
  cx: Cx,
  member: LockedMember,
  before: MemberDetail,
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
  await addDependents(cx, member, added, before.dependents.length)
}

/** What the trail compares: every field by its name, and the dependents as people read them, their numbers apart. */
function flat(member: MemberDetail): Record<string, unknown> {
  const { personal, contact, employment, tierName, startOn } = member
  const family = member.dependents.map(({ firstName, lastName, relationship, dateOfBirth, gender }) => {
    const about = [relationship, gender, dateOfBirth].filter(Boolean).join(", ")
    return `${firstName} ${lastName} (${about})`
  })
  const numbers = member.dependents
    .filter(({ idNumber }) => idNumber)
    .map(({ firstName, lastName, idNumber }) => `${firstName} ${lastName}: ${idNumber}`)
  return {
    ...personal,
    ...contact,
    ...employment,
    tierName,
    startOn,
    dependents: family,
    dependentIdNumbers: numbers,
  }
}
