import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { inputShapes } from "../kernel/declared-field-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { dependentFields } from "./dependent-fields.ts"
import { maxSalaryCents, memberStatuses } from "./member.ts"
import { memberFields } from "./member-fields.ts"

export const memberStatus = z.enum(memberStatuses)

/** Step 1 of the form. A South African ID number, or else a passport number. */
export const memberPersonal = z.object(inputShapes(memberFields, "personal"))

export type MemberPersonal = z.infer<typeof memberPersonal>

/** Step 2 of the form. */
export const memberContact = z.object(inputShapes(memberFields, "contact"))

export type MemberContact = z.infer<typeof memberContact>

/** Step 3 of the form. */
export const memberEmployment = z.object(inputShapes(memberFields, "employment"))

export type MemberEmployment = z.infer<typeof memberEmployment>

/** Step 5 of the form. `id` identifies a stored dependent; a new one has none. */
export const dependentInput = z.object({
  id: z.uuid().optional(),
  ...inputShapes(dependentFields, "dependent"),
  /** First day of cover. Default: the member's, or today when added to a covered member. */
  fromOn: day.nullable().optional(),
  /** Last day of cover, inclusive; null = no end, omitted = unchanged. */
  untilOn: day.nullable().optional(),
})

export type DependentInput = z.infer<typeof dependentInput>

/** Monthly, in cents. */
export const salary = cents
  .min(1, "Enter a salary above zero")
  .max(maxSalaryCents, "The salary can be at most 10 000 000")
