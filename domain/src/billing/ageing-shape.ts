import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"

/** Cents by age bucket. */
export const ageAmounts = z.object({
  current: cents,
  days1to30: cents,
  days31to60: cents,
  days61to90: cents,
  over90: cents,
})
