// Tests keep databases and files in memory where Linux offers that: on a disk, PostgreSQL spends most of a test waiting.
import { accessSync, constants, statfsSync } from "node:fs"
import { totalmem } from "node:os"

const folder = "/dev/shm"
/** A whole run uses less than two gigabytes of the folder. */
const neededBytes = 4 * 2 ** 30

export function useMemoryForTemporaryFiles() {
  if (process.env.TMPDIR || process.platform !== "linux") return
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
    if (bavail * bsize >= neededBytes && memory >= 2 * neededBytes) process.env.TMPDIR = folder
  } catch {
    // There is no such folder.
  }
}
