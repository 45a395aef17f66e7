import { columnOf, isNullable } from "@milkwood/domain/kernel/declared-field"
import { memberFieldNames, memberFields } from "@milkwood/domain/members/member-fields"
import type { StaffList } from "@milkwood/domain/staff-lists/staff-list"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"

type MatchCx = Pick<Cx, "tx" | "today">

/** Each row becomes a change, unchanged or a joiner; members without a row become leavers. */
export async function matchMembers(cx: MatchCx, list: StaffList): Promise<void> {
  await matchByIdentity(cx, list)
  await refuseDuplicateRows(cx, list)
  await refuseUsedNumbers(cx, list)
  await warnOfOtherPolicies(cx, list)
  await findLeavers(cx, list)
}

const fieldsBefore = sql.raw(
  memberFieldNames
    .map((name) => {
      const [ofRow, ofMember] = [`r.${columnOf(name)}`, `m.${columnOf(name)}`]
      return isNullable(memberFields[name])
        ? `'${name}', case when ${ofRow} is not null and ${ofRow} is distinct from ${ofMember} then coalesce(${ofMember}::text, '') end`
        : `'${name}', case when ${ofRow} <> ${ofMember} then ${ofMember} end`
    })
    .join(", "),
)

/**
 * By ID number, or by passport if one of the two has no ID number. Empty cells change nothing; a salary is compared
 * with today's. A different start date is ignored.
 */
async function matchByIdentity({ tx, today }: MatchCx, list: StaffList): Promise<void> {
  await tx.run(sql`
    with matched as (
      select r.row, m.id, m.version, m.start_on, r.start_on as row_start, r.problems,
        jsonb_strip_nulls(jsonb_build_object(
          ${fieldsBefore},
          'tierId', case when r.tier_id <> m.tier_id then t.name end,
          '_tierId', case when r.tier_id <> m.tier_id then m.tier_id end,
          '_salary', case when r.salary_cents is distinct from s.monthly_cents and r.salary_cents is not null then coalesce(s.monthly_cents, 0) end
        )) as before, s.monthly_cents is not null as has_salary
      from (
        select distinct on (pair.row) pair.row, pair.member_id from (
          select r.row, m.id as member_id, 1 as rank from staff_list_rows r
          join members m on m.policy_id = ${list.policyId} and m.status <> 'Terminated' and m.id_number = r.id_number
          where r.staff_list_id = ${list.id} and r.status <> 'error'
          union all
          select r.row, m.id, 2 from staff_list_rows r
          join members m on m.policy_id = ${list.policyId} and m.status <> 'Terminated'
            and lower(m.passport_number) = lower(r.passport_number) and (m.id_number is null or r.id_number is null)
          where r.staff_list_id = ${list.id} and r.status <> 'error'
        ) pair order by pair.row, pair.rank
      ) found
      join staff_list_rows r on r.staff_list_id = ${list.id} and r.row = found.row
      join members m on m.id = found.member_id
      join benefit_tiers t on t.id = m.tier_id
      left join member_salaries s on s.member_id = m.id and s.superseded_at is null and s.valid @> ${today}::date
    ), settled as (
      select row, id, version, before,
        nullif(
          coalesce((select jsonb_agg(p) from jsonb_array_elements(problems) p where p ->> 'code' not in ('no_tier', 'no_start_date')
            and not (has_salary and p ->> 'code' = 'no_salary')), '[]')
          || case when row_start <> start_on
            then jsonb_build_array(jsonb_build_object('code', 'start_kept', 'field', 'startOn', 'value', row_start, 'other', start_on))
            else '[]' end,
          '[]') as problems
      from matched
    )
    update staff_list_rows r
    set member_id = s.id, member_version = s.version, before = nullif(s.before, '{}'), problems = s.problems,
      outcome = case when s.before = '{}' then 'unchanged' else 'change' end,
      status = case when s.problems is null then 'ready' else 'warning' end
    from settled s where r.staff_list_id = ${list.id} and r.row = s.row`)
}

async function refuseUsedNumbers({ tx }: MatchCx, list: StaffList): Promise<void> {
  await tx.run(sql`
    update staff_list_rows r
    set status = 'error', outcome = null, member_id = null, member_version = null, before = null,
      problems = coalesce(r.problems, '[]') || jsonb_build_array(jsonb_build_object('code', 'employee_number_twice',
        'field', 'employeeNumber', 'value', r.employee_number,
        'other', m.first_name || ' ' || m.last_name || ' (' || m.number || ')'))
    from members m
    where r.staff_list_id = ${list.id} and r.status <> 'error' and r.employee_number <> ''
      and m.policy_id = ${list.policyId} and m.status <> 'Terminated'
      and lower(m.employee_number) = lower(r.employee_number) and m.id is distinct from r.member_id`)
}

