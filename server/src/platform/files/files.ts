import { createHash, randomUUID } from "node:crypto"
import { createWriteStream } from "node:fs"
import { mkdir, readdir, rm, stat, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline as pipe, Readable, Transform, type TransformCallback } from "node:stream"
import { buffer } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { sql } from "drizzle-orm"
import { actorUserId } from "../calls/actor.ts"
import type { Cx } from "../calls/commands.ts"
import { isDiskFull, type Tx } from "../database/database.ts"
import { FolderStorage, incomingFolderOf } from "./folder-storage.ts"
import type { FileStorage, FileSums } from "./storage.ts"

/** The disk counts as full below this many free bytes: the next document or the database's log needs them. */
const minFreeBytes = 32 * 1024 * 1024

export interface ReceivedFile extends FileSums {
  id: string
  path: string
  isPut: boolean
  isSaved: boolean
}

export interface StoredFile {
  id: string
  name: string
  mime: string
  size: number
  sha256: string
}

/** Thrown while streaming, as soon as the limit is exceeded. */
export class FileTooLarge extends Error {}

const storageNameOf = (id: string) => `${id.slice(0, 2)}/${id}`

/**
 * File storage. A file is received on local disk under a temporary name and synced, then put whole into the storage. It
 * becomes visible when the transaction that records it commits. Files without a row are swept after a day.
 */
export class FileStore {
  readonly folder: string
  readonly storage: FileStorage

  constructor(folder: string, storage: FileStorage = new FolderStorage(folder)) {
    this.folder = folder
    this.storage = storage
  }

