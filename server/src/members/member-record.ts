import type { Member } from "@milkwood/domain/members/member"
import type { MemberChange } from "@milkwood/domain/members/member-steps"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { lockRecord, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { holdPolicy } from "../policies/policy-record.ts"
import { memberCovers } from "./cover.queries.ts"
import { members } from "./members.tables.ts"

const noSuchMember = "There is no such member."

/** A member with their covers, locked after their policy. NOT_FOUND when there is none that the actor may see. */
export async function lockMember({ tx }: Pick<Cx, "tx">, memberId: string): Promise<Member> {
  const place = await tx.row<{ policyId: string }>(
    sql`select policy_id as "policyId" from members where id = ${memberId}`,
  )
  if (!place) throw refused("NOT_FOUND", noSuchMember)
  const policy = await holdPolicy(tx, place.policyId)
  const member = await lockRecord(tx, members, memberId, noSuchMember)
  const tier = await tx.row<{ name: string }>(sql`select name from benefit_tiers where id = ${member.tierId}`)
  return {
    ...member,
    policyNumber: policy.number,
    policyStatus: policy.status,
    tierName: tier!.name,
    covers: await memberCovers(tx, memberId),
  }
}

/** Writes what a rule made of a locked member, and tells of it. */
export async function saveMember(cx: Cx, before: Member, { value, facts }: MemberChange): Promise<void> {
  await saveRecord(cx.tx, members, before, value, { updatedAt: cx.now })
  await record(cx, facts)
}
