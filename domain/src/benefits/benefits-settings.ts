import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"
import { type ChildCap, initialChildCaps, sortChildCaps } from "./child-cap.ts"

const childCap = z.strictObject({
  belowAge: z.int("Enter an age").min(1, "Enter an age of at least 1").max(26, "Enter an age of at most 26"),
  amountCents: cents.min(1, "Enter an amount above zero"),
  from: day.nullable(),
}) satisfies z.ZodType<ChildCap>

export const benefitsSettings = {
  childCoverCaps: setting(
    z
      .array(childCap)
      .max(50, "At most 50 limits")
      .refine(
        (caps) => new Set(caps.map(({ belowAge, from }) => `${belowAge} ${from}`)).size === caps.length,
        "There is already a limit for this age from this day",
      )
      .overwrite(sortChildCaps),
    initialChildCaps,
  ),
}
