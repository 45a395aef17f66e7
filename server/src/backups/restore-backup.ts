import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { type Config, prepareDataDir, unfinishedRestore } from "../runtime/config.ts"
import { handOver, type PostgresHome, postgresHome } from "../runtime/postgres-home.ts"
import { StartRefused } from "../runtime/start-refused.ts"
import { readArchive } from "./archive.ts"
import { type BackupHead, headName, headOf, ownFiles } from "./take-backup.ts"

export interface Restored {
  head: BackupHead
  files: number
  bytes: number
}

/**
 * Puts a backup into an empty data folder. One that is cut short leaves a mark by which no server starts on the folder,
 * and is begun anew when it is run again.
 * @throws StartRefused with a sentence: the folder holds something, the key does not open the file, the file is damaged
 */
export async function restoreBackup(config: Config, path: string, key: string): Promise<Restored> {
  if (!existsSync(path) || !statSync(path).isFile()) throw new StartRefused(`There is no file ${path}.`)
  clearUnfinished(config.dataDir)
  if (existsSync(config.dataDir) && readdirSync(config.dataDir).length > 0)
    throw new StartRefused(
      `The folder ${config.dataDir} is not empty: a backup is restored into an empty one (DATA_DIR), so that nothing is overwritten.`,
    )
  const mark = unfinishedRestore(config.dataDir)
  let home: PostgresHome | undefined
  let head: BackupHead | undefined
  const begin = async (content: Readable): Promise<void> => {
    head = headOf(await text(content))
    if (!head) throw notOurs(path)
    if (head.hasDatabase && config.databaseUrl)
      throw new StartRefused("The backup holds a database of its own: restore it without DATABASE_URL.")
    prepareDataDir(config.dataDir)
    writeFileSync(mark, "A backup is being put into this folder.\n")
    if (head.hasDatabase) home = postgresHome(config.dataDir)
  }
  try {
    const sums = await readArchive(path, key, async ({ name, type, mode = 0o600 }, content) => {
      if (!head) return name === headName ? begin(content) : Promise.reject(notOurs(path))
      const { target, isPostgres } = placeOf(name, config.dataDir, home)
      const made = (place: string) => isPostgres && handOver(home!, place)
      if (type === "directory") {
        mkdirSync(target, { recursive: true, mode })
        return void made(target)
      }
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      await pipeline(content, createWriteStream(target, { mode, flags: "wx" }))
      made(target)
    })
    if (!head) throw notOurs(path)
    rmSync(mark)
    return { head, ...sums }
  } catch (error) {
    throw error instanceof StartRefused ? error : new StartRefused(whyNot(path, error as Error))
  }
}

const notOurs = (path: string) => new StartRefused(`${path} is not a backup of Milkwood.`)

/** Where a thing of the archive goes; none leads out of the folder. */
function placeOf(name: string, dataDir: string, home: PostgresHome | undefined) {
  const parts = name.replace(/\/$/, "").split("/")
  const isPostgres = parts[0] === "postgres"
  const isKnown = isPostgres ? home !== undefined : ["files", ...ownFiles].includes(parts[0]!)
  if (!isKnown || parts.some((part) => part === "" || part === "." || part === ".."))
    throw new Error(`the archive holds ${name}`)
  return { isPostgres, target: isPostgres ? join(home!.folder, ...parts.slice(1)) : join(dataDir, ...parts) }
}

/** Takes away what a restore that was cut short has left. */
function clearUnfinished(dataDir: string): void {
  if (!existsSync(unfinishedRestore(dataDir))) return
  const { folder } = postgresHome(dataDir)
  for (const left of [join(folder, "cluster"), join(folder, "password")]) rmSync(left, { recursive: true, force: true })
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true })
}

function whyNot(path: string, error: Error): string {
  if (/no identity matched|identity/.test(error.message)) return `The key does not open ${path}.`
  if ((error as NodeJS.ErrnoException).code) return `${path} could not be restored: ${error.message}.`
  return `${path} is damaged and was not restored: ${error.message}.`
}
