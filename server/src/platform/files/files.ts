import { createHash, randomUUID } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { sql } from "drizzle-orm"
import { actorUserId } from "../calls/actor.ts"
import type { Cx } from "../calls/commands.ts"
import { isDiskFull, type Tx } from "../database/database.ts"

/** With less than these bytes free the disk counts as full: the next document, or the database's log, needs them. */
const leastFree = 32 * 1024 * 1024

/** A file that was received and lies complete on the disk, under a temporary name, not yet part of any record. */
export interface ReceivedFile {
  path: string
  /** Where `save` put it: a transaction that is tried again takes it from there. */
  savedAt?: string
  size: number
  sha256: string
}

export interface StoredFile {
  id: string
  name: string
  mime: string
  size: number
  sha256: string
}

/** Raised while streaming, as soon as more bytes than allowed have come. */
export class FileTooLarge extends Error {}

/**
 * Files of the house on the disk. A file is written under a temporary name, synced, and renamed before the commit
 * of the transaction that records it; what no row names any more is swept after a day.
 */
export class FileStore {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async #shelf(name: string): Promise<string> {
    const shelf = join(this.folder, name)
    await mkdir(shelf, { recursive: true, mode: 0o700 })
    return shelf
  }

  /** What keeps files from being written, in words; undefined where nothing does. */
  async fault(): Promise<string | undefined> {
    const path = join(this.folder, "incoming", `ready-${randomUUID()}`)
    try {
      await this.#shelf("incoming")
      await writeFile(path, "ready", { mode: 0o600, flush: true })
      const { bavail, bsize } = await statfs(this.folder)
      return bavail * bsize < leastFree ? "the disk is full" : undefined
    } catch (error) {
      return isDiskFull(error) ? "the disk is full" : "files cannot be written"
    } finally {
      await rm(path, { force: true }).catch(() => {})
    }
  }

  /** Takes a stream in, up to `limit` bytes. */
  async receive(source: Readable, limit: number): Promise<ReceivedFile> {
    const path = join(await this.#shelf("incoming"), randomUUID())
    const hash = createHash("sha256")
    let size = 0
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length
        if (size > limit) return done(new FileTooLarge())
        hash.update(chunk)
        done(null, chunk)
      },
    })
    try {
      await pipeline(source, meter, createWriteStream(path, { mode: 0o600, flush: true }))
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    return { path, size, sha256: hash.digest("hex") }
  }

  /** Throws away a received file that no record took. */
  async discard(file: ReceivedFile): Promise<void> {
    await rm(file.path, { force: true })
  }

  /** Makes a received file, or bytes, part of the house in this transaction. Answers its id. */
  async save(
    cx: Pick<Cx, "tx" | "actor" | "now">,
    file: { kind: string; name: string; mime: string; groupId: string | null; content: ReceivedFile | Buffer },
  ): Promise<StoredFile> {
    const id = randomUUID()
    const storageName = `${id.slice(0, 2)}/${id}`
    const shelf = await this.#shelf(id.slice(0, 2))
    const target = join(this.folder, storageName)
    let size: number
    let sha256: string
    if (Buffer.isBuffer(file.content)) {
      size = file.content.length
      sha256 = createHash("sha256").update(file.content).digest("hex")
      const path = join(await this.#shelf("incoming"), id)
      const handle = await open(path, "wx", 0o600)
      try {
        await handle.writeFile(file.content)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(path, target)
    } else {
      size = file.content.size
      sha256 = file.content.sha256
      await rename(file.content.savedAt ?? file.content.path, target)
      file.content.savedAt = target
    }
    await syncFolder(shelf)
    await cx.tx.run(sql`
      insert into files (id, group_id, kind, name, mime, size, sha256, storage_name, uploaded_by, created_at)
      values (${id}, ${file.groupId}, ${file.kind}, ${file.name}, ${file.mime}, ${size}, ${sha256}, ${storageName}, ${actorUserId(cx.actor)}, ${cx.now})`)
    return { id, name: file.name, mime: file.mime, size, sha256 }
  }

  /** A stored file that this transaction's role may see. Whoever opens it reads it to its end, or destroys the stream. */
  async read(tx: Tx, fileId: string): Promise<StoredFile & { path: string; open(): Readable }> {
    const found = await tx.row<StoredFile & { storageName: string }>(sql`
      select id, name, mime, size, sha256, storage_name as "storageName" from files where id = ${fileId}`)
    if (!found) throw new Error("no such file")
    const { storageName, ...file } = found
    const path = join(this.folder, storageName)
    await stat(path)
    return { ...file, path, open: () => createReadStream(path) }
  }

  async bytes(tx: Tx, fileId: string): Promise<Buffer> {
    const { path } = await this.read(tx, fileId)
    return readFile(path)
  }

  /** Removes what lies on the disk for a day and that no row names: left by a crash or a refused change. */
  async sweep(tx: Tx, now: Temporal.Instant): Promise<number> {
    const before = now.subtract({ hours: 24 }).epochMilliseconds
    let swept = 0
    for (const shelf of await readdir(this.folder).catch(() => [])) {
      const folder = join(this.folder, shelf)
      const names = await readdir(folder).catch(() => [] as string[])
      const old: string[] = []
      for (const name of names) {
        // One that is gone meanwhile became part of a record, or was thrown away.
        const found = await stat(join(folder, name)).catch(() => undefined)
        if (found && found.mtimeMs < before) old.push(name)
      }
      if (old.length === 0) continue
      const known = new Set(
        shelf === "incoming"
          ? []
          : (
              await tx.rows<{ id: string }>(
                sql`select id::text as id from files where storage_name = any (${sql.param(old.map((name) => `${shelf}/${name}`))}::text[])`,
              )
            ).map((row) => row.id),
      )
      for (const name of old.filter((name) => !known.has(name))) {
        await rm(join(folder, name), { force: true })
        swept++
      }
    }
    return swept
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
