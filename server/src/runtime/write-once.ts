import { randomUUID } from "node:crypto"
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"

/** Returns the file's content; concurrent writers all get the first writer's complete text. */
export function writeOnce(path: string, text: string, mode?: number): string {
  if (!existsSync(path)) {
    const own = `${path}.${randomUUID()}`
    writeFileSync(own, text, { flush: true, ...(mode && { mode }) })
    try {
      linkSync(own, path)
    } catch (error) {
      // On file systems without links, the last writer wins.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") renameSync(own, path)
    } finally {
      rmSync(own, { force: true })
    }
  }
  return readFileSync(path, "utf8")
}
