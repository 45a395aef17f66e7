import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { backupStates } from "./backup.ts"

export const backupRow = z.object({
  id: z.uuid(),
  fileName: z.string(),
  state: z.enum(backupStates),
  isAutomatic: z.boolean(),
  /** who asked for it; null where nobody did */
  askedBy: z.string().nullable(),
  startedAt: instant,
  finishedAt: instant.nullable(),
  /** of the file, in bytes */
  size: z.int().nullable(),
  sha256: z.string().nullable(),
  /** without it the file holds documents alone: the database is backed up where it lives */
  hasDatabase: z.boolean(),
  /** when it had been read back to its end */
  verifiedAt: instant.nullable(),
  /** which of the keys opens it: the public half, from its beginning */
  recipient: z.string(),
  /** why it failed */
  message: z.string().nullable(),
  allowedActions: z.array(z.enum(["download", "remove"])),
})
export type BackupRow = z.infer<typeof backupRow>

export const backupsOverview = z.object({
  /** whether the database lies in this house, and is backed up with it */
  hasDatabase: z.boolean(),
  /** the key for which backups are encrypted; null before there is one, and then none is made */
  key: z.object({ id: z.uuid(), recipient: z.string(), madeAt: instant, madeBy: z.string().nullable() }).nullable(),
  /** when the next is made by itself; null where none is */
  nextAt: instant.nullable(),
  /** newest first; those that were removed are left out, of those that failed the last ten stand here */
  backups: z.array(backupRow),
})
export type BackupsOverview = z.infer<typeof backupsOverview>

export const backupsContract = {
  /** What is kept of backups, and how they are made. Administrators only. */
  overview: read("backups.manage")
    .route({ method: "GET", path: "/backups", summary: "List the backups", tags: ["Backups"] })
    .output(backupsOverview),

  /**
   * Makes the key of all backups from now on, and answers its secret half this once: nothing of it is kept. Backups from
   * before go on needing the key of their time. Whoever has it reads everything: PROOF_REQUIRED. CONFLICT when somebody else
   * made one meanwhile.
   */
  makeKey: write("backups.manage")
    .route({ method: "POST", path: "/backups/key", summary: "Make the key of the backups", tags: ["Backups"] })
    .input(z.object({ replaces: z.uuid().nullable() }))
    .output(z.object({ secret: z.string(), overview: backupsOverview }))
    .errors(proofRequired),

  /** Makes a backup now, in the background. NO_KEY before there is a key, UNDERWAY while another is made. */
  make: write("backups.manage", { idempotent: true })
    .route({ method: "POST", path: "/backups", summary: "Make a backup", tags: ["Backups"] })
    .input(z.object({ idempotencyKey: z.uuid() }))
    .output(backupsOverview)
    .errors({
      NO_KEY: { status: 409, message: "Make the key first: a backup is encrypted for it." },
      UNDERWAY: { status: 409, message: "A backup is being made already." },
    }),

  /** Deletes the file of a backup. PROOF_REQUIRED without a new proof, NOT_FOUND when there is none. */
  remove: write("backups.manage")
    .route({ method: "DELETE", path: "/backups/{backupId}", summary: "Remove a backup", tags: ["Backups"] })
    .input(z.object({ backupId: z.uuid() }))
    .output(backupsOverview)
    .errors(proofRequired),
}
