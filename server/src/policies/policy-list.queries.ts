import type { Day } from "@milkwood/domain/kernel/calendar"
import { type PolicyRow, policiesContract } from "@milkwood/domain/policies/policies.contract"
import { policiesList } from "@milkwood/domain/policies/policies.list"
import { expiringWithinDays } from "@milkwood/domain/policies/policy"
import { allowedPolicyActions } from "@milkwood/domain/policies/policy-lifecycle"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import type { SourceCx } from "../platform/lists/source.ts"
import { memberCount, shownPolicyPremium } from "./policies.ports.ts"

export const expiresSoon = (status: string, endOn: string, today: Day): SQL => sql`
  (${sql.raw(status)} in ('Active', 'Suspended') and ${sql.raw(endOn)} between ${today}::date and ${today}::date + ${expiringWithinDays}::int)`

export const policies = new List<typeof policiesList, PolicyRow>(policiesList, {
  select: ({ today }) => sql`
    select p.id, p.number, p.group_id as "groupId", g.name as "groupName", t.name as "productTypeName", p.status,
      p.start_on as "startOn", p.end_on as "endOn",
      case when p.rate_table_id is null then p.premium_cents end as "premiumCents",
      r.cents as "monthlyPremiumCents", r.unrated, ${memberCount(sql`p.id`)} as "memberCount",
      p.created_at as "_createdAt", p.group_id as "_groupId", p.product_type_id as "_productTypeId",
      lower(p.number) as _number, lower(g.name) as _group
    from policies p
    left join employer_groups g on g.id = p.group_id
    left join product_types t on t.id = p.product_type_id
    left join lateral (${shownPolicyPremium(today)}) r on true`,
  groupScoped: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._number`, pattern) },
  ],
  sortColumns: {
    groupName: ["_group"],
    createdAt: ["_createdAt", "number"],
    startOn: ["startOn nulls last"],
    premiumCents: ["premiumCents nulls last"],
  },
  filters: { expiring: (_: true, { today }) => expiresSoon("s.status", 's."endOn"', today) },
  present: (row: Omit<PolicyRow, "allowedActions">, { actor, today }: SourceCx) => ({
    ...row,
    allowedActions: allowedPolicyActions(row, ruleActor(actor), today),
  }),
})

export const listPolicies = query(policiesContract.list, (cx) => policies.page(cx, cx.input))
