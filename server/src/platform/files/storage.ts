import type { Readable } from "node:stream"

/** What is known of a file before it is put somewhere, or read from there. */
export interface FileSums {
  /** in bytes */
  size: number
  /** in hexadecimal */
  sha256: string
}

/** A file as a storage lists it. */
export interface Listed {
  name: string
  /** in bytes */
  size: number
  /** when it was put there, by the storage's clock, in milliseconds since 1970 */
  at: number
}

/** What stands in a storage beside the files, as small texts, for every server that shares it. */
export type Mark = "installation" | "secret-key" | "restore-unfinished" | "writable"

export interface Marks {
  /** Undefined where there is none. */
  read(mark: Mark): Promise<string | undefined>
  write(mark: Mark, text: string): Promise<void>
  remove(mark: Mark): Promise<void>
}

/**
 * Where the bytes of files lie, each under a name of ours that is used once: the data folder, or a storage that servers
 * on several machines share.
 */
export interface FileStorage {
  /**
   * Takes a file in: once this answers, it is there whole, and before that it is not there under its name, or nobody
   * knows it. Answers where it can be read on this machine: a folder moves it, another storage leaves it where it was.
   */
  put(name: string, path: string, sums: FileSums): Promise<string>
  /** Its bytes. @throws NoSuchFile, StorageAway */
  open(name: string): Promise<Readable>
  /** Where it lies on this machine; undefined where it is elsewhere. */
  pathOf(name: string): string | undefined
  /** All files, in batches, in the order of their names. */
  list(): AsyncIterable<Listed[]>
  /** Removes one; one that is not there is removed already. */
  remove(name: string): Promise<void>
  /** What keeps files from being read and written, in words; undefined where nothing does. */
  fault(): Promise<string | undefined>
  /** Of a storage that is not in the data folder. */
  readonly marks?: Marks
}

/** There is no file of that name. */
export class NoSuchFile extends Error {}

/** The storage cannot be reached, does not answer or does not let us in. The message is for the log, and holds no key. */
export class StorageAway extends Error {
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`the storage of documents is away (${code})`, options)
    this.code = code
  }
}

/** The storage of an address in FILES_URL, or the folder without one. Its client is loaded only where it is used. */
export async function openStorage(address: string | null | undefined, folder: string): Promise<FileStorage> {
  if (!address) return new (await import("./folder-storage.ts")).FolderStorage(folder)
  return new (await import("./s3-storage.ts")).S3Storage(address)
}

/** Whether a storage was away, also where this was wrapped on its way. */
export function isStorageAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof StorageAway) return true
  return false
}
