import { columnOf, isNullable } from "@milkwood/domain/kernel/declared-field"
import type { Completable } from "@milkwood/domain/members/member"
import { type MemberFieldName, memberFieldNames, memberFields } from "@milkwood/domain/members/member-fields"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import type { RowOutcome, StaffList } from "@milkwood/domain/staff-lists/staff-list"
import { type SQL, sql } from "drizzle-orm"
import { changeCovers, endCovers, openCovers, refreshMembers } from "../members/member-covers.ts"
import { nextMemberNumber, shownMemberNumber } from "../members/member-numbers.ts"
import { insertMembers, updateMembers } from "../members/members-in-sets.ts"
import { writeSalaries } from "../members/salaries.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { jsonPairsOf } from "../platform/database/declared-fields.ts"
import { unreadableFile } from "../platform/files/unreadable.ts"
import { writeTrail } from "../platform/trail/facts.ts"
import { lockPolicy } from "../policies/policy-record.ts"

type Progress = (written: number, total: number) => Promise<void>

export const listedValues = sql`jsonb_build_object(${jsonPairsOf(memberFields, "r")},
  'tierId', (select name from benefit_tiers where id = r.tier_id))`

export const assignListedFields = (value: (field: MemberFieldName) => SQL): SQL =>
  sql.join(
    memberFieldNames.map((field) => sql`${sql.raw(columnOf(field))} = ${value(field)}`),
    sql`, `,
  )

const rowValue = (field: MemberFieldName) => sql.raw(`r.${columnOf(field)}`)

const joinerValue = (field: MemberFieldName) =>
  isNullable(memberFields[field]) ? rowValue(field) : sql`coalesce(${rowValue(field)}, '')`

/** Bulk version of the domain's `toComplete`. `value` returns a field's SQL; null and empty text both mean missing. */
export function toCompleteSql(value: (field: MemberFieldName) => SQL): SQL {
  const lacks = (field: Completable, held = value(field)) =>
    sql`case when coalesce(${held}, '') = '' then ${sql.raw(`'${field}'`)} end`
  return sql`array_remove(array[${lacks("idNumber", sql`coalesce(${value("idNumber")}, ${value("passportNumber")})`)},
    ${lacks("email")}, ${lacks("phone")}, ${lacks("employmentStatus")}], null)`
}

/** Rows per statement, so that progress can be shown. */
const chunkRowCount = 10_000

/**
 * Writes a checked import in the caller's transaction, with a few statements for all rows. Locks the policy first to
 * stop concurrent joiners; refuses people who joined or were changed since the check.
 */
export async function writeMembers(
  cx: Cx,
  list: StaffList,
  progress: Progress,
): Promise<{ added: number; changed: number; ended: number; refused: number }> {
  const policy = await lockPolicy(cx.tx, list.policyId)
  if (!isOpen(policy.status)) throw unreadableFile("The policy has ended. You cannot add members to it.")
  const overtaken = await refuseStaleRows(cx, list)
  const open = policy.status !== "Draft"
  const added = await addJoiners(cx, list, open, progress)
  const changed = list.applyChanges && list.changeCount > 0 ? await applyChanges(cx, list, open) : 0
  const ended = list.leaversOn && list.leaverCount > 0 ? await endLeavers(cx, list, list.leaversOn) : 0
  return { added, changed, ended, refused: list.errorCount + overtaken }
}

/** Updates the planner's statistics after large writes of this transaction. */
export async function analyzeAfterBulkWrite({ tx }: Pick<Cx, "tx">, rowsWritten: number): Promise<void> {
  if (rowsWritten >= 1_000) await tx.run(sql`select analyze_staff_lists()`)
}

