import { z } from "zod"
import { readProcedure } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"

export const employerErrors = {
  NAME_TAKEN: { status: 409, message: "An employer group with this name already exists." },
} as const

const tags = ["Employers"]

export const employersContract = {
  /** Up to 50 employer groups that the actor may see, by name. */
  groups: readProcedure("policies.read")
    .route({ method: "GET", path: "/groups", summary: "List employer groups", tags })
    .input(z.object({ search: line(200).default("") }))
    .output(z.array(z.object({ id: z.uuid(), name: z.string(), policies: z.int() }))),
}
