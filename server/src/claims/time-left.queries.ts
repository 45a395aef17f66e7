import type { ClockState } from "@milkwood/domain/claims/claim-clock"
import { publicHolidays } from "@milkwood/domain/kernel/business-days"
import { type Day, yearOf } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

/** Years before and after today for which late claims and due days are counted exactly. */
const yearsAround = 3

/** Working days after `from` up to `to`, as `workingDaysBetween` counts them. */
function workingDaysSql(from: SQL, to: SQL, today: Day): SQL {
  const years = Array.from({ length: 2 * yearsAround + 1 }, (_, at) => yearOf(today) - yearsAround + at)
  const holidays = sql`${sql.param(years.flatMap(publicHolidays))}::date[]`
  return sql`(select count(*) from generate_series(${from} + 1, ${to}, interval '1 day') d
    where extract(isodow from d) < 6 and d::date <> all (${holidays})
      and not coalesce((select value ? to_char(d, 'YYYY-MM-DD') from settings where key = 'extraHolidays'), false))`
}

const wordsSql = (days: SQL, ending: string): SQL =>
  sql`(select n || case when n = 1 then ' working day ' else ' working days ' end || ${ending}::text from (select ${days} as n) counted)`

/** `timeLeft` of the domain for an open claim, for a list and its files. */
export function timeLeftSql(dueOn: SQL, today: Day): SQL {
  const on = sql`${today}::date`
  const late = workingDaysSql(dueOn, on, today)
  return sql`case when ${dueOn} is null then 'Waiting for documents' when ${dueOn} = ${on} then 'Due today'
    when ${dueOn} > ${on} then ${wordsSql(workingDaysSql(on, dueOn, today), "left")}
    when ${late} = 0 then 'Late' else ${wordsSql(late, "late")} end`
}

export function clockStateSql(dueOn: SQL, today: Day): SQL {
  const on = sql`${today}::date`
  const stateSql = (state: ClockState) => sql.raw(`'${state}'`)
  return sql`case when ${dueOn} is null then ${stateSql("waiting")} when ${dueOn} = ${on} then ${stateSql("due")}
    when ${dueOn} > ${on} then ${stateSql("running")} else ${stateSql("late")} end`
}
