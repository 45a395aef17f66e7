import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { personFileStates } from "./person-file.ts"
import { retentionContract } from "./retention.contract.ts"

const personFile = z.object({
  id: z.uuid(),
  state: z.enum(personFileStates),
  askedBy: z.string(),
  askedAt: instant,
  finishedAt: instant.nullable(),
  /** bytes; null until it is made */
  size: z.int().nullable(),
  sha256: z.string().nullable(),
  /** why there is no file */
  message: z.string().nullable(),
  /** how far its job is, while it is being made */
  jobId: z.uuid(),
  allowedActions: z.array(z.enum(["download"])),
})
export type PersonFile = z.infer<typeof personFile>

const personFiles = z.object({
  member: z.object({ id: z.uuid(), number: z.string(), name: z.string() }),
  /** newest first, those whose file is deleted by now among them */
  files: z.array(personFile),
})
export type PersonFiles = z.infer<typeof personFiles>

const tags = ["Privacy"]

export const privacyContract = {
  retention: retentionContract,

  /** The files with everything recorded about a member that were made. Administrators only. NOT_FOUND for no member. */
  personFiles: read("privacy.manage")
    .route({ method: "GET", path: "/privacy/members/{memberId}/files", summary: "Files about a person", tags })
    .input(z.object({ memberId: z.uuid() }))
    .output(personFiles),

  /**
   * Makes a file with everything recorded about a member, in the background: a zip with a table for each kind of record,
   * who looked at them, and every document. On record. PROOF_REQUIRED; UNDERWAY while one is being made.
   */
  makePersonFile: write("privacy.manage", { idempotent: true })
    .route({ method: "POST", path: "/privacy/members/{memberId}/files", summary: "Make a file about a person", tags })
    .input(z.object({ memberId: z.uuid(), idempotencyKey: z.uuid() }))
    .output(personFiles)
    .errors({
      ...proofRequired,
      UNDERWAY: { status: 409, message: "A file about this person is being made already." },
    }),

  /**
   * Where such a file is fetched, once, by whoever asked for it here. On record. PROOF_REQUIRED; NO_FILE once it is
   * deleted, or before it is made.
   */
  openPersonFile: write("privacy.manage")
    .route({ method: "POST", path: "/privacy/files/{fileId}/open", summary: "Fetch a file about a person", tags })
    .input(z.object({ fileId: z.uuid() }))
    .output(z.object({ address: z.string() }))
    .errors({ ...proofRequired, NO_FILE: { status: 409, message: "There is no file any more. Make a new one." } }),
}
