import { columnOf, isNullable } from "@milkwood/domain/kernel/declared-field"
import { type MemberFieldName, memberFieldNames, memberFields } from "@milkwood/domain/members/member-fields"
import type { StaffList } from "@milkwood/domain/staff-lists/staff-list"
import { checkUndo, undoList } from "@milkwood/domain/staff-lists/staff-list-steps"
import { staffListsContract } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { type SQL, sql } from "drizzle-orm"
import { refreshMembers, reopenCovers, restoreCovers } from "../members/member-covers.ts"
import { deleteMembers, updateMembers } from "../members/members-in-sets.ts"
import { restoreSalaries } from "../members/salaries.ts"
import { isDuplicatePerson } from "../members/same-identity.queries.ts"
import { ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockPolicy } from "../policies/policy-record.ts"
import { lockStaffList, saveStaffList } from "./staff-list-record.ts"
import { findJoinersWithHistory, readStaffList } from "./staff-lists.queries.ts"
import { assignListedFields, auditedBeforeSql, auditRows, listedValues, toCompleteSql } from "./write-members.ts"

/**
 * Undoes an import while none of its members has claims or invoices. Added members are removed, values not changed
 * since are restored, and leavers are reinstated.
 */
export const undoStaffList = command(staffListsContract.undo, async (cx) => {
  const { tx, input, actor } = cx
  // Locks the policy before the list, as other code does. Refuses BUSY instead of waiting, because the import's job
  // locks the list first.
  const target = await tx.row<{ policyId: string }>(
    sql`select policy_id as "policyId" from staff_lists where id = ${input.importId}`,
  )
  if (!target) throw refused("NOT_FOUND", "This import does not exist.")
  const policy = await lockPolicy(tx, target.policyId)
  const list = await lockStaffList(cx, input.importId)
  expectVersion(list, input.version)
  const { userId } = ruleActor(actor)
  orRefuse(checkUndo(list, { userId, seesAllGroups: seesAllGroups(actor) }, policy.status))
  await refuseMembersWithHistory(cx, list)
  await auditUndoneRows(cx, list, { outcome: "joiner" })
  const removed = await deleteMembers(
    cx,
    sql`staff_list_rows r`,
    sql`r.staff_list_id = ${list.id} and r.outcome = 'joiner' and m.id = r.member_id`,
  )
  const restored = (await refuseDuplicateNumbers(() => restoreChanged(cx, list))) + (await reinstateLeavers(cx, list))
  await saveStaffList(cx, list, orRefuse(undoList(list, { removed, restored }, { userId }, cx.now)))
  return readStaffList(cx, list.id)
})

async function refuseMembersWithHistory({ tx }: Cx, list: StaffList): Promise<void> {
  const members = await findJoinersWithHistory(tx, list.id)
  if (members.length > 0) {
    const what = members.some(({ claims }) => claims) ? "claims or invoices" : "invoices"
    throw refused(
      "HAS_HISTORY",
      `The import cannot be undone: ${members[0]!.name} (${members[0]!.number})${members.length > 1 ? " and others have" : " has"} ${what}.`,
      {
        members: members.map(({ claims, ...member }) => member),
      },
    )
  }
}

/** Undo may restore a number that another member of the policy now has. */
async function refuseDuplicateNumbers(work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    if (!isDuplicatePerson(error)) throw error
    throw refused(
      "HAS_HISTORY",
      "The import cannot be undone: another member of the policy now has one of the previous ID or passport numbers.",
      { members: [] },
    )
  }
}

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id)