  async #temporary(): Promise<string> {
    const incoming = incomingFolderOf(this.folder)
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    return join(incoming, randomUUID())
  }

  async fault(): Promise<string | undefined> {
    return (await findFolderFault(this.folder)) ?? this.storage.fault()
  }

  /** `limit` is in bytes. */
  async receive(source: Readable, limit: number): Promise<ReceivedFile> {
    const path = await this.#temporary()
    const meter = new Meter(limit)
    try {
      await pipeline(source, meter, createWriteStream(path, { mode: 0o600, flush: true }))
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    return { id: randomUUID(), path, ...meter.sums!, isPut: false, isSaved: false }
  }

  /**
   * Puts a received file into the storage. Call it before the transaction that saves the file: the storage may be slow,
   * and must not hold a connection or a lock.
   */
  async put(file: ReceivedFile): Promise<void> {
    if (file.isPut) return
    file.path = await this.storage.put(storageNameOf(file.id), file.path, file)
    file.isPut = true
  }

  async discard(file: ReceivedFile): Promise<void> {
    if (file.path !== this.storage.pathOf(storageNameOf(file.id))) await rm(file.path, { force: true })
    // If removal fails, the sweep deletes it.
    if (file.isPut && !file.isSaved) await this.storage.remove(storageNameOf(file.id)).catch(() => {})
  }

  async save(
    cx: Pick<Cx, "tx" | "actor" | "now">,
    file: { kind: string; name: string; mime: string; groupId: string | null; content: ReceivedFile | Buffer },
  ): Promise<StoredFile> {
    const bytes = file.content
    if (Buffer.isBuffer(bytes)) {
      const content = await this.receive(Readable.from([bytes]), bytes.length)
      try {
        return await this.save(cx, { ...file, content })
      } finally {
        await this.discard(content)
      }
    }
    await this.put(bytes)
    bytes.isSaved = true
    const { id, size, sha256 } = bytes
    await cx.tx.run(sql`
      insert into files (id, group_id, kind, name, mime, size, sha256, storage_name, uploaded_by, created_at)
      values (${id}, ${file.groupId}, ${file.kind}, ${file.name}, ${file.mime}, ${size}, ${sha256}, ${storageNameOf(id)}, ${actorUserId(cx.actor)}, ${cx.now})`)
    return { id, name: file.name, mime: file.mime, size, sha256 }
  }

  /**
   * A stored file that the transaction's role may see. The caller must read or destroy the stream. The stream fails at
   * its end if the stored content has changed.
   */
  async read(tx: Tx, fileId: string): Promise<StoredFile & { open(): Promise<Readable> }> {
    const found = await tx.row<StoredFile & { storageName: string }>(sql`
      select id, name, mime, size, sha256, storage_name as "storageName" from files where id = ${fileId}`)
    if (!found) throw new Error("no such file")
    const { storageName, ...file } = found
    return { ...file, open: async () => verifyChecksum(await this.storage.open(storageName), file) }
  }

  async bytes(tx: Tx, fileId: string): Promise<Buffer> {
    return buffer(await (await this.read(tx, fileId)).open())
  }

  async onDisk<T>(tx: Tx, fileId: string, work: (path: string) => Promise<T>): Promise<T> {
    const file = await this.read(tx, fileId)
    const near = this.storage.pathOf(storageNameOf(file.id))
    if (near !== undefined) return work(near)
    const path = await this.#temporary()
    try {
      await pipeline(await file.open(), createWriteStream(path, { mode: 0o600 }))
      return await work(path)
    } finally {
      await rm(path, { force: true })
    }
  }

  async sweep(tx: Pick<Tx, "rows">, now: Temporal.Instant): Promise<number> {
    const before = now.subtract({ hours: 24 }).epochMilliseconds
    let swept = await this.sweepIncoming(before)
    for await (const listed of this.storage.list()) {
      const old = listed.filter(({ at }) => at < before).map(({ name }) => name)
      if (old.length === 0) continue
      const rows = await tx.rows<{ name: string }>(
        sql`select storage_name as name from files where storage_name = any (${sql.param(old)}::text[])`,
      )
      const known = new Set(rows.map(({ name }) => name))
      for (const name of old.filter((name) => !known.has(name))) {
        await this.storage.remove(name)
        swept++
      }
    }
    return swept
  }

  async sweepIncoming(before: number): Promise<number> {
    let swept = 0
    const incoming = incomingFolderOf(this.folder)
    for (const name of await readdir(incoming).catch(() => [])) {
      // A file that disappeared meanwhile was saved or discarded.
      const found = await stat(join(incoming, name)).catch(() => undefined)
      if (!found || found.mtimeMs >= before) continue
      await rm(join(incoming, name), { force: true })
      swept++
    }
    return swept
  }
}

async function findFolderFault(folder: string): Promise<string | undefined> {
  const path = join(incomingFolderOf(folder), `ready-${randomUUID()}`)
  try {
    await mkdir(incomingFolderOf(folder), { recursive: true, mode: 0o700 })
    await writeFile(path, "ready", { mode: 0o600, flush: true })
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize < minFreeBytes ? "the disk is full" : undefined
  } catch (error) {
    return isDiskFull(error) ? "the disk is full" : "files cannot be written"
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

class Meter extends Transform {
  readonly #hash = createHash("sha256")
  readonly #limit: number
  readonly #expected: FileSums | undefined
  #size = 0
  sums: FileSums | undefined

  constructor(limit: number, expected?: FileSums) {
    super()
    this.#limit = limit
    this.#expected = expected
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.length
    if (this.#size <= this.#limit) this.#hash.update(chunk)
    done(this.#size > this.#limit ? new FileTooLarge() : null, chunk)
  }

  override _flush(done: TransformCallback): void {
    const sums = { size: this.#size, sha256: this.#hash.digest("hex") }
    const isWrong = this.#expected && (this.#expected.size !== sums.size || this.#expected.sha256 !== sums.sha256)
    this.sums = sums
    done(isWrong ? new Error("a stored file was altered or is damaged") : null)
  }
}

function verifyChecksum(source: Readable, stored: FileSums): Readable {
  return pipe(source, new Meter(Number.POSITIVE_INFINITY, stored), () => {})
}
