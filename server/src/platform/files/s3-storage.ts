import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ServiceException,
} from "@aws-sdk/client-s3"
import {
  type FileStorage,
  type FileSums,
  type MarkStore,
  NoSuchFile,
  StorageUnavailable,
  type StoredObject,
} from "./storage.ts"

/** Timeouts in milliseconds: to connect, until the answer begins, and between bytes. */
const timeoutsMs = { connect: 3_000, answer: 10_000, silence: 45_000 }

/** Each slow download uses one socket. */
const maxSockets = 200

/** Upload attempts before the storage counts as unavailable: the storage may have closed an idle connection. */
const maxPutAttempts = 3

/**
 * Files in an S3 storage, from FILES_URL: `https://key:secret@host/bucket/folder?region=…`. Each upload is one request
 * of known length, signed with its hash, so it is stored whole or not at all. Presigned URLs are never made.
 */
export class S3Storage implements FileStorage {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string

  constructor(address: string) {
    const url = new URL(address)
    const [bucket, ...folder] = url.pathname.split("/").filter((part) => part !== "")
    this.#bucket = decodeURIComponent(bucket!)
    this.#prefix = folder.map((part) => `${decodeURIComponent(part)}/`).join("")
    this.#client = new S3Client({
      endpoint: url.origin,
      region: url.searchParams.get("region") || "us-east-1",
      credentials: {
        accessKeyId: decodeURIComponent(url.username),
        secretAccessKey: decodeURIComponent(url.password),
      },
      forcePathStyle: true,
      // Some S3-compatible storages refuse Amazon's checksums. The signed hash protects uploads on all of them.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
      requestHandler: {
        ...{ connectionTimeout: timeoutsMs.connect, socketTimeout: timeoutsMs.silence },
        ...{ httpAgent: { keepAlive: true, maxSockets }, httpsAgent: { keepAlive: true, maxSockets } },
      },
    })
  }

  #of(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${key}` }
  }

  pathOf(): undefined {}

  async put(name: string, path: string, sums: FileSums): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#put(`files/${name}`, createReadStream(path), sums)
        return path
      } catch (error) {
        if (tries === maxPutAttempts || !(error instanceof StorageUnavailable) || !transientErrors.has(error.code))
          throw error
      }
    }
  }

  async #put(key: string, body: Readable | Buffer, { size, sha256 }: FileSums): Promise<void> {
    const put = new PutObjectCommand({ ...this.#of(key), Body: body, ContentLength: size })
    // The signature covers the hash, so the storage refuses lost or changed bytes.
    put.middlewareStack.add(
      (next) => (args) => {
        const { headers } = args.request as { headers: Record<string, string> }
        headers["x-amz-content-sha256"] = sha256
        return next(args)
      },
      { step: "build", name: "signedHash" },
    )
    await translateStorageErrors(this.#client.send(put))
  }

  open(name: string): Promise<Readable> {
    return this.#open(`files/${name}`)
  }

  async #open(key: string): Promise<Readable> {
    const got = await withAnswerTimeout((abortSignal) =>
      this.#client.send(new GetObjectCommand(this.#of(key)), { abortSignal }),
    )
    return got.Body as Readable
  }

  async *list(): AsyncGenerator<StoredObject[]> {
    const prefix = `${this.#prefix}files/`
    let token: string | undefined
    do {
      const asked = { Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token }
      const page = await withAnswerTimeout((abortSignal) =>
        this.#client.send(new ListObjectsV2Command(asked), { abortSignal }),
      )
      yield (page.Contents ?? []).map(({ Key, Size, LastModified }) => ({
        ...{ name: Key!.slice(prefix.length), size: Size!, at: LastModified!.getTime() },
      }))
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  async remove(name: string): Promise<void> {
    await this.#remove(`files/${name}`)
  }

  async #remove(key: string): Promise<void> {
    await withAnswerTimeout((abortSignal) => this.#client.send(new DeleteObjectCommand(this.#of(key)), { abortSignal }))
  }

  async fault(): Promise<string | undefined> {
    const found = this.marks.read("installation").then((id) => (id === undefined ? "is empty" : undefined))
    const fault = await found.catch(() => "cannot be reached")
    return fault && `the document storage ${fault}`
  }

  readonly marks: MarkStore = {
    read: async (mark) => {
      try {
        return await text(await this.#open(mark))
      } catch (error) {
        if (error instanceof NoSuchFile) return undefined
        throw error
      }
    },
    write: async (mark, content) => {
      const bytes = Buffer.from(content)
      const sha256 = createHash("sha256").update(bytes).digest("hex")
      await this.#put(mark, bytes, { size: bytes.length, sha256 })
    },
    remove: (mark) => this.#remove(mark),
  }
}

const transientErrors = new Set(["ECONNRESET", "EPIPE", "TimeoutError", "500", "502", "503", "504"])

/** Only the start of the answer has a timeout, not the body. */
async function withAnswerTimeout<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutsMs.answer)
  try {
    return await translateStorageErrors(ask(late.signal))
  } finally {
    clearTimeout(timer)
  }
}

/** A refusal by the storage is a configuration error, so it counts as unavailable and is never the document's fault. */
async function translateStorageErrors<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const { name, code, $metadata } = error as S3ServiceException & { code?: string }
    const status = $metadata?.httpStatusCode
    if (name === "NoSuchKey" || (status === 404 && name !== "NoSuchBucket"))
      throw new NoSuchFile("the storage has no such file", { cause: error })
    const isAnswer = status !== undefined || code !== undefined || name === "AbortError" || name === "TimeoutError"
    if (!isAnswer) throw error
    throw new StorageUnavailable(code ?? (status && status >= 500 ? String(status) : name), { cause: error })
  }
}
