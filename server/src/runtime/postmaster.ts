import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { chownToPostgres, type PostgresHome, postgresUserOptions } from "./postgres-home.ts"
import { StartRefusedError } from "./start-refused.ts"

export type Postmaster = {
  pid: number
  port: number
  adopted: boolean
  gone: Promise<void>
}

export type PostmasterOptions = {
  settings: Record<string, string>
  /** The only port to use: a restarted database must keep its address. */
  port?: number
}

const startTimeoutMs = 60_000

/**
 * Starts PostgreSQL in a separate session, so that it survives Ctrl-C and crashes of the server. Reuses a running one
 * and removes traces of a killed one.
 */
export async function startPostmaster(home: PostgresHome, options: PostmasterOptions): Promise<Postmaster> {
  const postmaster = (await adoptRunningPostmaster(home)) ?? (await launchPostmaster(home, options))
  writeFileSync(portFile(home), `${postmaster.port}\n`)
  chownToPostgres(home, portFile(home))
  return postmaster
}

/** Stops PostgreSQL; after `withinMs` by an immediate shutdown, which requires recovery at the next start. */
export async function stopPostmaster(postmaster: Postmaster, withinMs = 30_000): Promise<void> {
  sendSignal(postmaster.pid, "SIGINT")
  // The timer also keeps this process alive, which neither the child nor the polling does.
  const patience = new AbortController()
  const overdue = pause(withinMs, false, { signal: patience.signal }).catch(() => false)
  const stopped = await Promise.race([postmaster.gone.then(() => true), overdue])
  patience.abort()
  if (stopped) return
  sendSignal(postmaster.pid, "SIGQUIT")
  await postmaster.gone
}

async function adoptRunningPostmaster(home: PostgresHome): Promise<Postmaster | undefined> {
  const first = readPidFile(home)
  if (!first || !isRunningIn(first.pid, home.cluster)) return undefined
  const settled = () => !isRunningIn(first.pid, home.cluster) || readPidFile(home)?.status === "ready"
  if (!(await waitUntil(settled, startTimeoutMs)))
    throw new StartRefusedError(`PostgreSQL (process ${first.pid}) did not become ready; see ${logFile(home)}.`)
  const now = readPidFile(home)
  if (now?.status !== "ready") return undefined
  return { pid: now.pid, port: now.port, adopted: true, gone: waitUntilStopped(now.pid, home.cluster) }
}

/** Polls, because a reused process is not a child and sends no exit event. */
async function waitUntilStopped(pid: number, cluster: string): Promise<void> {
  while (isRunningIn(pid, cluster)) await pause(25, undefined, { ref: false })
}

async function launchPostmaster(home: PostgresHome, options: PostmasterOptions): Promise<Postmaster> {
  const deadline = performance.now() + startTimeoutMs
  for (;;) {
    await removeStalePidFile(home)
    const port = options.port ?? (await choosePort(home))
    const logStart = logSizeOf(home)
    const child = spawnPostgres(home, port, options.settings)
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()).once("error", () => resolve()))
    let failed = child.pid === undefined
    gone.then(() => {
      failed = true
    })
    const ready = () => {
      const file = readPidFile(home)
      return failed || (file?.pid === child.pid && file?.status === "ready")
    }
    const settled = await waitUntil(ready, deadline - performance.now())
    if (settled && !failed) {
      child.unref()
      return { pid: child.pid!, port, adopted: false, gone }
    }
    const said = readLogSince(home, logStart)
    // Worth a retry: old processes are still ending, the port was just taken, or a concurrent start was faster.
    const passing =
      /pre-existing shared memory block|postmaster\.pid" (is empty|already exists)|could not bind|could not create any TCP\/IP sockets/.test(
        said,
      )
    if (!passing || performance.now() > deadline) {
      if (!failed) child.kill("SIGQUIT")
      throw new StartRefusedError(`PostgreSQL did not start: ${startFailureReason(said)} (see ${logFile(home)}).`)
    }
    await pause(50)
    const theirs = await adoptRunningPostmaster(home)
    if (theirs) return theirs
  }
}

function spawnPostgres(home: PostgresHome, port: number, settings: Record<string, string>): ChildProcess {
  const log = openLog(home)
  // No Unix socket: its lock file names a process id, and its path may be too long.
  const all = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const child = spawn(home.bin.postgres, ["-D", home.cluster, ...flags], {
    ...postgresUserOptions(home, home.folder),
    detached: true,
    stdio: ["ignore", log, log],
  })
  closeSync(log)
  return child
}

type PidFile = { pid: number; port: number; status: string }

