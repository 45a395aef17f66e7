import { join } from "node:path"
import {
  type ClaimStatus,
  claimStatuses,
  claimTabs,
  type DocumentType,
  type Stage,
  stageNames,
  stages,
} from "@milkwood/domain/claims/claim"
import type { ClockState } from "@milkwood/domain/claims/claim-clock"
import { allowedActions, type ClaimDuties, roundCause } from "@milkwood/domain/claims/claim-lifecycle"
import {
  assigneeName,
  claimPriority,
  highlightOverDays,
  type PendingState,
  pendingState,
  priorityRules,
  recentJoinerDays,
} from "@milkwood/domain/claims/claim-priority"
import type { ClaimRow, PendingRow } from "@milkwood/domain/claims/claim-shape"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { claimsList } from "@milkwood/domain/claims/claims.list"
import { pendingClaimsList } from "@milkwood/domain/claims/pending-claims.list"
import type { ReopeningKind } from "@milkwood/domain/claims/reopening"
import { standInRole } from "@milkwood/domain/claims/stand-in"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { dependentName } from "../members/cover.queries.ts"
import { isMemberNumbered, memberSearchValues } from "../members/members.queries.ts"
import { type Actor, ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import {
  matchesPattern,
  matchesWords,
  normalizeSearchText,
  searchPattern,
  wordPatterns,
} from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import { CardStatements } from "../platform/lists/select-statements.ts"
import type { IdQuery, ListSource, SourceCx } from "../platform/lists/source.ts"
import type { Values } from "../platform/lists/sql-file.ts"
import { SqlFileStatements } from "../platform/lists/sql-file-statements.ts"
import { hasCompletedPayment, hasStartedPayment } from "./claim-record.ts"
import { representedPersonSql } from "./stand-ins.queries.ts"
import { clockStateSql, timeLeftSql } from "./time-left.queries.ts"

type StoredRow = Omit<ClaimRow, "allowedActions" | "sentBack" | "reopened"> & {
  _round: number
  _reopening: ReopeningKind | null
  _duties: Omit<ClaimDuties, "status">
}

/** Subqueries, because with joins, even unused ones, PostgreSQL does not use an index-only scan of `claims_open`. */
const relatedRecordColumns = sql`
  (select jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name)
    from members m where m.id = c.member_id) as member,
  coalesce((select ${dependentName} from dependents d where d.id = c.dependent_id),
    (select m.first_name || ' ' || m.last_name from members m where m.id = c.member_id)) as "insuredPerson",
  (select jsonb_build_object('id', p.id, 'number', p.number) from policies p where p.id = c.policy_id) as policy,
  (select jsonb_build_object('id', g.id, 'name', g.name) from employer_groups g where g.id = c.group_id) as "group",
  (select jsonb_build_object('id', b.id, 'name', b.name) from benefits b where b.id = c.benefit_id) as benefit`

const standInFields = ({ actor, today }: SourceCx): SQL => sql`
    , 'standsInFor', case when c.status = 'pending_policy_holder' then ${representedPersonSql(ruleActor(actor), today)} end,
    'paymentStarted', ${hasStartedPayment(actor)}, 'isPartlyPaid', ${hasCompletedPayment(actor)}`

const dutiesSql = (cx: SourceCx): SQL => sql`
  (select jsonb_build_object('capturedBy', c.captured_by, 'submittedBy', c.submitted_by,
    'approvals', (select coalesce(jsonb_agg(jsonb_build_object('stage', a.stage, 'decidedBy', a.decided_by)), '[]')
      from claim_approvals a where a.claim_id = c.id and a.decided_by is not null)${standInFields(cx)})
    from claims c where c.id = s.id)`

export const claimsFound =
  (pattern: string): IdQuery =>
  (atMost) =>
    sql`select claims_found(${pattern}, ${atMost ?? null}) as id`

function searchValues(search: string, { actor }: SourceCx): Values {
  const text = normalizeSearchText(search)
  const [firstWord, ...otherWords] = wordPatterns(text)
  return {
    ...memberSearchValues(text, actor),
    pattern: searchPattern(text),
    first_word: firstWord,
    other_words: otherWords.length > 0 ? otherWords : null,
  }
}

const claimStatements = new SqlFileStatements(claimsList, {
  file: join(import.meta.dirname, "claims.list.sql"),
  sortColumns: {
    number: ["number"],
    member: ["member_last_name_key", "member_name_key"],
    group: ["group_key"],
    incidentOn: ["incident_on nulls last"],
    submittedAt: ["submitted_at nulls last"],
    decidedAt: ["decided_at nulls last"],
    requestedAmount: ["requested_amount_cents nulls last"],
    status: ["step"],
  },
  joinedColumns: ["group_key"],
  sharedColumns: {
    group_key: ["groupId", "policyId", "memberId"],
    member_last_name_key: ["memberId"],
    member_name_key: ["memberId"],
  },
  values: (asked, cx) => ({
    ...(asked.search ? searchValues(asked.search, cx) : {}),
    me: ruleActor(cx.actor).userId,
    stand_in_and_payment: standInFields(cx),
  }),
  searchLimit: () => 10_000,
})

function presentClaim(
  { _duties, _round, _reopening, ...row }: StoredRow,
  { actor }: Pick<SourceCx, "actor">,
): ClaimRow {
  const { status } = row
  const cause = roundCause({ status, round: _round }, _reopening)
  return {
    ...row,
    sentBack: cause === "sent_back",
    reopened: cause === "sent_back" ? null : cause,
    allowedActions: allowedActions({ status, ..._duties }, ruleActor(actor)),
  }
}

export const claims = new List<typeof claimsList, ClaimRow>(claimsList, { present: presentClaim }, claimStatements)

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
  dueOn: Day | null
  timeLeft: string
  clock: ClockState
  waitingDays: number
  _requestedDocuments: DocumentType[]
  _reviewer: string | null
}