async function refuseStaleRows({ tx }: Cx, list: StaffList): Promise<number> {
  const refuse = (code: string, where: SQL) =>
    tx.run(sql`
    update staff_list_rows r
    set status = 'error', outcome = null, member_id = null, member_version = null, before = null,
      problems = coalesce(r.problems, '[]') || jsonb_build_array(jsonb_build_object('code', ${code}::text, 'field', 'idNumber'))
    from members m
    where r.staff_list_id = ${list.id} and ${where}`)
  const insured = sql`r.outcome = 'joiner' and m.policy_id = ${list.policyId} and m.status <> 'Terminated'`
  const byId = await refuse("joined_since", sql`${insured} and m.id_number = r.id_number`)
  const byPassport = await refuse(
    "joined_since",
    sql`${insured} and lower(m.passport_number) = lower(r.passport_number)`,
  )
  const numbered = await refuse(
    "joined_since",
    sql`r.outcome in ('joiner', 'change') and m.policy_id = ${list.policyId} and m.status <> 'Terminated'
      and m.id <> r.member_id and r.employee_number <> '' and lower(m.employee_number) = lower(r.employee_number)`,
  )
  const changed = await refuse(
    "changed_since",
    sql`r.outcome = 'change' and m.id = r.member_id and (m.version <> r.member_version or m.status = 'Terminated')`,
  )
  await tx.run(sql`
    delete from staff_list_rows r using members m
    where r.staff_list_id = ${list.id} and r.outcome = 'leaver' and m.id = r.member_id
      and (m.version <> r.member_version or m.status = 'Terminated' or m.end_on is not null)`)
  return byId + byPassport + numbered + changed
}

async function addJoiners(cx: Cx, list: StaffList, open: boolean, progress: Progress): Promise<number> {
  const { tx, now } = cx
  const found = await tx.row<{ joiners: number }>(
    sql`select count(*) as joiners from staff_list_rows where staff_list_id = ${list.id} and outcome = 'joiner'`,
  )
  const joiners = found!.joiners
  if (joiners === 0) return 0
  let written = 0
  for (let from = 1; from <= list.rowCount; from += chunkRowCount) {
    written += await insertMembers(
      cx,
      {
        id: sql`r.member_id`,
        groupId: sql`r.group_id`,
        policyId: sql`${list.policyId}::uuid`,
        number: shownMemberNumber(sql`r.n`),
        ...(Object.fromEntries(memberFieldNames.map((field) => [field, joinerValue(field)])) as Record<
          MemberFieldName,
          SQL
        >),
        tierId: sql`coalesce(r.tier_id, ${list.defaultTierId}::uuid)`,
        status: sql`${open ? "Active" : "Pending"}`,
        startOn: sql`coalesce(r.start_on, ${list.defaultStartOn}::date)`,
        toComplete: toCompleteSql(rowValue),
        createdAt: sql`${now}`,
        updatedAt: sql`${now}`,
      },
      sql`(
        select *, ${nextMemberNumber} as n
        from (
          select * from staff_list_rows
          where staff_list_id = ${list.id} and outcome = 'joiner' and row >= ${from} and row < ${from + chunkRowCount}
          order by row
        ) joiners
      ) r order by r.row`,
    )
    await progress(written, joiners)
  }
  await analyzeAfterBulkWrite(cx, written)
  if (open) await openCovers(cx, { policyId: list.policyId })
  await auditRows(cx, list, {
    fact: "MemberImported",
    outcome: "joiner",
    detail: sql`jsonb_build_object('startOn', m.start_on, 'fileName', ${list.fileName}::text, 'importId', ${list.id}::text)`,
  })
  await setSalaries(cx, list, { outcome: "joiner", from: sql`m.start_on`, where: sql`r.salary_cents is not null` })
  return written
}

/**
 * Another tier or salary applies from `changesOn`. In a draft the tier changes at once, and the salary starts at the
 * latest with the member.
 */
