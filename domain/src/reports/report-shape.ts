import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput } from "../kernel/list-shape.ts"
import { type ReportId, reportIds } from "./catalogue.ts"
import { type ReportWords, reportFormats } from "./report.ts"
import { reportRunStates } from "./report-runs.list.ts"

export const reportId = z.enum(reportIds as [ReportId, ...ReportId[]])
export const reportFormat = z.enum(reportFormats)

export const reportQuery = z
  .record(z.string().max(60), z.union([z.string().max(2_000), z.int(), z.boolean()]))
  .refine((asked) => Object.keys(asked).length <= 40, "Too many parameters")
export type ReportQuery = z.infer<typeof reportQuery>

/** `asOf`, or `from` and `to`; missing days have defaults. */
const dates = { asOf: day.optional(), from: day.optional(), to: day.optional() }

export const listInputOf = ({ list }: Pick<ReportWords, "list">) => listInput(list, dates)

export const reportAnswer = z.object({
  /** `opens` is the record that the row links to. */
  rows: z.array(z.looseObject({ id: z.string() })),
  ends: z.object({ first: z.string(), last: z.string() }).nullable(),
  total: z.int().min(0),
  totalIsCapped: z.boolean(),
  counts: z.record(z.string(), z.int()),
  cappedTabs: z.array(z.string()),
  sums: z.record(z.string(), z.number()).nullable(),
  filteredBy: z.record(z.string(), z.array(z.object({ id: z.uuid(), name: z.string() }))),
  dates: z.object({ asOf: day.optional(), from: day.optional(), to: day.optional() }),
  /** Points are in the report's row order; values are by column name. */
  chart: z
    .array(
      z.object({
        label: z.string(),
        values: z.record(z.string(), z.number()),
        /** Parameters that filter the report to this point's rows; null when impossible. */
        narrows: z.record(z.string(), z.string()).nullable(),
      }),
    )
    .nullable(),
})
export type ReportAnswer = z.infer<typeof reportAnswer>

export const reportRunRow = z.object({
  id: z.uuid(),
  report: z.string(),
  name: z.string(),
  words: z.string(),
  format: reportFormat,
  state: z.enum(reportRunStates),
  message: z.string().nullable(),
  rows: z.int().nullable(),
  size: z.int().nullable(),
  sha256: z.string().nullable(),
  /** When retention deleted the file; the run stays on record. */
  fileDeletedAt: instant.nullable(),
  askedAt: instant,
})
export type ReportRunRow = z.infer<typeof reportRunRow>

export const reportsCatalogue = z.object({
  reports: z.array(z.object({ id: reportId, lastGeneratedAt: instant.nullable() })),
  quick: z.array(
    z.object({
      key: z.string(),
      /**
       * Processing: a file is being generated. Scheduled: a schedule will generate it. Ready: the file can be
       * downloaded.
       */
      status: z.enum(["Ready", "Processing", "Scheduled"]),
      /** The time of today's file or of the next scheduled run; otherwise null. */
      at: instant.nullable(),
      urgent: z.boolean(),
    }),
  ),
})
export type ReportsCatalogue = z.infer<typeof reportsCatalogue>
