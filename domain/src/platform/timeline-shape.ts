import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { timelinePageSize } from "./timeline.ts"

export const timelineEntry = z.object({
  id: z.int(),
  at: instant,
  actor: z.string(),
  role: z.string().nullable(),
  fact: z.string(),
  /** The action without its subject: "submitted the claim". */
  sentence: z.string(),
  reason: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
})

/** Newest first. If a page is full, the next one is requested with `before` set to its last id. */
export const timelinePage = z.array(timelineEntry).max(timelinePageSize)

/** Returns entries before this id; without it, the newest. */
export const timelineBefore = { before: z.coerce.number().int().min(1).optional() }

export type TimelineEntry = z.infer<typeof timelineEntry>
