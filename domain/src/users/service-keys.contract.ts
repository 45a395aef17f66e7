import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { keyRoles, keyStates } from "./service-key.ts"

const tags = ["Service keys"]

export const serviceKeyRow = z.object({
  id: z.uuid(),
  name: z.string(),
  role: z.enum(keyRoles),
  /** Employer groups of a group-scoped role; empty for other roles. */
  groups: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** First characters of the key. */
  hint: z.string(),
  state: z.enum(keyStates),
  madeBy: z.string(),
  madeAt: instant,
  /** The key is invalid from this instant. */
  expiresAt: instant,
  /** Rounded to the minute; null if never used. */
  lastUsedAt: instant.nullable(),
  lastUsedFrom: z.string().nullable(),
  revokedAt: instant.nullable(),
  revokedBy: z.string().nullable(),
  allowedActions: z.array(z.enum(["revoke"])),
})
export type ServiceKeyRow = z.infer<typeof serviceKeyRow>

export const serviceKeysContract = {
  /** Service keys: active ones first, then newest first; at most 500. */
  list: readProcedure("integrations.manage")
    .route({ method: "GET", path: "/service-keys", summary: "List the service keys", tags })
    .output(z.object({ keys: z.array(serviceKeyRow) })),

  /**
   * Creates a key and returns it once; only its hash is stored. Programs send `Authorization: Bearer …` and have the
   * rights of the role, limited to these groups for a group-scoped role, until the end of `expiresOn`. INVALID without
   * groups for such a role, or for a past day or one more than two years ahead. PROOF_REQUIRED.
   */
  make: writeProcedure("integrations.manage")
    .route({ method: "POST", path: "/service-keys", summary: "Create a service key", tags })
    .input(
      z.object({
        name: line(100, "Use at most 100 characters for the name").min(1, "Enter a name for the key"),
        role: z.enum(keyRoles),
        groupIds: z.array(z.uuid()).max(1000).default([]),
        expiresOn: day,
      }),
    )
    .output(z.object({ secret: z.string(), key: serviceKeyRow }))
    .errors(proofRequired),

  /** Revokes a key from its next request on. The record is kept. Idempotent. */
  revoke: writeProcedure("integrations.manage")
    .route({ method: "POST", path: "/service-keys/{id}/revoke", summary: "Revoke a service key", tags })
    .input(z.object({ id: z.uuid() }))
    .output(serviceKeyRow),
}
