import { displayValue } from "@milkwood/domain/kernel/declared-field"
import { type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { maskIdNumber, memberLabels } from "@milkwood/domain/members/member"
import { memberField, memberFields } from "@milkwood/domain/members/member-fields"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { allowedStaffListActions, type RowOutcome } from "@milkwood/domain/staff-lists/staff-list"
import type { ColumnMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import { problemSentence, type RowProblem } from "@milkwood/domain/staff-lists/staff-list-problems"
import { staffListRowsList } from "@milkwood/domain/staff-lists/staff-list-rows.list"
import { matchPolicyNames, type NamedPolicy } from "@milkwood/domain/staff-lists/staff-list-steps"
import {
  type StaffListDetail,
  type StaffListRow,
  staffListsContract,
} from "@milkwood/domain/staff-lists/staff-lists.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { jsonPairsOf } from "../platform/database/declared-fields.ts"
import { containsPattern } from "../platform/database/like.ts"
import { listAnswerOf } from "../platform/lists/answer.ts"
import { jobOf } from "../platform/work/jobs.ts"
import { hasClaims, isInvoiced } from "./staff-lists.ports.ts"

function staffListActorOf(actor: Actor) {
  const { userId, role } = ruleActor(actor)
  return {
    userId,
    mayImport: hasPermission(role, "members.import"),
    seesAllGroups: seesAllGroups(actor),
  }
}

export const listedColumns = sql.raw(`
  i.id, i.file_name as "fileName", i.status, i.group_id as "groupId", g.name as "groupName", i.policy_id as "policyId",
  p.number as "policyNumber", i.created_at as "createdAt", i.created_by as "createdBy",
  coalesce(u.name, 'A former user') as "createdByName", i.row_count as "rowCount", i.error_count as "errorCount",
  i.added_count as "addedCount", i.changed_count as "changedCount", i.ended_count as "endedCount", i.version`)

const fromStaffLists = sql.raw(`
  staff_lists i
  join policies p on p.id = i.policy_id
  join employer_groups g on g.id = i.group_id
  left join users u on u.id = i.created_by`)

export type StaffListRead = Omit<StaffListDetail, "allowedActions"> & { createdBy: string }

export function addAllowedActions<
  T extends { status: StaffListDetail["status"]; createdBy: string; errorCount: number },
>(row: T, actor: Actor) {
  const { createdBy, ...shown } = row
  return { ...shown, allowedActions: allowedStaffListActions({ ...shown, createdBy }, staffListActorOf(actor)) }
}

/** The problems of row `r`. Row-level security removes mentions of policies that the reader cannot see. */
const visibleProblems = sql.raw(`case when r.problems @> '[{"code": "in_other_policy"}]' then (
  select jsonb_agg(found order by place) from jsonb_array_elements(r.problems) with ordinality as each (found, place)
  where found ->> 'code' <> 'in_other_policy' or exists (select from policies p where p.number = found ->> 'other')
) else r.problems end`)

/** A row whose warnings are all hidden is ready, in the counts as well. */
const visibleStatus = sql`case when r.status = 'warning' and (${visibleProblems}) is null then 'ready' else r.status end`

export const isOutdatedSql = sql.raw(`exists (select from members m
  where m.policy_id = i.policy_id and m.updated_at > coalesce(i.checked_at, i.created_at))`)

export async function readStaffList(cx: Pick<Cx, "tx" | "actor">, importId: string): Promise<StaffListDetail> {
  const row = await cx.tx.row<Omit<StaffListRead, "job" | "elsewhere"> & { jobId: string | null }>(sql`
    select ${listedColumns}, i.headers, i.header_line as "headerLine", i.sheet, i.notes, i.sample, i.mapping,
      jsonb_build_object('ready', i.ready_count + unseen.warnings, 'warning', i.warning_count - unseen.warnings, 'error', i.error_count,
        'joiner', i.joiner_count, 'change', i.change_count, 'unchanged', i.unchanged_count, 'leaver', i.leaver_count) as counts,
      i.apply_changes as "applyChanges", i.changes_on as "changesOn", i.leavers_on as "leaversOn", i.failure,
      p.status as "policyStatus", (i.status = 'ready' and ${isOutdatedSql}) as outdated,
      i.committed_at as "committedAt", i.undone_at as "undoneAt", i.job_id as "jobId",
      (select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'policyNumber', sp.number, 'groupName', sg.name, 'status', s.status,
          'rowCount', s.row_count, 'errorCount', s.error_count)
          order by sp.number), '[]')
        from staff_lists s join policies sp on sp.id = s.policy_id join employer_groups sg on sg.id = s.group_id
        where s.division_id = i.division_id and s.id <> i.id) as siblings
    from ${fromStaffLists}
    cross join lateral (select count(*) as warnings from staff_list_rows r
      where r.staff_list_id = i.id and r.status = 'warning' and (${visibleStatus}) = 'ready') unseen
    where i.id = ${importId}`)
  if (!row) throw refused("NOT_FOUND", "This import does not exist.")
  const { jobId, ...shown } = row
  const working = shown.status === "checking" || shown.status === "committing"
  const job = (working && jobId && (await jobOf(cx, jobId))) || null
  // The sample shows ID numbers, and the notes may contain a sum of salaries.
  const { mayImport } = staffListActorOf(cx.actor)
  const { sample, notes } = mayImport ? shown : { sample: [], notes: [] }
  const elsewhere =
    mayImport && shown.status === "ready" && shown.counts.error > 0 ? await readOtherPoliciesNamed(cx.tx, shown) : []
  return {
    ...addAllowedActions(shown, cx.actor),
    ...{ sample, notes, job },
    elsewhere: elsewhere.map(({ names: _names, groupId: _groupId, ...policy }) => policy),
  }
}

/** Other open policies, visible to the reader, that the refused rows of a list name. */
export async function readOtherPoliciesNamed(
  tx: Tx,
  { id, policyId, mapping }: { id: string; policyId: string; mapping: ColumnMapping },
): Promise<NamedPolicy[]> {
  if (mapping.groupPolicy === undefined) return []
  const named = await tx.rows<{ text: string; rows: number }>(sql`
    select coalesce(cells[${mapping.groupPolicy}::int + 1], '') as text, count(*)::int as rows from staff_list_rows
    where staff_list_id = ${id} and problems @> '[{"code": "other_group"}]' group by 1`)
  if (named.length === 0) return []
  const candidates = await tx.rows<Parameters<typeof matchPolicyNames>[1][number]>(sql`
    select p.id, p.number, p.description, p.group_id as "groupId", g.name as "groupName"
    from policies p join employer_groups g on g.id = p.group_id
    where p.id <> ${policyId} and p.status not in ('Terminated', 'Expired')`)
  return matchPolicyNames(named, candidates)
}

export const readStaffListDetail = query(staffListsContract.detail, (cx) => readStaffList(cx, cx.input.importId))

type PreviewRow = Omit<StaffListRow, "problems" | "changes" | "row"> & {
  row: number
  problems: RowProblem[] | null
  before: Record<string, string> | null
  after: Record<string, string>
  hadSalaryCents: Cents | null
}

export const listStaffListRows = query(staffListsContract.rows, async ({ tx, actor, input, currency }) => {
  const exists = await tx.row(sql`select id from staff_lists where id = ${input.importId}`)
  if (!exists) throw refused("NOT_FOUND", "This import does not exist.")
  const { role } = ruleActor(actor)
  const masked = role === "policy_holder"
  const mayKnow = hasPermission(role, "members.salary")
  const mayImport = hasPermission(role, "members.import")
  const filters = [sql`r.staff_list_id = ${input.importId}`]
  if (input.status) filters.push(sql`(${visibleStatus}) = ${input.status} and r.outcome is distinct from 'leaver'`)
  if (input.outcome) filters.push(sql`r.outcome = ${input.outcome}`)
  if (input.code) filters.push(sql`(${visibleProblems}) @> ${JSON.stringify([{ code: input.code }])}::jsonb`)
  if (input.search) {
    const like = containsPattern(input.search)
    const number = masked ? sql`false` : sql`r.id_number like ${like}`
    filters.push(
      sql`(lower(r.first_name || ' ' || r.last_name) like ${like} or ${number} or lower(r.email) like ${like})`,
    )
  }
  const where = sql.join(filters, sql` and `)
  const dir = sql.raw(input.dir)
  // Each row is compared only once, for the page and for its number; only the page's rows are joined.
  const { rows, total } = (await tx.row<{ rows: PreviewRow[]; total: number }>(sql`
    with hits as materialized (select r.row from staff_list_rows r where ${where}),
    page as (select row from hits order by row ${dir} limit ${input.pageSize} offset ${(input.page - 1) * input.pageSize})
    select (select count(*) from hits) as total, (select coalesce(json_agg(shown), '[]') from (
      select r.row, r.line, ${visibleStatus} as status, r.outcome, coalesce(r.first_name, '') as "firstName", coalesce(r.last_name, '') as "lastName",
        coalesce(r.id_number, r.passport_number) as "idNumber", r.email, t.name as "tierName",
        case when r.outcome = 'joiner' then coalesce(r.start_on, i.default_start_on) else r.start_on end as "startOn",
        r.salary_cents as "salaryCents", (r.before ->> '_salary')::bigint as "hadSalaryCents",
        ${visibleProblems} as problems, r.before, ${mayImport && mayKnow ? sql`case when i.status = 'ready' then r.cells end` : sql`null::text[]`} as cells, case when r.outcome = 'joiner' and i.status <> 'completed' then null else r.member_id end as "memberId",
        jsonb_build_object(${jsonPairsOf(memberFields, "r")}, 'tierId', t.name) as after
      from page
      join staff_list_rows r on r.staff_list_id = ${input.importId} and r.row = page.row
      join staff_lists i on i.id = r.staff_list_id
      left join benefit_tiers t on t.id = coalesce(r.tier_id, case when r.outcome = 'joiner' then i.default_tier_id end)
      order by r.row ${dir}) shown) as rows`))!
  return listAnswerOf(staffListRowsList, {
    rows: rows.map((row) => presentRow(row, { masked, mayKnow }, currency)),
    total,
  })
})

function presentRow(
  { before, after, hadSalaryCents, salaryCents, ...row }: PreviewRow,
  { masked, mayKnow }: { masked: boolean; mayKnow: boolean },
  currency: Currency,
): StaffListRow {
  const hidden = (field: string) =>
    (masked && Boolean(memberField(field)?.isMasked)) || (!mayKnow && field === "salary")
  const pay = (cents: Cents | null) => (cents ? formatMoney(cents, currency) : "")
  const leaver = row.outcome === ("leaver" satisfies RowOutcome)
  return {
    ...row,
    row: leaver ? null : row.row,
    idNumber: masked ? maskIdNumber(row.idNumber) : row.idNumber,
    problems: (row.problems ?? []).map((found) => ({
      code: found.code,
      field: found.field,
      sentence: problemSentence(hidden(found.field) ? { ...found, value: undefined, other: undefined } : found),
    })),
    salaryCents: mayKnow ? salaryCents : null,
    changes:
      row.outcome === "change"
        ? [
            ...Object.entries(before ?? {})
              .filter(([field]) => !hidden(field) && !field.startsWith("_"))
              .map(([field, was]) => ({
                field: memberLabels[field] ?? field,
                before: String(displayValue(memberField(field), was)),
                after: String(displayValue(memberField(field), after[field] ?? "")),
              })),
            ...(mayKnow && hadSalaryCents !== null
              ? [{ field: memberLabels.salary!, before: pay(hadSalaryCents), after: pay(salaryCents) }]
              : []),
          ]
        : [],
  }
}

/** Staff lists whose import would assign a tier. */
export const staffListsWithTier = (tierId: string): SQL => sql`
  select file_name as label from staff_lists i where status in ('ready', 'committing') and exists (
    select from staff_list_rows r where r.staff_list_id = i.id
      and coalesce(r.tier_id, case when r.outcome = 'joiner' then i.default_tier_id end) = ${tierId})`

export const hasStaffLists = (policyId: string): SQL =>
  sql`exists (select from staff_lists where policy_id = ${policyId})`

export const hasStaffListInProgress = (policyId: string): SQL =>
  sql`exists (select from staff_lists where policy_id = ${policyId} and status in ('checking', 'committing'))`

/** The first twenty members that a list added and that now have claims or invoice lines. */
export async function findJoinersWithHistory(
  tx: Tx,
  staffListId: string,
): Promise<{ memberId: string; number: string; name: string; claims: boolean }[]> {
  return tx.rows(sql`
    select m.id as "memberId", m.number, m.first_name || ' ' || m.last_name as name,
      ${hasClaims(sql`m.id`)} as claims
    from staff_list_rows r join members m on m.id = r.member_id
    where r.staff_list_id = ${staffListId} and r.outcome = 'joiner'
      and (${hasClaims(sql`m.id`)} or ${isInvoiced(sql`m.id`)})
    order by r.row limit 20`)
}
