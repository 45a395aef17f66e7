import { setPriority } from "node:os"
import { isStorageAway } from "../platform/files/storage.ts"
import { type BackupTask, takeBackup } from "./take-backup.ts"
import type { BackupSaid } from "./take-backup-apart.ts"

// Lower priority than user requests.
setPriority(10)

const say = (said: BackupSaid) => new Promise<void>((sent) => process.send!(said, () => sent()))
/** Milliseconds between progress messages. */
const silence = 500

process.once("message", async (task: BackupTask) => {
  let saidAt = 0
  const onBytes = (bytes: number) => {
    if (performance.now() - saidAt < silence) return
    saidAt = performance.now()
    void say({ bytes })
  }
  try {
    await say({ sums: await takeBackup(task, onBytes) })
  } catch (error) {
    const away = new Error("The document storage could not be reached.")
    const { message, code } = (isStorageAway(error) ? away : error) as NodeJS.ErrnoException
    await say({ failed: message, ...(code && { code }) })
  }
})
process.once("disconnect", () => process.exit())
