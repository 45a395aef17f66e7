import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { auditTrailList } from "./audit-trail.list.ts"

export const trailRow = z.object({
  id: z.uuid(),
  happenedAt: instant,
  /** In the organisation's timezone. */
  time: z.string(),
  actor: z.string(),
  /** The action without its subject: "submitted the claim". */
  what: z.string(),
  kindName: z.string(),
  label: z.string(),
  groupName: z.string().nullable(),
  action: z.string(),
})
export type TrailRow = z.infer<typeof trailRow>

export const trailEntry = trailRow.extend({
  actorRole: z.string().nullable(),
  /** `id` is null for singletons such as the settings. */
  record: z.object({ kind: z.string(), id: z.uuid().nullable() }),
  reason: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  details: z.array(z.object({ field: z.string(), value: z.unknown() })),
  requestId: z.string().nullable(),
  /** Place in the chain; null until sealed, about a second later. */
  seal: z.object({ seq: z.int(), hash: z.string(), sealedAt: instant }).nullable(),
})
export type TrailEntry = z.infer<typeof trailEntry>

/** Filters besides the list's own. */
export const trailInput = {
  kind: z.string().max(60).optional(),
  fact: z.string().max(60).optional(),
  recordId: z.uuid().optional(),
}

export const chainState = z.object({
  /** The last check; null before the first. */
  check: z
    .object({
      checkedAt: instant,
      /** Null for the nightly check. */
      checkedBy: z.string().nullable(),
      rows: z.int(),
      /** When the last verified row was written; null if none. */
      verifiedUntilAt: instant.nullable(),
      /** One sentence each. */
      faults: z.array(z.string()),
    })
    .nullable(),
  /** Rows awaiting their seal, normally for about a second. */
  unsealed: z.int(),
  oldestUnsealedAt: instant.nullable(),
  isUnderway: z.boolean(),
})
export type ChainState = z.infer<typeof chainState>

const choice = z.object({ value: z.string(), name: z.string() })
const tags = ["Audit trail"]

export const trailContract = {
  /** Changes, sign-ins and reads, newest first. Administrators only. */
  list: readProcedure("audit.read")
    .route({ method: "GET", path: "/settings/audit-trail", summary: "Search the audit trail", tags })
    .input(listInput(auditTrailList, trailInput))
    .output(listOutput(auditTrailList, trailRow)),

  /** One entry with values before and after, and its seal. */
  detail: readProcedure("audit.read")
    .route({
      method: "GET",
      path: "/settings/audit-trail/entries/{entryId}",
      summary: "Read an audit trail entry",
      tags,
    })
    .input(z.object({ entryId: z.uuid() }))
    .output(trailEntry),

  /** Filter options: present and former users, record kinds and actions. */
  choices: readProcedure("audit.read")
    .route({
      method: "GET",
      path: "/settings/audit-trail/choices",
      summary: "List the filters of the audit trail",
      tags,
    })
    .output(
      z.object({
        people: z.array(z.object({ id: z.uuid(), name: z.string() })),
        kinds: z.array(choice),
        facts: z.array(choice),
      }),
    ),

  /** Result of the last check, and unsealed rows. */
  chain: readProcedure("audit.read")
    .route({ method: "GET", path: "/settings/audit-trail/chain", summary: "Read the state of the audit trail", tags })
    .output(chainState),

  /** Checks the whole chain in a job, as every night. UNDERWAY while a check runs. */
  check: writeProcedure("audit.read")
    .route({ method: "POST", path: "/settings/audit-trail/check", summary: "Check the audit trail", tags })
    .output(chainState)
    .errors({ UNDERWAY: { status: 409, message: "The audit trail is already being checked." } }),
}
