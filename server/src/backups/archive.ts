import { createHash, type Hash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"
import { createZstdCompress, createZstdDecompress } from "node:zlib"
import { Decrypter, Encrypter } from "age-encryption"
import { extract, type Header, type Pack, pack } from "tar-stream"

/* A tar, compressed by zstd, encrypted by age. Age detects changes and truncation; one hash compares the contents
   written and read. */

/** Sums of all entries except the first, which is the header. */
export interface ArchiveSums {
  /** of the encrypted file */
  size: number
  sha256: string
  files: number
  bytes: number
  tarSha256: string
}

export class ArchiveWriter {
  readonly #pack: Pack = pack()
  readonly #written: Promise<unknown>
  readonly #tar = createHash("sha256")
  readonly #cipher = createHash("sha256")
  #size = 0
  #files = 0
  #bytes = 0
  #onBytes: (bytes: number) => void

  constructor(path: string, recipients: readonly string[], onBytes: (bytes: number) => void = () => {}) {
    this.#onBytes = onBytes
    const encrypter = new Encrypter()
    for (const recipient of recipients) encrypter.addRecipient(recipient)
    const compressed = createZstdCompress()
    const packed = pipeline(this.#pack, hashStream(this.#tar), compressed)
    const written = encrypter
      .encrypt(Readable.toWeb(compressed) as ReadableStream<Uint8Array> as never)
      .then((encrypted) =>
        pipeline(
          Readable.fromWeb(encrypted as never),
          hashStream(this.#cipher, (bytes) => {
            this.#size += bytes
          }),
          createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }),
        ),
      )
    this.#written = Promise.all([packed, written])
    this.#written.catch((error: Error) => this.#pack.destroy(error))
  }

  folder(name: string, mode: number): Promise<void> {
    return this.#entry({ name, type: "directory", mode })
  }

  text(name: string, content: string | Buffer, mode = 0o600): Promise<void> {
    const bytes = Buffer.from(content)
    return this.#entry({ name, size: bytes.length, mode }, Readable.from([bytes]))
  }

  /** A file that changes while it is read is stored with the length it had when opened. A missing file is skipped. */
  async file(name: string, path: string): Promise<void> {
    let handle: FileHandle
    try {
      handle = await open(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return
      throw error
    }
    try {
      const { size, mode } = await handle.stat()
      await this.#entry({ name, size, mode: mode & 0o777 }, Readable.from(readExactly(handle, size)))
    } finally {
      await handle.close()
    }
  }

  stream(name: string, size: number, content: Readable): Promise<void> {
    return this.#entry({ name, size, mode: 0o600 }, content)
  }

  async end(): Promise<ArchiveSums> {
    this.#pack.finalize()
    await this.#written
    return {
      size: this.#size,
      sha256: this.#cipher.digest("hex"),
      files: this.#files,
      bytes: this.#bytes,
      tarSha256: this.#tar.digest("hex"),
    }
  }

  async #entry(headers: Partial<Header> & Pick<Header, "name">, content?: Readable): Promise<void> {
    // Makes backups of unchanged data identical, except for PostgreSQL's files.
    const header = { ...headers, mtime: new Date(0) }
    await Promise.race([
      this.#written,
      new Promise<void>((done, failed) => {
        const entry = this.#pack.entry(header, (error) => (error ? failed(error) : done()))
        if (content) pipeline(content, entry).catch(failed)
      }),
    ])
    const size = headers.size ?? 0
    this.#files += content ? 1 : 0
    this.#bytes += size
    this.#onBytes(this.#bytes)
  }
}

const blockSize = 256 * 1024

/** Exactly `size` bytes, padded with zeros if the file has shrunk. */
async function* readExactly(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const wanted = Math.min(blockSize, size - at)
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(wanted), 0, wanted, at)
    const read = bytesRead === 0 ? wanted : bytesRead
    yield buffer.subarray(0, read)
    at += read
  }
}

/**
 * Reads an archive and passes each entry to `take`, which must read its content.
 *
 * @throws if the key does not fit or the data was changed
 */
export async function readArchive(
  path: string,
  identity: string,
  take: (headers: Header, content: Readable) => Promise<void>,
): Promise<Pick<ArchiveSums, "files" | "bytes" | "tarSha256">> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const decrypted = await decrypter.decrypt(Readable.toWeb(createReadStream(path)) as never)
  const tar = createHash("sha256")
  const sums = { files: 0, bytes: 0 }
  const taking = extract()
  taking.on("entry", (headers, content, next) => {
    if (headers.type === "file") {
      sums.files += 1
      sums.bytes += headers.size ?? 0
    }
    take(headers, content as unknown as Readable).then(
      () => {
        content.resume()
        next()
      },
      (error: Error) => taking.destroy(error),
    )
  })
  await pipeline(
    Readable.fromWeb(decrypted as never),
    createZstdDecompress(),
    hashStream(tar),
    taking as unknown as NodeJS.WritableStream,
  )
  return { ...sums, tarSha256: tar.digest("hex") }
}

function hashStream(hash: Hash, onBytes: (bytes: number) => void = () => {}): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      onBytes(chunk.length)
      done(null, chunk)
    },
  })
}
