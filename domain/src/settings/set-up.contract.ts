import { z } from "zod"
import { write } from "../kernel/procedure.ts"
import { organisation } from "../platform/organisation-shape.ts"
import { email, password, personName } from "../users/user-shape.ts"
import { addressNotAllowed, linkInvalid, signedInAs, weakPassword } from "../users/users.contract.ts"

/**
 * Sets the system up by the one-time link that the server prints: makes the first administrator, whose address counts
 * as confirmed, keeps the organisation's details, and signs in; all of it or nothing. By a link for a locked-out
 * administrator the account is made or restored and the organisation stays as it is.
 */
export const setUpContract = write("public")
  .route({ method: "POST", path: "/settings/set-up", summary: "Set the system up", tags: ["Settings"] })
  .input(
    z.object({
      token: z.string().min(20).max(200),
      fullName: personName,
      email,
      password,
      organisation: organisation.optional(),
    }),
  )
  .output(signedInAs)
  .errors({ ...linkInvalid, ...weakPassword, ...addressNotAllowed })
