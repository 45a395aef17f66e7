import type { Readable } from "node:stream"

export interface FileSums {
  /** In bytes. */
  size: number
  /** in hexadecimal */
  sha256: string
}

export interface StoredObject {
  name: string
  /** In bytes. */
  size: number
  /** when it was stored, by the storage's clock, in milliseconds since 1970 */
  at: number
}

export type Mark = "installation" | "secret-key" | "restore-unfinished" | "writable"

export interface MarkStore {
  read(mark: Mark): Promise<string | undefined>
  write(mark: Mark, text: string): Promise<void>
  remove(mark: Mark): Promise<void>
}

/** Stores file bytes under names that are used once: in the data folder, or in a storage shared by several servers. */
export interface FileStorage {
  /**
   * Stores a file atomically: no reader can see an incomplete file under a known name. Returns the local path: a folder
   * moves the file, other storages leave it where it was.
   */
  put(name: string, path: string, sums: FileSums): Promise<string>
  /** @throws NoSuchFile, StorageAway */
  open(name: string): Promise<Readable>
  /** Its local path; undefined if it is stored elsewhere. */
  pathOf(name: string): string | undefined
  list(): AsyncIterable<StoredObject[]>
  /** Does nothing if the file does not exist. */
  remove(name: string): Promise<void>
  fault(): Promise<string | undefined>
  /** Only storages outside the data folder have marks. */
  readonly marks?: MarkStore
}

export class NoSuchFile extends Error {}

/** The storage is unreachable, does not answer or refuses access. The message is for the log and contains no key. */
export class StorageUnavailable extends Error {
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`the document storage is unavailable (${code})`, options)
    this.code = code
  }
}

export async function openStorage(address: string | null | undefined, folder: string): Promise<FileStorage> {
  if (!address) return new (await import("./folder-storage.ts")).FolderStorage(folder)
  return new (await import("./s3-storage.ts")).S3Storage(address)
}

export function isStorageUnavailable(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof StorageUnavailable) return true
  return false
}