async function applyChanges(cx: Cx, list: StaffList, open: boolean): Promise<number> {
  const { tx, today } = cx
  const from = list.changesOn ?? today
  const given = (field: MemberFieldName) => sql.raw(`coalesce(r.${columnOf(field)}, m.${columnOf(field)})`)
  const changed = await updateMembers(cx, {
    set: sql`${assignListedFields(given)},
      tier_id = ${open ? sql`m.tier_id` : sql`coalesce(r.tier_id, m.tier_id)`}, to_complete = ${toCompleteSql(given)}`,
    from: sql`staff_list_rows r`,
    where: sql`r.staff_list_id = ${list.id} and r.outcome = 'change' and m.id = r.member_id`,
  })
  if (changed.length === 0) return 0
  if (open) {
    const moved = await tx.rows<{ tierId: string; memberIds: string[] }>(sql`
      select tier_id as "tierId", array_agg(member_id) as "memberIds" from staff_list_rows
      where staff_list_id = ${list.id} and outcome = 'change' and before ? '_tierId' group by tier_id`)
    for (const { tierId, memberIds } of moved) {
      await changeCovers(cx, { memberIds }, from, { tierId, reason: `Staff list ${list.fileName}` })
      await refreshMembers(cx, { memberIds })
    }
  }
  await auditRows(cx, list, {
    fact: "MemberUpdated",
    outcome: "change",
    detail: sql`jsonb_build_object('reason', ${`Staff list ${list.fileName}`}::text, 'before', ${auditedBeforeSql},
      'after', (select jsonb_object_agg(key, value) from jsonb_each(${listedValues}) where r.before ? key))`,
    where: sql`${auditedBeforeSql} <> '{}'`,
  })
  await setSalaries(cx, list, {
    outcome: "change",
    from: open ? sql`${from}::date` : sql`least(${from}::date, m.start_on)`,
    where: sql`r.before ? '_salary'`,
  })
  return changed.length
}

/** The trail records no salary, and tiers only by name. */
export const auditedBeforeSql = sql`(r.before - '_tierId' - '_salary')`

/** The trail records the start of a salary without its amount. */
async function setSalaries(
  cx: Cx,
  list: StaffList,
  { outcome, from, where }: { outcome: "joiner" | "change"; from: SQL; where: SQL },
): Promise<void> {
  const written = await writeSalaries(
    cx,
    sql`select m.id as member_id, m.group_id, r.salary_cents as monthly_cents, ${from} as from_on
      from staff_list_rows r join members m on m.id = r.member_id
      where r.staff_list_id = ${list.id} and r.outcome = ${outcome} and ${where}`,
  )
  if (written === 0) return
  await auditRows(cx, list, {
    fact: "MemberSalarySet",
    outcome,
    detail: sql`jsonb_build_object('on', ${from}, 'reason', ${`Staff list ${list.fileName}`}::text)`,
    where,
  })
}

/** Ends members missing from the list. `lastDay` was already compared with the start of their cover. */
async function endLeavers(cx: Cx, list: StaffList, lastDay: string): Promise<number> {
  const memberIds = await updateMembers(cx, {
    set: sql`end_on = ${lastDay}::date, status_reason = ${`Not in the staff list ${list.fileName}`}`,
    from: sql`staff_list_rows r`,
    where: sql`r.staff_list_id = ${list.id} and r.outcome = 'leaver' and m.id = r.member_id`,
  })
  if (memberIds.length === 0) return 0
  await endCovers(cx, { memberIds }, lastDay)
  await refreshMembers(cx, { memberIds })
  await auditRows(cx, list, {
    fact: "MemberTerminated",
    outcome: "leaver",
    detail: sql`jsonb_build_object('on', ${lastDay}::text, 'reason', ${`Not in the staff list ${list.fileName}`}::text)`,
  })
  return memberIds.length
}

export async function auditRows(
  cx: Cx,
  list: Pick<StaffList, "id" | "groupId">,
  facts: {
    fact: "MemberImported" | "MemberUpdated" | "MemberSalarySet" | "MemberTerminated" | "MemberImportUndone"
    outcome: RowOutcome
    detail: SQL
    /** Limits the members `m` that belong to rows `r`. */
    join?: SQL | undefined
    where?: SQL | undefined
  },
): Promise<void> {
  await writeTrail(
    cx,
    sql`
    select ${facts.fact}::text, 'member', m.id, m.number, m.group_id, ${facts.detail}, r.row
    from staff_list_rows r join members m on m.id = r.member_id ${facts.join ?? sql``}
    where r.staff_list_id = ${list.id} and r.outcome = ${facts.outcome} and ${facts.where ?? sql`true`}`,
  )
}
