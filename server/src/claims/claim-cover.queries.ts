import type { InsuredKind } from "@milkwood/domain/benefits/benefit-terms"
import { benefitsSettings } from "@milkwood/domain/benefits/benefits-settings"
import { childCapOn } from "@milkwood/domain/benefits/child-cap"
import { billingSettings } from "@milkwood/domain/billing/billing-settings"
import { premiumStanding } from "@milkwood/domain/billing/premium-standing"
import { type CoverEvidence, type CoverLine, coverCheck } from "@milkwood/domain/claims/claim-cover"
import { calculateCoverLimit, isCountedAgainst, type LimitEvidence } from "@milkwood/domain/claims/claim-limit"
import { canSeeMedical } from "@milkwood/domain/claims/claim-privacy"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { type ClaimWarning, claimWarnings } from "@milkwood/domain/claims/claim-warnings"
import {
  type CoverChangeEvidence,
  coverDifferencesOf,
  type StoredCover,
  withRecords,
} from "@milkwood/domain/claims/cover-changes"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type SQL, sql } from "drizzle-orm"
import { loadPremiumEvidence } from "../billing/premium-standing.queries.ts"
import { dependentName, isDependentCovered, tierOn } from "../members/cover.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { settingValue, storedSetting } from "../platform/settings/store.ts"
import { loadWarningEvidence } from "./claim-warnings.queries.ts"
import { loadCoverRecords } from "./cover-records.queries.ts"
import { loadOtherClaims, loadOtherClaimsOfChild } from "./other-claims.queries.ts"

interface MaxCover {
  /** In cents, stored at submission; 0 means no maximum. */
  maxCoverCents: Cents
  /** Null when no benefit is chosen or the product does not give it. */
  coverPercentage: number | null
}

type Known = Pick<CoverChangeEvidence, "member" | "dependent">

type Found = Omit<CoverEvidence, "incidentOn" | "premiums" | "today" | "graceDays" | "limit"> &
  Known & {
    memberId: string
    incidentOn: Day | null
    claimAmountCents: Cents | null
    insured: InsuredKind
    age: number | null
    isDeath: boolean
    /** As known now; of a draft, also the cover by which it is judged. */
    current: StoredCover
    /** Stored at submission; null in a draft. */
    stored: StoredCover | null
    premiumStanding: CoverChangeEvidence["standing"]["submitted"]
    dateFormat: unknown
    graceDays: unknown
    childCaps: unknown
  }

export type ClaimCover = MaxCover &
  Pick<
    ClaimDetail,
    "limitCents" | "childCap" | "proposedAmountCents" | "coverWorking" | "coverChanges" | "otherClaims"
  > & {
    coverCheck: CoverLine[]
    warnings: ClaimWarning[]
  }

/**
 * The cover limit with its working, the five lines of the cover check and the warnings as at today; no lines without an
 * incident date. A submitted claim is judged by the cover stored at submission, a draft by today's facts.
 */
