import type { OtherClaim } from "@milkwood/domain/claims/claim-limit"
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
      coalesce(o.approved_amount_cents, (
        select a.approved_amount_cents from claim_approvals a
        where a.claim_id = o.id and a.round = o.round and a.status = 'approved'
        order by array_position(array['group_admin', 'underwriter', 'policy_holder'], a.stage) desc limit 1
      ), o.requested_amount_cents) as "amountCents"
    from claims c
    join claims o on o.member_id = c.member_id and o.id <> c.id and o.status <> 'draft'
    join members m on m.id = o.member_id
    left join dependents d on d.id = o.dependent_id
    left join benefits b on b.id = o.benefit_id
    where c.id = ${claimId}
    order by o.incident_on desc, o.number desc`)

/**
 * Blocks other approvals for the same member and benefit until the transaction ends, so that concurrent approvals see
 * each other. Requires the claim's lock, which fixes its member and benefit.
 */
export const lockCover = (tx: Tx, claimId: string): Promise<void> =>
  holdLock(
    tx,
    "memberCover",
    sql`(select concat_ws('/', c.member_id, c.benefit_id) from claims c where c.id = ${claimId})`,
  )