/** If two rows match one member by ID number and by passport, the second is refused. */
async function refuseDuplicateRows({ tx }: MatchCx, list: StaffList): Promise<void> {
  await tx.run(sql`
    update staff_list_rows r
    set status = 'error', outcome = null, member_id = null, member_version = null, before = null,
      problems = coalesce(r.problems, '[]') || jsonb_build_array(jsonb_build_object(
        'code', 'duplicate_in_file', 'field', 'passportNumber', 'value', r.passport_number, 'other', twice.first::text))
    from (
      select row, row_number() over same as place, first_value(line) over same as first from staff_list_rows
      where staff_list_id = ${list.id} and outcome in ('change', 'unchanged')
      window same as (partition by member_id order by row)
    ) twice
    where r.staff_list_id = ${list.id} and r.row = twice.row and twice.place > 1`)
}

/** Adds one warning per other policy; `problemsSeen` shows readers only the policies they may see. */
async function warnOfOtherPolicies({ tx }: MatchCx, list: StaffList): Promise<void> {
  await tx.run(sql`
    update staff_list_rows r
    set status = 'warning', problems = coalesce(r.problems, '[]') || elsewhere.problems
    from (
      select r.row, jsonb_agg(jsonb_build_object('code', 'in_other_policy', 'field', 'idNumber', 'other', p.number)
        order by p.number) as problems
      from staff_list_rows r
      join members m on m.id_number = r.id_number and m.policy_id <> ${list.policyId} and m.status <> 'Terminated'
      join policies p on p.id = m.policy_id
      where r.staff_list_id = ${list.id} and r.outcome = 'joiner'
      group by r.row
    ) elsewhere
    where r.staff_list_id = ${list.id} and r.row = elsewhere.row`)
}

/**
 * A refused row with a readable ID number, passport or e-mail also counts: a typing error elsewhere in it makes no
 * member a leaver.
 */
async function findLeavers({ tx }: MatchCx, list: StaffList): Promise<void> {
  await tx.run(sql`
    insert into staff_list_rows (staff_list_id, group_id, row, status, outcome, member_id, member_version, first_name,
      last_name, id_number, passport_number, email, tier_id, start_on)
    select ${list.id}, m.group_id, ${list.rowCount}::int + row_number() over (order by m.last_name_key, m.name_key, m.id), 'ready', 'leaver',
      m.id, m.version, m.first_name, m.last_name, m.id_number, m.passport_number, m.email, m.tier_id, m.start_on
    from members m
    where m.policy_id = ${list.policyId} and m.status <> 'Terminated' and m.end_on is null
      and not exists (select from staff_list_rows r where r.staff_list_id = ${list.id} and r.member_id = m.id)
      and not exists (select from staff_list_rows r where r.staff_list_id = ${list.id} and r.id_number = m.id_number)
      and not exists (select from staff_list_rows r where r.staff_list_id = ${list.id} and lower(r.passport_number) = lower(m.passport_number))
      and not exists (select from staff_list_rows r where r.staff_list_id = ${list.id} and lower(r.email) = lower(m.email) and m.email <> '')`)
}

export async function countRows({ tx }: MatchCx, list: StaffList): Promise<void> {
  await tx.run(sql`
    update staff_lists i
    set row_count = c.rows, ready_count = c.ready, warning_count = c.warning, error_count = c.error,
      joiner_count = c.joiner, change_count = c.change, unchanged_count = c.unchanged, leaver_count = c.leaver
    from (
      select count(*) filter (where outcome is distinct from 'leaver') as rows,
        count(*) filter (where status = 'ready' and outcome <> 'leaver') as ready,
        count(*) filter (where status = 'warning') as warning,
        count(*) filter (where status = 'error') as error,
        count(*) filter (where outcome = 'joiner') as joiner,
        count(*) filter (where outcome = 'change') as change,
        count(*) filter (where outcome = 'unchanged') as unchanged,
        count(*) filter (where outcome = 'leaver') as leaver
      from staff_list_rows where staff_list_id = ${list.id}
    ) c where i.id = ${list.id}`)
}