export async function loadClaimCover(
  cx: Pick<Cx, "tx" | "actor" | "today" | "currency">,
  claimId: string,
): Promise<ClaimCover> {
  const { tx, today, currency } = cx
  const found = await tx.preparedRow<Found>(sql`
    select c.member_id as "memberId", c.incident_on as "incidentOn", c.claim_amount_cents as "claimAmountCents",
      coalesce(c.requested_amount_cents, 0) as "requestedAmountCents", cover.insured, cover.age,
      c.claim_type = 'death' as "isDeath",
      ${coverJson("cover", "", "cover.gap")} as current,
      case when c.status <> 'draft' then ${coverJson("c", "cover_", "c.cover_gap")} end as stored,
      cover.covered_since as "coveredSince", c.premium_standing as "premiumStanding",
      jsonb_build_object('number', p.number, 'startOn', p.start_on, 'endOn', p.end_on, 'kind', (
        select kind from policy_periods pp
        where pp.policy_id = p.id and pp.superseded_at is null and pp.valid @> c.incident_on)) as policy,
      jsonb_build_object('kind', (
        select kind from member_covers mc
        where mc.member_id = c.member_id and mc.superseded_at is null and mc.valid @> c.incident_on
      ), 'since', (
        select min(lower(mc.valid)) from member_covers mc
        where mc.member_id = c.member_id and mc.policy_id = c.policy_id and mc.superseded_at is null
          and lower(mc.valid) <= c.incident_on
      ), 'wasCovered', exists (
        select from member_covers mc
        where mc.member_id = c.member_id and mc.valid @> c.incident_on and mc.kind = 'covered'
          and is_known(mc.recorded_at, mc.superseded_at, ${factsStoredAt})
      ), 'endedOn', (
        select max(upper(mc.valid)) - 1 from member_covers mc
        where mc.member_id = c.member_id and mc.superseded_at is null and upper(mc.valid) <= c.incident_on)) as member,
      (select jsonb_build_object('name', ${dependentName}, 'relationship', d.relationship,
          'isCovered', ${isDependentCovered(sql`c.incident_on`)}, 'since', (
            select min(lower(dc.valid)) from dependent_covers dc
            where dc.dependent_id = d.id and dc.superseded_at is null and lower(dc.valid) <= c.incident_on
          ), 'wasCovered', exists (
            select from dependent_covers dc
            where dc.dependent_id = d.id and dc.valid @> c.incident_on
              and is_known(dc.recorded_at, dc.superseded_at, ${factsStoredAt})
          ), 'endedOn', (
            select max(upper(dc.valid)) - 1 from dependent_covers dc
            where dc.dependent_id = d.id and dc.superseded_at is null and upper(dc.valid) <= c.incident_on))
        from dependents d where d.id = c.dependent_id) as dependent,
      cover.waiting_period_months as "waitingPeriodMonths",
      coalesce((select pt.is_funeral from product_types pt
        where pt.id = coalesce(c.cover_product_type_id, cover.product_type_id)), false) as "isFuneral",
      case when c.claim_type = 'death' then ${canSeeMedical(ruleActor(cx.actor).role) ? sql`coalesce(c.cause_of_death, 'unknown')` : sql`'unknown'`} end as "causeOfDeath",
      ${storedSetting("dateFormat")} as "dateFormat", ${storedSetting("premiumGraceDays")} as "graceDays",
      ${storedSetting("childCoverCaps")} as "childCaps"
    from claims c
    join policies p on p.id = c.policy_id
    cross join lateral cover_of(c.member_id, c.dependent_id, c.benefit_id, coalesce(c.incident_on, ${today}::date)) cover
    where c.id = ${claimId}`)
  if (!found) throw refused("NOT_FOUND")
  const { memberId, incidentOn, claimAmountCents, insured, current, stored, dateFormat, childCaps, ...evidence } = found
  const judged = stored ?? current
  const others = await loadOtherClaims(tx, claimId)
  const asked = { incidentOn: incidentOn ?? today, claimAmountCents, requestedAmountCents: found.requestedAmountCents }
  const given = givenOf(judged, insured)
  const cap = found.isDeath
    ? childCapOn(settingValue(benefitsSettings.childCoverCaps, childCaps), found, asked.incidentOn)
    : null
  const childCap = cap && { ...cap, ...(await loadOtherClaimsOfChild(tx, claimId)) }
  const limit = calculateCoverLimit(
    { ...asked, given, policyStartOn: found.policy.startOn, others, childCap },
    currency,
  )
  const cover = {
    maxCoverCents: judged.maxCoverCents,
    coverPercentage: judged.coverPercentage,
    limitCents: limit.limitCents,
    childCap: limit.childCap,
    proposedAmountCents: limit.proposedAmountCents,
    coverWorking: limit.working,
    otherClaims: others.slice(0, 50).map(({ isSamePerson: _, isSameBenefit: __, isEarlier: ___, ...other }, at) => ({
      ...other,
      counts: isCountedAgainst(others[at]!, asked),
    })),
  }
  if (!incidentOn) return { ...cover, coverChanges: [], coverCheck: [], warnings: [] }
  const premiums = await loadPremiumEvidence(tx, memberId, incidentOn)
  const graceDays = settingValue(billingSettings.premiumGraceDays, found.graceDays)
  const format = settingValue(platformSettings.dateFormat, dateFormat)
  const facts = { ...evidence, incidentOn, premiums, today, graceDays, limit }
  const standing = {
    submitted: found.premiumStanding,
    now: premiumStanding(premiums, { on: incidentOn, today }, graceDays).state,
  }
  const { member, dependent } = found
  const differences = stored
    ? coverDifferencesOf({ stored, current, standing, insured, member, dependent }, format, currency)
    : []
  // Most claims have no differences, so their records are not looked up.
  const coverChanges = differences.length > 0 ? withRecords(differences, await loadCoverRecords(tx, claimId)) : []
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
  const warned = await loadWarningEvidence(cx, claimId)
  const warnings = claimWarnings(
    { incidentOn, coveredSince: found.coveredSince, sameIncident, ...warned },
    format,
    currency,
  )
  return { ...cover, coverChanges, coverCheck: coverCheck(facts, format, currency), warnings }
}

