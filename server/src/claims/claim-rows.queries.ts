import { claimTabs, type DocumentType, stages } from "@milkwood/domain/claims/claim"
import { allowedActions, type ClaimHands, isSentBack } from "@milkwood/domain/claims/claim-lifecycle"
import { priorityRules } from "@milkwood/domain/claims/claim-priority"
import type { ClaimRow } from "@milkwood/domain/claims/claims.contract"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Actor } from "../platform/calls/actor.ts"
import { containing } from "../platform/database/like.ts"
import { claimActor, paymentStarted } from "./claim-record.ts"

/** A row as it comes from the database: with what tells who may do what, which the answer leaves out. */
export type StoredRow = Omit<ClaimRow, "allowedActions" | "sentBack"> & {
  round: number
  hands: Pick<ClaimHands, "capturedBy" | "submittedBy" | "paymentStarted" | "approvals">
}

/** What lists match, sort and count by; a page takes the rest of its rows afterwards, for itself alone. */
export const matchTables: SQL = sql`
  from claims c
  join members m on m.id = c.member_id
  join employer_groups g on g.id = c.group_id`

/** When a claim was approved by its last stage, or rejected. */
export const decidedAt: SQL = sql`coalesce(c.final_approval_at, c.rejected_at)`

/**
 * The rows of a page (ids with their position) as JSON, in order, for `select`. Nothing medical is in them, so that
 * nothing medical can be searched or sorted by. `more` are columns of the page itself, named for the answer.
 */
export const rowsOf = (actor: Actor, more: SQL = sql``): SQL => sql`
  (select coalesce(jsonb_agg(to_jsonb(shown) - 'position' order by position), '[]') from (
    select page.position, c.id, c.number, c.status, c.round, c.claim_type as "claimType",
      jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name) as member,
      jsonb_build_object('id', p.id, 'number', p.number) as policy,
      jsonb_build_object('id', g.id, 'name', g.name) as "group",
      case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as benefit,
      c.incident_on as "incidentOn", c.requested_amount_cents as "requestedAmountCents",
      c.approved_amount_cents as "approvedAmountCents", c.submitted_at as "submittedAt",
      ${decidedAt} as "decidedAt", c.created_at as "createdAt",
      jsonb_build_object('capturedBy', c.captured_by, 'submittedBy', c.submitted_by,
        'paymentStarted', ${paymentStarted(actor)},
        'approvals', (select coalesce(jsonb_agg(jsonb_build_object('stage', a.stage, 'decidedBy', a.decided_by)), '[]')
          from claim_approvals a where a.claim_id = c.id and a.decided_by is not null)) as hands
      ${more}
    from page
    join claims c on c.id = page.id
    join members m on m.id = c.member_id
    join policies p on p.id = c.policy_id
    join employer_groups g on g.id = c.group_id
    left join benefits b on b.id = c.benefit_id) shown)`

/** The row as the contract has it. */
export function presentRow<R extends StoredRow>({ hands, round, ...row }: R, actor: Actor) {
  const { status } = row
  return {
    ...row,
    sentBack: isSentBack({ status, round }),
    allowedActions: allowedActions({ status, ...hands }, claimActor(actor)),
  }
}

/** One page of `source`, numbered in its order; the id makes the order total. */
export function pageOf(
  source: SQL,
  order: readonly SQL[],
  { page, pageSize, dir }: { page: number; pageSize: number; dir: "asc" | "desc" },
): SQL {
  return sql`
    select source.*, row_number() over (order by ${inOrder(order, dir)}) as position from ${source} source
    order by position limit ${pageSize} offset ${(page - 1) * pageSize}`
}

/** The order of a list; the id makes it total. */
export function inOrder(columns: readonly SQL[], dir: "asc" | "desc"): SQL {
  const direction = dir === "desc" ? sql`desc nulls last` : sql`asc nulls last`
  return sql.join(
    [...columns, sql`id`].map((column) => sql`${column} ${direction}`),
    sql`, `,
  )
}

export type StoredPendingRow = StoredRow & {
  waitingDays: number
  requestedDocuments: DocumentType[]
  reviewer: string | null
}

/** What the pending list shows beside the row, for `rowsOf`. */
export const pendingColumns: SQL = sql`,
  page.waiting_days as "waitingDays", c.requested_documents as "requestedDocuments",
  (select name from users where id = c.reviewed_by) as reviewer`

/**
 * The pending claims that the actor may see, as a table expression of what the list sorts and filters by. Priority and
 * waiting days follow claim-priority, by its own figures.
 */
export function pendingClaims(actor: Actor, today: Day, timezone: string, search: string): SQL {
  const { urgent, high } = priorityRules
  const waiting = sql`(${today}::date - (c.submitted_at at time zone ${timezone})::date)`
  const pattern = containing(search)
  return sql`
    select c.id, c.number, c.status, c.requested_amount_cents, c.requested_documents, m.last_name_key, m.name_key,
      ${waiting} as waiting_days,
      (c.claim_type = ${urgent.claimType} or ${waiting} > ${urgent.overDays}) as urgent,
      (c.claim_type = ${high.claimType} or c.requested_amount_cents >= ${high.fromCents} or ${waiting} > ${high.overDays}) as high,
      ${waitsFor(actor)} as for_me
    ${matchTables}
    where c.status = any (${sql.param([...claimTabs.pending])}::text[])
      and (${search} = '' or c.number ilike ${pattern} or m.name_key like ${pattern} or c.claim_type ilike ${pattern})`
}

/** Whether a claim waits for this actor's decision: `pendingStep` of the domain in SQL, for filtering. */
function waitsFor(actor: Actor): SQL {
  const { userId, role } = claimActor(actor)
  const stage = stages.find((name) => name === role)
  if (!stage) return sql`false`
  return sql`(c.status = ${`pending_${stage}`} and ${userId}::uuid <> all (c.captured_by) and c.submitted_by <> ${userId}
    and not exists (select from claim_approvals a
      where a.claim_id = c.id and a.decided_by = ${userId} and a.stage <> ${stage}))`
}
