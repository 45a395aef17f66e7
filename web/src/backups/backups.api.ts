import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const backupsQuery = () => api.backups.overview.queryOptions({ input: {} })

export const backupHref = (backupId: string) => `/api/backups/${backupId}/file`

export const useBackupCommands = () => ({
  make: useCommand(api.backups.make, { success: "Backup started", failure: "Failed to create a backup" }),
  makeKey: useCommand(api.backups.makeKey, { failure: "Failed to create the key" }),
  remove: useCommand(api.backups.remove, { success: "Backup removed", failure: "Failed to remove the backup" }),
})
