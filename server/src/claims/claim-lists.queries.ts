import {
  type ClaimStatus,
  claimStatuses,
  claimTabs,
  type DocumentType,
  type Stage,
  stageNames,
  stages,
} from "@milkwood/domain/claims/claim"
import { allowedActions, type ClaimDuties, isSentBack } from "@milkwood/domain/claims/claim-lifecycle"
import {
  assignedTo,
  claimPriority,
  highlightOverDays,
  type PendingState,
  pendingState,
  priorityRules,
  soonAfterJoiningDays,
} from "@milkwood/domain/claims/claim-priority"
import type { ClaimRow, PendingRow } from "@milkwood/domain/claims/claim-shape"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { claimsList } from "@milkwood/domain/claims/claims.list"
import { pendingClaimsList } from "@milkwood/domain/claims/pending-claims.list"
import { standInRole } from "@milkwood/domain/claims/stand-in"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { groupsNamed } from "../employers/employers.queries.ts"
import { memberIsNumbered, membersNumbered } from "../members/members.queries.ts"
import { type Actor, ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { has, hasWords, wordPatterns } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import { type Compared, type Ids, type Own, ownColumns, type SourceCx } from "../platform/lists/source.ts"
import { paymentStarted } from "./claim-record.ts"
import { standsInFor } from "./stand-ins.queries.ts"

type StoredRow = Omit<ClaimRow, "allowedActions" | "sentBack"> & {
  _round: number
  _duties: Pick<ClaimDuties, "capturedBy" | "submittedBy" | "paymentStarted" | "approvals" | "standsInFor">
}

/** No medical columns, so medical facts cannot be searched or sorted by. */
const own: Own = {
  table: "claims c",
  columns: {
    id: "c.id",
    number: "c.number",
    status: "c.status",
    claimType: "c.claim_type",
    incidentOn: "c.incident_on",
    claimAmountCents: "c.claim_amount_cents",
    requestedAmountCents: "c.requested_amount_cents",
    approvedAmountCents: "c.approved_amount_cents",
    submittedAt: "c.submitted_at",
    decidedAt: "case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end",
    createdAt: "c.created_at",
    version: "c.version",
    _round: "c.round",
    _capturedBy: "c.captured_by",
    _submittedBy: "c.submitted_by",
    _groupId: "c.group_id",
    _policyId: "c.policy_id",
    _memberId: "c.member_id",
    _lastName: "c.member_last_name_key",
    _name: "c.member_name_key",
    _number: "lower(c.number)",
    _step: `array_position('{${claimStatuses.join(",")}}'::text[], c.status)`,
  },
}

const shown = {
  member: sql`jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name)`,
  policy: sql`jsonb_build_object('id', p.id, 'number', p.number)`,
  group: sql`jsonb_build_object('id', g.id, 'name', g.name)`,
  benefit: sql`jsonb_build_object('id', b.id, 'name', b.name)`,
}

const columns = sql`
  ${ownColumns(own)}, ${shown.member} as member, ${shown.policy} as policy, ${shown.group} as "group",
  case when b.id is not null then ${shown.benefit} end as benefit, lower(g.name) as "_group"`

const joined = sql`
  from claims c
  left join members m on m.id = c.member_id
  left join policies p on p.id = c.policy_id
  left join employer_groups g on g.id = c.group_id
  left join benefits b on b.id = c.benefit_id`

/** Scalar subqueries: with a join left out, `claims_open` could not be read by an index-only scan. */
const records = sql`
  (select ${shown.member} from members m where m.id = c.member_id) as member,
  (select ${shown.policy} from policies p where p.id = c.policy_id) as policy,
  (select ${shown.group} from employer_groups g where g.id = c.group_id) as "group",
  (select ${shown.benefit} from benefits b where b.id = c.benefit_id) as benefit`

const duties = ({ actor, today }: SourceCx): SQL => sql`
  jsonb_build_object('standsInFor', (select ${standsInFor(ruleActor(actor), today)} from claims c
    where c.id = s.id and c.status = 'pending_policy_holder'),
    'capturedBy', s."_capturedBy", 'submittedBy', s."_submittedBy",
    'paymentStarted', (select ${paymentStarted(actor)} from claims c where c.id = s.id),
    'approvals', (select coalesce(jsonb_agg(jsonb_build_object('stage', a.stage, 'decidedBy', a.decided_by)), '[]')
      from claim_approvals a where a.claim_id = s.id and a.decided_by is not null)) as _duties`

export const claimsFound =
  (pattern: string): Ids =>
  (atMost) =>
    sql`select claims_found(${pattern}, ${atMost ?? null}) as id`

const claimsNamed =
  ([first, ...others]: readonly [string, ...string[]]): Ids =>
  (atMost) =>
    sql`select claims_named(${first}, ${others.length > 0 ? sql.param(others) : null}::text[], ${atMost ?? null}) as id`

function ofMembersNumbered(text: string, actor: Actor): Compared[] {
  const ids = membersNumbered(text, actor)
  return ids ? [{ like: sql`s."_memberId" in (${ids()})`, by: { column: "_memberId", ids } }] : []
}

function search(pattern: string, { actor }: SourceCx, text: string): Compared[] {
  const indexed = (ids: Ids) => (seesAllGroups(actor) ? undefined : { column: "id", ids })
  const words = wordPatterns(text)
  return [
    { like: has(sql`s._number`, pattern), by: indexed(claimsFound(pattern)) },
    { like: hasWords(sql`s._name`, words), by: indexed(claimsNamed(words)) },
    ...ofMembersNumbered(text, actor),
    { like: has(sql`s._group`, pattern), by: { column: "_groupId", ids: groupsNamed(pattern) } },
  ]
}

function present({ _duties, _round, ...row }: StoredRow, { actor }: Pick<SourceCx, "actor">): ClaimRow {
  const { status } = row
  return {
    ...row,
    sentBack: isSentBack({ status, round: _round }),
    allowedActions: allowedActions({ status, ..._duties }, ruleActor(actor)),
  }
}

export const claims = new List<typeof claimsList, ClaimRow>(claimsList, {
  own,
  select: () => sql`select ${columns} ${joined}`,
  page: duties,
  ofGroups: true,
  search,
  order: { member: ["_lastName", "_name"], group: ["_group"], status: ["_step"] },
  same: { _group: ["groupId", "policyId", "memberId"], _lastName: ["memberId"], _name: ["memberId"] },
  emptyLast: ["requestedAmount", "incidentOn", "submittedAt", "decidedAt"],
  filters: { mine: (_: true, { actor }) => capturedByThem(sql`s."_capturedBy"`, actor) },
  present,
})

const notDrafts = claimStatuses.filter((status) => status !== "draft")

export const listClaims = query(claimsContract.list, async (cx) => {
  const { figures, ...answer } = await claims.answer(cx, cx.input)
  const of = (statuses: readonly ClaimStatus[], name: string) => sumOf(figures, statuses, name)
  return {
    ...answer,
    summary: figures && {
      all: of(claimTabs.all, "count"),
      pending: of(claimTabs.pending, "count"),
      approved: of(claimTabs.approved, "count"),
    },
    totalValueCents: figures && of(notDrafts, "requestedAmountCents"),
  }
})

type StoredPendingRow = StoredRow & {
  waitingDays: number
  _requestedDocuments: DocumentType[]
  _reviewer: string | null
}

function pending({ actor, today, timezone }: SourceCx): SQL {
  const { urgent, high } = priorityRules
  const waiting = sql`(${today}::date - (c.submitted_at at time zone ${timezone})::date)`
  // Compares with one constant instant; computing each claim's day would run once per comparison.
  const waitsOver = (days: number) =>
    sql`c.submitted_at < ((${today}::date - ${days}::integer)::timestamp at time zone ${timezone})`
  const isUrgent = sql`(c.claim_type = ${urgent.claimType} or ${waitsOver(urgent.overDays)})`
  const isHigh = sql`(c.claim_type = ${high.claimType} or c.requested_amount_cents >= ${high.fromCents} or ${waitsOver(high.overDays)})`
  return sql`select ${ownColumns(own)}, ${records}, ${waiting} as "waitingDays", c.requested_documents as "_requestedDocuments",
    c.reviewed_by as "_reviewedBy", c.member_start_on as "_startOn", c.member_end_on as "_endOn", ${isUrgent} as _urgent, ${waitsOver(highlightOverDays)} as _overdue, ${waitsFor(actor, today)} as "_forMe",
    case when ${isUrgent} then 0 when ${isHigh} then 1 else 2 end as _priority, -${waiting} as _waiting
    from claims c where c.status in (${sql.raw(claimTabs.pending.map((status) => `'${status}'`).join(", "))})`
}

function pendingInWords(cx: SourceCx): SQL {
  const stage = stages.map((name) => sql`when ${`pending_${name}`} then ${stageNames[name]}`)
  return sql`select s.*, (array['Urgent', 'High', 'Medium'])[s._priority + 1] as priority,
    case ${sql.join(
      Object.entries(inState).map(([state, is]) => sql`when ${is} then ${state}`),
      sql` `,
    )} end as state,
    case s.status ${sql.join(stage, sql` `)}
      else coalesce((select name from users where id = s."_reviewedBy"), 'Unassigned') end as "assignedTo"
    from (${pending(cx)}) s`
}

const inState: Record<PendingState, SQL> = {
  "Pending Review": sql`s.status = 'submitted' and cardinality(s."_requestedDocuments") = 0`,
  "Documentation Required": sql`cardinality(s."_requestedDocuments") > 0`,
  "Under Assessment": sql`s.status <> 'submitted' and cardinality(s."_requestedDocuments") = 0`,
}

export const pendingClaims = new List<typeof pendingClaimsList, PendingRow>(pendingClaimsList, {
  select: pending,
  file: pendingInWords,
  page: (cx) => sql`${duties(cx)}, (select name from users where id = s."_reviewedBy") as _reviewer`,
  ofGroups: true,
  // There are few pending claims, so each is compared.
  search: (pattern, { actor }, text) => {
    const likes = ["_number", "claimType"].map((name) => has(sql`s.${sql.identifier(name)}`, pattern))
    const ofMember = [hasWords(sql`s._name`, wordPatterns(text)), memberIsNumbered(sql`s."_memberId"`, text, actor)]
    return [{ like: sql`(${sql.join([...likes, ...ofMember], sql` or `)})` }]
  },
  order: {
    priority: ["_priority", "_waiting"],
    waitingDays: ["waitingDays"],
    member: ["_lastName", "_name"],
  },
  emptyLast: ["requestedAmount", "priority"],
  filters: {
    state: (state: PendingState) => inState[state],
    unusual: () =>
      unusuallyCovered({ incidentOn: sql`s."incidentOn"`, startOn: sql`s."_startOn"`, endOn: sql`s."_endOn"` }),
  },
  ofView: ["state", "urgent", "overdue", "forMe", "unusual"],
  judged: ["status", "_requestedDocuments", "_urgent", "_overdue", "_forMe", "incidentOn", "_startOn", "_endOn"],
  figures: {
    pending: sql`count(*)`,
    urgent: sql`count(*) filter (where s._urgent)`,
    documentationRequired: sql`count(*) filter (where ${inState["Documentation Required"]})`,
    overdue: sql`count(*) filter (where s._overdue)`,
    forMe: sql`count(*) filter (where s."_forMe")`,
  },
  present: ({ _requestedDocuments, _reviewer, ...stored }: StoredPendingRow, cx) => {
    const row = present(stored, cx)
    return {
      ...row,
      waitingDays: stored.waitingDays,
      priority: claimPriority(stored),
      state: pendingState({ status: row.status, requestedDocuments: _requestedDocuments }),
      assignedTo: assignedTo(row.status, _reviewer),
      waitsForMe: row.allowedActions.includes("approve"),
    }
  },
})

export const listPendingClaims = query(claimsContract.pending, async (cx) => {
  const { figures, ...answer } = await pendingClaims.answer(cx, cx.input)
  const of = (name: string) => sumOf(figures, [""], name)
  const summary = figures && {
    pending: of("pending"),
    urgent: of("urgent"),
    documentationRequired: of("documentationRequired"),
    overdue: of("overdue"),
    forMe: of("forMe"),
  }
  return { ...answer, summary }
})

export const nextClaimForMe = query(claimsContract.nextForMe, async (cx) => {
  const waiting = await cx.tx.rows<{ id: string; number: string; waiting: number }>(sql`
    select s.id, s.number, count(*) over () as waiting from (${pending(cx)}) s where s."_forMe"
    order by ${pendingClaims.order(pendingClaims.start)} limit 2`)
  const next = waiting.find(({ id }) => id !== cx.input.except)
  return { next: next ? { id: next.id, number: next.number } : null, waiting: waiting[0]?.waiting ?? 0 }
})

export const unusuallyCovered = ({
  incidentOn,
  startOn,
  endOn,
}: Record<"incidentOn" | "startOn" | "endOn", SQL>): SQL =>
  sql`(${incidentOn} < ${startOn} + ${soonAfterJoiningDays}::int or coalesce(${incidentOn} > ${endOn}, false))`

export const capturedBy = (actor: Actor): SQL => capturedByThem(sql`c.captured_by`, actor)

/**
 * The condition is repeated so that PostgreSQL multiplies the selectivities. With one condition it would scan all
 * claims in order for a user who captured few.
 */
function capturedByThem(column: SQL, actor: Actor): SQL {
  const me = sql`${ruleActor(actor).userId}::uuid`
  return sql`(${column} @> array[${me}] and ${me} = any (${column}))`
}

/** `pendingStep` of the domain in SQL, for filtering. */
export function waitsFor(actor: Actor, today: Day): SQL {
  const { userId, role } = ruleActor(actor)
  const ways = stages.flatMap((stage) => {
    if (stage === role) return waitsAt(stage, userId)
    const inPlace = sql`${standsInFor({ userId, role }, today)} is not null`
    return role !== null && standInRole[stage] === role ? sql`(${waitsAt(stage, userId)} and ${inPlace})` : []
  })
  return ways.length === 0 ? sql`false` : sql`(${sql.join(ways, sql` or `)})`
}

/** Checks the other stages on the claim itself; otherwise PostgreSQL reads all earlier decisions of the approver. */
const waitsAt = (stage: Stage, userId: string): SQL =>
  sql`(c.status = ${`pending_${stage}`} and ${userId}::uuid <> all (c.captured_by) and c.submitted_by <> ${userId}
    and not exists (select from claim_approvals a
      where a.claim_id = c.id and a.decided_by = ${userId} and 'pending_' || a.stage <> c.status))`
