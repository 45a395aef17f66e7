import { z } from "zod"
import { read, write } from "../kernel/procedure.ts"
import { customDefinition, customReportDetail, customReportForm } from "./custom-report-shape.ts"
import { reportAnswer, reportFormat, reportQuery } from "./report-shape.ts"

const tags = ["Reports"]
const saved = z.object({ customReportId: z.uuid() })

/** Reports of people's own: looked at while they are put together, saved, shared, made. */
export const customReportsContract = {
  /**
   * The first ten rows of a report that nobody has to save, how many there are (counting stops at 10 000), its totals and
   * the days that it is about. INVALID for what makes no sense; FORBIDDEN for a type or a field that the asker may not see.
   */
  preview: read("reports.read")
    .route({ method: "POST", path: "/reports/custom/preview", summary: "Preview a custom report", tags })
    .input(z.object({ definition: customDefinition }))
    .output(reportAnswer),

  /**
   * A page of a saved report on screen, as `reports.rows` answers one of the catalogue; `query` is its place: page,
   * pageSize, sort, dir. NOT_FOUND for a report that is not one's own and not shared with one.
   */
  rows: read("reports.read")
    .route({ method: "GET", path: "/reports/custom/{customReportId}/rows", summary: "Show a custom report", tags })
    .input(saved.extend({ query: reportQuery.default({}) }))
    .output(reportAnswer),

  /** One's own reports and those that are shared with one, by name. */
  list: read("reports.read")
    .route({ method: "GET", path: "/reports/custom", summary: "List custom reports", tags })
    .input(z.object({}))
    .output(z.array(customReportDetail)),

  /** One of them. NOT_FOUND as `rows`. */
  detail: read("reports.read")
    .route({ method: "GET", path: "/reports/custom/{customReportId}", summary: "Read a custom report", tags })
    .input(saved)
    .output(customReportDetail),

  /** Saves a report under a name as one's own. FORBIDDEN for a type or a field that one may not see. Once a key. */
  create: write("reports.read", { idempotent: true })
    .route({ method: "POST", path: "/reports/custom", summary: "Save a custom report", tags, successStatus: 201 })
    .input(customReportForm.extend({ idempotencyKey: z.uuid() }))
    .output(customReportDetail),

  /** Changes one's own: its name, what it is made of, with whom it is shared. STALE when it was changed meanwhile. */
  update: write("reports.read")
    .route({ method: "PUT", path: "/reports/custom/{customReportId}", summary: "Change a custom report", tags })
    .input(customReportForm.extend({ customReportId: z.uuid(), version: z.int() }))
    .output(customReportDetail),

  /** Deletes it; its schedules stop and say why, and what was made of it is kept. */
  remove: write("reports.read")
    .route({ method: "DELETE", path: "/reports/custom/{customReportId}", summary: "Delete a custom report", tags })
    .input(saved)
    .output(z.object({})),

  /**
   * Has a report made as a file, saved or not, as `reports.generate` does: kept under Generated with what it was made of
   * and the hash of its file. Once a key. Refused as `preview` is.
   */
  generate: write("reports.read", { idempotent: true })
    .route({ method: "POST", path: "/reports/custom/runs", summary: "Generate a custom report", tags })
    .input(
      z.object({
        name: customReportForm.shape.name,
        format: reportFormat,
        definition: customDefinition,
        /** The saved report that it is of; left out where it was not saved. */
        customReportId: z.uuid().optional(),
        idempotencyKey: z.uuid(),
      }),
    )
    .output(z.object({ runId: z.uuid(), jobId: z.uuid() })),
}
