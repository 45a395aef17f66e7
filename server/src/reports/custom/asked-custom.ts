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
import { type AskedReport, placeAsked } from "../asked-report.ts"
import { customList, type Days } from "./custom-list.ts"

interface Asked {
  name: string
  definition: CustomDefinition
  days: Days
  /** Its place on screen: page, order. */
  query?: ReportQuery
}

/** A report of people's own as somebody asks for it; FORBIDDEN for a type or a field that they may not see. */
export function askedCustom({ name, definition, days, query = {} }: Asked, actor: Actor): AskedReport {
  if (!mayMake(definition, ruleActor(actor).role)) throw refused("FORBIDDEN")
  const report = customReport(definition, name)
  const place = placeAsked(report, query)
  return {
    report,
    list: customList(definition, days),
    asked: { ...place, ...days, custom: definition },
    dates: days,
    custom: definition,
  }
}

/** The same with the days that its range means on a day. */
export const askedCustomOn = (last: Day, asked: Omit<Asked, "days">, actor: Actor): AskedReport =>
  askedCustom({ ...asked, days: daysOfRange(asked.definition, last) }, actor)

/** What a run was asked with, where it is of a report of people's own. */
export interface CustomAsked extends Days {
  custom: CustomDefinition
  /** Why it cannot be made, where a schedule's report is not what it was. */
  refused?: string
}

/** A run as it was asked for; INVALID with its reason where it was put on record only to say why it cannot be made. */
export function customAgain(name: string, asked: object, days: Days, owner: Actor): AskedReport {
  const { custom, refused: why, ...place } = asked as CustomAsked
  if (why) throw refused("INVALID", why, { fields: [] })
  const again = askedCustom({ name, definition: custom, days }, owner)
  return { ...again, asked: { ...again.asked, ...place } }
}

/** How the file of a report of people's own is called, before its day: letters, figures and strokes of its name. */
export const customFileName = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60) || "custom-report"

/** What a run is of: a report of the catalogue, or one of people's own. */
type RunWords = { report: AnyReportId; name: string; asked: object }

export const reportOfRun = ({ report, name, asked }: RunWords): ReportWords =>
  report === customId ? customReport((asked as CustomAsked).custom, name) : reportOf(report)

/** Whether somebody of a role may read what a run came to. */
export const mayReadRun = ({ report, asked }: Omit<RunWords, "name">, role: Role | null): boolean =>
  report === customId ? mayMake((asked as CustomAsked).custom, role) : may(role, permissionOf(reportOf(report)))
