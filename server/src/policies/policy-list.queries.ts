import { type PolicyRow, policiesContract } from "@milkwood/domain/policies/policies.contract"
import { type PolicyStatus, policyStatuses } from "@milkwood/domain/policies/policy"
import { allowedPolicyActions } from "@milkwood/domain/policies/policy-lifecycle"
import type { InferSchemaOutput } from "@orpc/contract"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { within } from "../platform/database/day-range.ts"
import { containing } from "../platform/database/like.ts"
import { inPlace } from "../platform/lists/list-export.ts"

const order: Record<string, SQL> = {
  number: sql.raw("m.number"),
  groupName: sql.raw("lower(m.group_name)"),
  startOn: sql.raw("m.start_on"),
  status: sql.raw("m.status"),
  memberCount: sql.raw("(select count(*) from members c where c.policy_id = m.id and c.status <> 'Terminated')"),
  premiumCents: sql.raw("m.premium_cents"),
  createdAt: sql.raw("m.created_at"),
}

export type PoliciesInput = InferSchemaOutput<NonNullable<(typeof policiesContract.list)["~orpc"]["inputSchema"]>>
type StoredRow = Omit<PolicyRow, "allowedActions">

/** Every policy, as lists match, sort and show it. */
const policies = sql.raw(`
  select p.id, p.number, p.group_id, g.name as group_name, pt.name as product_type_name, p.status, p.start_on,
    p.end_on, p.premium_cents, p.created_at
  from policies p join employer_groups g on g.id = p.group_id
  left join product_types pt on pt.id = p.product_type_id`)

/** The policies that a search and its filters match, whatever their status. */
function matched({ search, productTypeId, groupId, startFrom, startTo }: PoliciesInput): SQL {
  const filters = [
    search ? sql`(lower(g.name) like ${containing(search)} or lower(p.number) like ${containing(search)})` : undefined,
    productTypeId ? sql`p.product_type_id = ${productTypeId}` : undefined,
    groupId ? sql`p.group_id = ${groupId}` : undefined,
    within(sql`p.start_on`, startFrom, startTo),
  ].filter((filter) => filter !== undefined)
  return sql`${policies} where ${sql.join(filters, sql` and `)}`
}

const ofStatus = ({ status }: PoliciesInput): SQL => (status ? sql`m.status = ${status}` : sql`true`)

/** The order of the list over `m`; the number makes it total. */
const inOrder = ({ sort, dir }: PoliciesInput): SQL =>
  sql`${order[sort]!} ${sql.raw(dir)} nulls last, m.number ${sql.raw(dir)}`

/** The rows of `page`, in their places; members are counted for them alone. */
const rowsOfPage = sql.raw(`
  (select coalesce(jsonb_agg(jsonb_build_object(
      'id', page.id, 'number', page.number, 'groupId', page.group_id, 'groupName', page.group_name,
      'productTypeName', page.product_type_name, 'status', page.status, 'startOn', page.start_on, 'endOn', page.end_on,
      'premiumCents', page.premium_cents,
      'memberCount', (select count(*) from members c where c.policy_id = page.id and c.status <> 'Terminated')
    ) order by page.place), '[]') from page)`)

const present = (row: StoredRow, actor: Actor): PolicyRow => ({
  ...row,
  allowedActions: allowedPolicyActions(row, ruleActor(actor)),
})

/** The statement of every policy that the list matches, in its order. */
export function matchingPolicies(_cx: Cx, input: PoliciesInput, only: (column: SQL) => SQL): SQL {
  return sql`
    select m.id from (${matched(input)}) m where ${ofStatus(input)} and ${only(sql`m.id`)} order by ${inOrder(input)}`
}

/** The rows of these policies, in their order. */
export async function policyRowsOf({ tx, actor }: Cx, ids: string[]): Promise<PolicyRow[]> {
  const found = await tx.row<{ rows: StoredRow[] }>(sql`
    with page as (select m.*, asked.place from (${policies}) m join ${inPlace(ids)} on asked.id = m.id)
    select ${rowsOfPage} as rows`)
  return found!.rows.map((row) => present(row, actor))
}

/** The list, its total and the counts of its tabs in one statement. */
export const listPolicies = query(policiesContract.list, async ({ tx, actor, input }) => {
  const { page, pageSize, status } = input
  const found = await tx.row<{
    rows: StoredRow[]
    counts: Partial<Record<PolicyStatus, number>> | null
  }>(sql`
    with matching as materialized (${matched(input)}), page as (
      select m.*, row_number() over (order by ${inOrder(input)}) as place
      from matching m where ${ofStatus(input)}
      order by place limit ${pageSize} offset ${(page - 1) * pageSize}
    )
    select
      (select jsonb_object_agg(status, n) from (select status, count(*) as n from matching group by status) s) as counts,
      ${rowsOfPage} as rows`)
  const counts = Object.fromEntries(policyStatuses.map((name) => [name, found?.counts?.[name] ?? 0])) as Record<
    PolicyStatus,
    number
  >
  const all = policyStatuses.reduce((sum, name) => sum + counts[name], 0)
  return {
    rows: found!.rows.map((row) => present(row, actor)),
    total: status ? counts[status] : all,
    counts: { all, ...counts },
  }
})
