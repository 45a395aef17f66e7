import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Role } from "@milkwood/domain/platform/permission"
import { may } from "@milkwood/domain/platform/permission"
import { type AnyReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import {
  type CustomDefinition,
  customId,
  customReport,
  daysOfRange,
  mayMake,
} from "@milkwood/domain/reports/custom-report"
import { permissionOf, type ReportWords } from "@milkwood/domain/reports/report"
import type { ReportQuery } from "@milkwood/domain/reports/report-shape"
import { type Actor, ruleActor } from "../../platform/calls/actor.ts"
import { refused } from "../../platform/calls/commands.ts"
import { type AskedReport, parseReportQuery } from "../asked-report.ts"
import { customList, type Days } from "./custom-list.ts"

interface Asked {
  name: string
  definition: CustomDefinition
  days: Days
  query?: ReportQuery
}

/** FORBIDDEN for a type or field that the actor may not see. */
export function askedCustom({ name, definition, days, query = {} }: Asked, actor: Actor): AskedReport {
  if (!mayMake(definition, ruleActor(actor).role)) throw refused("FORBIDDEN")
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

export const askedCustomOn = (last: Day, asked: Omit<Asked, "days">, actor: Actor): AskedReport =>
  askedCustom({ ...asked, days: daysOfRange(asked.definition, last) }, actor)

export interface CustomAsked extends Days {
  custom: CustomDefinition
  refused?: string
}

/** INVALID with the stored reason for a run recorded only as failed. */
export function rebuildCustomReport(name: string, asked: object, days: Days, owner: Actor): AskedReport {
  const { custom, refused: why, ...place } = asked as CustomAsked
  if (why) throw refused("INVALID", why, { fields: [] })
  const again = askedCustom({ name, definition: custom, days }, owner)
  return { ...again, asked: { ...again.asked, ...place } }
}

export const customFileName = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60) || "custom-report"

type RunWords = { report: AnyReportId; name: string; asked: object }

export const reportOfRun = ({ report, name, asked }: RunWords): ReportWords =>
  report === customId ? customReport((asked as CustomAsked).custom, name) : reportOf(report)

export const mayReadRun = ({ report, asked }: Omit<RunWords, "name">, role: Role | null): boolean =>
  report === customId ? mayMake((asked as CustomAsked).custom, role) : may(role, permissionOf(reportOf(report)))
