import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput } from "../kernel/list-shape.ts"
import { type ReportId, reportIds } from "./catalogue.ts"
import { type ReportWords, reportFormats } from "./report.ts"
import { reportRunStates } from "./report-runs.list.ts"

export const reportId = z.enum(reportIds as [ReportId, ...ReportId[]])
export const reportFormat = z.enum(reportFormats)

/** What a report is asked with, by the names that its address has: its dates, its filters, and its order. */
export const reportQuery = z
  .record(z.string().max(60), z.union([z.string().max(2_000), z.int(), z.boolean()]))
  .refine((asked) => Object.keys(asked).length <= 40, "Too many parameters")
export type ReportQuery = z.infer<typeof reportQuery>

/** The days of a report: one, `asOf`, or the first and the last one. What is left out is what the report starts with. */
const dates = { asOf: day.optional(), from: day.optional(), to: day.optional() }

/** What one report is asked with: its list's input, and its dates. */
export const inputOf = ({ list }: Pick<ReportWords, "list">) => listInput(list, dates)

export const reportAnswer = z.object({
  /** The columns of the report by their names; `opens` is the record that a row leads to. */
  rows: z.array(z.looseObject({ id: z.string() })),
  ends: z.object({ first: z.string(), last: z.string() }).nullable(),
  total: z.int().min(0),
  totalIsCapped: z.boolean(),
  counts: z.record(z.string(), z.int()),
  cappedTabs: z.array(z.string()),
  /** Over all rows, by the names of the columns; cents and counts. */
  sums: z.record(z.string(), z.number()).nullable(),
  filteredBy: z.record(z.string(), z.array(z.object({ id: z.uuid(), name: z.string() }))),
  /** What it was made for: the day, or the first and the last one. */
  dates: z.object({ asOf: day.optional(), from: day.optional(), to: day.optional() }),
  /** What its picture compares: a label and its figures, by the names of the columns, in the report's own order. */
  chart: z
    .array(
      z.object({
        label: z.string(),
        values: z.record(z.string(), z.number()),
        /** The parameters that narrow the report to the rows of this point; null where no filter does. */
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
  /** When its file was deleted, because the settings keep it no longer; that it was made stays. */
  fileDeletedAt: instant.nullable(),
  askedAt: instant,
})
export type ReportRunRow = z.infer<typeof reportRunRow>

export const reportsCatalogue = z.object({
  /** The reports that the reader may read, in the order of the catalogue. */
  reports: z.array(z.object({ id: reportId, lastGeneratedAt: instant.nullable() })),
  quick: z.array(
    z.object({
      key: z.string(),
      /** Processing: a file is being made. Scheduled: not made today, and a schedule will make it. Ready: can be downloaded. */
      status: z.enum(["Ready", "Processing", "Scheduled"]),
      /** When it was made today, or when its schedule makes it next; null while it is made, and where neither is so. */
      at: instant.nullable(),
      urgent: z.boolean(),
    }),
  ),
})
export type ReportsCatalogue = z.infer<typeof reportsCatalogue>
