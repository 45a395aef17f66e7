import type { CoverGap, InsuredKind } from "@milkwood/domain/benefits/benefit-terms"
import type { ClaimContent, ClaimType } from "@milkwood/domain/claims/claim"
import type { ChosenBenefit, ChosenCover } from "@milkwood/domain/claims/claim-form"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { Relationship } from "@milkwood/domain/members/member"
import { sql } from "drizzle-orm"
import { dependentName, isDependentCovered, tierOn } from "../members/cover.queries.ts"
import type { Tx } from "../platform/database/database.ts"

/**
 * The benefits of the policy's product for a member or dependent on a day, and the member's dependents. Undefined for a
 * member or dependent that the reader may not see.
 */
export async function benefitsOf(tx: Tx, memberId: string, dependentId: string | null, on: Day) {
  return tx.row<{
    tier: string | null
    insured: InsuredKind
    benefits: {
      id: string
      name: string
      maxCoverCents: Cents
      coverPercentage: number
      gap: CoverGap | null
      claimTypes: ClaimType[]
    }[]
    dependents: { id: string; name: string; relationship: Relationship; isCovered: boolean }[]
  }>(sql`
    select t.name as tier, coalesce((
      select d.relationship from dependents d where d.id = ${dependentId}::uuid and d.member_id = m.id
    ), 'member') as insured, (
      select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name,
        'maxCoverCents', coalesce(cover.max_cover_cents, 0), 'coverPercentage', coalesce(cover.cover_percentage, 0),
        'gap', cover.gap, 'claimTypes', b.claim_types) order by lower(b.name)), '[]')
      from benefits b
      cross join lateral cover_of(m.id, ${dependentId}::uuid, b.id, ${on}::date) cover
      where exists (select from product_benefits pb
        where pb.benefit_id = b.id and pb.product_type_id = cover.product_type_id)
    ) as benefits, (
      select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'name', ${dependentName},
        'relationship', d.relationship, 'isCovered', ${isDependentCovered(sql`${on}::date`)}) order by d.position, d.id), '[]')
      from dependents d where d.member_id = m.id
    ) as dependents
    from members m
    join benefit_tiers t on t.id = ${tierOn(sql`${on}::date`)}
    where m.id = ${memberId} and (${dependentId}::uuid is null or exists (
      select from dependents d where d.id = ${dependentId}::uuid and d.member_id = m.id))`)
}

type Choice = Pick<ClaimContent, "memberId" | "dependentId" | "benefitId" | "incidentOn">

export const loadChosenCover = async (tx: Tx, content: Choice): Promise<ChosenCover> => ({
  benefit: await loadChosenBenefit(tx, content),
  dependent: await loadChosenDependent(tx, content),
})

async function loadChosenDependent(
  tx: Tx,
  { memberId, dependentId, incidentOn }: Choice,
): Promise<ChosenCover["dependent"]> {
  if (!dependentId || !incidentOn) return null
  const found = await tx.row<NonNullable<ChosenCover["dependent"]>>(sql`
    select ${dependentName} as name, ${isDependentCovered(sql`${incidentOn}::date`)} as "isCovered"
    from dependents d where d.id = ${dependentId} and d.member_id = ${memberId}`)
  return found ?? null
}

async function loadChosenBenefit(
  tx: Tx,
  { memberId, dependentId, benefitId, incidentOn }: Choice,
): Promise<ChosenBenefit | null> {
  if (!benefitId || !incidentOn) return null
  const found = await tx.row<ChosenBenefit>(sql`
    select b.name, b.claim_types as "claimTypes", t.name as tier, pt.name as "productType", cover.gap, cover.insured
    from benefits b
    cross join lateral cover_of(${memberId}::uuid, ${dependentId}::uuid, b.id, ${incidentOn}::date) cover
    join benefit_tiers t on t.id = cover.tier_id
    left join product_types pt on pt.id = cover.product_type_id
    where b.id = ${benefitId}`)
  return found ?? null
}
