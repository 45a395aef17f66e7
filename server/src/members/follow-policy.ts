import type { Day } from "@milkwood/domain/kernel/calendar"
import type { PolicyFact } from "@milkwood/domain/policies/policy-facts"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { endCovers, openCovers, refreshMembers, reopenCovers, restoreCovers } from "./member-covers.ts"
import { copyMembersToClaims } from "./members.ports.ts"

type PolicyFactOf<T extends PolicyFact["type"]> = Extract<PolicyFact, { type: T }>

/**
 * Moves members' start dates with the draft's. Members added before the draft had a start date got the day of entry
 * (defaultStart in the domain). Other start dates were chosen by a user and do not move.
 */
export async function moveMemberStarts(cx: Cx, { record, from, to }: PolicyFactOf<"DraftStartMoved">): Promise<void> {
  const moving = sql`
    select id, start_on from members
    where policy_id = ${record.id} and status = 'Pending'
      and start_on = coalesce(${from}::date, (created_at at time zone ${cx.timezone})::date)`
  // Dependents with the same start as their member move too.
  await cx.tx.run(sql`
    with moving as (${moving}), moved as (
      update dependents d set from_on = ${to}::date, updated_at = ${cx.now} from moving m
      where d.member_id = m.id and d.from_on = m.start_on and (d.until_on is null or d.until_on >= ${to}::date)
      returning d.id, d.group_id, d.member_id, d.relationship, d.date_of_birth, d.from_on, d.until_on
    ), superseded as (
      update dependent_covers set superseded_at = ${cx.now}
      where dependent_id in (select id from moved) and superseded_at is null
    )
    insert into dependent_covers (id, group_id, member_id, dependent_id, relationship, born_on, valid, recorded_at)
    select gen_random_uuid(), group_id, member_id, id, relationship, date_of_birth, daterange(from_on, until_on + 1), ${cx.now}::timestamptz
    from moved`)
  await cx.tx.run(sql`
    update members set start_on = ${to}::date, updated_at = ${cx.now}, version = version + 1
    where policy_id = ${record.id} and status = 'Pending'
      and start_on = coalesce(${from}::date, (created_at at time zone ${cx.timezone})::date)`)
}

/** Activated members are covered from the later of their own and the policy's start date. */
export async function startMemberCovers(cx: Cx, { record }: PolicyFactOf<"PolicyActivated">): Promise<void> {
  const whose = { policyId: record.id }
  await openCovers(cx, whose)
  await refreshMembers(cx, whose)
}

export const endMembers = (cx: Cx, { record, on, reason }: PolicyFactOf<"PolicyTerminated">): Promise<void> =>
  endMembersOn(cx, record.id, on, `Policy terminated: ${reason}`)

const expiredReason = "Policy expired"

export const expireMembers = (cx: Cx, { record, on }: PolicyFactOf<"PolicyExpired">): Promise<void> =>
  endMembersOn(cx, record.id, on, expiredReason)

/**
 * Members who ended with the policy continue with their covers from before it expired. Ends planned for a later day
 * apply again. Earlier leavers are unchanged.
 */
export async function continueMembers(cx: Cx, { record, before }: PolicyFactOf<"PolicyRenewed">): Promise<void> {
  const { tx, now } = cx
  const rows = await tx.rows<{ id: string; endedAt: string | null }>(sql`
    select m.id, (
      select max(c.recorded_at) from member_covers c
      where c.member_id = m.id and c.superseded_at is null and upper(c.valid) = ${before.endOn}::date + 1) as "endedAt"
    from members m
    where m.policy_id = ${record.id} and m.end_on = ${before.endOn}::date and m.status_reason = ${expiredReason}
    for update`)
  const ids = rows.map(({ id }) => id)
  const restored = new Set<string>()
  for (const [endedAt, those] of Map.groupBy(rows, (row) => row.endedAt))
    if (endedAt !== null)
      for (const id of await restoreCovers(
        cx,
        those.map(({ id }) => id),
        endedAt,
      ))
        restored.add(id)
  await reopenCovers(cx, { memberIds: ids.filter((id) => !restored.has(id)) }, before.endOn)
  await tx.run(sql`
    update members m set end_on = last.day, status = case when last.day <= ${cx.today}::date then m.status else 'Active' end,
      status_reason = case when last.day is null then null else 'Notice given before the renewal' end,
      updated_at = ${now}, version = version + 1
    from (
      select id, (select case when upper_inf(c.valid) then null else upper(c.valid) - 1 end from member_covers c
        where c.member_id = one.id and c.superseded_at is null order by c.valid desc limit 1) as day
      from unnest(${sql.param(ids)}::uuid[]) one (id)
    ) last where last.id = m.id`)
  await copyMembersToClaims(tx, sql`select unnest(${sql.param(ids)}::uuid[])`)
  await refreshMembers(cx, { policyId: record.id })
}

async function endMembersOn(cx: Cx, policyId: string, on: Day, reason: string): Promise<void> {
  await endCovers(cx, { policyId }, on)
  await cx.tx.run(sql`
    update members set end_on = ${on}::date, status_reason = ${reason}, updated_at = ${cx.now}, version = version + 1
    where policy_id = ${policyId} and (end_on is null or end_on > ${on}::date)`)
  await copyMembersToClaims(cx.tx, sql`select id from members where policy_id = ${policyId}`)
  await refreshMembers(cx, { policyId })
}
