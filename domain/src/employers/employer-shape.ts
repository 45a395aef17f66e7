import { z } from "zod"
import { inputShapes } from "../kernel/declared-field-shape.ts"
import { line } from "../kernel/text-shape.ts"
import { contactPurposes, employerContactFields } from "./employer-contact.ts"
import { employerFields } from "./employer-fields.ts"

/** Unique, case-insensitively. */
export const groupName = line(200).min(1, "Enter the group name")

export const employerDetails = z.object({ name: groupName, ...inputShapes(employerFields, "details") })

export const employerContactValues = z.object({
  ...inputShapes(employerContactFields, "contact"),
  purposes: z.array(z.enum(contactPurposes)).max(contactPurposes.length),
})
