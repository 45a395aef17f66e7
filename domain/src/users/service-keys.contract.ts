import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { keyRoles, keyStates } from "./service-key.ts"

const tags = ["Service keys"]

export const serviceKeyRow = z.object({
  id: z.uuid(),
  name: z.string(),
  role: z.enum(keyRoles),
  /** those of a role that sees only its groups; empty for the others */
  groups: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** its first characters, to tell it from others */
  hint: z.string(),
  state: z.enum(keyStates),
  madeBy: z.string(),
  madeAt: instant,
  /** from this moment on it is not taken */
  expiresAt: instant,
  /** when a program last came with it, to the minute; null while none has */
  lastUsedAt: instant.nullable(),
  /** the address that it last came from */
  lastUsedFrom: z.string().nullable(),
  revokedAt: instant.nullable(),
  revokedBy: z.string().nullable(),
  allowedActions: z.array(z.enum(["revoke"])),
})
export type ServiceKeyRow = z.infer<typeof serviceKeyRow>

export const serviceKeysContract = {
  /** The keys of programs: those that work first, then by the day they were made, newest first; at most 500. */
  list: read("integrations.manage")
    .route({ method: "GET", path: "/service-keys", summary: "List the service keys", tags })
    .output(z.object({ keys: z.array(serviceKeyRow) })),

  /**
   * Makes a key for a program, and answers it this once: only its hash is kept. The program sends it as
   * `Authorization: Bearer …` and has the rights of the role, and of these groups where the role sees only its groups,
   * to the end of `expiresOn`. INVALID without groups for such a role, or for a day that has passed or lies more than
   * two years ahead. PROOF_REQUIRED.
   */
  make: write("integrations.manage")
    .route({ method: "POST", path: "/service-keys", summary: "Make a service key", tags })
    .input(
      z.object({
        name: line(100, "A name has at most 100 characters").min(1, "Give the key a name"),
        role: z.enum(keyRoles),
        groupIds: z.array(z.uuid()).max(1000).default([]),
        expiresOn: day,
      }),
    )
    .output(z.object({ secret: z.string(), key: serviceKeyRow }))
    .errors(proofRequired),

  /** Revokes a key: its next request is refused. It stays on record. Once more changes nothing. */
  revoke: write("integrations.manage")
    .route({ method: "POST", path: "/service-keys/{id}/revoke", summary: "Revoke a service key", tags })
    .input(z.object({ id: z.uuid() }))
    .output(serviceKeyRow),
}
