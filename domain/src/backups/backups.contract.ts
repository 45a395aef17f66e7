import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { backupStates } from "./backup.ts"

export const backupRow = z.object({
  id: z.uuid(),
  fileName: z.string(),
  state: z.enum(backupStates),
  isAutomatic: z.boolean(),
  /** null for an automatic backup */
  askedBy: z.string().nullable(),
  startedAt: instant,
  finishedAt: instant.nullable(),
  size: z.int().nullable(),
  sha256: z.string().nullable(),
  /** false: documents only, since an external database is backed up elsewhere */
  hasDatabase: z.boolean(),
  verifiedAt: instant.nullable(),
  recipient: z.string(),
  message: z.string().nullable(),
  allowedActions: z.array(z.enum(["download", "remove"])),
})
export type BackupRow = z.infer<typeof backupRow>

export const backupsOverview = z.object({
  hasDatabase: z.boolean(),
  key: z.object({ id: z.uuid(), recipient: z.string(), madeAt: instant, madeBy: z.string().nullable() }).nullable(),
  /** the next automatic backup, or null */
  nextAt: instant.nullable(),
  /** newest first, without removed ones; at most ten failed ones */
  backups: z.array(backupRow),
})
export type BackupsOverview = z.infer<typeof backupsOverview>

export const backupsContract = {
  /** Backups and their settings. Administrators only. */
  overview: readProcedure("backups.manage")
    .route({ method: "GET", path: "/backups", summary: "List the backups", tags: ["Backups"] })
    .output(backupsOverview),

  /**
   * Creates the key of all later backups and returns its secret half, which is not stored. Earlier backups need their
   * old key. PROOF_REQUIRED, because the key opens all data; CONFLICT after a concurrent change.
   */
  makeKey: writeProcedure("backups.manage")
    .route({ method: "POST", path: "/backups/key", summary: "Create the backup key", tags: ["Backups"] })
    .input(z.object({ replaces: z.uuid().nullable() }))
    .output(z.object({ secret: z.string(), overview: backupsOverview }))
    .errors(proofRequired),

  /** Makes a backup in the background. NO_KEY without a key; UNDERWAY while another runs. */
  make: writeProcedure("backups.manage", { idempotent: true })
    .route({ method: "POST", path: "/backups", summary: "Create a backup", tags: ["Backups"] })
    .input(z.object({ idempotencyKey: z.uuid() }))
    .output(backupsOverview)
    .errors({
      NO_KEY: { status: 409, message: "Create the backup key first: backups are encrypted with it." },
      UNDERWAY: { status: 409, message: "A backup is already running." },
    }),

  /** Deletes a backup's file. PROOF_REQUIRED without a recent proof; NOT_FOUND if it does not exist. */
  remove: writeProcedure("backups.manage")
    .route({ method: "DELETE", path: "/backups/{backupId}", summary: "Remove a backup", tags: ["Backups"] })
    .input(z.object({ backupId: z.uuid() }))
    .output(backupsOverview)
    .errors(proofRequired),
}
