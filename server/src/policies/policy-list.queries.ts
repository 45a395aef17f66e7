import { type PolicyRow, policiesContract } from "@milkwood/domain/policies/policies.contract"
import { type PolicyStatus, policyStatuses } from "@milkwood/domain/policies/policy"
import { allowedPolicyActions } from "@milkwood/domain/policies/policy-lifecycle"
import { type SQL, sql } from "drizzle-orm"
import { query } from "../platform/commands.ts"
import { containing } from "../platform/like.ts"
import { asked } from "./policies.queries.ts"

const order: Record<string, SQL> = {
  number: sql.raw("m.number"),
  groupName: sql.raw("lower(m.group_name)"),
  startOn: sql.raw("m.start_on"),
  status: sql.raw("m.status"),
  memberCount: sql.raw("(select count(*) from members c where c.policy_id = m.id and c.status <> 'Terminated')"),
  premiumCents: sql.raw("m.premium_cents"),
  createdAt: sql.raw("m.created_at"),
}

/** The list, its total and the counts of its tabs in one statement; members are counted for the page's rows alone. */
export const listPolicies = query(policiesContract.list, async ({ tx, actor, input }) => {
  const { page, pageSize, status, productTypeId, groupId, startFrom, startTo } = input
  const filters = [
    input.search
      ? sql`(lower(g.name) like ${containing(input.search)} or lower(p.number) like ${containing(input.search)})`
      : undefined,
    productTypeId ? sql`p.product_type_id = ${productTypeId}` : undefined,
    groupId ? sql`p.group_id = ${groupId}` : undefined,
    startFrom ? sql`p.start_on >= ${startFrom}::date` : undefined,
    startTo ? sql`p.start_on <= ${startTo}::date` : undefined,
  ].filter((filter) => filter !== undefined)
  const where = filters.length ? sql.join(filters, sql` and `) : sql`true`
  const ofStatus = status ? sql`m.status = ${status}` : sql`true`
  const direction = sql.raw(input.dir === "asc" ? "asc nulls last" : "desc nulls last")
  const found = await tx.row<{
    rows: Omit<PolicyRow, "allowedActions">[] | null
    counts: Partial<Record<PolicyStatus, number>> | null
  }>(sql`
    with matching as materialized (
      select p.id, p.number, p.group_id, g.name as group_name, pt.name as product_type_name, p.status, p.start_on,
        p.end_on, p.premium_cents, p.created_at
      from policies p join employer_groups g on g.id = p.group_id
      left join product_types pt on pt.id = p.product_type_id
      where ${where}
    ), page as (
      select m.*, row_number() over (order by ${order[input.sort]!} ${direction}, m.number ${sql.raw(input.dir)}) as place
      from matching m where ${ofStatus}
      order by place limit ${pageSize} offset ${(page - 1) * pageSize}
    )
    select
      (select jsonb_object_agg(status, n) from (select status, count(*) as n from matching group by status) s) as counts,
      (select jsonb_agg(jsonb_build_object(
          'id', page.id, 'number', page.number, 'groupId', page.group_id, 'groupName', page.group_name,
          'productTypeName', page.product_type_name, 'status', page.status, 'startOn', page.start_on, 'endOn', page.end_on,
          'premiumCents', page.premium_cents,
          'memberCount', (select count(*) from members c where c.policy_id = page.id and c.status <> 'Terminated')
        ) order by page.place) from page) as rows`)
  const counts = Object.fromEntries(policyStatuses.map((name) => [name, found?.counts?.[name] ?? 0])) as Record<
    PolicyStatus,
    number
  >
  const all = policyStatuses.reduce((sum, name) => sum + counts[name], 0)
  return {
    rows: (found?.rows ?? []).map((row) => ({ ...row, allowedActions: allowedPolicyActions(row, asked(actor)) })),
    total: status ? counts[status] : all,
    counts: { all, ...counts },
  }
})
