import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type pg from "pg"
import { installationLock } from "../platform/database/locks.ts"
import { withClient } from "../platform/database/with-client.ts"
import { type FileStorage, type MarkStore, StorageUnavailable } from "../platform/files/storage.ts"
import { StartRefusedError } from "./start-refused.ts"
import { writeOnce } from "./write-once.ts"

/**
 * Checks that data folder and document storage belong to this database. Otherwise housekeeping would delete the
 * documents of another database as unreferenced, and the audit trail would look truncated. `joins`: a new folder joins
 * a shared storage.
 * @throws StartRefused
 */
export async function checkInstallation(
  databaseUrl: string,
  dataDir: string,
  storage?: FileStorage,
): Promise<{ joins: boolean }> {
  return withClient(databaseUrl, async (client) => {
    // Only one of several starting servers may mark the storage.
    await client.query("select pg_advisory_lock($1)", [installationLock])
    const { rows } = await client.query<{ id: string }>("select id from installation")
    const { id } = rows[0]!
    const isNew = !existsSync(join(dataDir, "installation"))
    if (writeOnce(join(dataDir, "installation"), `${id}\n`).trim() !== id)
      throw new StartRefusedError(
        `DATA_DIR: the folder ${dataDir} contains the documents of another database. Set DATA_DIR to a separate folder for this database; see docs/operations.md for moving a database.`,
      )
    if (!storage?.marks) return { joins: false }
    const { isSharedStorage } = await refuseStartIfUnavailable(checkStorage(client, id, dataDir, storage.marks))
    return { joins: isNew && isSharedStorage }
  })
}

async function checkStorage(
  client: pg.Client,
  id: string,
  dataDir: string,
  marks: MarkStore,
): Promise<{ isSharedStorage: boolean }> {
  await marks.write("writable", "Milkwood writes here.\n")
  await marks.remove("writable")
  if (await marks.read("restore-unfinished"))
    throw new StartRefusedError(
      "The restore into the storage of FILES_URL is incomplete: run it again, or empty the storage.",
    )
  const theirs = (await marks.read("installation"))?.trim()
  if (theirs === undefined) {
    const { rowCount } = await client.query("select from files limit 1")
    if (rowCount)
      throw new StartRefusedError(
        "FILES_URL: the storage contains none of this database's documents. Create a backup and restore it into the storage; see docs/operations.md.",
      )
    await marks.write("secret-key", `${readOrCreateSecretKey(dataDir).toString("base64")}\n`)
    await marks.write("installation", `${id}\n`)
  } else if (theirs !== id)
    throw new StartRefusedError(
      "FILES_URL: the storage contains the documents of another database. Use a separate bucket or folder for this database.",
    )
  const key = await marks.read("secret-key")
  if (key === undefined || writeOnce(secretKeyPath(dataDir), key, 0o600) !== key)
    throw new StartRefusedError(
      `DATA_DIR: the secret-key in ${dataDir} differs from the one of the servers that share FILES_URL. Remove the file, or restore it from a backup.`,
    )
  return { isSharedStorage: theirs !== undefined }
}

/** Turns storage errors into one sentence, without the address, which contains a key. */
export async function refuseStartIfUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    const known: Record<string, string> = {
      ECONNREFUSED: "no server answers at that host and port",
      ENOTFOUND: "the host name is unknown",
      EAI_AGAIN: "the host name cannot be looked up",
      TimeoutError: "the host does not answer",
      AbortError: "the host does not answer",
      NoSuchBucket: "there is no bucket of that name",
      InvalidAccessKeyId: "the storage does not know this key",
      SignatureDoesNotMatch: "the secret of the key is wrong",
      AccessDenied: "the key cannot read and write in the bucket",
      RequestTimeTooSkewed: "the clock of this machine is wrong",
    }
    throw new StartRefusedError(`The storage of FILES_URL cannot be used: ${known[error.code] ?? error.code}.`)
  }
}

const secretKeyPath = (dataDir: string) => join(dataDir, "secret-key")

/**
 * The key that encrypts secrets such as second factors, so that a database dump alone does not reveal them. Servers
 * that share FILES_URL read the key from there.
 * @throws StartRefused if the file contains no key
 */
export function readOrCreateSecretKey(dataDir: string): Buffer {
  const path = secretKeyPath(dataDir)
  const key = Buffer.from(writeOnce(path, `${randomBytes(32).toString("base64")}\n`, 0o600).trim(), "base64")
  if (key.length === 32) return key
  throw new StartRefusedError(`DATA_DIR: the file ${path} contains no key. Restore it from a backup.`)
}