/** When the facts that a claim is judged by were stored. */
const factsStoredAt = sql`greatest(c.submitted_at, c.cover_accepted_at)`

/** Columns of `cover_of` (`cover`), or those that a claim stores (`c`), whose names have the prefix. */
const coverJson = (of: "c" | "cover", prefix: "cover_" | "", gap: string): SQL =>
  sql.raw(`
  jsonb_build_object('gap', ${gap},
    'tier', (select t.name from benefit_tiers t where t.id = ${of}.${prefix}tier_id),
    'productType', (select pt.name from product_types pt where pt.id = ${of}.${prefix}product_type_id),
    'maxCoverCents', coalesce(${of}.max_cover_cents, 0), 'coverPercentage', ${of}.cover_percentage,
    'incidentLimitCents', ${of}.${prefix}incident_limit_cents, 'yearLimitCents', ${of}.${prefix}year_limit_cents,
    'coverYear', ${of}.cover_year)`)

const givenOf = (
  { gap, coverPercentage, coverYear, ...cover }: StoredCover,
  insured: InsuredKind,
): LimitEvidence["given"] =>
  gap === null && coverPercentage !== null
    ? { ...cover, coverPercentage, coverYear: coverYear ?? "calendar" }
    : { gap: gap ?? "product", insured }

export const claimsForBenefit = (benefitId: string): SQL =>
  sql`select number as label from claims where benefit_id = ${benefitId}`

export const claimsAtTier = (tierId: string): SQL =>
  sql`select number as label from claims where cover_tier_id = ${tierId}`

export const claimsAffectedByTerms = (productBenefitId: string, from: string): SQL => sql`
  select c.number as label, c.status from product_benefits pb
  join claims c on c.benefit_id = pb.benefit_id and c.incident_on >= ${from}::date
    and c.status not in ('rejected', 'withdrawn', 'approved', 'paid')
  join lateral policy_terms_on(c.policy_id, c.incident_on) p on p.product_type_id = pb.product_type_id
  join members m on m.id = c.member_id
  where pb.id = ${productBenefitId} and pb.tier_id = ${tierOn(sql`c.incident_on`)}`

export const claimsUnderProductBenefit = (productBenefitId: string): SQL => sql`
  select c.number as label from product_benefits pb
  join claims c on c.benefit_id = pb.benefit_id
  join lateral policy_terms_on(c.policy_id, c.incident_on) p on p.product_type_id = pb.product_type_id
  join members m on m.id = c.member_id
  where pb.id = ${productBenefitId} and pb.tier_id = ${tierOn(sql`c.incident_on`)} and c.status not in ('rejected', 'paid', 'withdrawn')`
