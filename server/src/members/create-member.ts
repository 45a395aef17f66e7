import { randomUUID } from "node:crypto"
import { settleDependents } from "@milkwood/domain/members/dependents"
import { toComplete } from "@milkwood/domain/members/member"
import { newsOf, newsOnPolicy } from "@milkwood/domain/members/member-facts"
import { settleIdentity } from "@milkwood/domain/members/member-identity"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import { defaultStart } from "@milkwood/domain/members/member-start"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { sql } from "drizzle-orm"
import { type Cx, command, invalid, orRefuse, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { record } from "../platform/trail/facts.ts"
import { type HeldPolicy, holdPolicy } from "../policies/policy-record.ts"
import { openCovers } from "./member-covers.ts"
import { memberDetail } from "./members.queries.ts"
import { dependents, members } from "./members.tables.ts"
import { refuseSameInPolicy, refusingSamePerson } from "./same-identity.queries.ts"

/** One member with dependents: pending in a draft policy, otherwise active and covered. */
export const createMember = command(membersContract.create, async (cx) => {
  const { tx, now, today, input } = cx
  const policy = await holdPolicy(tx, input.policyId)
  refuseEnded(policy)
  await tierById(tx, input.tierId)
  const personal = orRefuse(settleIdentity(input.personal, today, true))
  const family = orRefuse(settleDependents(input.dependents, today))
  await refuseSameInPolicy(tx, policy.id, personal)

  const id = randomUUID()
  const number = await nextNumber(tx, "member", today)
  const startOn = input.startOn ?? defaultStart(policy, today)
  await refusingSamePerson(() =>
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
      toComplete: toComplete({ ...personal, ...input.contact, ...input.employment }),
      createdAt: now,
      updatedAt: now,
    }),
  )
  await addDependents(cx, { id, groupId: policy.groupId }, family, 0)
  if (policy.status !== "Draft") await openCovers(cx, { memberIds: [id] })

  await record(cx, [
    { type: "MemberAdded", ...newsOf({ id, number, groupId: policy.groupId }), startOn },
    { type: "MembersAdded", ...newsOnPolicy(policy, [personal]) },
  ])
  return memberDetail(cx, id)
})

/** Nobody is added to a policy that has come to its end. */
export function refuseEnded(policy: Pick<HeldPolicy, "status">): void {
  if (!isOpen(policy.status)) throw refused("POLICY_ENDED")
}

/** The tier with its name; refuses one that does not exist. */
export async function tierById(tx: Tx, tierId: string): Promise<{ id: string; name: string }> {
  const tier = await tx.row<{ id: string; name: string }>(sql`select id, name from benefit_tiers where id = ${tierId}`)
  if (!tier) throw invalid([{ path: "tierId", message: "There is no such benefit tier" }])
  return tier
}

/** Writes new dependents after those that are there. */
export async function addDependents(
  { tx, now }: Pick<Cx, "tx" | "now">,
  member: { id: string; groupId: string },
  people: readonly Omit<DependentInput, "id">[],
  after: number,
): Promise<void> {
  if (people.length === 0) return
  await tx.insert(dependents).values(
    people.map(({ firstName, lastName, idNumber, relationship, dateOfBirth, gender }, index) => ({
      id: randomUUID(),
      groupId: member.groupId,
      memberId: member.id,
      ...{ firstName, lastName, idNumber, relationship, dateOfBirth, gender },
      position: after + index,
      createdAt: now,
      updatedAt: now,
    })),
  )
}
