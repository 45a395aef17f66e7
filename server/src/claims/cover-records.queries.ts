import type { CoverRecords, CoverSource, RecordedBy } from "@milkwood/domain/claims/cover-changes"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { tierOn } from "../members/cover.queries.ts"
import type { Tx } from "../platform/database/database.ts"

interface Found {
  memberWasCovered: boolean
  memberCoverEndedOn: Day | null
  dependentWasCovered: boolean
  dependentCoverEndedOn: Day | null
  recorded: Partial<Record<CoverSource, RecordedBy>>
}

/**
 * The covers of member and dependent on the incident day as known when the claim's facts were stored, and the user and
 * instant of each later record by which the claim would be judged now. The audit entry of a command has the instant of
 * its records; readers of an employer see only entries of their employer.
 */
export async function loadCoverRecords(tx: Tx, claimId: string): Promise<CoverRecords> {
  const found = await tx.preparedRow<Found>(sql`
    with claim as (
      select c.*, p.start_on, ${tierOn(sql`c.incident_on`)} as tier_now,
        greatest(c.submitted_at, c.cover_accepted_at) as stored_at
      from claims c join policies p on p.id = c.policy_id join members m on m.id = c.member_id
      where c.id = ${claimId}
    ), records (source, record_id, at) as (
      select 'product type', t.policy_id, t.recorded_at from claim c
      join policy_cover_terms t on t.policy_id = c.policy_id and t.term = 'product type' and t.superseded_at is null
        and t.valid @> greatest(c.incident_on, c.start_on)
      union all
      select 'tier', mc.member_id, mc.recorded_at from claim c
      join member_covers mc on mc.member_id = c.member_id and mc.superseded_at is null and mc.valid @> c.incident_on
      union all
      select 'salary', s.member_id, s.recorded_at from claim c
      join member_salaries s on s.member_id = c.member_id and s.superseded_at is null and s.valid @> c.incident_on
      union all
      select 'benefit', pb.id, t.recorded_at from claim c
      cross join lateral policy_terms_on(c.policy_id, c.incident_on) terms
      join product_benefits pb on pb.product_type_id = terms.product_type_id and pb.benefit_id = c.benefit_id
        and pb.tier_id = c.tier_now
      join product_benefit_terms t on t.product_benefit_id = pb.id and t.superseded_at is null and t.valid @> c.incident_on
      union all
      select 'member', mc.member_id, mc.superseded_at from claim c
      join member_covers mc on mc.member_id = c.member_id and mc.valid @> c.incident_on
      union all
      select 'dependent', dc.member_id, dc.superseded_at from claim c
      join dependent_covers dc on dc.dependent_id = c.dependent_id and dc.valid @> c.incident_on
      union all
      select 'dependent', dc.member_id, dc.recorded_at from claim c
      join dependent_covers dc on dc.dependent_id = c.dependent_id and dc.superseded_at is null and dc.valid @> c.incident_on
    ), latest as (
      select distinct on (r.source) r.source, r.record_id, r.at from records r cross join claim c
      where r.at > c.stored_at order by r.source, r.at desc
    )
    select
      exists (select from member_covers mc where mc.member_id = c.member_id and mc.valid @> c.incident_on
        and mc.kind = 'covered' and is_known(mc.recorded_at, mc.superseded_at, c.stored_at)) as "memberWasCovered",
      (select max(upper(mc.valid)) - 1 from member_covers mc where mc.member_id = c.member_id
        and mc.superseded_at is null and upper(mc.valid) <= c.incident_on) as "memberCoverEndedOn",
      exists (select from dependent_covers dc where dc.dependent_id = c.dependent_id and dc.valid @> c.incident_on
        and is_known(dc.recorded_at, dc.superseded_at, c.stored_at)) as "dependentWasCovered",
      (select max(upper(dc.valid)) - 1 from dependent_covers dc where dc.dependent_id = c.dependent_id
        and dc.superseded_at is null and upper(dc.valid) <= c.incident_on) as "dependentCoverEndedOn",
      (select coalesce(jsonb_object_agg(l.source, jsonb_build_object('at', l.at, 'by', (
          select a.actor_name from audit_log a
          where a.at = l.at and (a.record_id = l.record_id or a.group_id = c.group_id)
          order by a.record_id is not distinct from l.record_id desc, a.id desc limit 1))), '{}')
        from latest l) as recorded
    from claim c`)
  const { memberWasCovered, memberCoverEndedOn, dependentWasCovered, dependentCoverEndedOn, recorded } = found!
  return {
    member: { wasCovered: memberWasCovered, endedOn: memberCoverEndedOn },
    dependent: { wasCovered: dependentWasCovered, endedOn: dependentCoverEndedOn },
    recorded,
  }
}
