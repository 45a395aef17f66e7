import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { timelineLength } from "./timeline.ts"

/** One line of a record's history in words: who, what, when, and what it was before and after. */
export const timelineEntry = z.object({
  id: z.int(),
  at: instant,
  actor: z.string(),
  role: z.string().nullable(),
  fact: z.string(),
  /** What was done, without its subject: "submitted the claim". */
  sentence: z.string(),
  reason: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
})

/** The newest lines of a history, newest first. A full page may have older ones: they are asked for before its last id. */
export const timelinePage = z.array(timelineEntry).max(timelineLength)

/** Lines before this one, by its id; left out, the newest. */
export const timelineBefore = { before: z.coerce.number().int().min(1).optional() }

export type TimelineEntry = z.infer<typeof timelineEntry>
