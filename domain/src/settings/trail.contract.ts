import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { auditTrailList } from "./audit-trail.list.ts"

export const trailRow = z.object({
  id: z.uuid(),
  happenedAt: instant,
  /** of the day, in the organisation's timezone */
  time: z.string(),
  actor: z.string(),
  /** what was done, without its subject: "submitted the claim" */
  what: z.string(),
  kindName: z.string(),
  label: z.string(),
  groupName: z.string().nullable(),
  action: z.string(),
})
export type TrailRow = z.infer<typeof trailRow>

export const trailEntry = trailRow.extend({
  actorRole: z.string().nullable(),
  /** which record; its id is null where it is none, such as the settings */
  record: z.object({ kind: z.string(), id: z.uuid().nullable() }),
  reason: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** what was said besides, by name */
  details: z.array(z.object({ field: z.string(), value: z.unknown() })),
  requestId: z.string().nullable(),
  /** its place in the chain; null while it waits for its seal, a second or so */
  seal: z.object({ seq: z.int(), hash: z.string(), sealedAt: instant }).nullable(),
})
export type TrailEntry = z.infer<typeof trailEntry>

/** What is asked of the trail beside what every list is: a kind of record, an action, one record. */
export const trailOf = {
  kind: z.string().max(60).optional(),
  fact: z.string().max(60).optional(),
  recordId: z.uuid().optional(),
}

export const chainState = z.object({
  /** the last check; null before the first */
  check: z
    .object({
      checkedAt: instant,
      /** null where it was made by itself */
      checkedBy: z.string().nullable(),
      rows: z.int(),
      /** when the last row was written that it found in its place; null where there was none */
      verifiedUntilAt: instant.nullable(),
      /** what is wrong, a sentence each */
      faults: z.array(z.string()),
    })
    .nullable(),
  /** rows that wait for their seal; a server that runs leaves them waiting a second or so */
  unsealed: z.int(),
  oldestUnsealedAt: instant.nullable(),
  isUnderway: z.boolean(),
})
export type ChainState = z.infer<typeof chainState>

const choice = z.object({ value: z.string(), name: z.string() })
const tags = ["Audit trail"]

export const trailContract = {
  /** Every change and sign-in, and who looked at what, newest first. Administrators only. */
  list: read("audit.read")
    .route({ method: "GET", path: "/settings/audit-trail", summary: "Search the audit trail", tags })
    .input(listInput(auditTrailList, trailOf))
    .output(listOutput(auditTrailList, trailRow)),

  /** One entry with what was before and after, and its seal. NOT_FOUND when there is none. */
  detail: read("audit.read")
    .route({
      method: "GET",
      path: "/settings/audit-trail/entries/{entryId}",
      summary: "An entry of the audit trail",
      tags,
    })
    .input(z.object({ entryId: z.uuid() }))
    .output(trailEntry),

  /** By what the trail is filtered: people who have an account or had one, kinds of record, and actions, by their names. */
  choices: read("audit.read")
    .route({ method: "GET", path: "/settings/audit-trail/choices", summary: "Filters of the audit trail", tags })
    .output(
      z.object({
        people: z.array(z.object({ id: z.uuid(), name: z.string() })),
        kinds: z.array(choice),
        facts: z.array(choice),
      }),
    ),

  /** Whether the trail is as it was written: what the last check found, and what waits for its seal. */
  chain: read("audit.read")
    .route({ method: "GET", path: "/settings/audit-trail/chain", summary: "State of the trail's chain", tags })
    .output(chainState),

  /** Checks the whole chain in the background, as every night. UNDERWAY while it is being checked. */
  check: write("audit.read")
    .route({ method: "POST", path: "/settings/audit-trail/check", summary: "Check the trail's chain", tags })
    .output(chainState)
    .errors({ UNDERWAY: { status: 409, message: "The audit trail is being checked already." } }),
}
