import { type ClaimStatus, type ClaimTab, claimStatuses, claimTabs } from "@milkwood/domain/claims/claim"
import {
  assignedTo,
  claimPriority,
  highlightOverDays,
  type PendingState,
  pendingState,
} from "@milkwood/domain/claims/claim-priority"
import { type ClaimRow, claimsContract, type PendingRow } from "@milkwood/domain/claims/claims.contract"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { InferSchemaOutput } from "@orpc/contract"
import { type SQL, sql } from "drizzle-orm"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { within } from "../platform/database/day-range.ts"
import { containing } from "../platform/database/like.ts"
import { inPlace } from "../platform/lists/list-export.ts"
import { benefitsOf } from "./claim-cover.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import {
  decidedAt,
  inOrder,
  matchTables,
  pageOf,
  pendingClaims,
  pendingColumns,
  presentRow,
  rowsOf,
  type StoredPendingRow,
  type StoredRow,
} from "./claim-rows.queries.ts"

export const readClaim = query(claimsContract.detail, (cx) => claimDetail(cx, cx.input.claimId))

export const listClaimBenefits = query(claimsContract.benefits, async ({ tx, input, today }) => {
  const found = await benefitsOf(tx, input.memberId, input.incidentOn ?? today)
  if (!found) throw refused("NOT_FOUND")
  return found
})

const listSorts = {
  number: [sql`number`],
  member: [sql`last_name_key`, sql`name_key`],
  group: [sql`lower(group_name)`],
  requestedAmount: [sql`requested_amount_cents`],
  incidentOn: [sql`incident_on`],
  status: [sql`array_position(${sql.param([...claimStatuses])}::text[], status)`],
  submittedAt: [sql`submitted_at`],
  decidedAt: [sql`decided_at`],
}

export type ClaimsInput = InferSchemaOutput<NonNullable<(typeof claimsContract.list)["~orpc"]["inputSchema"]>>

/** The claims that a search and its filters match, whatever the tab and the status. */
async function matchedClaims({ app }: Pick<Cx, "app">, input: ClaimsInput): Promise<SQL> {
  const { search, policyId, memberId, submittedFrom, submittedTo, decidedFrom, decidedTo } = input
  const zone = await app.timezone()
  const pattern = containing(search)
  return sql`
    select c.id, c.number, c.status, c.submitted_at, ${decidedAt} as decided_at, c.incident_on, c.requested_amount_cents, m.last_name_key,
      m.name_key, g.name as group_name
    ${matchTables}
    where (${search} = '' or c.number ilike ${pattern} or m.name_key like ${pattern} or lower(g.name) like ${pattern})
      ${policyId ? sql`and c.policy_id = ${policyId}` : sql``}
      ${memberId ? sql`and c.member_id = ${memberId}` : sql``}
      and ${within(sql`(c.submitted_at at time zone ${zone})::date`, submittedFrom, submittedTo)}
      and ${within(sql`(${decidedAt} at time zone ${zone})::date`, decidedFrom, decidedTo)}`
}

/** The statement of every claim that the list matches, in its order. */
export async function matchingClaims(cx: Cx, input: ClaimsInput, only: (column: SQL) => SQL): Promise<SQL> {
  return sql`
    select id from (${await matchedClaims(cx, input)}) matched
    where ${inView(input)} and ${only(sql`id`)} order by ${inOrder(listSorts[input.sort], input.dir)}`
}

/** The rows of these claims, in their order. */
export async function claimRowsOf({ tx, actor }: Cx, ids: string[]): Promise<ClaimRow[]> {
  const found = await tx.row<{ rows: StoredRow[] }>(sql`
    with page as (select id, place as position from ${inPlace(ids)})
    select ${rowsOf(actor)} as rows`)
  return found!.rows.map((row) => presentRow(row, actor))
}

