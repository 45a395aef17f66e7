import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { personFileStates } from "./person-file.ts"
import { retentionContract } from "./retention.contract.ts"

const personFile = z.object({
  id: z.uuid(),
  state: z.enum(personFileStates),
  askedBy: z.string(),
  askedAt: instant,
  finishedAt: instant.nullable(),
  /** In bytes; null until made. */
  size: z.int().nullable(),
  sha256: z.string().nullable(),
  /** Why the file could not be made. */
  message: z.string().nullable(),
  /** Job that makes the file. */
  jobId: z.uuid(),
  allowedActions: z.array(z.enum(["download"])),
})
export type PersonFile = z.infer<typeof personFile>

const personFiles = z.object({
  member: z.object({ id: z.uuid(), number: z.string(), name: z.string() }),
  /** Newest first, including deleted files. */
  files: z.array(personFile),
})
export type PersonFiles = z.infer<typeof personFiles>

const tags = ["Privacy"]

export const privacyContract = {
  retention: retentionContract,

  /** Files about a member. Administrators only. NOT_FOUND for an unknown member. */
  personFiles: readProcedure("privacy.manage")
    .route({ method: "GET", path: "/privacy/members/{memberId}/files", summary: "List files about a person", tags })
    .input(z.object({ memberId: z.uuid() }))
    .output(personFiles),

  /**
   * A job makes a zip of everything recorded about a member: a table per kind of record, the read log, and all
   * documents. Audited. PROOF_REQUIRED; UNDERWAY while one is being made.
   */
  makePersonFile: writeProcedure("privacy.manage", { idempotent: true })
    .route({ method: "POST", path: "/privacy/members/{memberId}/files", summary: "Create a file about a person", tags })
    .input(z.object({ memberId: z.uuid(), idempotencyKey: z.uuid() }))
    .output(personFiles)
    .errors({
      ...proofRequired,
      UNDERWAY: { status: 409, message: "A file about this person is already being created." },
    }),

  /**
   * Returns a one-time download link for this user only. Audited. PROOF_REQUIRED; NO_FILE before it is made or after it
   * is deleted.
   */
  openPersonFile: writeProcedure("privacy.manage")
    .route({
      method: "POST",
      path: "/privacy/files/{fileId}/open",
      summary: "Create a download link for a file about a person",
      tags,
    })
    .input(z.object({ fileId: z.uuid() }))
    .output(z.object({ address: z.string() }))
    .errors({ ...proofRequired, NO_FILE: { status: 409, message: "The file no longer exists. Create a new one." } }),
}
