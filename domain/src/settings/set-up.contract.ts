import { z } from "zod"
import { writeProcedure } from "../kernel/procedure.ts"
import { organisation } from "../platform/organisation-shape.ts"
import { email, password, personName } from "../users/user-shape.ts"
import { addressNotAllowed, invalidLink, signInResult, weakPassword } from "../users/users.contract.ts"

/**
 * First setup, by the one-time link that the server prints: creates the first administrator with a confirmed address,
 * stores the organisation and signs in, atomically. A recovery link only creates or restores the administrator.
 */
export const setUpContract = writeProcedure("public")
  .route({ method: "POST", path: "/settings/set-up", summary: "Set up the system", tags: ["Settings"] })
  .input(
    z.object({
      token: z.string().min(20).max(200),
      fullName: personName,
      email,
      password,
      organisation: organisation.optional(),
    }),
  )
  .output(signInResult)
  .errors({ ...invalidLink, ...weakPassword, ...addressNotAllowed })
