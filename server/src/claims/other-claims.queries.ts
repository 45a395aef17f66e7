import type { Claim } from "@milkwood/domain/claims/claim"
import type { OtherClaim } from "@milkwood/domain/claims/claim-limit"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { dependentName } from "../members/cover.queries.ts"
import type { Tx } from "../platform/database/database.ts"
import { holdLock } from "../platform/database/locks.ts"

export interface OtherClaimRow extends OtherClaim {
  id: string
  benefit: string | null
  person: string
}

export const loadOtherClaims = (tx: Tx, claimId: string): Promise<OtherClaimRow[]> =>
  tx.preparedRows<OtherClaimRow>(sql`
    select o.id, o.number, o.status, o.claim_type as "claimType", b.name as benefit, o.incident_on as "incidentOn",
      o.dependent_id is not distinct from c.dependent_id as "isSamePerson",
      o.benefit_id is not distinct from c.benefit_id as "isSameBenefit",
      coalesce(${dependentName}, m.first_name || ' ' || m.last_name) as person,
      c.submitted_at is null or (o.submitted_at, o.number) < (c.submitted_at, c.number) as "isEarlier",
      claim_amount_cents(o) as "amountCents"
    from claims c
    join claims o on o.member_id = c.member_id and o.id <> c.id and o.status <> 'draft'
    join members m on m.id = o.member_id
    left join dependents d on d.id = o.dependent_id
    left join benefits b on b.id = o.benefit_id
    where c.id = ${claimId}
    order by o.incident_on desc, o.number desc`)

/** Amounts of other claims for the death of the claim's child, over the policies of all employers. */
export async function loadOtherClaimsOfChild(tx: Tx, claimId: string) {
  const found = await tx.preparedRow<{ approvedCents: Cents; inProgressCents: Cents }>(sql`
    select approved_cents as "approvedCents", in_progress_cents as "inProgressCents"
    from other_child_claims(${claimId}::uuid)`)
  return found!
}

/**
 * Blocks other approvals for the same member and benefit until the transaction ends, so that concurrent approvals see
 * each other; approvals of the death of a dependent, whose cap adds up over all policies, wait for one another.
 * Requires the claim's lock, which fixes its member, dependent and benefit.
 */
export async function lockCover(tx: Tx, claim: Pick<Claim, "memberId" | "benefitId" | "dependentId" | "claimType">) {
  await holdLock(tx, "memberCover", `${claim.memberId}/${claim.benefitId}`)
  if (claim.claimType === "death" && claim.dependentId) await holdLock(tx, "childCover")
}
