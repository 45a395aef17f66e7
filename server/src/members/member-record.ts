import type { Member } from "@milkwood/domain/members/member"
import type { MemberChange } from "@milkwood/domain/members/member-steps"
import type { Policy } from "@milkwood/domain/policies/policy"
import { inArray, sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { lockRecord, readRecord, type Stored, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { requirePolicyHead } from "../policies/policy-record.ts"
import { loadCoversOfMembers, loadMemberCovers } from "./cover.queries.ts"
import { copyMembersToClaims } from "./members.ports.ts"
import { members } from "./members.tables.ts"

const memberNotFound = "This member does not exist."

/** Locks the policy, then the member. NOT_FOUND if the actor cannot see the member. */
export async function lockMember({ tx }: Pick<Cx, "tx">, memberId: string): Promise<Member> {
  const place = await tx.row<{ policyId: string }>(
    sql`select policy_id as "policyId" from members where id = ${memberId}`,
  )
  if (!place) throw refused("NOT_FOUND", memberNotFound)
  const policy = await requirePolicyHead(tx, place.policyId)
  const member = await lockRecord(tx, members, memberId, memberNotFound)
  if (member.forgottenOn) throw refused("CONFLICT", "This member was anonymised and cannot be changed.")
  return withPolicyDetails(tx, member, policy)
}

/** For rooms that store copies of the member's columns: no change until the transaction ends. */
export async function shareMember(tx: Tx, memberId: string): Promise<void> {
  await tx.row(sql`select from members where id = ${memberId} for share`)
}

/** Not locked. NOT_FOUND if the actor cannot see the member. */
export async function readMember(tx: Tx, memberId: string): Promise<Member> {
  const member = await readRecord(tx, members, memberId, memberNotFound)
  return withPolicyDetails(tx, member, await readPolicy(tx, member.policyId))
}

/** Not locked. NOT_FOUND if the actor cannot see one of them. */
export async function readMembers(tx: Tx, memberIds: readonly string[]): Promise<Member[]> {
  const ids = [...new Set(memberIds)]
  const found = (await tx.select().from(members).where(inArray(members.id, ids))) as unknown as Stored<typeof members>[]
  if (found.length < ids.length) throw refused("NOT_FOUND", memberNotFound)
  const places = await tx.rows<{ id: string } & Pick<Member, "policyNumber" | "policyStatus" | "tierName">>(sql`
    select m.id, p.number as "policyNumber", p.status as "policyStatus", t.name as "tierName"
    from members m join policies p on p.id = m.policy_id join benefit_tiers t on t.id = m.tier_id
    where m.id = any (${sql.param(ids)}::uuid[])`)
  const placed = new Map(places.map((place) => [place.id, place]))
  const covers = await loadCoversOfMembers(tx, ids)
  return found.map((member) => ({ ...member, ...placed.get(member.id)!, covers: covers.get(member.id) ?? [] }))
}

async function withPolicyDetails(
  tx: Tx,
  member: Stored<typeof members>,
  policy: Pick<Policy, "number" | "status">,
): Promise<Member> {
  const tier = await tx.row<{ name: string }>(sql`select name from benefit_tiers where id = ${member.tierId}`)
  return {
    ...member,
    policyNumber: policy.number,
    policyStatus: policy.status,
    tierName: tier!.name,
    covers: await loadMemberCovers(tx, member.id),
  }
}

export async function saveMember(cx: Cx, before: Member, { value, facts }: MemberChange): Promise<void> {
  await saveRecord(cx.tx, members, before, value, { updatedAt: cx.now })
  await copyMembersToClaims(cx.tx, sql`${before.id}::uuid`)
  await record(cx, facts)
}
