import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { readProcedure } from "../kernel/procedure.ts"

export const jobView = z.object({
  id: z.uuid(),
  kind: z.string(),
  label: z.string(),
  state: z.enum(["queued", "running", "done", "failed"]),
  /** Completed units of work, out of `total`; null if unknown. */
  done: z.int(),
  total: z.int().nullable(),
  message: z.string().nullable(),
  /** The page that shows the result. */
  resultPath: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
})
export type JobView = z.infer<typeof jobView>

const tags = ["Platform"]

export const platformContract = {
  jobs: {
    /** The caller's own jobs, newest first, running and finished. */
    list: readProcedure("session")
      .route({ method: "GET", path: "/jobs", summary: "List my background jobs", tags })
      .input(z.object({ limit: z.coerce.number().int().min(1).max(50).default(20) }))
      .output(z.array(jobView)),
    /** NOT_FOUND for another user's job. */
    get: readProcedure("session")
      .route({ method: "GET", path: "/jobs/{jobId}", summary: "Read one of my background jobs", tags })
      .input(z.object({ jobId: z.uuid() }))
      .output(jobView),
  },
}
