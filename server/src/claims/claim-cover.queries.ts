import { billingSettings } from "@milkwood/domain/billing/billing-settings"
import type { ClaimContent, ClaimType } from "@milkwood/domain/claims/claim"
import { type CoverEvidence, type CoverLine, coverCheck, personCoveredSince } from "@milkwood/domain/claims/claim-cover"
import type { ChosenBenefit, ChosenCover } from "@milkwood/domain/claims/claim-form"
import { calculateCoverLimit, isCountedAgainst } from "@milkwood/domain/claims/claim-limit"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import {
  type ClaimWarning,
  claimWarnings,
  recentCoverMonths,
  type WarningEvidence,
} from "@milkwood/domain/claims/claim-warnings"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { Relationship } from "@milkwood/domain/members/member"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type SQL, sql } from "drizzle-orm"
import { loadPremiumEvidence } from "../billing/premium-standing.queries.ts"
import { dependentName, isDependentCovered, tierOn } from "../members/cover.queries.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { settingValue, storedSetting } from "../platform/settings/store.ts"
import { loadOtherClaims } from "./other-claims.queries.ts"

interface MaxCover {
  /** In cents, stored at submission; 0 means no maximum. */
  maxCoverCents: Cents
  /** Null when no benefit is chosen or the product does not give it. */
  coverPercentage: number | null
}

type Found = Omit<CoverEvidence, "incidentOn" | "premiums" | "today" | "graceDays" | "limit"> &
  MaxCover & {
    memberId: string
    incidentOn: Day | null
    claimAmountCents: Cents | null
    dateFormat: unknown
    graceDays: unknown
  }

export type ClaimCover = MaxCover &
  Pick<ClaimDetail, "limitCents" | "proposedAmountCents" | "otherClaims"> & {
    coverCheck: CoverLine[]
    warnings: ClaimWarning[]
  }

/**
 * The cover limit, the five lines of the cover check and the warnings as at today; no lines without an incident date. Cover follows
 * the policy's product, the benefit, and the member's tier on the incident day: stored at submission, or current for a
 * draft.
 */
export async function loadClaimCover(
  { tx, today, currency }: Pick<Cx, "tx" | "today" | "currency">,
  claimId: string,
): Promise<ClaimCover> {
  const found = await tx.preparedRow<Found>(sql`
    select coalesce(c.max_cover_cents, given.max_cover_cents) as "maxCoverCents",
      case when c.status = 'draft' then given.cover_percentage else c.cover_percentage end as "coverPercentage",
      c.member_id as "memberId", c.incident_on as "incidentOn", c.claim_amount_cents as "claimAmountCents",
      coalesce(c.requested_amount_cents, 0) as "requestedAmountCents",
      jsonb_build_object('number', p.number, 'startOn', p.start_on, 'endOn', p.end_on, 'kind', (
        select kind from policy_periods pp
        where pp.policy_id = p.id and pp.superseded_at is null and pp.valid @> c.incident_on)) as policy,
      jsonb_build_object('kind', (
        select kind from member_covers mc
        where mc.member_id = c.member_id and mc.superseded_at is null and mc.valid @> c.incident_on
      ), 'since', (
        select min(lower(mc.valid)) from member_covers mc
        where mc.member_id = c.member_id and mc.policy_id = c.policy_id and mc.superseded_at is null
          and lower(mc.valid) <= c.incident_on)) as member,
      (select jsonb_build_object('name', ${dependentName}, 'relationship', d.relationship,
          'isCovered', ${isDependentCovered(sql`c.incident_on`)}, 'since', (
            select min(lower(dc.valid)) from dependent_covers dc
            where dc.dependent_id = d.id and dc.superseded_at is null and lower(dc.valid) <= c.incident_on))
        from dependents d where d.id = c.dependent_id) as dependent,
      terms.waiting_period_months as "waitingPeriodMonths",
      ${storedSetting("dateFormat")} as "dateFormat", ${storedSetting("premiumGraceDays")} as "graceDays"
    from claims c
    join policies p on p.id = c.policy_id
    cross join lateral policy_terms_on(p.id, c.incident_on) terms
    left join lateral claim_cover(c.member_id, c.policy_id, c.benefit_id, c.incident_on) given on c.status = 'draft'
    where c.id = ${claimId}`)
  if (!found) throw refused("NOT_FOUND")
  const { memberId, maxCoverCents, coverPercentage, incidentOn, claimAmountCents, dateFormat, graceDays, ...evidence } =
    found
  const others = await loadOtherClaims(tx, claimId)
  const asked = { incidentOn: incidentOn ?? today, claimAmountCents, requestedAmountCents: found.requestedAmountCents }
  const given = coverPercentage === null ? null : { maxCoverCents, coverPercentage }
  const limit = calculateCoverLimit({ ...asked, given, others }, currency)
  const cover = {
    maxCoverCents,
    coverPercentage,
    limitCents: limit.limitCents,
    proposedAmountCents: limit.proposedAmountCents,
    otherClaims: others.slice(0, 50).map(({ isSamePerson: _, isSameBenefit: __, isEarlier: ___, ...other }, at) => ({
      ...other,
      counts: isCountedAgainst(others[at]!, asked),
    })),
  }
  if (!incidentOn) return { ...cover, coverCheck: [], warnings: [] }
  const premiums = await loadPremiumEvidence(tx, memberId, incidentOn)
  const grace = settingValue(billingSettings.premiumGraceDays, graceDays)
  const format = settingValue(platformSettings.dateFormat, dateFormat)
  const facts = { ...evidence, incidentOn, premiums, today, graceDays: grace, limit }
  const coveredSince = personCoveredSince(evidence.member.since, evidence.dependent)
  const sameIncident = others
    .filter(
      (one) =>
        one.isSamePerson &&
        one.isSameBenefit &&
        one.incidentOn === incidentOn &&
        !["rejected", "withdrawn"].includes(one.status),
    )
    .map(({ id, number }) => ({ id, number }))
    .toReversed()
  const stored = await loadWarningEvidence(tx, claimId)
  const warnings = claimWarnings({ incidentOn, coveredSince, sameIncident, ...stored }, format)
  return { ...cover, coverCheck: coverCheck(facts, format, currency), warnings }
}