/** Restores a field only while it still has the value from the list. */
async function restoreChanged(cx: Cx, list: StaffList): Promise<number> {
  const { tx } = cx
  if (!list.applyChanges) return 0
  const changed = await tx.rows<{ id: string }>(
    sql`select member_id as id from staff_list_rows where staff_list_id = ${list.id} and outcome = 'change'`,
  )
  const moved = await restoreCovers(cx, idsOf(changed), list.committedAt!)
  await refreshMembers(cx, { memberIds: moved })
  const paid = await restoreSalaries(cx, idsOf(changed), list.committedAt!)
  const stands = [
    ...memberFieldNames.map((field) =>
      sql.raw(`('${field}', m.${columnOf(field)} is not distinct from r.${columnOf(field)})`),
    ),
    sql`('tierId', case when m.status = 'Pending' then m.tier_id = r.tier_id else m.id = any (${sql.param(moved)}::uuid[]) end)`,
    sql`('_salary', m.id = any (${sql.param(paid)}::uuid[]))`,
  ]
  // `offset 0` stops PostgreSQL from computing this again for every field.
  const back = sql`join lateral (
    select array(select field from (values ${sql.join(stands, sql`, `)}) each (field, stands)
      where stands and r.before ? field) as fields offset 0
  ) back on back.fields <> '{}'`
  const of = (values: SQL) =>
    sql`(select jsonb_object_agg(key, value) from jsonb_each(${values}) where key = any (back.fields))`
  await auditUndoneRows(cx, list, {
    outcome: "change",
    join: back,
    // If only the salary was restored, before and after are left out.
    more: sql`jsonb_strip_nulls(jsonb_build_object('before', ${of(listedValues)}, 'after', ${of(auditedBeforeSql)}))`,
  })
  const was = (field: MemberFieldName) => {
    const [name, declared] = [sql.raw(`'${field}'`), memberFields[field]]
    const text = isNullable(declared) ? sql`nullif(r.before ->> ${name}, '')` : sql`r.before ->> ${name}`
    const value = declared.kind === "day" ? sql`${text}::date` : text
    return sql`case when ${name} = any (r.fields) then ${value} else m.${sql.raw(columnOf(field))} end`
  }
  const restored = await updateMembers(cx, {
    set: sql`${assignListedFields(was)}, to_complete = ${toCompleteSql(was)},
      tier_id = case when m.status = 'Pending' and 'tierId' = any (r.fields) then (r.before ->> '_tierId')::uuid else m.tier_id end`,
    from: sql`(select r.member_id, r.before, back.fields from staff_list_rows r join members m on m.id = r.member_id ${back}
      where r.staff_list_id = ${list.id} and r.outcome = 'change') r`,
    where: sql`m.id = r.member_id`,
  })
  return restored.length
}

/** Reinstates leavers and their cover, except those who have rejoined, even if they left again. */
async function reinstateLeavers(cx: Cx, list: StaffList): Promise<number> {
  if (!list.leaversOn) return 0
  const joinedAgain = sql`other.policy_id = m.policy_id and other.id <> m.id
        and (other.status <> 'Terminated' or other.start_on > ${list.leaversOn}::date)`
  const memberIds = await updateMembers(cx, {
    set: sql`end_on = null, status_reason = null, status = case when m.status = 'Terminated' then 'Active' else m.status end`,
    from: sql`staff_list_rows r`,
    where: sql`r.staff_list_id = ${list.id} and r.outcome = 'leaver' and m.id = r.member_id and m.end_on = ${list.leaversOn}::date
      and not exists (select from members other where ${joinedAgain} and other.id_number = m.id_number)
      and not exists (select from members other where ${joinedAgain} and lower(other.passport_number) = lower(m.passport_number))`,
  })
  const restored = new Set(await restoreCovers(cx, memberIds, list.committedAt!))
  const kept = memberIds.filter((id) => !restored.has(id))
  await reopenCovers(cx, { memberIds: kept }, list.leaversOn)
  await refreshMembers(cx, { memberIds })
  await auditUndoneRows(cx, list, {
    outcome: "leaver",
    join: sql`join unnest(${sql.param(memberIds)}::uuid[]) reinstated (id) on reinstated.id = m.id`,
  })
  return memberIds.length
}

async function auditUndoneRows(
  cx: Cx,
  list: StaffList,
  { outcome, join, more = sql`'{}'` }: { outcome: "joiner" | "change" | "leaver"; join?: SQL; more?: SQL },
): Promise<void> {
  const said = { outcome, fileName: list.fileName, importId: list.id }
  await auditRows(cx, list, {
    fact: "MemberImportUndone",
    outcome,
    detail: sql`${JSON.stringify(said)}::jsonb || ${more}`,
    join,
  })
}