/** Literals, so that PostgreSQL uses the partial indexes. */
const pendingStatuses = sql.raw(claimTabs.pending.map((status) => `'${status}'`).join(", "))

function pendingSql({ actor, today, timezone }: SourceCx): SQL {
  const { urgent, high } = priorityRules
  const waiting = sql`(${today}::date - (c.submitted_at at time zone ${timezone})::date)`
  // Compares with one constant instant; computing each claim's day would run once per comparison.
  const waitsOver = (days: number) =>
    sql`c.submitted_at < ((${today}::date - ${days}::integer)::timestamp at time zone ${timezone})`
  const isUrgent = sql`(c.claim_type = ${urgent.claimType} or ${waitsOver(urgent.overDays)})`
  const isHigh = sql`(c.claim_type = ${high.claimType} or c.requested_amount_cents >= ${high.fromCents} or ${waitsOver(high.overDays)})`
  return sql`select c.id, c.number, c.status, c.claim_type as "claimType", c.incident_on as "incidentOn",
    c.claim_amount_cents as "claimAmountCents", c.requested_amount_cents as "requestedAmountCents",
    c.approved_amount_cents as "approvedAmountCents", c.submitted_at as "submittedAt",
    case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as "decidedAt",
    c.created_at as "createdAt", c.version, c.round as _round, c.group_id as "_groupId", c.member_id as "_memberId",
    c.member_last_name_key as "_lastName", c.member_name_key as _name, lower(c.number) as _number, ${relatedRecordColumns},
    ${waiting} as "waitingDays", c.requested_documents as "_requestedDocuments", c.reviewed_by as "_reviewedBy", c.member_start_on as "_startOn", c.member_end_on as "_endOn", ${isUrgent} as _urgent, ${waitsOver(highlightOverDays)} as _overdue, ${isWaitingFor(actor, today)} as "_forMe",
    c.due_on as "dueOn", coalesce(c.due_on <= ${today}::date, false) as _due,
    case when ${isUrgent} then 0 when ${isHigh} then 1 else 2 end as _priority, -${waiting} as _waiting
    from claims c where c.status in (${pendingStatuses})`
}

const pendingStateConditions: Record<PendingState, SQL> = {
  "Pending Review": sql`s.status = 'submitted' and cardinality(s."_requestedDocuments") = 0`,
  "Documentation Required": sql`cardinality(s."_requestedDocuments") > 0`,
  "Under Assessment": sql`s.status <> 'submitted' and cardinality(s."_requestedDocuments") = 0`,
}

const assigneeSql = sql`
  case s.status ${sql.join(
    stages.map((stage) => sql`when ${`pending_${stage}`} then ${stageNames[stage]}`),
    sql` `,
  )} else coalesce((select name from users where id = s."_reviewedBy"), 'Unassigned') end`

const pendingStateSql = sql`case ${sql.join(
  Object.entries(pendingStateConditions).map(([name, is]) => sql`when ${is} then ${name}`),
  sql` `,
)} end`

