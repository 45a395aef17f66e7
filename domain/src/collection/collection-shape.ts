import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { text } from "../kernel/text-shape.ts"
import { callOutcomes } from "./collection.ts"

/** A promise has an amount above 0, in cents, and a day; a dispute has a description. */
export const callForm = z
  .object({
    outcome: z.enum(callOutcomes),
    promisedCents: cents
      .min(1, "Enter an amount above zero")
      .max(100_000_000_000_00, "The amount is too large")
      .nullable()
      .default(null),
    promisedOn: day.nullable().default(null),
    note: text(2_000),
  })
  .superRefine(({ outcome, promisedCents, promisedOn, note }, cx) => {
    const wrong = (path: string, message: string) => cx.addIssue({ code: "custom", path: [path], message })
    if (outcome === "promise") {
      if (promisedCents === null) wrong("promisedCents", "Enter the promised amount")
      if (promisedOn === null) wrong("promisedOn", "Enter the promised payment date")
    } else if (promisedCents !== null || promisedOn !== null)
      wrong("outcome", "Only a promise can have an amount and a date")
    if (outcome === "dispute" && note === "") wrong("note", "Enter the reason for the dispute")
  })

export type CallForm = z.infer<typeof callForm>
