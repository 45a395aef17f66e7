import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { withClient } from "../platform/database/with-client.ts"
import { chownToPostgres, type PostgresHome, postgresHome } from "./postgres-home.ts"
import { initialiseCluster, isRunning, logFile, startPostmaster, stopPostmaster, waitUntil } from "./postmaster.ts"
import { StartRefusedError } from "./start-refused.ts"

export type EmbeddedPostgres = {
  url: string
  pid(): number
  adopted: boolean
  /** Resolves when PostgreSQL has stopped. */
  close(): Promise<void>
  /** Leaves it running, because another process owns it. */
  leave(): void
}

export type EmbeddedPostgresOptions = {
  settings?: Record<string, string>
  onRestart?: (what: string) => void
}

const owner = "milkwood"
const majorVersion = "18"

/** Statements and values are not logged: they contain personal data. */
const requiredSettings = {
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_line_prefix: "%m [%p] ",
  max_connections: "200",
  shared_buffers: "256MB",
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  max_wal_size: "2GB",
  random_page_cost: "1.1",
  jit: "off",
  // Large searches sample some rows first. With this setting, a scan always begins with the same, cached rows.
  synchronize_seqscans: "off",
}

/**
 * Creates a missing cluster, adopts a running one, recovers a killed one, and restarts it after an unexpected stop.
 * @throws StartRefused if it cannot be created or started
 */
export async function openPostgres(
  home: PostgresHome,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const password = readPassword(home)
  checkVersion(home)
  const settings = { ...requiredSettings, ...options.settings }
  let postmaster = await startPostmaster(home, { settings })
  const { adopted, port } = postmaster
  const url = addressOf(password, port)
  await createDatabase(url, home)

  let closing = false
  const guard = async () => {
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 5_000)) {
      await postmaster.gone
      if (closing) return
      try {
        postmaster = await startPostmaster(home, { settings, port })
        waitMs = 100
        options.onRestart?.("PostgreSQL stopped and was restarted")
        if (closing) await stopPostmaster(postmaster)
      } catch (error) {
        options.onRestart?.(`PostgreSQL stopped: ${(error as Error).message}`)
        await pause(waitMs)
      }
    }
  }
  const guarding = guard()

  return {
    url,
    adopted,
    pid: () => postmaster.pid,
    async close() {
      closing = true
      await stopPostmaster(postmaster)
      await guarding
    },
    leave() {
      closing = true
    },
  }
}

export const openEmbeddedPostgres = (dataDir: string, options?: EmbeddedPostgresOptions) =>
  openPostgres(postgresHome(dataDir), options)

/** The password is written when the cluster is created. An incomplete cluster is created again. */
function readPassword(home: PostgresHome): string {
  const file = passwordFile(home)
  if (existsSync(file)) return readFileSync(file, "utf8")
  rmSync(home.cluster, { recursive: true, force: true })
  const password = randomBytes(24).toString("hex")
  initialiseCluster(home, owner, password)
  writeFileSync(file, password, { mode: 0o600 })
  chownToPostgres(home, file)
  return password
}

function checkVersion(home: PostgresHome) {
  const version = readFileSync(join(home.cluster, "PG_VERSION"), "utf8").trim()
  if (version !== majorVersion)
    throw new StartRefusedError(
      `The database in ${home.folder} was created by PostgreSQL ${version}, but this release runs ${majorVersion}: see docs/operations.md for moving it.`,
    )
}

async function createDatabase(url: string, home: PostgresHome) {
  try {
    await withClient(url.replace(/\/[^/]*$/, "/postgres"), async (client) => {
      const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [owner])
      if (!rowCount) await client.query(`create database ${owner}`)
    })
  } catch (error) {
    throw new StartRefusedError(`PostgreSQL does not answer: ${(error as Error).message} (see ${logFile(home)}).`)
  }
}

export function runningDatabaseUrl(home: PostgresHome): string {
  const port = readFileSync(join(home.folder, "port"), "utf8").trim()
  return addressOf(readFileSync(passwordFile(home), "utf8"), Number(port))
}

const passwordFile = (home: PostgresHome) => join(home.folder, "password")
const addressOf = (password: string, port: number) => `postgresql://${owner}:${password}@127.0.0.1:${port}/${owner}`

export type TestPostgres = EmbeddedPostgres & { folder: string }

const testPrefix = "milkwood-test-postgres-"

/** A PostgreSQL in a temporary folder that `close` removes. It skips fsync unless `durable`. */
export async function startTestPostgres(options: { durable?: boolean } = {}): Promise<TestPostgres> {
  await removeStaleTestFolders()
  const folder = mkdtempSync(join(tmpdir(), `${testPrefix}${process.pid}-`))
  // If root runs the tests, PostgreSQL runs as another user, who must enter the folder.
  chmodSync(folder, 0o711)
  const fastSettings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }
  const postgres = await openEmbeddedPostgres(folder, { settings: options.durable ? {} : fastSettings })
  return {
    ...postgres,
    folder,
    async close() {
      await postgres.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function removeStaleTestFolders() {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(testPrefix)) continue
    if (isRunning(Number.parseInt(name.slice(testPrefix.length), 10))) continue
    await removeTestFolder(join(tmpdir(), name))
  }
}

async function removeTestFolder(folder: string) {
  try {
    const running = Number(readFileSync(join(folder, "postgres", "cluster", "postmaster.pid"), "utf8").split("\n")[0])
    process.kill(running, "SIGQUIT")
    await waitUntil(() => !isRunning(running), 5_000)
  } catch {
    // PostgreSQL is not running.
  }
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The folder belongs to another user, or another test run is removing it.
  }
}
