import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { withClient } from "../platform/database/with-client.ts"
import { StartRefused } from "./start-refused.ts"
import { writeOnce } from "./write-once.ts"

/**
 * Makes sure that the data folder goes with the database, whose migrations have run. With another one, documents would
 * be swept away that no row of it names, and the audit trail would seem to be cut off.
 * @throws StartRefused when the folder belongs to another database
 */
export async function checkInstallation(databaseUrl: string, dataDir: string): Promise<void> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ id: string }>("select id from installation"),
  )
  const { id } = rows[0]!
  if (writeOnce(join(dataDir, "installation"), `${id}\n`).trim() === id) return
  throw new StartRefused(
    `DATA_DIR: the folder ${dataDir} belongs to another database, by which its documents are kept. Set DATA_DIR to a folder of its own for this database; see docs/operations.md for moving a database.`,
  )
}

/**
 * The key that seals what the database alone must not tell, made once. It stands beside the database's password and not
 * in the database: a dump without the data folder gives nobody's second factor away.
 * @throws StartRefused when the file holds no key
 */
export function secretKey(dataDir: string): Buffer {
  const path = join(dataDir, "secret-key")
  const key = Buffer.from(writeOnce(path, `${randomBytes(32).toString("base64")}\n`, 0o600).trim(), "base64")
  if (key.length === 32) return key
  throw new StartRefused(`DATA_DIR: the file ${path} holds no key. Put the one of a backup there.`)
}
