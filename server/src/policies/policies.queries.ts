import type { Fact } from "@milkwood/domain/facts"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { namesIn, pick } from "@milkwood/domain/kernel/declared-field"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { CoverTerm } from "@milkwood/domain/policies/cover-terms"
import type { EndRule } from "@milkwood/domain/policies/end-rule"
import { type PolicyChoice, type PolicyDetail, policiesContract } from "@milkwood/domain/policies/policies.contract"
import type { Policy, PolicySection } from "@milkwood/domain/policies/policy"
import { policyFields } from "@milkwood/domain/policies/policy-fields"
import { allowedPolicyActions } from "@milkwood/domain/policies/policy-lifecycle"
import { findWaitingErrors, missingRequirements } from "@milkwood/domain/policies/policy-rules"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { namedColumnsOf } from "../platform/database/declared-fields.ts"
import { containsPattern } from "../platform/database/like.ts"
import { timeline } from "../platform/trail/facts.ts"
import {
  hasMembers,
  hasStaffListInProgress,
  hasStaffLists,
  memberCount,
  memberCounts,
  shownPolicyPremium,
} from "./policies.ports.ts"
import { isMissing } from "./policy-documents.queries.ts"
import { hasSalaryRates } from "./rates.queries.ts"

const policyColumns = sql`
  p.id, p.group_id as "groupId", p.number, p.status, p.status_reason as "statusReason",
  p.terminated_on as "terminatedOn", p.activated_at as "activatedAt", p.rate_table_id as "rateTableId", p.version,
  g.name as "groupName", p.product_type_id as "productTypeId", p.start_on as "startOn", p.end_on as "endOn",
  p.premium_cents as "premiumCents", p.sum_assured_cents as "sumAssuredCents",
  p.waiting_period_months as "waitingPeriodMonths",
  p.billed_from_on as "billedFromOn", p.end_rule as "endRule", p.due_days as "dueDays", p.staff_list_day as "staffListDay",
  p.staff_lists_from_on as "staffListsFromOn", ${namedColumnsOf(policyFields, "p")}`

/** Reads a policy without a lock, for other modules. NOT_FOUND if the actor may not see the policy. */
export async function readPolicy(tx: Tx, policyId: string): Promise<Policy> {
  const policy = await tx.row<Policy>(sql`
    select ${policyColumns} from policies p join employer_groups g on g.id = p.group_id where p.id = ${policyId}`)
  if (!policy) throw refused("NOT_FOUND", "This policy does not exist.")
  return policy
}

/** Excludes terminated members. */
export async function countMembers(tx: Tx, policyId: string): Promise<number> {
  const row = await tx.row<{ members: number }>(sql`select ${memberCount(sql`${policyId}`)} as members`)
  return row!.members
}

interface DraftContents {
  members: boolean
  staffLists: boolean
  documents: boolean
  /** True while a staff list is checked or imported. */
  isStaffListRunning: boolean
}

export async function readDraftContents(tx: Tx, policyId: string): Promise<DraftContents> {
  const row = await tx.row<DraftContents>(
    sql`select ${hasMembers(policyId)} as members, ${hasStaffLists(policyId)} as "staffLists",
      exists (select from policy_documents where policy_id = ${policyId}) as documents,
      ${hasStaffListInProgress(policyId)} as "isStaffListRunning"`,
  )
  return row!
}

type PolicyDetailRow = Policy & {
  monthlyPremiumCents: PolicyDetail["monthlyPremiumCents"]
  unrated: PolicyDetail["unrated"]
  productTypeName: string | null
  createdAt: string
  updatedAt: string
  members: PolicyDetail["members"]
  upcomingPremium: PolicyDetail["upcomingPremium"]
  upcomingEndRule: PolicyDetail["upcomingEndRule"]
  upcomingProductType: PolicyDetail["upcomingProductType"]
  upcomingOwningFund: PolicyDetail["upcomingOwningFund"]
  upcomingSumAssured: PolicyDetail["upcomingSumAssured"]
  upcomingWaitingPeriod: PolicyDetail["upcomingWaitingPeriod"]
  documents: number
  missingDocuments: string[]
}

/** The next value of a term of policy `p`, set for a later day and different from today's. */
const upcomingTerm = (term: CoverTerm, column: string, today: Day, value: SQL): SQL => sql`(
        select jsonb_build_object('fromOn', lower(ct.valid), ${value}) from policy_cover_terms ct
        where ct.policy_id = p.id and ct.term = ${term} and ct.superseded_at is null and lower(ct.valid) > ${today}::date
          and ct.${sql.raw(column)} is distinct from p.${sql.raw(column)}
        order by lower(ct.valid) limit 1)`

