import { z } from "zod"
import { emailAddress, line } from "../kernel/text-shape.ts"
import { roles } from "../platform/permission.ts"

export const role = z.enum(roles)

/** Lower case, so that one person has one account. */
export const email = emailAddress("Enter a valid e-mail address").toLowerCase()

export const personName = line(200, "Use at most 200 characters for the name").min(1, "Enter a name")

/** Checks the length only; `passwordProblems` checks the strength. */
export const password = z.string().max(256, "Use at most 256 characters for the password")
