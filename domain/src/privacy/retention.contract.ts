import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { retentionKinds } from "./retention.ts"

const counts = z.partialRecord(z.enum(retentionKinds), z.int().min(0))

const retentionRun = z.object({
  id: z.uuid(),
  today: day,
  /** Records that ended before this day were due. */
  before: day,
  years: z.int(),
  shownAt: instant,
  state: z.enum(["shown", "removing", "done"]),
  /** Counted before removal. */
  due: counts,
  removed: counts,
  confirmedBy: z.string().nullable(),
  finishedAt: instant.nullable(),
  allowedActions: z.array(z.enum(["confirm"])),
})
export type RetentionRun = z.infer<typeof retentionRun>

const retentionOverview = z.object({
  years: z.int(),
  isAutomatic: z.boolean(),
  /** Due records are removed nightly until this day; null without confirmation. */
  confirmedUntil: day.nullable(),
  isUnderway: z.boolean(),
  /** The last 20 nights with due records, newest first. */
  runs: z.array(retentionRun),
})
export type RetentionOverview = z.infer<typeof retentionOverview>

const tags = ["Privacy"]

export const retentionContract = {
  /** Due and past removals. Administrators only. */
  overview: readProcedure("privacy.manage")
    .route({ method: "GET", path: "/privacy/retention", summary: "Read the data due for removal", tags })
    .output(retentionOverview),

  /** Recounts due records in a job; removes only confirmed ones. UNDERWAY while it runs. */
  look: writeProcedure("privacy.manage")
    .route({ method: "POST", path: "/privacy/retention/look", summary: "Count records due for removal", tags })
    .output(retentionOverview)
    .errors({ UNDERWAY: { status: 409, message: "A count is already running." } }),

  /**
   * Removes the listed records now, and newly due ones nightly for a year. Audited. PROOF_REQUIRED; NOT_SHOWN if the
   * list or the retention years have changed since.
   */
  confirm: writeProcedure("privacy.manage")
    .route({ method: "POST", path: "/privacy/retention/{runId}/confirm", summary: "Confirm a removal", tags })
    .input(z.object({ runId: z.uuid() }))
    .output(retentionOverview)
    .errors({
      ...proofRequired,
      NOT_SHOWN: { status: 409, message: "The records due for removal have changed. Count again." },
    }),
}
