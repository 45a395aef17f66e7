import { z } from "zod"

// The arithmetic stands apart from the shape: screens that only show an amount need no validator.
export * from "./amounts.ts"

/** The shape of an amount in the API: a whole number of cents, within what a JSON number holds exactly. */
export const cents = z.int()
