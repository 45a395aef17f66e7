import type { Config } from "./config.ts"
import { checkDatabase } from "./external-database.ts"
import { lockHolder, takeLock } from "./lock.ts"
import { openPostgres, runningUrl } from "./postgres.ts"
import { postgresHome } from "./postgres-home.ts"

export type OpenDatabase = {
  /** For the owner of everything. */
  url: string
  /** The process is on its way out. */
  stopping(): void
  close(): Promise<void>
}

/**
 * The database of this process: the one of DATABASE_URL, which several processes may share, or the embedded one,
 * which this process then has for itself.
 * @throws StartRefused when it cannot be had
 */
export async function openDatabase(config: Config, say: (what: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    await checkDatabase(config.databaseUrl)
    return { url: config.databaseUrl, stopping() {}, close: async () => {} }
  }
  const home = postgresHome(config.dataDir)
  const lock = await takeLock(home.folder)
  try {
    const postgres = await openPostgres(home, { onRestart: say })
    if (postgres.adopted) say(`PostgreSQL was still running (process ${postgres.pid()}) and is used on`)
    return {
      url: postgres.url,
      stopping: lock.stopping,
      async close() {
        await postgres.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * For a short errand on the database (a setup link, a look at the audit trail), whether the server runs or not:
 * beside a running server the database is used as it is, otherwise it is opened for the errand.
 */
export async function visitDatabase<T>(config: Config, errand: (url: string) => Promise<T>): Promise<T> {
  if (!config.databaseUrl) {
    const home = postgresHome(config.dataDir)
    if (lockHolder(home.folder) !== undefined) return errand(runningUrl(home))
  }
  const database = await openDatabase(config, () => {})
  try {
    return await errand(database.url)
  } finally {
    await database.close()
  }
}
