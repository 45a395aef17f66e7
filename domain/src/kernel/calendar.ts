import { z } from "zod"

// The reckoning stands apart from the shapes: screens that only show a day need no validator.
export * from "./days.ts"

/** The shape of a day in the API; refuses days that do not exist (2026-02-29). */
export const day = z.iso.date("A date must be a real day, written YYYY-MM-DD")

/** The shape of a moment in the API: ISO 8601 with an offset, `2026-11-20T08:00:00.000Z`. */
export const instant = z.iso.datetime({ offset: true })
