import type { CoverGap, CoverYear, InsuredKind } from "@milkwood/domain/benefits/benefit-terms"
import { benefitsSettings } from "@milkwood/domain/benefits/benefits-settings"
import { type ChildCap, childCapOn } from "@milkwood/domain/benefits/child-cap"
import { addMonths, ageOn, type Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { dependentName, isDependentCovered, tierOn } from "./cover.queries.ts"

interface StoredBenefit {
  benefitId: string
  benefit: string
  paysDeath: boolean
  gap: CoverGap | null
  maxCoverCents: Cents | null
  salaryMultiple: number | null
  coverPercentage: number | null
  incidentLimitCents: Cents | null
  yearLimitCents: Cents | null
  coverYear: CoverYear | null
  coveredSince: Day | null
  waitingPeriodMonths: number
}

interface StoredPerson {
  dependentId: string | null
  name: string
  insured: InsuredKind
  bornOn: Day | null
  cover: "covered" | "suspended" | "none"
  benefits: StoredBenefit[]
}

export type CoveredPerson = Awaited<ReturnType<typeof loadCoverage>>["persons"][number]

/** A maximum of 0 means none. */
const exceedsCap = (maxCoverCents: Cents, { amountCents }: ChildCap): boolean =>
  maxCoverCents === 0 || maxCoverCents > amountCents

/**
 * The cover of a member and the dependents on a day, with amounts that depend on salaries. NOT_FOUND.
 */
export async function loadCoverage(tx: Tx, memberId: string, on: Day) {
  const found = await tx.row<{ tier: string; productType: string | null; persons: StoredPerson[] }>(sql`
    with persons as (
      select null::uuid as dependent_id, m.first_name || ' ' || m.last_name as name, 'member' as insured,
        m.date_of_birth as born_on, true as is_covered, -1 as position
      from members m where m.id = ${memberId}
      union all
      select d.id, ${dependentName}, d.relationship, d.date_of_birth, ${isDependentCovered(sql`${on}::date`)}, d.position
      from dependents d where d.member_id = ${memberId}
    )
    select t.name as tier, pt.name as "productType", (
      select jsonb_agg(jsonb_build_object('dependentId', p.dependent_id, 'name', p.name, 'insured', p.insured,
        'bornOn', p.born_on, 'cover', case when p.is_covered then coalesce(mc.kind, 'none') else 'none' end,
        'benefits', (
          select coalesce(jsonb_agg(jsonb_build_object('benefitId', b.id, 'benefit', b.name, 'gap', c.gap,
            'paysDeath', 'death' = any (b.claim_types),
            'maxCoverCents', c.max_cover_cents, 'salaryMultiple', c.salary_multiple, 'coverPercentage', c.cover_percentage,
            'incidentLimitCents', c.incident_limit_cents, 'yearLimitCents', c.year_limit_cents, 'coverYear', c.cover_year,
            'coveredSince', c.covered_since, 'waitingPeriodMonths', c.waiting_period_months) order by lower(b.name)), '[]')
          from benefits b
          cross join lateral cover_of(m.id, p.dependent_id, b.id, ${on}::date) c
          where exists (select from product_benefits pb
            where pb.benefit_id = b.id and pb.product_type_id = terms.product_type_id)
        )) order by p.position, p.name)
      from persons p
    ) as persons
    from members m
    cross join lateral policy_terms_on(m.policy_id, ${on}::date) terms
    join benefit_tiers t on t.id = ${tierOn(sql`${on}::date`)}
    left join product_types pt on pt.id = terms.product_type_id
    left join member_covers mc on mc.member_id = m.id and mc.superseded_at is null and mc.valid @> ${on}::date
    where m.id = ${memberId}`)
  if (!found) throw refused("NOT_FOUND")
  const { childCoverCaps } = await readSettings(tx, benefitsSettings)
  return {
    ...found,
    persons: found.persons.map(({ bornOn, benefits, ...person }) => {
      const age = bornOn === null || bornOn > on ? null : ageOn(bornOn, on)
      const cap = childCapOn(childCoverCaps, { ...person, age }, on)
      return {
        ...person,
        age,
        benefits: benefits.map(({ waitingPeriodMonths, coverPercentage, paysDeath, ...benefit }) => ({
          ...benefit,
          childCapCents:
            cap && paysDeath && benefit.gap === null && exceedsCap(benefit.maxCoverCents ?? 0, cap)
              ? cap.amountCents
              : null,
          coverPercentage: coverPercentage || 100,
          claimableFrom: benefit.coveredSince && addMonths(benefit.coveredSince, waitingPeriodMonths),
        })),
      }
    }),
  }
}

export const readCoverage = query(membersContract.coverage, async ({ tx, actor, input }) => {
  const coverage = await loadCoverage(tx, input.memberId, input.on)
  if (hasPermission(ruleActor(actor).role, "members.salary")) return coverage
  return {
    ...coverage,
    persons: coverage.persons.map((person) => ({
      ...person,
      benefits: person.benefits.map((benefit) => ({
        ...benefit,
        maxCoverCents: benefit.salaryMultiple === null ? benefit.maxCoverCents : null,
      })),
    })),
  }
})
