import { readBackups } from "./backups.queries.ts"
import { askForBackup, removeBackup } from "./make-backup.ts"
import { makeKey } from "./make-key.ts"

export const backupsRouter = { overview: readBackups, makeKey, make: askForBackup, remove: removeBackup }
