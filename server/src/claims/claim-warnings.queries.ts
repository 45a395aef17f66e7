import { canSeeMedical } from "@milkwood/domain/claims/claim-privacy"
import {
  recentCoverMonths,
  usualClaims,
  usualMonths,
  type WarningEvidence,
} from "@milkwood/domain/claims/claim-warnings"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor, seesAllGroups, seesGroupSql } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"

type StoredEvidence = Omit<WarningEvidence, "incidentOn" | "coveredSince" | "sameIncident">

/**
 * Users of an employer get no claims of other employers. A policy holder gets neither documents nor bills of other
 * claims, because these belong to treatments of other members. Approved amounts are only for users who see all employers.
 */
export async function loadWarningEvidence(
  { tx, actor, today }: Pick<Cx, "tx" | "actor" | "today">,
  claimId: string,
): Promise<StoredEvidence> {
  const isMedical = canSeeMedical(ruleActor(actor).role) || actor.kind === "system"
  const found = await tx.preparedRow<StoredEvidence>(sql`
    select c.notification_on as "notificationOn", c.incident_country as "incidentCountry",
      c.requested_amount_cents as "requestedAmountCents", (
      select min(lower(later.valid)) from member_covers later
      where later.member_id = c.member_id and later.superseded_at is null
        and lower(later.valid) between c.incident_on - make_interval(months => ${recentCoverMonths})
          and c.incident_on + make_interval(months => ${recentCoverMonths})
        and exists (select from member_covers earlier where earlier.member_id = c.member_id
          and earlier.superseded_at is null and upper(earlier.valid) < lower(later.valid))
        and not exists (select from member_covers adjacent where adjacent.member_id = c.member_id
          and adjacent.superseded_at is null and upper(adjacent.valid) = lower(later.valid))
    ) as "rejoinedOn",
      ${otherMemberships(actor)} as "otherMemberships",
      ${isMedical ? sameDocument(actor) : none} as "sameDocument",
      ${isMedical ? sameBill(actor) : none} as "sameBill",
      ${seesAllGroups(actor) ? approvedAmounts(today) : sql`null`} as approved
    from claims c where c.id = ${claimId}`)
  return found!
}

const none = sql`'[]'::jsonb`

/** Starts from the people with the ID number, because many claims share an incident day. */
const otherMemberships = (actor: Actor): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number) order by o.number), '[]')
  from (
    select case when c.dependent_id is null then (select id_number from members where id = c.member_id)
      else (select id_number from dependents where id = c.dependent_id) end as id_number
  ) insured
  cross join lateral (
    select o.* from members m join claims o on o.member_id = m.id and o.dependent_id is null
    where m.id_number = insured.id_number
    union all
    select o.* from dependents d join claims o on o.dependent_id = d.id where d.id_number = insured.id_number
  ) o
  where o.incident_on = c.incident_on and o.claim_type = c.claim_type and o.member_id <> c.member_id
    and ${seesGroupSql(actor, sql`o.group_id`)} and o.status not in ('draft', 'rejected', 'withdrawn'))`

/** `offset 0` finds the few shared documents first; otherwise the planner reads every claim of an employer. */
const sameDocument = (actor: Actor): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number) order by o.number), '[]')
  from (
    select distinct theirs.claim_id from claim_documents mine
    join files mine_file on mine_file.id = mine.file_id
    join files their_file on their_file.sha256 = mine_file.sha256 and their_file.id <> mine_file.id
    join claim_documents theirs on theirs.file_id = their_file.id
    where mine.claim_id = c.id offset 0
  ) shared
  join claims o on o.id = shared.claim_id and o.id <> c.id and ${seesGroupSql(actor, sql`o.group_id`)})`

/** As the index `claims_by_bill`. */
const billKey = (claim: "c" | "o"): SQL =>
  sql.raw(`lower(regexp_replace(${claim}.bill_number, '[^[:alnum:]]', '', 'g'))`)

const sameBill = (actor: Actor): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number) order by o.number), '[]')
  from (
    select o.id, o.number from claims o
    where c.bill_number <> '' and o.bill_number <> '' and ${billKey("o")} = ${billKey("c")} and ${billKey("c")} <> ''
      and o.id <> c.id and ${seesGroupSql(actor, sql`o.group_id`)} and o.status not in ('draft', 'rejected', 'withdrawn')
    order by o.number desc limit 10
  ) o)`

const approvedAmounts = (today: string): SQL => sql`(
  select jsonb_build_object('claims', count(*), 'medianCents',
    coalesce(percentile_disc(0.5) within group (order by o.approved_amount_cents), 0))
  from (
    select approved_amount_cents from claims
    where benefit_id = c.benefit_id and final_approval_at >= ${today}::date - make_interval(months => ${usualMonths})
      and id <> c.id
    order by final_approval_at desc limit ${usualClaims.most}
  ) o)`
