import type { Day } from "@milkwood/domain/kernel/calendar"
import { allowedPayoutActions, type PayoutFacts, type PayoutStatus } from "@milkwood/domain/payouts/payout"
import type { PayableClaim, PayoutDetail, PayoutRow } from "@milkwood/domain/payouts/payouts.contract"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { within } from "../platform/database/day-range.ts"
import { containing } from "../platform/database/like.ts"
import { inPlace } from "../platform/lists/list-export.ts"
import { timeline } from "../platform/trail/facts.ts"
import { readSettings } from "../settings/settings.queries.ts"

type StoredRow = Omit<PayoutRow, "allowedActions"> & Pick<PayoutFacts, "preparedBy" | "payeeChangedBy">

const fromPayouts = sql`
  from payouts o
  join claims c on c.id = o.claim_id
  join members m on m.id = c.member_id
  join policies p on p.id = o.policy_id
  join employer_groups g on g.id = o.group_id`

const row = sql`
  o.id, o.number, o.claim_id as "claimId", c.number as "claimNumber", m.id as "memberId",
  m.first_name || ' ' || m.last_name as "memberName", p.id as "policyId", p.number as "policyNumber", g.name as "groupName", o.amount_cents as "amountCents", o.method, o.reference, o.status,
  o.completed_on as "completedOn", o.created_at as "createdAt", o.version, o.prepared_by as "preparedBy", o.payee_changed_by as "payeeChangedBy"`

const sortColumns = {
  number: sql`o.number`,
  memberName: sql`lower(m.last_name || ' ' || m.first_name)`,
  amountCents: sql`o.amount_cents`,
  createdAt: sql`o.created_at`,
  completedOn: sql`o.completed_on`,
}

export interface PayoutFilters {
  sort: keyof typeof sortColumns
  dir: "asc" | "desc"
  search: string
  status?: PayoutStatus | undefined
  completedFrom?: Day | undefined
  completedTo?: Day | undefined
}

export interface PayoutListInput extends PayoutFilters {
  page: number
  pageSize: number
}

/** Approved claims without a live payment. */
const payable = sql`
  from claims c
  join members m on m.id = c.member_id
  join policies p on p.id = c.policy_id
  join employer_groups g on g.id = c.group_id
  where c.status = 'approved' and not exists (select from payouts where claim_id = c.id and status <> 'cancelled')`

/** The payments that a search matches, whatever their status, with their places in the order. */
function matched({ search, completedFrom, completedTo, sort, dir }: PayoutFilters): SQL {
  const like = containing(search)
  const matches = search
    ? sql`(lower(o.number) like ${like} or lower(c.number) like ${like} or lower(m.first_name || ' ' || m.last_name) like ${like}
        or lower(g.name) like ${like} or lower(o.reference) like ${like})`
    : sql`true`
  return sql`
    select ${row}, row_number() over (order by ${sortColumns[sort]} ${sql.raw(dir)} nulls last, o.number desc) as place
    ${fromPayouts} where ${matches} and ${within(sql`o.completed_on`, completedFrom, completedTo)}`
}

const ofStatus = (input: PayoutFilters): SQL => (input.status ? sql`status = ${input.status}` : sql`true`)

/** The statement of every payment that the list matches, in its order. */
export function matchingPayouts(_cx: Cx, input: PayoutFilters, only: (column: SQL) => SQL): SQL {
  return sql`
    select id from (${matched(input)}) matching where ${ofStatus(input)} and ${only(sql`id`)} order by place`
}

/** A payment with the business day on which it was made. */
export type ListedPayout = StoredRow & { createdOn: Day }

/** The rows of these payments, in their order. */
export async function payoutRowsOf({ tx, app }: Cx, ids: string[]): Promise<ListedPayout[]> {
  return tx.rows<ListedPayout>(sql`
    select ${row}, (o.created_at at time zone ${await app.timezone()})::date as "createdOn"
    ${fromPayouts} join ${inPlace(ids)} on asked.id = o.id order by asked.place`)
}