export async function readPolicyDetail(
  cx: Pick<Cx, "tx" | "actor" | "today">,
  policyId: string,
): Promise<PolicyDetail> {
  const row = await cx.tx.row<PolicyDetailRow>(sql`
    select ${policyColumns}, pt.name as "productTypeName",
      p.created_at as "createdAt", p.updated_at as "updatedAt",
      ${memberCounts()} as members, r.cents as "monthlyPremiumCents", r.unrated,
      (select jsonb_build_object('fromOn', lower(pp.valid),
          'premiumCents', case when pp.rate_table_id is null then pp.premium_cents end)
        from policy_premiums pp
        where pp.policy_id = p.id and pp.superseded_at is null and lower(pp.valid) > ${cx.today}::date
          and (pp.premium_cents, pp.rate_table_id) is distinct from (p.premium_cents, p.rate_table_id)
        order by lower(pp.valid) limit 1) as "upcomingPremium",
      (select jsonb_build_object('rule', er.rule, 'fromOn', lower(er.valid))
        from policy_end_rules er
        where er.policy_id = p.id and er.superseded_at is null and lower(er.valid) > ${cx.today}::date
          and er.rule <> p.end_rule
        order by lower(er.valid) limit 1) as "upcomingEndRule",
      ${upcomingTerm(
        "product type",
        "product_type_id",
        cx.today,
        sql`'productTypeId', ct.product_type_id, 'name',
        (select name from product_types where id = ct.product_type_id)`,
      )} as "upcomingProductType",
      ${upcomingTerm("owning fund", "owning_fund", cx.today, sql`'owningFund', ct.owning_fund`)} as "upcomingOwningFund",
      ${upcomingTerm("sum assured", "sum_assured_cents", cx.today, sql`'sumAssuredCents', ct.sum_assured_cents`)} as "upcomingSumAssured",
      ${upcomingTerm("waiting period", "waiting_period_months", cx.today, sql`'waitingPeriodMonths', ct.waiting_period_months`)} as "upcomingWaitingPeriod",
      (select count(*) from policy_documents d where d.policy_id = p.id) as documents,
      array(select t.name from policy_document_types t where ${isMissing} order by lower(t.name)) as "missingDocuments"
    from policies p join employer_groups g on g.id = p.group_id
    left join product_types pt on pt.id = p.product_type_id
    left join lateral (${shownPolicyPremium(cx.today)}) r on true
    where p.id = ${policyId}`)
  if (!row) throw refused("NOT_FOUND", "This policy does not exist.")
  const { members, groupName, productTypeId, startOn, endOn } = row
  const section = <Name extends PolicySection>(name: Name) => pick(row, namesIn(policyFields, name))
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    statusReason: row.statusReason,
    terminatedOn: row.terminatedOn,
    groupId: row.groupId,
    productTypeName: row.productTypeName,
    information: { groupName, ...section("information"), productTypeId, startOn, endOn },
    coverage: {
      ...section("coverage"),
      premiumCents: row.premiumCents,
      sumAssuredCents: row.sumAssuredCents,
      waitingPeriodMonths: row.waitingPeriodMonths,
    },
    terms: pick(row, ["billedFromOn", "endRule", "dueDays", "staffListDay"]),
    contact: section("contact"),
    rated: row.rateTableId !== null,
    upcomingPremium: row.upcomingPremium,
    upcomingEndRule: row.upcomingEndRule,
    upcomingProductType: row.upcomingProductType,
    upcomingOwningFund: row.upcomingOwningFund,
    upcomingSumAssured: row.upcomingSumAssured,
    upcomingWaitingPeriod: row.upcomingWaitingPeriod,
    members,
    monthlyPremiumCents: row.monthlyPremiumCents,
    unrated: row.unrated,
    missing:
      row.status === "Draft"
        ? missingRequirements({ ...row, members: members.total, rated: row.rateTableId !== null })
        : [],
    documents: row.documents,
    missingDocuments: row.missingDocuments,
    allowedActions: allowedPolicyActions(row, ruleActor(cx.actor), cx.today),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    version: row.version,
  }
}

export const policyDetailQuery = query(policiesContract.detail, (cx) => readPolicyDetail(cx, cx.input.policyId))

