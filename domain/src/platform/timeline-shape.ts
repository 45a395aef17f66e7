import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"

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

export type TimelineEntry = z.infer<typeof timelineEntry>
