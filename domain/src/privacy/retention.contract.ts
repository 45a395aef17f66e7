import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { retentionKinds } from "./retention.ts"

const counts = z.partialRecord(z.enum(retentionKinds), z.int().min(0))

const retentionRun = z.object({
  id: z.uuid(),
  today: day,
  /** what ended before this day was due */
  before: day,
  years: z.int(),
  shownAt: instant,
  state: z.enum(["shown", "removing", "done"]),
  /** as it was counted before anything was done */
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
  /** until when what is due is removed every night, since somebody confirmed it; null where nobody has */
  confirmedUntil: day.nullable(),
  isUnderway: z.boolean(),
  /** newest first, the last twenty nights on which there was something */
  runs: z.array(retentionRun),
})
export type RetentionOverview = z.infer<typeof retentionOverview>

const tags = ["Privacy"]

export const retentionContract = {
  /** What retention would do, and did. Administrators only. */
  overview: read("privacy.manage")
    .route({ method: "GET", path: "/privacy/retention", summary: "Data retention", tags })
    .output(retentionOverview),

  /** Counts anew what is due, in the background, and removes nothing that was not confirmed. UNDERWAY while it is at work. */
  look: write("privacy.manage")
    .route({ method: "POST", path: "/privacy/retention/look", summary: "Look what is due", tags })
    .output(retentionOverview)
    .errors({ UNDERWAY: { status: 409, message: "A count is already under way." } }),

  /**
   * Lets what was shown be removed, now and every night for a year. On record. PROOF_REQUIRED; NOT_SHOWN where something
   * else was shown since, or the settings keep data for another number of years by now.
   */
  confirm: write("privacy.manage")
    .route({ method: "POST", path: "/privacy/retention/{runId}/confirm", summary: "Confirm what is removed", tags })
    .input(z.object({ runId: z.uuid() }))
    .output(retentionOverview)
    .errors({
      ...proofRequired,
      NOT_SHOWN: { status: 409, message: "What would be removed has changed. Count again." },
    }),
}
