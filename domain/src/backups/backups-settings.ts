import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { backupFrequencies } from "./backup.ts"

export const backupsSettings = {
  automaticBackup: setting(z.boolean(), true, {
    kind: "switch",
    label: "Automatic backup",
    help: "Backups start once you create a backup key below",
  }),
  backupFrequency: setting(z.enum(backupFrequencies), "daily", {
    kind: "choice",
    label: "Backup frequency",
    names: { hourly: "Hourly", daily: "Daily, at 03:00", weekly: "Weekly, on Sunday at 03:00" },
    needs: "automaticBackup",
  }),
}
