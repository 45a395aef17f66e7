import type { CoverRecords } from "@milkwood/domain/claims/cover-changes"
import { sql } from "drizzle-orm"
import { tierOn } from "../members/cover.queries.ts"
import type { Tx } from "../platform/database/database.ts"

/**
 * The user and instant of each record, made after the claim's facts were stored, by which the claim would be judged now.
 * The audit entry of a command has the instant of its records. A command for many records, such as an import, has one
 * entry of the employer. Readers of an employer see only entries of their employer.
 */
export async function loadCoverRecords(tx: Tx, claimId: string): Promise<CoverRecords> {
  const found = await tx.preparedRow<{ records: CoverRecords }>(sql`
    with claim as (
      select c.*, p.start_on, ${tierOn(sql`c.incident_on`)} as tier_now,
        greatest(c.submitted_at, c.cover_accepted_at) as stored_at
      from claims c join policies p on p.id = c.policy_id join members m on m.id = c.member_id
      where c.id = ${claimId}
    ), records (source, kind, record_id, at) as (
      select 'product type', 'policy', t.policy_id, t.recorded_at from claim c
      join policy_cover_terms t on t.policy_id = c.policy_id and t.term = 'product type' and t.superseded_at is null
        and t.valid @> greatest(c.incident_on, c.start_on)
      union all
      select 'tier', 'member', mc.member_id, mc.recorded_at from claim c
      join member_covers mc on mc.member_id = c.member_id and mc.superseded_at is null and mc.valid @> c.incident_on
      union all
      select 'salary', 'member', s.member_id, s.recorded_at from claim c
      join member_salaries s on s.member_id = c.member_id and s.superseded_at is null and s.valid @> c.incident_on
      union all
      select 'benefit', 'product_benefit', pb.id, t.recorded_at from claim c
      cross join lateral policy_terms_on(c.policy_id, c.incident_on) terms
      join product_benefits pb on pb.product_type_id = terms.product_type_id and pb.benefit_id = c.benefit_id
        and pb.tier_id = c.tier_now
      join product_benefit_terms t on t.product_benefit_id = pb.id and t.superseded_at is null and t.valid @> c.incident_on
      union all
      select 'member', 'member', mc.member_id, mc.superseded_at from claim c
      join member_covers mc on mc.member_id = c.member_id and mc.valid @> c.incident_on
      union all
      select 'dependent', 'member', dc.member_id, dc.superseded_at from claim c
      join dependent_covers dc on dc.dependent_id = c.dependent_id and dc.valid @> c.incident_on
      union all
      select 'dependent', 'member', dc.member_id, dc.recorded_at from claim c
      join dependent_covers dc on dc.dependent_id = c.dependent_id and dc.superseded_at is null and dc.valid @> c.incident_on
    ), latest as (
      select distinct on (r.source) r.source, r.kind, r.record_id, r.at, c.group_id from records r cross join claim c
      where r.at > c.stored_at order by r.source, r.at desc
    )
    select coalesce(jsonb_object_agg(l.source, jsonb_build_object('at', l.at, 'by', coalesce((
        select a.actor_name from audit_log a
        where a.record_kind = l.kind and a.record_id = l.record_id and a.at = l.at order by a.id desc limit 1
      ), (
        select a.actor_name from audit_log a where a.group_id = l.group_id and a.at = l.at order by a.id desc limit 1
      )))), '{}') as records
    from latest l`)
  return found!.records
}
