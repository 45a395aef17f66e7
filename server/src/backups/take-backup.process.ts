import { setPriority } from "node:os"
import { isStorageUnavailable } from "../platform/files/storage.ts"
import { type BackupTask, takeBackup } from "./take-backup.ts"
import type { BackupMessage } from "./take-backup-apart.ts"

// Lower priority than user requests.
setPriority(10)

const sendMessage = (said: BackupMessage) => new Promise<void>((sent) => process.send!(said, () => sent()))
/** Milliseconds between progress messages. */
const reportIntervalMs = 500

process.once("message", async (task: BackupTask) => {
  let saidAt = 0
  const onBytes = (bytes: number) => {
    if (performance.now() - saidAt < reportIntervalMs) return
    saidAt = performance.now()
    void sendMessage({ bytes })
  }
  try {
    await sendMessage({ sums: await takeBackup(task, onBytes) })
  } catch (error) {
    const away = new Error("The document storage could not be reached.")
    const { message, code } = (isStorageUnavailable(error) ? away : error) as NodeJS.ErrnoException
    await sendMessage({ failed: message, ...(code && { code }) })
  }
})
process.once("disconnect", () => process.exit())
