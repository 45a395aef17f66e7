interface BackupRecord {
  kind: "backup"
  id: string
  label: string
}

export type BackupFact =
  | { type: "BackupMade"; record: BackupRecord; groupId: null; size: number; sha256: string }
  | { type: "BackupFailed"; record: BackupRecord; groupId: null; reason: string }
  | { type: "BackupDownloaded" | "BackupRemoved"; record: BackupRecord; groupId: null }
  | {
      type: "BackupKeyMade"
      record: { kind: "backup_key"; id: string; label: string }
      groupId: null
    }

export const backupSentences = {
  BackupMade: () => "created a backup",
  BackupFailed: ({ reason }: { reason: string }) => `failed to create a backup: ${reason}`,
  BackupDownloaded: () => "downloaded the backup",
  BackupRemoved: () => "removed the backup",
  BackupKeyMade: () => "created a new backup key",
}
