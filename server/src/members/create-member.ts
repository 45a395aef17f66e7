import { randomUUID } from "node:crypto"
import {
  checkDependents,
  type DatedDependent,
  type Dependent,
  diffDependents,
} from "@milkwood/domain/members/dependents"
import { missingMemberFields } from "@milkwood/domain/members/member"
import { memberFactHead, memberFactOnPolicy } from "@milkwood/domain/members/member-facts"
import { completeIdentity } from "@milkwood/domain/members/member-identity"
import { defaultStart } from "@milkwood/domain/members/member-start"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { policyRange } from "@milkwood/domain/policies/policy-rules"
import { sql } from "drizzle-orm"
import { type Cx, checkPermission, command, invalidInput, orRefuse, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { record } from "../platform/trail/facts.ts"
import { type PolicyHead, requirePolicyHead } from "../policies/policy-record.ts"
import { openCovers } from "./member-covers.ts"
import { takeMemberNumbers } from "./member-numbers.ts"
import { memberDetail } from "./members.queries.ts"
import { dependentCovers, dependents, members } from "./members.tables.ts"
import { applySalary } from "./salaries.ts"
import { refuseDuplicateInPolicy, refuseDuplicatePerson, refuseTakenEmployeeNumber } from "./same-identity.queries.ts"

export const createMember = command(membersContract.create, async (cx) => {
  const { tx, now, today, input } = cx
  const { monthlyCents = null } = input
  if (monthlyCents) checkPermission(cx.actor, "members.salary")
  const policy = await requirePolicyHead(tx, input.policyId)
  refuseEndedPolicy(policy)
  await loadTier(tx, input.tierId)
  const personal = orRefuse(completeIdentity(input.personal, today, true))
  const startOn = input.startOn ?? defaultStart(policy, today)
  const family = orRefuse(diffDependents([], orRefuse(checkDependents(input.dependents, today)), startOn)).added
  await refuseDuplicateInPolicy(tx, policy.id, personal)
  await refuseTakenEmployeeNumber(tx, policy.id, input.employment.employeeNumber)

  const id = randomUUID()
  const [number] = (await takeMemberNumbers(tx, 1)) as [string]
  await refuseDuplicatePerson(() =>
    tx.insert(members).values({
      id,
      groupId: policy.groupId,
      policyId: policy.id,
      number,
      ...personal,
      ...input.contact,
      ...input.employment,
      tierId: input.tierId,
      status: policy.status === "Draft" ? "Pending" : "Active",
      startOn,
      toComplete: missingMemberFields({ ...personal, ...input.contact, ...input.employment }),
      createdAt: now,
      updatedAt: now,
    }),
  )
  await addDependents(cx, { id, groupId: policy.groupId }, family, 0)
  if (policy.status !== "Draft") await openCovers(cx, { memberIds: [id] })
  if (monthlyCents) await applySalary(cx, { id, groupId: policy.groupId }, monthlyCents, startOn)

  const news = memberFactHead({ id, number, groupId: policy.groupId })
  await record(cx, [
    { type: "MemberAdded", ...news, startOn },
    ...(monthlyCents ? [{ type: "MemberSalarySet" as const, ...news, on: startOn }] : []),
    { type: "MembersAdded", ...memberFactOnPolicy(policy, [{ id, ...personal }]) },
  ])
  return memberDetail(cx, id)
})

/** POLICY_ENDED unless members may still be added. */
export function refuseEndedPolicy(policy: Pick<PolicyHead, "status">): void {
  if (!isOpen(policy.status)) throw refused("POLICY_ENDED")
}

/** INVALID if the tier does not exist. */
export async function loadTier(tx: Tx, tierId: string): Promise<{ id: string; name: string }> {
  const tier = await tx.row<{ id: string; name: string }>(sql`select id, name from benefit_tiers where id = ${tierId}`)
  if (!tier) throw invalidInput([{ path: "tierId", message: "This benefit tier does not exist" }])
  return tier
}

/** `after`: the number of dependents that the member already has. */
export async function addDependents(
  { tx, now }: Pick<Cx, "tx" | "now">,
  member: { id: string; groupId: string },
  people: readonly DatedDependent[],
  after: number,
): Promise<void> {
  if (people.length === 0) return
  const made = people.map((person) => ({ ...person, id: randomUUID() }))
  await tx.insert(dependents).values(
    made.map((person, index) => ({
      ...person,
      groupId: member.groupId,
      memberId: member.id,
      position: after + index,
      createdAt: now,
      updatedAt: now,
    })),
  )
  await coverDependents({ tx, now }, member, made)
}

/** Writes the dependents' dated cover, which some rates depend on. */
export async function coverDependents(
  { tx, now }: Pick<Cx, "tx" | "now">,
  { id: memberId, groupId }: { id: string; groupId: string },
  people: readonly Dependent[],
): Promise<void> {
  await tx.insert(dependentCovers).values(
    people.map(({ id: dependentId, relationship, dateOfBirth: bornOn, fromOn, untilOn }) => ({
      ...{ id: randomUUID(), groupId, memberId, dependentId, relationship, bornOn },
      valid: policyRange(fromOn, untilOn),
      recordedAt: now,
    })),
  )
}
