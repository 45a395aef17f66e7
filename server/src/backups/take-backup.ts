import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { generateX25519Identity, identityToRecipient } from "age-encryption"
import type pg from "pg"
import { withClient } from "../platform/database/with-client.ts"
import { type FileStorage, NoSuchFile, openStorage, type StoredObject } from "../platform/files/storage.ts"
import { type ArchiveSums, ArchiveWriter, readArchive } from "./archive.ts"

export interface BackupTask {
  /** the owner role's URL of the embedded database; null for an external one */
  databaseUrl: string | null
  /** PostgreSQL's cluster and password; null for an external database */
  postgresFolder: string | null
  dataDir: string
  /** Null if the files are in the data folder. */
  filesUrl: string | null
  /** Path of the backup file, which must not exist yet. */
  path: string
  recipient: string
}

export interface BackupHead {
  milkwood: "backup"
  format: 1
  hasDatabase: boolean
  takenAt: string
}

export const headName = "milkwood.json"

/** Files of the data folder to include: audit seal, installation id and secret key. */
export const installationFiles: readonly string[] = ["audit-seal.json", "installation", "secret-key"]

/** PostgreSQL recreates these at start (documentation: base backup by the low-level API). */
const foldersWithoutContents = [
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]
const excludedFiles = /^(postmaster\.pid|postmaster\.opts|pgsql_tmp.*|pg_internal\.init.*)$/

/**
 * Backs up a running installation. The audit seal is read first, so that the database is never older than the seal.
 * Files are never changed or deleted within a day. The result is read back with a temporary key.
 */
export async function takeBackup(task: BackupTask, onBytes: (bytes: number) => void = () => {}): Promise<ArchiveSums> {
  const checking = await generateX25519Identity()
  const archive = new ArchiveWriter(task.path, [task.recipient, await identityToRecipient(checking)], onBytes)
  const head: BackupHead = {
    milkwood: "backup",
    format: 1,
    hasDatabase: task.databaseUrl !== null,
    takenAt: Temporal.Now.instant().toString(),
  }
  await archive.text(headName, JSON.stringify(head))
  for (const name of installationFiles) await archive.file(name, join(task.dataDir, name))
  if (task.databaseUrl !== null && task.postgresFolder !== null)
    await withClient(task.databaseUrl, (client) => addDatabase(archive, client, task.postgresFolder!))
  await addFiles(archive, await openStorage(task.filesUrl, join(task.dataDir, "files")))
  const sums = await archive.end()
  const found = await readArchive(task.path, checking, async (_, content) => void content.resume())
  if (found.tarSha256 !== sums.tarSha256 || found.files !== sums.files)
    throw new Error("The backup could not be read back: the disk may be damaged.")
  return sums
}

async function addDatabase(archive: ArchiveWriter, client: pg.Client, postgresFolder: string): Promise<void> {
  const cluster = join(postgresFolder, "cluster")
  await archive.file("postgres/password", join(postgresFolder, "password"))
  // Prevents WAL recycling; the slot ends with this connection.
  await client.query(`select pg_create_physical_replication_slot('milkwood_backup_' || pg_backend_pid(), true, true)`)
  const began = await client.query<{ segment: string }>(
    `select pg_walfile_name(lsn) as segment from pg_backup_start('milkwood', true) lsn`,
  )
  const isWanted = (path: string): boolean => {
    const parts = path.split("/")
    return !excludedFiles.test(parts.at(-1)!) && !(parts.length > 1 && foldersWithoutContents.includes(parts[0]!))
  }
  await addFolder(archive, "postgres/cluster", cluster, isWanted)
  const ended = await client.query<{ segment: string; label: string }>(
    `select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(false)`,
  )
  const { segment: last, label } = ended.rows[0]!
  await archive.text("postgres/cluster/backup_label", label)
  const first = began.rows[0]!.segment
  for (const name of (await readdir(join(cluster, "pg_wal"))).sort()) {
    const isBetween = /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last
    if (isBetween || name.endsWith(".history"))
      await archive.file(`postgres/cluster/pg_wal/${name}`, join(cluster, "pg_wal", name))
  }
}

/** Small files are prefetched, because each request to a storage is slow. */
const readAhead = { bytes: 1_000_000, files: 8 }

async function addFiles(archive: ArchiveWriter, storage: FileStorage): Promise<void> {
  await archive.folder("files", 0o700)
  const begin = async ({ name, size }: StoredObject) => ({
    ...{ name, size },
    small: size <= readAhead.bytes ? await undefinedIfGone(storage.open(name).then(buffer)) : undefined,
  })
  for await (const listed of storage.list())
    for await (const { name, size, small } of mapAhead(listed, readAhead.files, begin)) {
      const content = small ? Readable.from([small]) : await undefinedIfGone(storage.open(name))
      if (content) await archive.stream(`files/${name}`, size, content)
    }
}

/** Maps in order, with later items started in advance. */
async function* mapAhead<T, R>(items: readonly T[], count: number, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const begun: Promise<R>[] = []
  for (const item of items) {
    const next = work(item)
    // The error is thrown when the item is reached; this prevents an unhandled rejection until then.
    next.catch(() => {})
    begun.push(next)
    if (begun.length > count) yield begun.shift()!
  }
  yield* begun
}

/** Undefined if the file was deleted after the listing, so that it is skipped. */
async function undefinedIfGone<T>(opening: Promise<T>): Promise<T | undefined> {
  try {
    return await opening
  } catch (error) {
    if (error instanceof NoSuchFile) return undefined
    throw error
  }
}

async function addFolder(
  archive: ArchiveWriter,
  name: string,
  path: string,
  isWanted: (path: string) => boolean,
  inside = "",
): Promise<void> {
  if (!existsSync(path)) return
  await archive.folder(name, 0o700)
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const within = inside === "" ? entry.name : `${inside}/${entry.name}`
    if (!isWanted(within)) continue
    const [to, from] = [`${name}/${entry.name}`, join(path, entry.name)]
    if (entry.isDirectory()) await addFolder(archive, to, from, isWanted, within)
    else if (entry.isFile()) await archive.file(to, from)
  }
}

export const parseBackupHead = (text: string): BackupHead | undefined => {
  try {
    const head = JSON.parse(text) as BackupHead
    return head.milkwood === "backup" && head.format === 1 ? head : undefined
  } catch {
    return undefined
  }
}
