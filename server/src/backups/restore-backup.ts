import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { FileStore } from "../platform/files/files.ts"
import { type FileStorage, openStorage } from "../platform/files/storage.ts"
import { type Config, prepareDataDir, unfinishedRestorePath } from "../runtime/config.ts"
import { refuseStartIfUnavailable } from "../runtime/installation.ts"
import { chownToPostgres, type PostgresHome, postgresHome } from "../runtime/postgres-home.ts"
import { StartRefusedError } from "../runtime/start-refused.ts"
import { readArchive } from "./archive.ts"
import { type BackupHead, headName, installationFiles, parseBackupHead } from "./take-backup.ts"

export interface RestoreResult {
  head: BackupHead
  files: number
  bytes: number
}

/**
 * An interrupted restore leaves a mark that prevents the server from starting; run the restore again.
 *
 * @throws StartRefused: the folder is not empty, the key does not fit, or the file is damaged
 */
export async function restoreBackup(config: Config, path: string, key: string): Promise<RestoreResult> {
  if (!existsSync(path) || !statSync(path).isFile()) throw new StartRefusedError(`There is no file ${path}.`)
  clearUnfinished(config.dataDir)
  if (existsSync(config.dataDir) && readdirSync(config.dataDir).length > 0)
    throw new StartRefusedError(
      `The folder ${config.dataDir} is not empty. Restore the backup into an empty folder (DATA_DIR), so that nothing is overwritten.`,
    )
  const mark = unfinishedRestorePath(config.dataDir)
  const files = new FileStore(
    join(config.dataDir, "files"),
    await openStorage(config.filesUrl, join(config.dataDir, "files")),
  )
  let home: PostgresHome | undefined
  let head: BackupHead | undefined
  const begin = async (content: Readable): Promise<void> => {
    head = parseBackupHead(await text(content))
    if (!head) throw notABackup(path)
    if (head.hasDatabase && config.databaseUrl)
      throw new StartRefusedError("The backup contains its own database: restore it without DATABASE_URL.")
    prepareDataDir(config.dataDir)
    writeFileSync(mark, "A backup is being restored into this folder.\n")
    await refuseStartIfUnavailable(prepareStorage(files.storage))
    if (head.hasDatabase) home = postgresHome(config.dataDir)
  }
  try {
    const sums = await readArchive(path, key, async ({ name, type, mode = 0o600 }, content) => {
      if (!head) return name === headName ? begin(content) : Promise.reject(notABackup(path))
      const { target, isPostgres } = restorePathOf(name, config.dataDir, home)
      if (files.storage.marks && name.startsWith("files/")) {
        if (type === "file") await refuseStartIfUnavailable(storeFile(files, name.slice("files/".length), content))
        return
      }
      const made = (place: string) => isPostgres && chownToPostgres(home!, place)
      if (type === "directory") {
        mkdirSync(target, { recursive: true, mode })
        return void made(target)
      }
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      await pipeline(content, createWriteStream(target, { mode, flags: "wx" }))
      made(target)
    })
    if (!head) throw notABackup(path)
    await refuseStartIfUnavailable(finishStorage(files.storage, config.dataDir))
    rmSync(mark)
    return { head, ...sums }
  } catch (error) {
    throw error instanceof StartRefusedError ? error : new StartRefusedError(describeRestoreError(path, error as Error))
  }
}

async function prepareStorage(storage: FileStorage): Promise<void> {
  const { marks } = storage
  if (!marks) return
  const isUnfinished = (await marks.read("restore-unfinished")) !== undefined
  if (!isUnfinished && (await marks.read("installation")) !== undefined) throw storageNotEmpty()
  for await (const listed of storage.list())
    for (const { name } of listed) {
      if (!isUnfinished) throw storageNotEmpty()
      await storage.remove(name)
    }
  await marks.write("restore-unfinished", "A backup is being restored into this storage.\n")
}

const storageNotEmpty = () =>
  new StartRefusedError(
    "The storage of FILES_URL is not empty. Restore the backup into empty storage, so that nothing is overwritten.",
  )

async function storeFile(files: FileStore, name: string, content: Readable): Promise<void> {
  const received = await files.receive(content, Number.POSITIVE_INFINITY)
  try {
    await files.storage.put(name, received.path, received)
  } finally {
    await files.discard(received)
  }
}

async function finishStorage({ marks }: FileStorage, dataDir: string): Promise<void> {
  if (!marks) return
  for (const name of ["secret-key", "installation"] as const)
    if (existsSync(join(dataDir, name))) await marks.write(name, readFileSync(join(dataDir, name), "utf8"))
  await marks.remove("restore-unfinished")
}

const notABackup = (path: string) => new StartRefusedError(`${path} is not a Milkwood backup.`)

/** Refuses paths outside the folder. */
function restorePathOf(name: string, dataDir: string, home: PostgresHome | undefined) {
  const parts = name.replace(/\/$/, "").split("/")
  const isPostgres = parts[0] === "postgres"
  const isKnown = isPostgres ? home !== undefined : ["files", ...installationFiles].includes(parts[0]!)
  if (!isKnown || parts.some((part) => part === "" || part === "." || part === ".."))
    throw new Error(`it contains an unexpected file, ${name}`)
  return { isPostgres, target: isPostgres ? join(home!.folder, ...parts.slice(1)) : join(dataDir, ...parts) }
}

function clearUnfinished(dataDir: string): void {
  if (!existsSync(unfinishedRestorePath(dataDir))) return
  const { folder } = postgresHome(dataDir)
  for (const left of [join(folder, "cluster"), join(folder, "password")]) rmSync(left, { recursive: true, force: true })
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true })
}

function describeRestoreError(path: string, error: Error): string {
  if (/no identity matched|identity/.test(error.message)) return `The key does not decrypt ${path}.`
  if ((error as NodeJS.ErrnoException).code) return `${path} could not be restored: ${error.message}.`
  return `${path} is damaged and was not restored: ${error.message}.`
}
