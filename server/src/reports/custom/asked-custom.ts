import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Role } from "@milkwood/domain/platform/permission"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { type AnyReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import {
  type CustomDefinition,
  canMakeReport,
  customId,
  customReport,
  daysOfRange,
} from "@milkwood/domain/reports/custom-report"
import { permissionOf, type ReportWords } from "@milkwood/domain/reports/report"
import type { ReportQuery } from "@milkwood/domain/reports/report-shape"
import { type Actor, ruleActor } from "../../platform/calls/actor.ts"
import { refused } from "../../platform/calls/commands.ts"
import { parseReportQuery, type ReportRequest } from "../asked-report.ts"
import { customList, type DayRange } from "./custom-list.ts"

interface CustomRequest {
  name: string
  definition: CustomDefinition
  days: DayRange
  query?: ReportQuery
}

/** FORBIDDEN for a type or field that the actor may not see. */
export function customReportRequest(
  { name, definition, days, query = {} }: CustomRequest,
  actor: Actor,
): ReportRequest {
  if (!canMakeReport(definition, ruleActor(actor).role)) throw refused("FORBIDDEN")
  const report = customReport(definition, name)
  const place = parseReportQuery(report, query)
  return {
    report,
    list: customList(definition, days),
    asked: { ...place, ...days, custom: definition },
    dates: days,
    custom: definition,
  }
}

export const customReportRequestOn = (last: Day, asked: Omit<CustomRequest, "days">, actor: Actor): ReportRequest =>
  customReportRequest({ ...asked, days: daysOfRange(asked.definition, last) }, actor)

export interface CustomRunInput extends DayRange {
  custom: CustomDefinition
  refused?: string
}

/** INVALID with the stored reason if the run could only be recorded as failed. */
export function rebuildCustomReport(name: string, asked: object, days: DayRange, owner: Actor): ReportRequest {
  const { custom, refused: why, ...place } = asked as CustomRunInput
  if (why) throw refused("INVALID", why, { fields: [] })
  const again = customReportRequest({ name, definition: custom, days }, owner)
  return { ...again, asked: { ...again.asked, ...place } }
}

export const customFileName = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60) || "custom-report"

type RunHead = { report: AnyReportId; name: string; asked: object }

export const reportOfRun = ({ report, name, asked }: RunHead): ReportWords =>
  report === customId ? customReport((asked as CustomRunInput).custom, name) : reportOf(report)

export const canReadRun = ({ report, asked }: Omit<RunHead, "name">, role: Role | null): boolean =>
  report === customId
    ? canMakeReport((asked as CustomRunInput).custom, role)
    : hasPermission(role, permissionOf(reportOf(report)))