export const datedTerms = query(policiesContract.datedTerms, async ({ tx, input }) => {
  await readPolicy(tx, input.policyId)
  const dated = (table: "policy_premiums" | "policy_end_rules") =>
    sql`from ${sql.raw(table)} f where f.policy_id = ${input.policyId} and f.superseded_at is null order by lower(f.valid)`
  const terms = await tx.rows<{ term: CoverTerm; fromOn: Day; name: string } & CoverTermColumns>(sql`
    select f.term, lower(f.valid) as "fromOn", f.product_type_id as "productTypeId", pt.name,
      f.sum_assured_cents as "sumAssuredCents", f.waiting_period_months as "waitingPeriodMonths",
      f.owning_fund as "owningFund"
    from policy_cover_terms f left join product_types pt on pt.id = f.product_type_id
    where f.policy_id = ${input.policyId} and f.superseded_at is null order by lower(f.valid)`)
  const of = (term: CoverTerm) => terms.filter((row) => row.term === term)
  return {
    premiums: await tx.rows<{ fromOn: Day; premiumCents: Cents | null }>(sql`
      select lower(f.valid) as "fromOn", case when f.rate_table_id is null then f.premium_cents end as "premiumCents"
      ${dated("policy_premiums")}`),
    endRules: await tx.rows<{ fromOn: Day; rule: EndRule }>(sql`
      select lower(f.valid) as "fromOn", f.rule ${dated("policy_end_rules")}`),
    productTypes: of("product type").map(({ fromOn, productTypeId, name }) => ({
      ...{ fromOn, name },
      productTypeId: productTypeId!,
    })),
    owningFunds: of("owning fund").map(({ fromOn, owningFund }) => ({ fromOn, owningFund: owningFund! })),
    sumsAssured: of("sum assured").map(({ fromOn, sumAssuredCents }) => ({ fromOn, sumAssuredCents })),
    waitingPeriods: of("waiting period").map(({ fromOn, waitingPeriodMonths }) => ({
      fromOn,
      waitingPeriodMonths: waitingPeriodMonths!,
    })),
  }
})

interface CoverTermColumns {
  productTypeId: string | null
  sumAssuredCents: Cents | null
  waitingPeriodMonths: number | null
  owningFund: string | null
}

/** NOT_FOUND if the actor may not see the policy, instead of an empty trail. */
export const policyActivity = query(policiesContract.activity, async (cx) => {
  await readPolicy(cx.tx, cx.input.policyId)
  const hidden = !seesAllGroups(cx.actor)
  // Document names and deletion reasons are shown only to readers of every document type.
  const entries = await timeline(cx, "policy", cx.input.policyId, {
    before: cx.input.before,
    hide: (field) => hidden && field === "document",
  })
  return entries.map((entry) =>
    hidden && entry.fact === ("PolicyDocumentDeleted" satisfies Fact["type"]) ? { ...entry, reason: null } : entry,
  )
})

export const pickPolicies = query(policiesContract.pick, async ({ tx, input, today }) => {
  const pattern = containsPattern(input.search)
  return tx.rows<PolicyChoice>(sql`
    select p.id, p.number, p.group_id as "groupId", g.name as "groupName", p.status, p.product_type_id as "productTypeId",
      p.start_on as "startOn", p.end_on as "endOn",
      case when p.rate_table_id is null then p.premium_cents end as "premiumCents",
      ${hasSalaryRates(sql`p.id`, today)} as "bySalary"
    from policies p join employer_groups g on g.id = p.group_id
    where (lower(g.name) like ${pattern} or lower(p.number) like ${pattern})
      and (${input.id ?? null}::uuid is null or p.id = ${input.id ?? null}::uuid)
      and (${sql.param(input.statuses ?? null)}::text[] is null or p.status = any (${sql.param(input.statuses ?? null)}::text[]))
    order by lower(g.name), p.number limit 20`)
})

export async function readProductTypeName({ tx }: Pick<Cx, "tx">, id: string | null): Promise<string | null> {
  const row = await tx.row<{ name: string }>(sql`select name from product_types where id = ${id}::uuid`)
  return row?.name ?? null
}

/** Policies that use or used a product type, which therefore cannot be deleted. */
export const policiesOfProductType = (productTypeId: string): SQL => sql`
  select number as label from policies p where product_type_id = ${productTypeId}
  or exists (select from policy_cover_terms t where t.policy_id = p.id and t.product_type_id = ${productTypeId})`

export const openPolicyNumbers = (groupId: SQL): SQL => sql`array(
  select p.number from policies p
  where p.group_id = ${groupId} and p.status not in ('Terminated', 'Expired') order by p.number)`

/** Without drafts, which are checked when they are saved and activated, and ended policies. */
export async function policiesWithLongWaiting(
  { tx, today }: Pick<Cx, "tx" | "today">,
  productTypeId: string,
): Promise<{ number: string; waitingPeriodMonths: number }[]> {
  const policies = await tx.rows<{
    number: string
    startOn: Day
    endOn: Day | null
    waitingPeriodMonths: number
  }>(sql`
    select p.number, p.start_on as "startOn", p.end_on as "endOn",
      max(t.waiting_period_months) as "waitingPeriodMonths"
    from policies p
    cross join lateral (
      select ${today}::date as day
      union
      select lower(f.valid) from policy_cover_terms f
      where f.policy_id = p.id and f.superseded_at is null and lower(f.valid) > ${today}::date
    ) change
    cross join lateral policy_terms_on(p.id, change.day) t
    where p.status in ('Active', 'Suspended') and t.product_type_id = ${productTypeId}
    group by p.id order by p.number`)
  return policies.filter((policy) => findWaitingErrors(policy, { isFuneral: true }).length > 0)
}

export const policyCount = (groupId: SQL): SQL => sql`(select count(*) from policies p where p.group_id = ${groupId})`
