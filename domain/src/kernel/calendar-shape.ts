import { z } from "zod"
import { laterChoices } from "./timeline.ts"

/**
 * The shape of a day in the API; refuses days that do not exist (2026-02-29), and years that nobody means: the
 * database has no year 0, and months counted on from 9999 have five digits.
 */
export const day = z.iso
  .date("A date must be a real day, written YYYY-MM-DD")
  .refine((text) => text >= "1800-01-01" && text <= "2999-12-31", "The year must lie between 1800 and 2999")

/** The shape of a moment in the API: ISO 8601 with an offset, `2026-11-20T08:00:00.000Z`. */
export const instant = z.iso.datetime({ offset: true })

/** Whether changes that are recorded for later days stay, or the new one replaces them. */
export const laterChanges = z.enum(laterChoices).optional()
