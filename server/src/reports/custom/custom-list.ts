import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Field } from "@milkwood/domain/kernel/field"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { type CustomFilter, takesNoValue } from "@milkwood/domain/reports/custom-filter"
import {
  type CustomDefinition,
  customColumns,
  customReport,
  fieldOfType,
  fieldsUsed,
} from "@milkwood/domain/reports/custom-report"
import { type SQL, sql } from "drizzle-orm"
import { invalid } from "../../platform/calls/commands.ts"
import { containing, startingWith } from "../../platform/database/like.ts"
import { List } from "../../platform/lists/list.ts"
import { idOf } from "../../platform/lists/list-rows.ts"
import type { SourceCx } from "../../platform/lists/source.ts"
import type { ReportRow } from "../catalogue/report-list.ts"
import type { ReportList } from "../catalogue.ts"
import { customSql } from "./custom-sources.queries.ts"

export interface Days {
  from?: Day
  to?: Day
}

/** For more rows only files show count and totals. */
const mostCounted = 10_000

const column = (name: string): SQL => sql`x.${sql.identifier(name)}`
const all = (conditions: SQL[]): SQL => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)

/** SQL names are only those of domain fields; user input is a parameter. */
export function customList(definition: CustomDefinition, days: Days): ReportList {
  const columns = customColumns(definition)
  return new List<ListWords, ReportRow>(customReport(definition, "").list, {
    select: (cx) => statementOf(definition, days, cx),
    // Groups are computed once for page, count and totals.
    ...(definition.groupBy ? { materialized: true } : { countLimit: mostCounted }),
    sortColumns: Object.fromEntries(
      columns.map(([name, { kind }]) => [name, [`${isNumberOrDay(kind) ? name : orderKey(name)} nulls last`]]),
    ) as never,
    present: (row: ReportRow) => row,
  }) as unknown as ReportList
}

const isNumberOrDay = (kind: string): boolean => ["money", "count", "day", "month"].includes(kind)
const orderKey = (name: string): string => `_${name}`

function statementOf(definition: CustomDefinition, days: Days, cx: SourceCx): SQL {
  const { type, filters } = definition
  const source = customSql[type]
  const fields = source.fields(cx)
  const read = fieldsUsed(definition).map((name) => {
    if (!fieldOfType(type, name)) throw gone(name)
    return sql`, ${fields[name]!} as ${sql.identifier(name)}`
  })
  const within = [...(days.from ? [source.since(days.from, cx)] : []), ...(days.to ? [source.until(days.to, cx)] : [])]
  const rows = sql`
    select x.* from (
      select ${source.id} as id, ${source.opens} as opens${sql.join(read, sql``)}
      from ${source.from} where ${all([source.where, ...within])}
    ) x where ${all(filters.map((filter) => conditionOf(fieldOfType(type, filter.field)!, filter)))}`
  return definition.groupBy === null ? ordered(definition, rows) : grouped(definition, rows)
}

const gone = (name: string) =>
  invalid([{ path: "fields", message: `The field ${name} no longer exists. Save the report without it.` }])

/** Text ignores case; a closed list sorts by position. */
function keyOf(name: string, { names }: Pick<Field, "names">): SQL {
  const key = names
    ? sql`array_position(${sql.param(Object.keys(names))}::text[], ${column(name)})`
    : sql`lower(${column(name)})`
  return sql`, ${key} as ${sql.identifier(orderKey(name))}`
}

function ordered(definition: CustomDefinition, rows: SQL): SQL {
  const keys = customColumns(definition)
    .filter(([, { kind }]) => !isNumberOrDay(kind))
    .map(([name, shown]) => keyOf(name, shown))
  return sql`select x.*${sql.join(keys, sql``)} from (${rows}) x`
}

function grouped(definition: CustomDefinition, rows: SQL): SQL {
  const by = definition.groupBy!
  const [[, shown], [counted], ...added] = customColumns(definition) as [
    [string, Pick<Field, "names">],
    [string, object],
    ...[string, object][],
  ]
  const isMonth = fieldOfType(definition.type, by)!.kind === "day"
  const value = isMonth ? sql`date_trunc('month', ${column(by)})::date` : column(by)
  const sums = added.map(([name]) => sql`, coalesce(sum(${column(name)}), 0)::bigint as ${sql.identifier(name)}`)
  return sql`
    select x.*${isMonth ? sql`` : keyOf(by, shown)} from (
      select ${idOf(sql`coalesce('=' || ${value}, '')`)} as id, ${value} as ${sql.identifier(by)},
        count(*)::int as ${sql.identifier(counted)}${sql.join(sums, sql``)}
      from (${rows}) x group by ${value}
    ) x`
}

function conditionOf(field: Field | undefined, filter: CustomFilter): SQL {
  if (!field) throw gone(filter.field)
  const { operator, value } = filter
  const of = column(filter.field)
  if (takesNoValue(operator)) return operator === "isEmpty" ? sql`${of} is null` : sql`${of} is not null`
  if (field.names) {
    const is = sql`coalesce(${of} = any (${sql.param(value)}::text[]), false)`
    return operator === "is" ? is : sql`not ${is}`
  }
  if (field.kind === "day") return compared(of, operator, sql`${value}::date`)
  if (field.kind === "money" || field.kind === "count") return compared(of, operator, sql`${value}::bigint`)
  return comparedText(sql`lower(${of})`, operator, String(value))
}

function compared(of: SQL, operator: CustomFilter["operator"], value: SQL): SQL {
  if (operator === "is") return sql`${of} = ${value}`
  return operator === "from" || operator === "atLeast" ? sql`${of} >= ${value}` : sql`${of} <= ${value}`
}

/** An empty value contains no text and equals none. */
function comparedText(of: SQL, operator: CustomFilter["operator"], text: string): SQL {
  const like = (pattern: string) => sql`coalesce(${of} like ${pattern}, false)`
  if (operator === "contains") return like(containing(text))
  if (operator === "lacks") return sql`not ${like(containing(text))}`
  if (operator === "begins") return like(startingWith(text))
  return operator === "is" ? sql`${of} = lower(${text})` : sql`${of} is distinct from lower(${text})`
}
