import { type Day, formatDay } from "@milkwood/domain/kernel/calendar"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type AnyReportId, type ReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import { type CustomDefinition, customId, describeDefinition } from "@milkwood/domain/reports/custom-report"
import { permissionOf, type Report, type ReportWords } from "@milkwood/domain/reports/report"
import { checkPeriod, type Period, periodText } from "@milkwood/domain/reports/report-period"
import { listInputOf, type ReportQuery } from "@milkwood/domain/reports/report-shape"
import { sql } from "drizzle-orm"
import { z } from "zod"
import type { Actor } from "../platform/calls/actor.ts"
import { type Cx, checkPermission, invalidInput, orRefuse } from "../platform/calls/commands.ts"
import { unknownFieldError } from "../platform/calls/strict-input.ts"
import { recordNames } from "../platform/lists/list-rows.ts"
import { readSettings } from "../platform/settings/store.ts"
import { type ReportList, reportLists } from "./catalogue.ts"

/** A requested report; missing dates have their defaults. */
export interface ReportRequest {
  report: ReportWords
  list: ReportList
  asked: Record<string, unknown>
  dates: { asOf?: Day; from?: Day; to?: Day }
  custom?: CustomDefinition
}

/** FORBIDDEN without access to the report; INVALID for bad parameters. */
export function parseReportRequest(id: ReportId, query: ReportQuery, cx: { actor: Actor; today: Day }): ReportRequest {
  const report = reportOf(id)
  checkPermission(cx.actor, permissionOf(report))
  const { asOf, from, to, ...asked } = parseReportQuery(report, query) as { asOf?: Day } & Partial<Period>
  const dates = parseDates(report, { ...(asOf && { asOf }), ...(from && { from }), ...(to && { to }) }, cx.today)
  return { report, list: reportLists[id], asked: { ...asked, ...dates }, dates }
}

/** For commands only: reports on screen ignore unknown parameters. A custom report's filters are in its definition. */
export function refuseUnknownParameters(report: AnyReportId, query: ReportQuery): void {
  const known = report === customId ? {} : (listInputOf(reportOf(report)) as unknown as z.ZodObject).shape
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length > 0) throw invalidInput(unknown.map((name) => unknownFieldError(`query.${name}`)))
}

export function parseReportQuery(report: ReportWords, query: ReportQuery): Record<string, unknown> {
  const read = listInputOf(report).safeParse(Object.fromEntries(Object.entries(query).map(parseParameter)))
  if (read.success) return read.data as Record<string, unknown>
  throw invalidInput(read.error.issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message })))
}

function parseDates({ dates }: Report, asked: { asOf?: Day } & Partial<Period>, today: Day): ReportRequest["dates"] {
  if (dates.kind === "now") return {}
  if (dates.kind === "period") return orRefuse(checkPeriod(asked, dates.start, today))
  const { asOf = today } = asked
  if (asOf > today) throw invalidInput([{ path: "asOf", message: "The date cannot be in the future" }])
  return { asOf }
}

const parseParameter = ([name, value]: [string, string | number | boolean]): [string, unknown] => {
  if (value === "true" || value === "false") return [name, value === "true"]
  if (name === "page" || name === "pageSize") return [name, Number(value)]
  return [name, value]
}

export async function describeReportRequest(
  { tx, currency }: Pick<Cx, "tx" | "currency">,
  { list, asked, dates, custom }: ReportRequest,
): Promise<string> {
  const { dateFormat } = await readSettings(tx, { dateFormat: platformSettings.dateFormat })
  if (custom) return describeDefinition(custom, dates, dateFormat, currency)
  const { asOf, from, to } = dates
  const words = asOf ? [formatDay(asOf, dateFormat)] : from && to ? [periodText({ from, to }, dateFormat)] : []
  for (const [key, filter] of Object.entries((list.declared as ListWords).filters ?? {})) {
    const value = asked[key]
    if (value === undefined || value === false) continue
    if (filter.kind === "choice") words.push(`${filter.label}: ${filter.names[value as string] ?? value}`)
    else if (filter.kind === "flag") words.push(filter.label)
    else if (filter.kind === "record") {
      const names = recordNames[filter.record]
      const named = names
        ? await tx.rows<{ name: string }>(
            sql`select name from (${names}) r where id = any (${sql.param(String(value).split(","))}::uuid[]) order by name`,
          )
        : []
      words.push(`${filter.label}: ${named.map(({ name }) => name).join(", ") || "none"}`)
    }
  }
  if (asked.search) words.push(`Search: ${asked.search}`)
  return words.join(" · ")
}