/** One statement: the page, the counts of every tab under the same search and filters, and the totals. */
export const listClaims = query(claimsContract.list, async ({ tx, actor, input, app }) => {
  const found = (await tx.row<{
    rows: StoredRow[]
    total: number
    counts: Record<ClaimTab, number>
    summary: Record<"all" | "pending" | "approved", number>
    totalValueCents: Cents
    requestedTotalCents: Cents
  }>(sql`
    with matched as (${await matchedClaims({ app }, input)}),
    in_tab as (select * from matched where ${inView(input)}),
    page as (${pageOf(sql`in_tab`, listSorts[input.sort], input)})
    select ${rowsOf(actor)} as rows,
      (select count(*) from in_tab) as total,
      (select coalesce(sum(requested_amount_cents), 0)::bigint from in_tab) as "requestedTotalCents",
      (select jsonb_build_object('all', ${countOf(input, "all")}, 'pending', ${countOf(input, "pending")},
        'approved', ${countOf(input, "approved")}, 'rejected', ${countOf(input, "rejected")}) from matched) as counts,
      (select jsonb_build_object('all', count(*), 'pending', ${countOf({}, "pending")},
        'approved', ${countOf({}, "approved")}) from matched) as summary,
      (select coalesce(sum(requested_amount_cents), 0)::bigint from matched) as "totalValueCents"`))!
  return { ...found, rows: found.rows.map((row) => presentRow(row, actor)) }
})

/** The tab, and of it the status that was chosen. */
const inView = ({ tab, status }: Pick<ClaimsInput, "tab" | "status">): SQL =>
  isOneOf(status ? claimTabs[tab].filter((each) => each === status) : claimTabs[tab])

const countOf = ({ status }: Pick<ClaimsInput, "status">, tab: ClaimTab): SQL =>
  sql`count(*) filter (where ${inView({ tab, status })})`

function isOneOf(statuses: readonly ClaimStatus[]): SQL {
  return sql`status = any (${sql.param([...statuses])}::text[])`
}

const pendingSorts = {
  priority: [sql`case when urgent then 0 when high then 1 else 2 end`, sql`-waiting_days`],
  waitingDays: [sql`waiting_days`],
  number: [sql`number`],
  member: [sql`last_name_key`, sql`name_key`],
  requestedAmount: [sql`requested_amount_cents`],
}

const inState: Record<PendingState, SQL> = {
  "Pending Review": sql`status = 'submitted' and cardinality(requested_documents) = 0`,
  "Documentation Required": sql`cardinality(requested_documents) > 0`,
  "Under Assessment": sql`status <> 'submitted' and cardinality(requested_documents) = 0`,
}

export const listPendingClaims = query(claimsContract.pending, async ({ tx, app, actor, today, input }) => {
  const found = (await tx.row<{
    rows: StoredPendingRow[]
    total: number
    requestedTotalCents: Cents
    summary: { pending: number; urgent: number; documentationRequired: number; overdue: number; forMe: number }
  }>(sql`
    with pending as (${pendingClaims(actor, today, await app.timezone(), input.search)}),
    chosen as (
      select * from pending where true
        ${input.state ? sql`and ${inState[input.state]}` : sql``}
        ${input.urgent ? sql`and urgent` : sql``}
        ${input.overdue ? sql`and waiting_days > ${highlightOverDays}` : sql``}
        ${input.forMe ? sql`and for_me` : sql``}
    ),
    page as (${pageOf(sql`chosen`, pendingSorts[input.sort], input)})
    select ${rowsOf(actor, pendingColumns)} as rows,
      (select count(*) from chosen) as total,
      (select coalesce(sum(requested_amount_cents), 0)::bigint from chosen) as "requestedTotalCents",
      (select jsonb_build_object('pending', count(*),
        'urgent', count(*) filter (where urgent),
        'documentationRequired', count(*) filter (where ${inState["Documentation Required"]}),
        'overdue', count(*) filter (where waiting_days > ${highlightOverDays}),
        'forMe', count(*) filter (where for_me)) from pending) as summary`))!
  const rows = found.rows.map((row): PendingRow => {
    const shown = presentRow(row, actor)
    return {
      ...shown,
      priority: claimPriority(row),
      state: pendingState(row),
      assignedTo: assignedTo(row.status, row.reviewer),
      waitsForMe: shown.allowedActions.includes("approve"),
    }
  })
  return { ...found, rows }
})

export const nextClaimForMe = query(claimsContract.nextForMe, async ({ tx, app, actor, today, input }) => {
  const order = sql.join([...pendingSorts.priority, sql`id`], sql`, `)
  const waiting = await tx.rows<{ id: string; number: string; waiting: number }>(sql`
    select id, number, count(*) over () as waiting
    from (${pendingClaims(actor, today, await app.timezone(), "")}) pending
    where for_me order by ${order} limit 2`)
  const next = waiting.find(({ id }) => id !== input.except)
  return { next: next ? { id: next.id, number: next.number } : null, waiting: waiting[0]?.waiting ?? 0 }
})
