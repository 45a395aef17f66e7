import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { type FileStorage, NoSuchFile, type StoredObject } from "./storage.ts"

export const incomingFolderOf = (folder: string): string => join(folder, "incoming")

export class FolderStorage implements FileStorage {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  pathOf(name: string): string {
    return join(this.#folder, name)
  }

  async put(name: string, path: string): Promise<string> {
    const target = this.pathOf(name)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(path, target)
    await syncFolder(dirname(target))
    return target
  }

  async open(name: string): Promise<Readable> {
    const path = this.pathOf(name)
    const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? new NoSuchFile(`no file ${name}`, { cause: error }) : error
    })
    return handle.createReadStream()
  }

  async *list(): AsyncGenerator<StoredObject[]> {
    const shelves = await readdir(this.#folder).catch(() => [])
    for (const shelf of shelves.sort()) {
      if (shelf === "incoming") continue
      const names = await readdir(join(this.#folder, shelf)).catch(() => [])
      const listed: StoredObject[] = []
      for (const name of names.sort()) {
        const found = await stat(join(this.#folder, shelf, name)).catch(() => undefined)
        if (found?.isFile()) listed.push({ name: `${shelf}/${name}`, size: found.size, at: found.mtimeMs })
      }
      yield listed
    }
  }

  remove(name: string): Promise<void> {
    return rm(this.pathOf(name), { force: true })
  }

  /** The receiving folder is checked instead. */
  async fault(): Promise<undefined> {}
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
