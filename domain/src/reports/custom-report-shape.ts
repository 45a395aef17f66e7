import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { line, text } from "../kernel/text-shape.ts"
import { operators } from "./custom-filter.ts"
import {
  type CustomDefinition,
  customIncomplete,
  customRanges,
  customSources,
  customTypes,
  maxFilters,
  problemsOf,
} from "./custom-report.ts"
import { customReportActions, customShares } from "./custom-reports.ts"
import { reportFormat } from "./report-shape.ts"

const names = [...new Set(Object.values(customSources).flatMap(({ fields }) => Object.keys(fields)))]
const field = z.enum(names as [string, ...string[]])

const filter = z.object({
  field,
  operator: z.enum(operators),
  value: z.union([z.string().max(200), z.int(), z.array(z.string().max(60)).max(50), z.null()]),
})

/** Field names and values; user input never becomes part of an SQL statement. */
export const customDefinition = z
  .object({
    type: z.enum(customTypes),
    fields: z.array(field).min(1, customIncomplete).max(names.length),
    range: z.enum(customRanges),
    /** For a custom range; null = open at that end. */
    from: day.nullable().default(null),
    to: day.nullable().default(null),
    filters: z.array(filter).max(maxFilters, `At most ${maxFilters} filters`).default([]),
    order: z
      .object({ by: z.union([field, z.literal("rows")]), dir: z.enum(["asc", "desc"]) })
      .nullable()
      .default(null),
    groupBy: field.nullable().default(null),
    chart: z.enum(["bars", "lines"]).nullable().default(null),
  })
  .superRefine((definition, context) => {
    for (const { path, message } of problemsOf(definition as CustomDefinition))
      context.addIssue({ code: "custom", path: path.split("."), message })
  })

export const customReportForm = z.object({
  name: line(120).refine((name) => name !== "", customIncomplete),
  description: text(1_000).default(""),
  format: reportFormat,
  definition: customDefinition,
  sharedWith: z.array(z.enum(customShares)).max(customShares.length).default([]),
})
export type CustomReportForm = z.infer<typeof customReportForm>

/** A stored definition may name fields of another release. */
const savedDefinition = z.object({
  type: z.enum(customTypes),
  fields: z.array(z.string()),
  range: z.enum(customRanges),
  from: day.nullable(),
  to: day.nullable(),
  filters: z.array(filter.extend({ field: z.string() })),
  order: z.object({ by: z.string(), dir: z.enum(["asc", "desc"]) }).nullable(),
  groupBy: z.string().nullable(),
  chart: z.enum(["bars", "lines"]).nullable(),
})

export const customReportDetail = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  format: reportFormat,
  definition: savedDefinition,
  /** Removed fields that the definition used as columns, group or order, and as filters. */
  missing: z.array(z.string()),
  missingFilters: z.array(z.string()),
  sharedWith: z.array(z.enum(customShares)),
  ownerId: z.uuid(),
  ownerName: z.string(),
  isOrphaned: z.boolean(),
  lastGeneratedAt: instant.nullable(),
  schedules: z.int(),
  updatedAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(customReportActions)),
})
export type CustomReportDetail = z.infer<typeof customReportDetail>
