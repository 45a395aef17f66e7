import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { setSalary as decide } from "@milkwood/domain/members/member-steps"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse, query } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockMember, readMember, saveMember } from "./member-record.ts"
import { memberDetail } from "./members.queries.ts"
import { memberSalaries } from "./members.tables.ts"

/** What a member earns, by day, the newest first. */
export const salariesOfMember = query(membersContract.salaries, async ({ tx, input }) => {
  await readMember(tx, input.memberId)
  return tx.rows<{ fromOn: Day; untilOn: Day | null; monthlyCents: Cents }>(sql`
    select lower(valid) as "fromOn", upper(valid) - 1 as "untilOn", monthly_cents as "monthlyCents" from member_salaries
    where member_id = ${input.memberId} and superseded_at is null order by valid desc`)
})

/** What a member earns from a day on. */
export const setSalary = command(membersContract.setSalary, async (cx) => {
  const { memberId, version, monthlyCents, on } = cx.input
  const member = await lockMember(cx, memberId)
  expectVersion(member, version)
  await saveMember(cx, member, orRefuse(decide(member, on)))
  await writeSalaries(cx, on, [{ memberId, groupId: member.groupId, monthlyCents }])
  return memberDetail(cx, memberId)
})

/** Writes what members earn from a day on; what was recorded of those days is superseded. Null: nothing is known. */
export async function writeSalaries(
  { tx, now }: Pick<Cx, "tx" | "now">,
  on: Day,
  salaries: readonly { memberId: string; groupId: string; monthlyCents: Cents | null }[],
): Promise<void> {
  const ids = sql.param(salaries.map(({ memberId }) => memberId))
  await tx.run(sql`
    with superseded as (
      update member_salaries set superseded_at = ${now}
      where member_id = any (${ids}::uuid[]) and superseded_at is null and not valid << daterange(${on}::date, null)
      returning group_id, member_id, monthly_cents, valid
    )
    insert into member_salaries (id, group_id, member_id, monthly_cents, valid, recorded_at)
    select gen_random_uuid(), group_id, member_id, monthly_cents, valid * daterange(null, ${on}::date), ${now}::timestamptz
    from superseded where lower(valid) < ${on}::date`)
  const known = salaries.flatMap(({ monthlyCents, ...member }) =>
    monthlyCents === null ? [] : [{ ...member, monthlyCents, id: randomUUID(), valid: `[${on},)`, recordedAt: now }],
  )
  if (known.length > 0) await tx.insert(memberSalaries).values(known)
}
