import { z } from "zod"
import { write } from "../kernel/procedure.ts"
import { organisation } from "../platform/organisation-shape.ts"
import { email, password, personName } from "../users/user-shape.ts"
import { addressNotAllowed, linkInvalid, signedInAs, weakPassword } from "../users/users.contract.ts"

/**
 * First setup, by the one-time link that the server prints: creates the first administrator with a confirmed address,
 * stores the organisation and signs in, atomically. A recovery link only creates or restores the administrator.
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
