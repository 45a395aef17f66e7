import { randomUUID } from "node:crypto"
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"

/**
 * Writes a file unless there is one, and answers what stands in it: of several processes that write it at the same
 * moment one is first, and all read its text, never half of it.
 */
export function writeOnce(path: string, text: string, mode?: number): string {
  if (!existsSync(path)) {
    const own = `${path}.${randomUUID()}`
    writeFileSync(own, text, { flush: true, ...(mode && { mode }) })
    try {
      linkSync(own, path)
    } catch (error) {
      // Where the file system knows no links, the last one wins.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") renameSync(own, path)
    } finally {
      rmSync(own, { force: true })
    }
  }
  return readFileSync(path, "utf8")
}
