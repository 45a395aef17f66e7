import { z } from "zod"
import { laterChangeChoices } from "./timeline.ts"

/**
 * Refuses dates that do not exist (2026-02-29) and implausible years: the database has no year 0, and month arithmetic
 * from 9999 gives five digits.
 */
export const day = z.iso
  .date("Enter a date as YYYY-MM-DD")
  .refine((text) => text >= "1800-01-01" && text <= "2999-12-31", "The year must be between 1800 and 2999")

/** ISO 8601 with an offset, `2026-11-20T08:00:00.000Z`. */
export const instant = z.iso.datetime({ offset: true })

/** Whether changes already recorded for later days are kept or replaced. */
export const laterChanges = z.enum(laterChangeChoices).optional()