/** A page of claim payments with what counts over all that match, in one statement. */
export async function payoutList(cx: Cx, input: PayoutListInput) {
  const [found, { releaseLimitCents }] = await Promise.all([
    cx.tx.row<{
      rows: StoredRow[]
      total: number
      totalCents: number
      counts: Record<"all" | PayoutStatus, number>
      cards: Record<"waiting" | "underway" | "completed", { count: number; cents: number }>
    }>(sql`
      with matching as (${matched(input)}), chosen as (
        select * from matching where ${ofStatus(input)}
      )
      select
        coalesce((select jsonb_agg(to_jsonb(page) - 'place' order by page.place) from (
          select * from chosen order by place limit ${input.pageSize} offset ${(input.page - 1) * input.pageSize}) page), '[]') as rows,
        (select count(*) from chosen) as total,
        (select coalesce(sum("amountCents"), 0)::bigint from chosen) as "totalCents",
        (select jsonb_build_object('all', count(*),
          'pending', count(*) filter (where status = 'pending'),
          'processing', count(*) filter (where status = 'processing'),
          'completed', count(*) filter (where status = 'completed'),
          'failed', count(*) filter (where status = 'failed'),
          'cancelled', count(*) filter (where status = 'cancelled')) from matching) as counts,
        jsonb_build_object(
          'waiting', (select jsonb_build_object('count', count(*), 'cents', coalesce(sum(c.approved_amount_cents), 0)) ${payable}),
          'underway', (select jsonb_build_object('count', count(*), 'cents', coalesce(sum(amount_cents), 0)) from payouts where status in ('pending', 'processing', 'failed')),
          'completed', (select jsonb_build_object('count', count(*), 'cents', coalesce(sum(amount_cents), 0)) from payouts where status = 'completed')
        ) as cards`),
    readSettings(cx.tx),
  ])
  return { ...found!, rows: found!.rows.map((stored) => withActions(cx, stored, releaseLimitCents)) }
}

/** One payment with everything around it. Refuses NOT_FOUND. */
export async function payoutDetail(cx: Cx, payoutId: string): Promise<PayoutDetail> {
  const found = await cx.tx.row<
    Omit<PayoutDetail, "timeline" | "allowedActions"> & Pick<PayoutFacts, "preparedBy" | "payeeChangedBy">
  >(sql`
    select ${row}, o.notes, o.payee_name as "payeeName", o.payee_bank as "payeeBank", o.payee_branch_code as "payeeBranchCode",
      o.payee_account_number as "payeeAccountNumber", maker.name as "createdByName", releaser.name as "releasedByName",
      o.released_at as "releasedAt", o.status_reason as "statusReason"
    ${fromPayouts}
    left join users maker on maker.id = o.created_by
    left join users releaser on releaser.id = o.released_by
    where o.id = ${payoutId}`)
  if (!found) throw refused("NOT_FOUND")
  const { releaseLimitCents } = await readSettings(cx.tx)
  return { ...withActions(cx, found, releaseLimitCents), timeline: await timeline(cx, "payout", payoutId) }
}

function withActions<T extends StoredRow>(cx: Cx, stored: T, releaseLimitCents: number) {
  const { preparedBy: _prepared, payeeChangedBy: _changed, ...shown } = stored
  return { ...shown, allowedActions: allowedPayoutActions(stored, ruleActor(cx.actor), releaseLimitCents) }
}

export async function payableClaims(tx: Tx, search: string, claimId?: string): Promise<PayableClaim[]> {
  const like = containing(search)
  return tx.rows(sql`
    select c.id, c.number, m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber", g.name as "groupName",
      c.approved_amount_cents as "approvedCents", c.final_approval_at as "approvedAt"
    ${payable}
      and ${claimId ? sql`c.id = ${claimId}` : sql`true`}
      and ${search ? sql`(lower(c.number) like ${like} or lower(m.first_name || ' ' || m.last_name) like ${like} or lower(g.name) like ${like})` : sql`true`}
    order by c.final_approval_at, c.number limit 50`)
}

/** A claim to be paid, locked so that it stays payable until the commit; undefined when there is nothing to pay. */
export async function claimToPay(tx: Tx, claimId: string) {
  await tx.rows(sql`select from claims where id = ${claimId} for update`)
  return tx.row<{ groupId: string; policyId: string; number: string; approvedCents: number }>(sql`
    select c.group_id as "groupId", c.policy_id as "policyId", c.number, c.approved_amount_cents as "approvedCents"
    ${payable} and c.id = ${claimId}`)
}
