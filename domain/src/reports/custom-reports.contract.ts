import { z } from "zod"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { customDefinition, customReportDetail, customReportForm } from "./custom-report-shape.ts"
import { reportAnswer, reportFormat, reportQuery } from "./report-shape.ts"

const tags = ["Reports"]
const saved = z.object({ customReportId: z.uuid() })

export const customReportsContract = {
  /**
   * The first ten rows of an unsaved report, and the row count up to 10 000. INVALID for an invalid definition;
   * FORBIDDEN for a type or field that the caller may not see.
   */
  preview: readProcedure("reports.read")
    .route({ method: "POST", path: "/reports/custom/preview", summary: "Preview a custom report", tags })
    .input(z.object({ definition: customDefinition }))
    .output(reportAnswer),

  /** NOT_FOUND for a report neither owned by nor shared with the caller. */
  rows: readProcedure("reports.read")
    .route({
      method: "GET",
      path: "/reports/custom/{customReportId}/rows",
      summary: "List the rows of a custom report",
      tags,
    })
    .input(saved.extend({ query: reportQuery.default({}) }))
    .output(reportAnswer),

  /** Own and shared reports, by name. */
  list: readProcedure("reports.read")
    .route({ method: "GET", path: "/reports/custom", summary: "List custom reports", tags })
    .input(z.object({}))
    .output(z.array(customReportDetail)),

  /** NOT_FOUND as for `rows`. */
  detail: readProcedure("reports.read")
    .route({ method: "GET", path: "/reports/custom/{customReportId}", summary: "Read a custom report", tags })
    .input(saved)
    .output(customReportDetail),

  /** FORBIDDEN for a type or field that the caller may not see. Idempotent per key. */
  create: writeProcedure("reports.read", { idempotent: true })
    .route({ method: "POST", path: "/reports/custom", summary: "Save a custom report", tags, successStatus: 201 })
    .input(customReportForm.extend({ idempotencyKey: z.uuid() }))
    .output(customReportDetail),

  /** Owners only. STALE when the report was changed meanwhile. */
  update: writeProcedure("reports.read")
    .route({ method: "PUT", path: "/reports/custom/{customReportId}", summary: "Edit a custom report", tags })
    .input(customReportForm.extend({ customReportId: z.uuid(), version: z.int() }))
    .output(customReportDetail),

  /** Deletes a report. Its schedules stop with that reason; generated files are kept. */
  remove: writeProcedure("reports.read")
    .route({ method: "DELETE", path: "/reports/custom/{customReportId}", summary: "Delete a custom report", tags })
    .input(saved)
    .output(z.object({})),

  /** A file of a saved or unsaved report, as `reports.generate`. Idempotent per key. Refused as `preview` is. */
  generate: writeProcedure("reports.read", { idempotent: true })
    .route({ method: "POST", path: "/reports/custom/runs", summary: "Generate a custom report", tags })
    .input(
      z.object({
        name: customReportForm.shape.name,
        format: reportFormat,
        definition: customDefinition,
        customReportId: z.uuid().optional(),
        idempotencyKey: z.uuid(),
      }),
    )
    .output(z.object({ runId: z.uuid(), jobId: z.uuid() })),
}
