import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import { setSalary as decide } from "@milkwood/domain/members/member-steps"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Cx, command, orRefuse, query } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockMember, readMember, saveMember } from "./member-record.ts"
import { memberDetail } from "./members.queries.ts"

/** Newest first. */
export const readSalaries = query(membersContract.salaries, async ({ tx, input }) => {
  await readMember(tx, input.memberId)
  return tx.rows<{ fromOn: Day; untilOn: Day | null; monthlyCents: Cents }>(sql`
    select lower(valid) as "fromOn", upper(valid) - 1 as "untilOn", monthly_cents as "monthlyCents" from member_salaries
    where member_id = ${input.memberId} and superseded_at is null order by valid desc`)
})

export const setSalary = command(membersContract.setSalary, async (cx) => {
  const { memberId, version, monthlyCents, on, laterChanges } = cx.input
  const member = await lockMember(cx, memberId)
  expectVersion(member, version)
  await saveMember(cx, member, orRefuse(decide(member, on, laterChanges)))
  await applySalary(cx, member, monthlyCents, on, laterChanges)
  return memberDetail(cx, memberId)
})

/** `monthlyCents` null: the salary is unknown from that day. */
export const applySalary = (
  cx: Pick<Cx, "tx" | "now">,
  { id, groupId }: { id: string; groupId: string },
  monthlyCents: Cents | null,
  on: Day,
  later?: LaterChanges,
): Promise<number> =>
  writeSalaries(
    cx,
    sql`select ${id}::uuid as member_id, ${groupId}::uuid as group_id, ${monthlyCents}::bigint as monthly_cents, ${on}::date as from_on`,
    later,
  )

/**
 * Writes dated salaries from rows of `member_id, group_id, monthly_cents, from_on`; null cents mean unknown. A salary
 * applies until the next recorded change, or replaces later ones (`factRange` in the domain). Returns the number of
 * rows written.
 */
export function writeSalaries(
  { tx, now }: Pick<Cx, "tx" | "now">,
  rows: SQL,
  later: LaterChanges = "keep",
): Promise<number> {
  return tx.run(sql`
    with given as (
      select g.*, daterange(g.from_on, (
        select min(change.day) from member_salaries s cross join lateral (values (lower(s.valid)), (upper(s.valid))) change (day)
        where ${later === "keep"} and s.member_id = g.member_id and s.superseded_at is null and change.day > g.from_on)) as days
      from (${rows}) g
    ), superseded as (
      update member_salaries s set superseded_at = ${now}
      from given g
      where s.member_id = g.member_id and s.superseded_at is null and s.valid && g.days
      returning s.group_id, s.member_id, s.monthly_cents, s.valid, g.from_on
    )
    insert into member_salaries (id, group_id, member_id, monthly_cents, valid, recorded_at)
    select gen_random_uuid(), group_id, member_id, monthly_cents, valid * daterange(null, from_on), ${now}::timestamptz
    from superseded where lower(valid) < from_on
    union all
    select gen_random_uuid(), group_id, member_id, monthly_cents, days, ${now}::timestamptz
    from given where monthly_cents is not null`)
}

/**
 * Reverses the salary changes recorded at one instant (see `restoreCovers`), except salaries changed later. Returns the
 * ids of restored members.
 */
export async function restoreSalaries(
  { tx, now }: Pick<Cx, "tx" | "now">,
  memberIds: readonly string[],
  recordedAt: string,
): Promise<string[]> {
  const at = sql`${recordedAt}::timestamptz`
  const untouched = await tx.rows<{ id: string }>(sql`
    select m.id from unnest(${sql.param([...memberIds])}::uuid[]) as m (id)
    where exists (select from member_salaries s where s.member_id = m.id and s.recorded_at = ${at})
      and not exists (select from member_salaries s
        where s.member_id = m.id and (s.recorded_at > ${at} or s.superseded_at > ${at}))`)
  const ids = untouched.map(({ id }) => id)
  const theirs = sql`member_id = any (${sql.param(ids)}::uuid[])`
  await tx.run(sql`
    update member_salaries set superseded_at = ${now} where ${theirs} and recorded_at = ${at} and superseded_at is null`)
  await tx.run(sql`
    insert into member_salaries (id, group_id, member_id, monthly_cents, valid, recorded_at)
    select gen_random_uuid(), group_id, member_id, monthly_cents, valid, ${now}::timestamptz
    from member_salaries where ${theirs} and superseded_at = ${at}`)
  return ids
}