/** Undefined if there is none or it is being written. */
function readPidFile(home: PostgresHome): PidFile | undefined {
  try {
    const lines = readFileSync(join(home.cluster, "postmaster.pid"), "utf8").split("\n")
    const pid = Number(lines[0])
    return pid > 1 ? { pid, port: Number(lines[3]), status: (lines[7] ?? "").trim() } : undefined
  } catch {
    return undefined
  }
}

/**
 * Ends remaining processes of a killed PostgreSQL, whose work cannot commit. Removes its pid file, because another
 * program may have that id now (containers count from 1 again).
 */
async function removeStalePidFile(home: PostgresHome) {
  const notice = join(home.cluster, "postmaster.pid")
  if (!existsSync(notice)) return
  const pid = readPidFile(home)?.pid
  if (pid && isRunningIn(pid, home.cluster)) return
  const orphans = () => findProcessesIn(home.cluster)
  // Without a process id, the file may belong to a PostgreSQL that is starting.
  if (pid) for (const orphan of orphans()) sendSignal(orphan, "SIGKILL")
  if (await waitUntil(() => orphans().length === 0, pid ? 10_000 : 0)) rmSync(notice, { force: true })
}

const hasProcFileSystem = existsSync("/proc/self/stat")

function findProcessesIn(folder: string): number[] {
  if (!hasProcFileSystem) return []
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1 && isRunningIn(pid, folder))
}

/** All PostgreSQL processes have their cluster as working folder. */
function isRunningIn(pid: number, folder: string): boolean {
  try {
    if (hasProcFileSystem) return isRunning(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder
    return execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(folder)
  } catch {
    return false
  }
}

/** False for a zombie. */
export function isRunning(pid: number): boolean {
  try {
    if (!hasProcFileSystem) return process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return !/^ [ZX]/.test(stat.slice(stat.lastIndexOf(")") + 1))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** False on timeout. */
export async function waitUntil(done: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!done()) {
    if (performance.now() > deadline) return false
    await pause(10)
  }
  return true
}

function sendSignal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}

const portFile = (home: PostgresHome) => join(home.folder, "port")

/** The last port if it is free, so that stored addresses remain valid. */
async function choosePort(home: PostgresHome): Promise<number> {
  const last = existsSync(portFile(home)) ? Number(readFileSync(portFile(home), "utf8")) : 0
  return (await tryListen(last)) ?? (await tryListen(0))!
}

function tryListen(port: number): Promise<number | undefined> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once("error", () => resolve(undefined))
    probe.listen({ port: port || 0, host: "127.0.0.1" }, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" ? address?.port : undefined))
    })
  })
}

export const logFile = (home: PostgresHome) => join(home.folder, "postgres.log")
const logSizeOf = (home: PostgresHome) => (existsSync(logFile(home)) ? statSync(logFile(home)).size : 0)
const readLogSince = (home: PostgresHome, start: number) =>
  existsSync(logFile(home)) ? readFileSync(logFile(home)).subarray(start).toString("utf8") : ""

const maxLogBytes = 10_000_000

function openLog(home: PostgresHome): number {
  if (logSizeOf(home) > maxLogBytes) renameSync(logFile(home), `${logFile(home)}.1`)
  const log = openSync(logFile(home), "a", 0o600)
  chownToPostgres(home, logFile(home))
  return log
}

function startFailureReason(said: string): string {
  const lines = said.split("\n").filter((line) => /FATAL|PANIC|ERROR|error/.test(line))
  const last = lines.at(-1) ?? said.trim().split("\n").at(-1) ?? ""
  return last.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, "") || "no output"
}

/** UTF-8, one superuser, and password authentication everywhere. */
export function initialiseCluster(home: PostgresHome, user: string, password: string) {
  const passwordFile = join(home.folder, "password.tmp")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  chownToPostgres(home, passwordFile)
  const who = [`--username=${user}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"]
  const text = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
  const attempt = (locale: string) =>
    spawnSync(
      home.bin.initdb,
      [`--pgdata=${home.cluster}`, ...who, ...text, `--locale=${locale}`, "--no-instructions"],
      { ...postgresUserOptions(home, home.folder), encoding: "utf8" },
    )
  // Without the C.UTF-8 locale, the built-in provider still sorts and folds Unicode.
  let made = attempt("C.UTF-8")
  if (made.status !== 0) made = attempt("C")
  rmSync(passwordFile)
  if (made.status !== 0)
    throw new StartRefusedError(
      `The database could not be created in ${home.folder}: ${startFailureReason(made.stderr || String(made.error))}.`,
    )
}
