import { billingSettings } from "@milkwood/domain/billing/billing-settings"
import { type CoverEvidence, type CoverLine, coverCheck } from "@milkwood/domain/claims/claim-cover"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type SQL, sql } from "drizzle-orm"
import { premiumEvidence } from "../billing/premium-standing.queries.ts"
import { tierOn } from "../members/cover.queries.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { settingValue, storedSetting } from "../platform/settings/store.ts"

interface MaxCover {
  /** In cents; 0 where the product gives none, or nothing has been chosen yet. */
  maxCoverCents: Cents
  coverPercentage: number | null
}

type Found = Omit<CoverEvidence, "incidentOn" | "premiums" | "today" | "graceDays"> &
  MaxCover & {
    memberId: string
    incidentOn: Day | null
    dateFormat: unknown
    graceDays: unknown
  }

export type ClaimCover = MaxCover & { coverCheck: CoverLine[] }

/**
 * The maximum cover of a claim and the five lines of its cover check as at today; no lines where it has no incident
 * date. The maximum is the cover amount for its policy's product, its benefit, and the member's tier on the day of the
 * incident: as it was settled when the claim was handed in, and as it stands while it is a draft.
 */
export async function claimCover(
  { tx, today, currency }: Pick<Cx, "tx" | "today" | "currency">,
  claimId: string,
): Promise<ClaimCover> {
  const found = await tx.preparedRow<Found>(sql`
    select coalesce(c.max_cover_cents, given.max_cover_cents) as "maxCoverCents",
      coalesce(c.cover_percentage, given.cover_percentage) as "coverPercentage",
      c.member_id as "memberId", c.incident_on as "incidentOn",
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
      p.waiting_period_months as "waitingPeriodMonths",
      ${storedSetting("dateFormat")} as "dateFormat", ${storedSetting("premiumGraceDays")} as "graceDays"
    from claims c
    join policies p on p.id = c.policy_id
    left join lateral claim_cover(c.member_id, c.policy_id, c.benefit_id, c.incident_on) given on c.status = 'draft'
    where c.id = ${claimId}`)
  if (!found) return { maxCoverCents: 0, coverPercentage: null, coverCheck: [] }
  const { memberId, coverPercentage, incidentOn, dateFormat, graceDays, ...evidence } = found
  const max = { maxCoverCents: found.maxCoverCents, coverPercentage }
  if (!incidentOn) return { ...max, coverCheck: [] }
  const premiums = await premiumEvidence(tx, memberId, incidentOn)
  const grace = settingValue(billingSettings.premiumGraceDays, graceDays)
  const format = settingValue(platformSettings.dateFormat, dateFormat)
  return {
    ...max,
    coverCheck: coverCheck({ ...evidence, incidentOn, premiums, today, graceDays: grace }, format, currency),
  }
}

/** Every benefit, with what the member's product gives for it at the member's tier on the day; null for no such member. */
export async function benefitsOf(tx: Tx, memberId: string, on: string) {
  return tx.row<{
    tier: string | null
    benefits: { id: string; name: string; maxCoverCents: Cents; coverPercentage: number | null }[]
  }>(sql`
    select t.name as tier, (
      select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name,
        'maxCoverCents', coalesce(pb.cover_amount_cents, 0), 'coverPercentage', pb.cover_percentage) order by lower(b.name)), '[]')
      from benefits b
      left join product_benefits pb on pb.benefit_id = b.id and pb.product_type_id = p.product_type_id and pb.tier_id = t.id
    ) as benefits
    from members m
    join policies p on p.id = m.policy_id
    join benefit_tiers t on t.id = ${tierOn(sql`${on}::date`)}
    where m.id = ${memberId}`)
}

/** Claims for a benefit, for what stands in the way of deleting it. */
export const claimsForBenefit = (benefitId: string): SQL =>
  sql`select number as label from claims where benefit_id = ${benefitId}`

/** Claims that were handed in with a tier, for what stands in the way of deleting it. */
export const claimsAtTier = (tierId: string): SQL =>
  sql`select number as label from claims where cover_tier_id = ${tierId}`

/** Claims that are not over and rest on a product benefit. */
export const claimsUnderProductBenefit = (productBenefitId: string): SQL => sql`
  select c.number as label from product_benefits pb
  join claims c on c.benefit_id = pb.benefit_id
  join policies p on p.id = c.policy_id and p.product_type_id = pb.product_type_id
  join members m on m.id = c.member_id
  where pb.id = ${productBenefitId} and pb.tier_id = ${tierOn(sql`c.incident_on`)} and c.status not in ('rejected', 'paid')`
