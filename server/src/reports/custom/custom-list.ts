import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Field } from "@milkwood/domain/kernel/field"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { type CustomFilter, hasNoValue } from "@milkwood/domain/reports/custom-filter"
import {
  type CustomDefinition,
  customColumns,
  customReport,
  findField,
  usedFieldsOf,
} from "@milkwood/domain/reports/custom-report"
import { type SQL, sql } from "drizzle-orm"
import { invalidInput } from "../../platform/calls/commands.ts"
import { containsPattern, prefixPattern } from "../../platform/database/like.ts"
import { List } from "../../platform/lists/list.ts"
import { idOf } from "../../platform/lists/list-rows.ts"
import type { SourceCx } from "../../platform/lists/source.ts"
import type { ReportRow } from "../catalogue/report-list.ts"
import type { ReportList } from "../catalogue.ts"
import { customSourcesSql } from "./custom-sources.queries.ts"

export interface DayRange {
  from?: Day
  to?: Day
}

/** For more rows only files show count and totals. */
const maxCountedRows = 10_000

const customColumnSql = (name: string): SQL => sql`x.${sql.identifier(name)}`
const all = (conditions: SQL[]): SQL => (conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`)

/** SQL names are only those of domain fields; user input is a parameter. */
export function customList(definition: CustomDefinition, days: DayRange): ReportList {
  const columns = customColumns(definition)
  return new List<ListWords, ReportRow>(customReport(definition, "").list, {
    select: (cx) => customStatement(definition, days, cx),
    // Groups are computed once for page, count and totals.
    ...(definition.groupBy ? { materialized: true } : { countLimit: maxCountedRows }),
    sortColumns: Object.fromEntries(
      columns.map(([name, { kind }]) => [name, [`${isNumberOrDay(kind) ? name : sortKeyName(name)} nulls last`]]),
    ) as never,
    present: (row: ReportRow) => row,
  }) as unknown as ReportList
}

const isNumberOrDay = (kind: string): boolean => ["money", "count", "day", "month"].includes(kind)
const sortKeyName = (name: string): string => `_${name}`

function customStatement(definition: CustomDefinition, days: DayRange, cx: SourceCx): SQL {
  const { type, filters } = definition
  const source = customSourcesSql[type]
  const fields = source.fields(cx)
  const read = usedFieldsOf(definition).map((name) => {
    if (!findField(type, name)) throw missingFieldError(name)
    return sql`, ${fields[name]!} as ${sql.identifier(name)}`
  })
  const within = [...(days.from ? [source.since(days.from, cx)] : []), ...(days.to ? [source.until(days.to, cx)] : [])]
  const rows = sql`
    select x.* from (
      select ${source.id} as id, ${source.opens} as opens${sql.join(read, sql``)}
      from ${source.from} where ${all([source.where, ...within])}
    ) x where ${all(filters.map((filter) => filterConditionSql(findField(type, filter.field)!, filter)))}`
  return definition.groupBy === null ? withSortKeys(definition, rows) : groupRows(definition, rows)
}

const missingFieldError = (name: string) =>
  invalidInput([{ path: "fields", message: `The field ${name} no longer exists. Save the report without it.` }])

/** Text ignores case; a closed list sorts by position. */
function sortKeySql(name: string, { names }: Pick<Field, "names">): SQL {
  const key = names
    ? sql`array_position(${sql.param(Object.keys(names))}::text[], ${customColumnSql(name)})`
    : sql`lower(${customColumnSql(name)})`
  return sql`, ${key} as ${sql.identifier(sortKeyName(name))}`
}

function withSortKeys(definition: CustomDefinition, rows: SQL): SQL {
  const keys = customColumns(definition)
    .filter(([, { kind }]) => !isNumberOrDay(kind))
    .map(([name, shown]) => sortKeySql(name, shown))
  return sql`select x.*${sql.join(keys, sql``)} from (${rows}) x`
}

function groupRows(definition: CustomDefinition, rows: SQL): SQL {
  const by = definition.groupBy!
  const [[, shown], [counted], ...added] = customColumns(definition) as [
    [string, Pick<Field, "names">],
    [string, object],
    ...[string, object][],
  ]
  const isMonth = findField(definition.type, by)!.kind === "day"
  const value = isMonth ? sql`date_trunc('month', ${customColumnSql(by)})::date` : customColumnSql(by)
  const sums = added.map(
    ([name]) => sql`, coalesce(sum(${customColumnSql(name)}), 0)::bigint as ${sql.identifier(name)}`,
  )
  return sql`
    select x.*${isMonth ? sql`` : sortKeySql(by, shown)} from (
      select ${idOf(sql`coalesce('=' || ${value}, '')`)} as id, ${value} as ${sql.identifier(by)},
        count(*)::int as ${sql.identifier(counted)}${sql.join(sums, sql``)}
      from (${rows}) x group by ${value}
    ) x`
}

function filterConditionSql(field: Field | undefined, filter: CustomFilter): SQL {
  if (!field) throw missingFieldError(filter.field)
  const { operator, value } = filter
  const of = customColumnSql(filter.field)
  if (hasNoValue(operator)) return operator === "isEmpty" ? sql`${of} is null` : sql`${of} is not null`
  if (field.names) {
    const is = sql`coalesce(${of} = any (${sql.param(value)}::text[]), false)`
    return operator === "is" ? is : sql`not ${is}`
  }
  if (field.kind === "day") return compareSql(of, operator, sql`${value}::date`)
  if (field.kind === "money" || field.kind === "count") return compareSql(of, operator, sql`${value}::bigint`)
  return compareTextSql(sql`lower(${of})`, operator, String(value))
}

function compareSql(of: SQL, operator: CustomFilter["operator"], value: SQL): SQL {
  if (operator === "is") return sql`${of} = ${value}`
  return operator === "from" || operator === "atLeast" ? sql`${of} >= ${value}` : sql`${of} <= ${value}`
}

/** An empty value does not contain, begin with or equal any text. */
function compareTextSql(of: SQL, operator: CustomFilter["operator"], text: string): SQL {
  const like = (pattern: string) => sql`coalesce(${of} like ${pattern}, false)`
  if (operator === "contains") return like(containsPattern(text))
  if (operator === "lacks") return sql`not ${like(containsPattern(text))}`
  if (operator === "begins") return like(prefixPattern(text))
  return operator === "is" ? sql`${of} = lower(${text})` : sql`${of} is distinct from lower(${text})`
}