const pendingSource: ListSource<typeof pendingClaimsList, PendingRow> = {
  select: pendingSql,
  // For export files. `present` derives the same words from the rules; a test compares both.
  pageColumns: (cx) => ({
    _duties: dutiesSql(cx),
    _reopening: sql`(select kind from claim_reopenings r where r.claim_id = s.id and r.round = s._round)`,
    _reviewer: sql`(select name from users where id = s."_reviewedBy")`,
    priority: sql`(array['Urgent', 'High', 'Medium'])[s._priority + 1]`,
    state: pendingStateSql,
    assignedTo: assigneeSql,
    timeLeft: timeLeftSql(sql`s."dueOn"`, cx.today),
    clock: clockStateSql(sql`s."dueOn"`, cx.today),
  }),
  groupScoped: true,
  // Compares each pending claim without an index, because there are few.
  search: (pattern, { actor }, text) => {
    const likes = ["_number", "claimType"].map((name) => matchesPattern(sql`s.${sql.identifier(name)}`, pattern))
    const ofMember = [matchesWords(sql`s._name`, wordPatterns(text)), isMemberNumbered(sql`s."_memberId"`, text, actor)]
    return [{ like: sql`(${sql.join([...likes, ...ofMember], sql` or `)})` }]
  },
  sortColumns: {
    priority: ["_priority nulls last", "_waiting"],
    waitingDays: ["waitingDays"],
    member: ["_lastName", "_name"],
    requestedAmount: ["requestedAmountCents nulls last"],
    dueOn: ["dueOn nulls last"],
  },
  filters: {
    state: (state: PendingState) => pendingStateConditions[state],
    unusual: () =>
      isUnusuallyCovered({ incidentOn: sql`s."incidentOn"`, startOn: sql`s."_startOn"`, endOn: sql`s."_endOn"` }),
  },
  totals: {
    pending: { of: [], value: sql`count(*)` },
    urgent: { of: ["_urgent"], value: sql`count(*) filter (where s._urgent)` },
    documentationRequired: {
      of: ["status", "_requestedDocuments"],
      value: sql`count(*) filter (where ${pendingStateConditions["Documentation Required"]})`,
    },
    overdue: { of: ["_overdue"], value: sql`count(*) filter (where s._overdue)` },
    forMe: { of: ["_forMe"], value: sql`count(*) filter (where s."_forMe")` },
  },
  present: ({ _requestedDocuments, _reviewer, ...stored }: StoredPendingRow, cx) => {
    const row = presentClaim(stored, cx)
    return {
      ...row,
      waitingDays: stored.waitingDays,
      dueOn: stored.dueOn,
      timeLeft: stored.timeLeft,
      clock: stored.clock,
      priority: claimPriority(stored),
      state: pendingState({ status: row.status, requestedDocuments: _requestedDocuments }),
      assignedTo: assigneeName(row.status, _reviewer),
      waitsForMe: row.allowedActions.includes("approve"),
    }
  },
}

/** The cards count every pending claim, regardless of filters. */
const pendingStatements = new CardStatements(pendingClaimsList, pendingSource, {
  names: ["state", "urgent", "overdue", "due", "forMe", "unusual"],
  columns: [
    "status",
    "_requestedDocuments",
    "_urgent",
    "_overdue",
    "_due",
    "_forMe",
    "incidentOn",
    "_startOn",
    "_endOn",
  ],
})

export const pendingClaims = new List(pendingClaimsList, pendingSource, pendingStatements)

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
    select s.id, s.number, count(*) over () as waiting from (${pendingSql(cx)}) s where s."_forMe"
    order by s._priority, s._waiting, s.id limit 2`)
  const next = waiting.find(({ id }) => id !== cx.input.except)
  return { next: next ? { id: next.id, number: next.number } : null, waiting: waiting[0]?.waiting ?? 0 }
})

export const isUnusuallyCovered = ({
  incidentOn,
  startOn,
  endOn,
}: Record<"incidentOn" | "startOn" | "endOn", SQL>): SQL =>
  sql`(${incidentOn} < ${startOn} + ${recentJoinerDays}::int or coalesce(${incidentOn} > ${endOn}, false))`

/** Open claims whose promise ends today or ended before. */
export const isDue = (today: Day): SQL => sql`(c.status in (${pendingStatuses}) and c.due_on <= ${today}::date)`

export const isCapturedByActor = (actor: Actor): SQL => isCapturedBy(sql`c.captured_by`, actor)

/**
 * The condition is repeated so that PostgreSQL multiplies the selectivities. With one condition it would scan all
 * claims in order for a user who captured few.
 */
function isCapturedBy(column: SQL, actor: Actor): SQL {
  const me = sql`${ruleActor(actor).userId}::uuid`
  return sql`(${column} @> array[${me}] and ${me} = any (${column}))`
}

/** `pendingStep` of the domain in SQL, for filtering. */
export function isWaitingFor(actor: Actor, today: Day): SQL {
  const { userId, role } = ruleActor(actor)
  const ways = stages.flatMap((stage) => {
    if (stage === role) return isWaitingAt(stage, userId)
    const inPlace = sql`${representedPersonSql({ userId, role }, today)} is not null`
    return role !== null && standInRole[stage] === role ? sql`(${isWaitingAt(stage, userId)} and ${inPlace})` : []
  })
  return ways.length === 0 ? sql`false` : sql`(${sql.join(ways, sql` or `)})`
}

/** Checks the other stages on the claim itself; otherwise PostgreSQL reads all earlier decisions of the approver. */
const isWaitingAt = (stage: Stage, userId: string): SQL =>
  sql`(c.status = ${`pending_${stage}`} and ${userId}::uuid <> all (c.captured_by) and c.submitted_by <> ${userId}
    and not exists (select from claim_approvals a
      where a.claim_id = c.id and a.decided_by = ${userId} and 'pending_' || a.stage <> c.status))`