type StoredWarningEvidence = Pick<WarningEvidence, "notificationOn" | "rejoinedOn" | "sameDocument">

async function loadWarningEvidence(tx: Tx, claimId: string): Promise<StoredWarningEvidence> {
  const found = await tx.preparedRow<StoredWarningEvidence>(sql`
    select c.notification_on as "notificationOn", (
      select min(lower(later.valid)) from member_covers later
      where later.member_id = c.member_id and later.superseded_at is null
        and lower(later.valid) between c.incident_on - make_interval(months => ${recentCoverMonths})
          and c.incident_on + make_interval(months => ${recentCoverMonths})
        and exists (select from member_covers earlier where earlier.member_id = c.member_id
          and earlier.superseded_at is null and upper(earlier.valid) < lower(later.valid))
        and not exists (select from member_covers adjacent where adjacent.member_id = c.member_id
          and adjacent.superseded_at is null and upper(adjacent.valid) = lower(later.valid))
    ) as "rejoinedOn", (
      select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'number', o.number) order by o.number), '[]')
      from claims o
      where o.id <> c.id and o.id in (
        select theirs.claim_id from claim_documents mine
        join files mine_file on mine_file.id = mine.file_id
        join files their_file on their_file.sha256 = mine_file.sha256 and their_file.id <> mine_file.id
        join claim_documents theirs on theirs.file_id = their_file.id
        where mine.claim_id = c.id)
    ) as "sameDocument"
    from claims c where c.id = ${claimId}`)
  return found!
}

export async function benefitsOf(tx: Tx, memberId: string, on: string) {
  return tx.row<{
    tier: string | null
    benefits: { id: string; name: string; maxCoverCents: Cents; coverPercentage: number; claimTypes: ClaimType[] }[]
    dependents: { id: string; name: string; relationship: Relationship; isCovered: boolean }[]
  }>(sql`
    select t.name as tier, (
      select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'maxCoverCents', pb.cover_amount_cents,
        'coverPercentage', pb.cover_percentage, 'claimTypes', b.claim_types) order by lower(b.name)), '[]')
      from product_benefits pb
      join benefits b on b.id = pb.benefit_id
      where pb.product_type_id = p.product_type_id and pb.tier_id = t.id
    ) as benefits, (
      select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'name', ${dependentName},
        'relationship', d.relationship, 'isCovered', ${isDependentCovered(sql`${on}::date`)}) order by d.position, d.id), '[]')
      from dependents d where d.member_id = m.id
    ) as dependents
    from members m
    cross join lateral policy_terms_on(m.policy_id, ${on}::date) p
    join benefit_tiers t on t.id = ${tierOn(sql`${on}::date`)}
    where m.id = ${memberId}`)
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

async function loadChosenBenefit(tx: Tx, { memberId, benefitId, incidentOn }: Choice): Promise<ChosenBenefit | null> {
  if (!benefitId || !incidentOn) return null
  const found = await tx.row<ChosenBenefit>(sql`
    select b.name, b.claim_types as "claimTypes", t.name as tier, pt.name as "productType",
      exists (select from product_benefits pb
        where pb.product_type_id = p.product_type_id and pb.benefit_id = b.id and pb.tier_id = t.id) as "isGiven"
    from members m
    cross join lateral policy_terms_on(m.policy_id, ${incidentOn}::date) p
    join benefit_tiers t on t.id = ${tierOn(sql`${incidentOn}::date`)}
    join benefits b on b.id = ${benefitId}
    left join product_types pt on pt.id = p.product_type_id
    where m.id = ${memberId}`)
  return found ?? null
}

export const claimsForBenefit = (benefitId: string): SQL =>
  sql`select number as label from claims where benefit_id = ${benefitId}`

export const claimsAtTier = (tierId: string): SQL =>
  sql`select number as label from claims where cover_tier_id = ${tierId}`

export const claimsUnderProductBenefit = (productBenefitId: string): SQL => sql`
  select c.number as label from product_benefits pb
  join claims c on c.benefit_id = pb.benefit_id
  join lateral policy_terms_on(c.policy_id, c.incident_on) p on p.product_type_id = pb.product_type_id
  join members m on m.id = c.member_id
  where pb.id = ${productBenefitId} and pb.tier_id = ${tierOn(sql`c.incident_on`)} and c.status not in ('rejected', 'paid', 'withdrawn')`
