import {
  type CoverAmount,
  type CoverYear,
  type DependentCover,
  dependentsText,
} from "@milkwood/domain/benefits/benefit-terms"
import { type Day, formatDay } from "@milkwood/domain/kernel/calendar"
import { type Cents, formatMoney } from "@milkwood/domain/kernel/money"
import { coverText } from "@milkwood/domain/letters/cover-text"
import { type LetterRow, letterKindNames } from "@milkwood/domain/letters/letter"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import type { PolicyStatus } from "@milkwood/domain/policies/policy"
import { sql } from "drizzle-orm"
import { productBenefitColumns, productBenefitTerms } from "../benefits/benefits.queries.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { addressee } from "../policies/addressee.queries.ts"
import { policyRecipients } from "../policies/policy-recipients.ts"
import { addressLines, type LetterSource, letterChoiceOf } from "./letter-source.ts"

interface PolicyFacts {
  id: string
  number: string
  groupId: string
  status: PolicyStatus
  group: string
  contactName: string
  contactEmail: string
  address: string
  startOn: Day | null
  endOn: Day | null
  productTypeId: string | null
  productType: string | null
  sumAssuredCents: Cents | null
  waitingPeriodMonths: number
  members: number
}

interface BenefitFacts {
  benefit: string
  tier: string
  coverAmountCents: Cents | null
  salaryMultiple: number | null
  coverPercentage: number | null
  incidentLimitCents: Cents | null
  yearLimitCents: Cents | null
  coverYear: CoverYear | null
  dependents: DependentCover[] | null
}

/** Letters to an employer. They read terms and counts only: no member, claim or note, so no medical fact. */
export async function loadPolicyLetters(cx: Cx, policyId: string): Promise<LetterSource> {
  const { today, currency } = cx
  const policy = await cx.tx.row<PolicyFacts>(sql`
    select p.id, p.number, p.group_id as "groupId", p.status, g.name as "group", p.contact_name as "contactName",
      ${policyRecipients("notices").to} as "contactEmail", (${addressee}) ->> 'address' as address, p.start_on as "startOn", p.end_on as "endOn",
      terms.product_type_id as "productTypeId", pt.name as "productType", terms.sum_assured_cents as "sumAssuredCents",
      terms.waiting_period_months as "waitingPeriodMonths", (
        select count(*) from member_covers c
        where c.policy_id = p.id and c.superseded_at is null and c.kind = 'covered' and c.valid @> ${today}::date) as members
    from policies p
    join employer_groups g on g.id = p.group_id
    cross join lateral policy_terms_on(p.id, ${today}::date) terms
    left join product_types pt on pt.id = terms.product_type_id
    where p.id = ${policyId}`)
  if (!policy) throw refused("NOT_FOUND")
  return {
    record: { kind: "policy", id: policy.id, label: policy.number },
    groupId: policy.groupId,
    memberId: null,
    choices: policy.status === "Active" ? [letterChoiceOf("policy_schedule", letterKindNames.policy_schedule)] : [],
    contentOf: async () => {
      const { dateFormat } = await readSettings(cx.tx, platformSettings)
      const day = (on: Day) => formatDay(on, dateFormat)
      const row = (label: string, value: string): LetterRow => ({ label, value, isTotal: false })
      const months = policy.waitingPeriodMonths
      const benefits = await cx.tx.rows<BenefitFacts>(sql`
        select ${productBenefitColumns}
        from product_benefits pb
        join product_types pt on pt.id = pb.product_type_id
        join benefits b on b.id = pb.benefit_id
        join benefit_tiers t on t.id = pb.tier_id
        ${productBenefitTerms(today)}
        where pb.product_type_id = ${policy.productTypeId} and today.id is not null
        order by lower(b.name), t.position`)
      const name = policy.contactName || policy.group
      const company = policy.contactName ? [policy.group] : []
      return {
        addressee: [...addressLines(name, ""), ...company, ...addressLines("", policy.address)],
        email: policy.contactEmail,
        values: {
          ...{ policy: policy.number, group: policy.group },
          terms: [
            row("Policyholder", policy.group),
            ...(policy.productType ? [row("Product", policy.productType)] : []),
            ...(policy.startOn ? [row("Policy starts on", day(policy.startOn))] : []),
            row("Policy ends on", policy.endOn ? day(policy.endOn) : "No end date"),
            ...(policy.sumAssuredCents ? [row("Sum assured", formatMoney(policy.sumAssuredCents, currency))] : []),
            row("Waiting period", months === 0 ? "None" : `${months} ${months === 1 ? "month" : "months"}`),
            row(`Members covered on ${day(today)}`, String(policy.members)),
          ],
          benefits:
            benefits.length === 0
              ? [row("No benefits are set up for this product.", "")]
              : benefits.map((benefit) => benefitRow(benefit, (cover) => coverText(cover, currency))),
        },
      }
    },
  }
}

function benefitRow(found: BenefitFacts, text: (cover: CoverAmount & { coverYear: CoverYear }) => string): LetterRow {
  const { benefit, tier, dependents, coverAmountCents, coverPercentage, coverYear, ...limits } = found
  const cover = { ...limits, amountCents: coverAmountCents ?? 0, percentage: coverPercentage ?? 0 }
  const insured = dependents?.length === 0 ? "member only" : `dependents: ${dependentsText(dependents).toLowerCase()}`
  return {
    label: `${benefit}, ${tier} (${insured})`,
    value: text({ ...cover, coverYear: coverYear ?? "calendar" }),
    isTotal: false,
  }
}
