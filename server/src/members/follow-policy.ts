import type { Day } from "@milkwood/domain/kernel/calendar"
import type { PolicyFact } from "@milkwood/domain/policies/policy-facts"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { endCovers, openCovers, refreshMembers } from "./member-covers.ts"

type News<T extends PolicyFact["type"]> = Extract<PolicyFact, { type: T }>

/**
 * A draft starts on another day: who was to start with it still does. While it had no start, members were given the day
 * on which they were added (defaultStart in the domain). Other start dates were chosen, and stay.
 */
export async function moveStarts(cx: Cx, { record, from, to }: News<"DraftStartMoved">): Promise<void> {
  const moving = sql`
    select id, start_on from members
    where policy_id = ${record.id} and status = 'Pending'
      and start_on = coalesce(${from}::date, (created_at at time zone ${cx.timezone})::date)`
  // Dependents who were to start with them still do.
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

/** A policy is activated: its members become Active, and are covered from the later of their start date and its own. */
export async function coverMembers(cx: Cx, { record }: News<"PolicyActivated">): Promise<void> {
  const whose = { policyId: record.id }
  await openCovers(cx, whose)
  await refreshMembers(cx, whose)
}

/** A policy is terminated: whoever is still a member ends on its last day. */
export const endMembers = (cx: Cx, { record, on, reason }: News<"PolicyTerminated">): Promise<void> =>
  endOn(cx, record.id, on, `Policy terminated: ${reason}`)

/** A policy expires: its members end with it. */
export const expireMembers = (cx: Cx, { record, on }: News<"PolicyExpired">): Promise<void> =>
  endOn(cx, record.id, on, "Policy expired")

async function endOn(cx: Cx, policyId: string, on: Day, reason: string): Promise<void> {
  await endCovers(cx, { policyId }, on)
  await cx.tx.run(sql`
    update members set end_on = ${on}::date, status_reason = ${reason}, updated_at = ${cx.now}, version = version + 1
    where policy_id = ${policyId} and (end_on is null or end_on > ${on}::date)`)
  await refreshMembers(cx, { policyId })
}
