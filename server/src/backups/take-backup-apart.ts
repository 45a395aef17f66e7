import { fork } from "node:child_process"
import { join } from "node:path"
import type { App } from "../platform/app.ts"
import type { ArchiveSums } from "./archive.ts"
import type { BackupTask } from "./take-backup.ts"

export type BackupMessage = { bytes: number } | { sums: ArchiveSums } | { failed: string; code?: string }

/**
 * Runs the backup in a separate process, so that compression does not block requests. That process ends with this one
 * and with `signal`.
 *
 * @throws the error of the process, with its code
 */
export async function takeBackupInSubprocess(
  { data, database }: Pick<App, "data" | "database">,
  { path, recipient }: Pick<BackupTask, "path" | "recipient">,
  signal: AbortSignal,
  onBytes: (bytes: number) => unknown,
): Promise<ArchiveSums> {
  const { folder, postgres, filesUrl = null } = data!
  const task: BackupTask = {
    ...{ path, recipient, dataDir: folder, postgresFolder: postgres, filesUrl },
    databaseUrl: postgres === null ? null : database.ownerUrl,
  }
  const child = fork(join(import.meta.dirname, "take-backup.process.ts"), [], {
    execArgv: ["--max-old-space-size=256"],
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  const end = () => child.kill("SIGKILL")
  signal.addEventListener("abort", end)
  const ended = new Promise((resolve) => child.once("close", resolve))
  try {
    return await new Promise<ArchiveSums>((resolve, reject) => {
      child.on("message", (said: BackupMessage) => {
        if ("bytes" in said) onBytes(said.bytes)
        else if ("sums" in said) resolve(said.sums)
        else reject(Object.assign(new Error(said.failed), said.code && { code: said.code }))
      })
      child.on("error", reject)
      child.on("exit", () => reject(new Error("The backup process stopped before it finished.")))
      child.send(task, () => {})
    })
  } finally {
    signal.removeEventListener("abort", end)
    end()
    await ended
  }
}
