import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { backupFrequencies } from "./backup.ts"

/** Backups that are made without being asked for (specification 2, section 9). */
export const backupsSettings = {
  automaticBackup: setting(z.boolean(), true),
  backupFrequency: setting(z.enum(backupFrequencies), "daily"),
}
