import { setTimeout as pause } from "node:timers/promises"
import { withClient } from "../platform/database/with-client.ts"
import type { Config } from "./config.ts"
import { checkDatabase } from "./external-database.ts"
import { lockHolder, takeLock } from "./lock.ts"
import { openPostgres, runningUrl } from "./postgres.ts"
import { type PostgresHome, postgresHome } from "./postgres-home.ts"
import { StartRefused } from "./start-refused.ts"

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
  return config.databaseUrl
    ? openExternal(config.databaseUrl)
    : openEmbedded(postgresHome(config.dataDir), { say, errand: false })
}

async function openExternal(url: string): Promise<OpenDatabase> {
  await checkDatabase(url)
  return { url, stopping() {}, close: async () => {} }
}

async function openEmbedded(
  home: PostgresHome,
  { say, errand }: { say: (what: string) => void; errand: boolean },
): Promise<OpenDatabase> {
  let pid: (() => number) | undefined
  const lock = await takeLock(home.folder, {
    errand,
    onWait: say,
    onLost() {
      say(`Nothing was heard of this process for so long that another one took over ${home.folder}: it ends.`)
      // At once, and without a last word to the disk, which is the other one's.
      if (pid) process.kill(pid(), "SIGQUIT")
      process.exit(1)
    },
  })
  try {
    const postgres = await openPostgres(home, { onRestart: say })
    pid = postgres.pid
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

const errandPatienceMs = 60_000

/**
 * For a short errand on the database (a setup link, a look at the audit trail), whether the server runs or not:
 * beside a running server the database is used as it is, otherwise it is opened for the errand.
 */
export async function visitDatabase<T>(config: Config, errand: (url: string) => Promise<T>): Promise<T> {
  const database = config.databaseUrl ? await openExternal(config.databaseUrl) : await visitEmbedded(config)
  try {
    return await errand(database.url)
  } finally {
    await database.close()
  }
}

async function visitEmbedded(config: Config): Promise<OpenDatabase> {
  const home = postgresHome(config.dataDir)
  const start = performance.now()
  for (;;) {
    const holder = lockHolder(home.folder)
    // A server that is only starting, or stops, has no database for us; an errand takes its own away with it.
    const url = holder?.state === "runs" ? await answeringUrl(home) : undefined
    if (url) return { url, stopping() {}, close: async () => {} }
    if (!holder) {
      try {
        return await openEmbedded(home, { say: (what) => console.error(what), errand: true })
      } catch (error) {
        // Somebody else was faster.
        if (!lockHolder(home.folder)) throw error
      }
    } else if (performance.now() - start > errandPatienceMs) {
      throw new StartRefused(`The database under ${home.folder}, which process ${holder.pid} has, does not answer.`)
    }
    await pause(50)
  }
}

/** The address of the database that a running server has open, once it answers. */
async function answeringUrl(home: PostgresHome): Promise<string | undefined> {
  try {
    const url = runningUrl(home)
    return await withClient(url, async () => url, { connectionTimeoutMillis: 5_000 })
  } catch {
    return undefined
  }
}
