import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { serverLock } from "../platform/database/locks.ts"
import type { Config } from "./config.ts"
import { checkDatabase } from "./external-database.ts"
import { openPostgres } from "./postgres.ts"
import { postgresHome } from "./postgres-home.ts"
import { StartRefusedError } from "./start-refused.ts"

export type OpenDatabase = {
  url: string
  pooledUrl?: string | undefined
  folder: string | null
  /** Marks this process as stopping, so that a new one waits for its end. */
  stopping(): void
  close(): Promise<void>
}

const lockTimeouts = { running: 2_000, ending: 60_000 }

/** The lock's application name, from which a refused process names the owner. */
const applicationNameOf = (state: "running" | "ending") => `milkwood ${process.pid} ${state}`

/**
 * The database of DATABASE_URL, which several processes may use, or the embedded one for this process only.
 * @throws StartRefused naming the owner
 */
export async function openDatabase(config: Config, say: (what: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    const url = await validatedUrl(config)
    const pooledUrl = config.sessionUrl && config.databaseUrl
    return { url, pooledUrl, folder: null, stopping() {}, close: async () => {} }
  }
  const home = postgresHome(config.dataDir)
  const postgres = await openPostgres(home, { onRestart: say })
  const start = performance.now()
  for (;;) {
    const { client, holder } = await tryLock(postgres.url, "running")
    if (client) {
      if (postgres.adopted) say(`PostgreSQL was still running (process ${postgres.pid()}) and is reused`)
      const lock = keepLockAlive(client, postgres.url)
      return {
        url: postgres.url,
        folder: home.folder,
        stopping: lock.stopping,
        close() {
          lock.end()
          return postgres.close()
        },
      }
    }
    // A stopping process also stops PostgreSQL, so `openPostgres` starts it again for this process.
    if (performance.now() - start > (holder?.state === "running" ? lockTimeouts.running : lockTimeouts.ending)) {
      postgres.leave()
      throw new StartRefusedError(
        holder
          ? `Milkwood is already running with process id ${holder.pid} on ${config.dataDir}.`
          : `PostgreSQL does not answer under ${config.dataDir}.`,
      )
    }
    await pause(50)
  }
}

async function validatedUrl({ databaseUrl, sessionUrl }: Config): Promise<string> {
  const url = sessionUrl ?? databaseUrl!
  await checkDatabase(url, sessionUrl ? "DATABASE_SESSION_URL" : "DATABASE_URL")
  return url
}

export async function withDatabase<T>(config: Config, errand: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return errand(await validatedUrl(config))
  const postgres = await openPostgres(postgresHome(config.dataDir))
  const { client } = await tryLock(postgres.url, "ending")
  try {
    return await errand(postgres.url)
  } finally {
    if (client) await postgres.close()
    else postgres.leave()
  }
}

type LockHolder = { pid: string; state: string }

async function tryLock(url: string, state: "running" | "ending"): Promise<{ client?: pg.Client; holder?: LockHolder }> {
  const client = new pg.Client({ connectionString: url, application_name: applicationNameOf(state), keepAlive: true })
  client.on("error", () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [serverLock])
    if (rows[0]!.locked) return { client }
    const found = await client.query<LockHolder>(
      `select split_part(application_name, ' ', 2) as pid, split_part(application_name, ' ', 3) as state
        from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and granted and classid = 0 and objid = $1 and objsubid = 1`,
      [serverLock],
    )
    await client.end()
    return found.rows[0] ? { holder: found.rows[0] } : {}
  } catch {
    return {}
  }
}

/** Keeps the lock until the process ends, also across PostgreSQL restarts. */
function keepLockAlive(client: pg.Client, url: string) {
  let held = client
  let isEnding = false
  const watch = () =>
    held.once("end", async () => {
      for (;;) {
        await pause(200, undefined, { ref: false })
        if (isEnding) return
        const again = (await tryLock(url, "running")).client
        if (!again) continue
        held = again
        return watch()
      }
    })
  watch()
  return {
    stopping: () =>
      void held
        .query("select set_config('application_name', $1, false)", [applicationNameOf("ending")])
        .catch(() => {}),
    end() {
      isEnding = true
    },
  }
}
