import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type pg from "pg"
import { installationLock } from "../platform/database/locks.ts"
import { withClient } from "../platform/database/with-client.ts"
import { type FileStorage, type Marks, StorageAway } from "../platform/files/storage.ts"
import { StartRefused } from "./start-refused.ts"
import { writeOnce } from "./write-once.ts"

/**
 * Makes sure that the data folder, and the storage of documents, go with the database, whose migrations have run. With
 * another one, documents would be swept away that no row of it names, and the audit trail would seem to be cut off.
 * Answers whether the folder is a new one that joins servers which share a storage.
 * @throws StartRefused when one of them belongs to another database, or the storage cannot be used
 */
export async function checkInstallation(
  databaseUrl: string,
  dataDir: string,
  storage?: FileStorage,
): Promise<{ joins: boolean }> {
  return withClient(databaseUrl, async (client) => {
    // Of servers that start at the same moment one marks the storage.
    await client.query("select pg_advisory_lock($1)", [installationLock])
    const { rows } = await client.query<{ id: string }>("select id from installation")
    const { id } = rows[0]!
    const isNew = !existsSync(join(dataDir, "installation"))
    if (writeOnce(join(dataDir, "installation"), `${id}\n`).trim() !== id)
      throw new StartRefused(
        `DATA_DIR: the folder ${dataDir} belongs to another database, by which its documents are kept. Set DATA_DIR to a folder of its own for this database; see docs/operations.md for moving a database.`,
      )
    if (!storage?.marks) return { joins: false }
    const { isTheirs } = await orSayWhy(checkStorage(client, id, dataDir, storage.marks))
    return { joins: isNew && isTheirs }
  })
}

async function checkStorage(
  client: pg.Client,
  id: string,
  dataDir: string,
  marks: Marks,
): Promise<{ isTheirs: boolean }> {
  await marks.write("writable", "Milkwood writes here.\n")
  await marks.remove("writable")
  if (await marks.read("restore-unfinished"))
    throw new StartRefused(
      "A backup was put into the storage of FILES_URL only in part: run the restore again, or empty it.",
    )
  const theirs = (await marks.read("installation"))?.trim()
  if (theirs === undefined) {
    const { rowCount } = await client.query("select from files limit 1")
    if (rowCount)
      throw new StartRefused(
        "FILES_URL: the storage holds none of this database's documents. Make a backup and restore it into the storage; see docs/operations.md.",
      )
    await marks.write("secret-key", `${secretKey(dataDir).toString("base64")}\n`)
    await marks.write("installation", `${id}\n`)
  } else if (theirs !== id)
    throw new StartRefused(
      "FILES_URL: the storage belongs to another database, by which its documents are kept. Give this database a bucket or folder of its own.",
    )
  const key = await marks.read("secret-key")
  if (key === undefined || writeOnce(secretKeyPath(dataDir), key, 0o600) !== key)
    throw new StartRefused(
      `DATA_DIR: the secret-key in ${dataDir} is another than that of the servers that share FILES_URL. Remove the file, or put the one of a backup there.`,
    )
  return { isTheirs: theirs !== undefined }
}

/** A storage that cannot be used, in a sentence; never with its address, which holds a key. */
export async function orSayWhy<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error
    const known: Record<string, string> = {
      ECONNREFUSED: "nothing answers at that host and port",
      ENOTFOUND: "the host name is not known",
      EAI_AGAIN: "the host name cannot be looked up",
      TimeoutError: "the host does not answer",
      AbortError: "the host does not answer",
      NoSuchBucket: "there is no bucket of that name",
      InvalidAccessKeyId: "the key is not known there",
      SignatureDoesNotMatch: "the secret of the key is wrong",
      AccessDenied: "the key may not read and write in the bucket",
      RequestTimeTooSkewed: "the clock of this machine is wrong",
    }
    throw new StartRefused(`The storage of FILES_URL cannot be used: ${known[error.code] ?? error.code}.`)
  }
}

const secretKeyPath = (dataDir: string) => join(dataDir, "secret-key")

/**
 * The key that seals what the database alone must not tell, made once. It stands beside the database's password and not
 * in the database: a dump without the data folder gives nobody's second factor away. Servers that share FILES_URL have
 * it from there.
 * @throws StartRefused when the file holds no key
 */
export function secretKey(dataDir: string): Buffer {
  const path = secretKeyPath(dataDir)
  const key = Buffer.from(writeOnce(path, `${randomBytes(32).toString("base64")}\n`, 0o600).trim(), "base64")
  if (key.length === 32) return key
  throw new StartRefused(`DATA_DIR: the file ${path} holds no key. Put the one of a backup there.`)
}
