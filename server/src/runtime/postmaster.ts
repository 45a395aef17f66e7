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
import { asPostgres, handOver, type PostgresHome } from "./postgres-home.ts"
import { StartRefused } from "./start-refused.ts"

/** A running PostgreSQL: ours, or one left over from a server that was killed. */
export type Postmaster = {
  pid: number
  port: number
  adopted: boolean
  /** Resolves when the process is gone, for whatever reason. */
  gone: Promise<void>
}

export type PostmasterOptions = {
  settings: Record<string, string>
  /** Listen here and nowhere else (a database that came back must be found where it was). */
  port?: number
}

const startLimitMs = 60_000

/**
 * Starts PostgreSQL in its own session, so that a Ctrl-C in the terminal or the death of the server does not end it:
 * the server stops it last. One that runs already is adopted; traces of one that was killed are cleared away.
 */
export async function startPostmaster(home: PostgresHome, options: PostmasterOptions): Promise<Postmaster> {
  const postmaster = (await adopt(home)) ?? (await launch(home, options))
  writeFileSync(portFile(home), `${postmaster.port}\n`)
  handOver(home, portFile(home))
  return postmaster
}

/** Asks PostgreSQL to roll back what is open and stop; after `withinMs` it is made to, which costs a recovery later. */
export async function stopPostmaster(postmaster: Postmaster, withinMs = 30_000): Promise<void> {
  signal(postmaster.pid, "SIGINT")
  // The timer also keeps this process up while it waits: neither the child nor the watch of an adopted one does.
  const patience = new AbortController()
  const overdue = pause(withinMs, false, { signal: patience.signal }).catch(() => false)
  const stopped = await Promise.race([postmaster.gone.then(() => true), overdue])
  patience.abort()
  if (stopped) return
  signal(postmaster.pid, "SIGQUIT")
  await postmaster.gone
}

async function adopt(home: PostgresHome): Promise<Postmaster | undefined> {
  const first = readPidFile(home)
  if (!first || !worksIn(first.pid, home.cluster)) return undefined
  // It may be on its way up, or on its way down.
  const settled = () => !worksIn(first.pid, home.cluster) || readPidFile(home)?.status === "ready"
  if (!(await waitUntil(settled, startLimitMs)))
    throw new StartRefused(`PostgreSQL (process ${first.pid}) does not become ready; see ${logFile(home)}.`)
  const now = readPidFile(home)
  if (now?.status !== "ready") return undefined
  return { pid: now.pid, port: now.port, adopted: true, gone: watch(now.pid, home.cluster) }
}

/** An adopted process is not our child: nobody tells us of its end, so we look. */
async function watch(pid: number, cluster: string): Promise<void> {
  while (worksIn(pid, cluster)) await pause(25, undefined, { ref: false })
}

async function launch(home: PostgresHome, options: PostmasterOptions): Promise<Postmaster> {
  const deadline = performance.now() + startLimitMs
  for (;;) {
    await clearTraces(home)
    const port = options.port ?? (await choosePort(home))
    const logStart = logSize(home)
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
    const said = logSince(home, logStart)
    // Processes of a killed PostgreSQL may still be ending, another program may have taken the port just now, and
    // another start of ours may have been faster.
    const passing =
      /pre-existing shared memory block|postmaster\.pid" (is empty|already exists)|could not bind|could not create any TCP\/IP sockets/.test(
        said,
      )
    if (!passing || performance.now() > deadline) {
      if (!failed) child.kill("SIGQUIT")
      throw new StartRefused(`PostgreSQL did not start: ${reason(said)} (see ${logFile(home)}).`)
    }
    await pause(50)
    const theirs = await adopt(home)
    if (theirs) return theirs
  }
}

function spawnPostgres(home: PostgresHome, port: number, settings: Record<string, string>): ChildProcess {
  const log = openLog(home)
  // No Unix socket: its lock file names a process id as well, and its path may be too long for the system.
  const all = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const child = spawn(home.bin.postgres, ["-D", home.cluster, ...flags], {
    ...asPostgres(home, home.folder),
    detached: true,
    stdio: ["ignore", log, log],
  })
  closeSync(log)
  return child
}

type PidFile = { pid: number; port: number; status: string }

/** PostgreSQL's own notice of itself; undefined when there is none, or it is being written. */
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
 * Clears what a killed PostgreSQL left behind: its children, which nobody leads any more and whose work cannot be
 * committed, and its notice, whose process id may belong to another program by now (a container counts from 1 again).
 */
async function clearTraces(home: PostgresHome) {
  const notice = join(home.cluster, "postmaster.pid")
  if (!existsSync(notice)) return
  const pid = readPidFile(home)?.pid
  if (pid && worksIn(pid, home.cluster)) return
  const orphans = () => processesIn(home.cluster)
  // Without a process id it may be the notice of one that is just starting: that one is not ours to end.
  if (pid) for (const orphan of orphans()) signal(orphan, "SIGKILL")
  if (await waitUntil(() => orphans().length === 0, pid ? 10_000 : 0)) rmSync(notice, { force: true })
}

const hasProc = existsSync("/proc/self/stat")

function processesIn(folder: string): number[] {
  if (!hasProc) return []
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1 && worksIn(pid, folder))
}

/** Whether the process works in this folder: PostgreSQL's processes all do so in their cluster. */
function worksIn(pid: number, folder: string): boolean {
  try {
    if (hasProc) return isRunning(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder
    return execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(folder)
  } catch {
    return false
  }
}

/** Whether a process does anything any more: one that is dead but not yet collected does not. */
export function isRunning(pid: number): boolean {
  try {
    if (!hasProc) return process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return !/^ [ZX]/.test(stat.slice(stat.lastIndexOf(")") + 1))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Waits until `done` answers true, looking every few milliseconds; false when `withinMs` have passed first. */
export async function waitUntil(done: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (!done()) {
    if (performance.now() > deadline) return false
    await pause(10)
  }
  return true
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // Gone already.
  }
}

const portFile = (home: PostgresHome) => join(home.folder, "port")

/** The port of last time when it is free, so that addresses written down elsewhere stay true; otherwise any free one. */
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
const logSize = (home: PostgresHome) => (existsSync(logFile(home)) ? statSync(logFile(home)).size : 0)
const logSince = (home: PostgresHome, start: number) =>
  existsSync(logFile(home)) ? readFileSync(logFile(home)).subarray(start).toString("utf8") : ""

const keepLogBytes = 10_000_000

function openLog(home: PostgresHome): number {
  if (logSize(home) > keepLogBytes) renameSync(logFile(home), `${logFile(home)}.1`)
  const log = openSync(logFile(home), "a", 0o600)
  handOver(home, logFile(home))
  return log
}

/** The last thing PostgreSQL complained of. */
function reason(said: string): string {
  const lines = said.split("\n").filter((line) => /FATAL|PANIC|ERROR|error/.test(line))
  const last = lines.at(-1) ?? said.trim().split("\n").at(-1) ?? ""
  return last.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, "") || "it said nothing"
}

/** Makes a new cluster: UTF-8 throughout, one superuser with this password, nothing without a password. */
export function initialiseCluster(home: PostgresHome, user: string, password: string) {
  const passwordFile = join(home.folder, "password.tmp")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  handOver(home, passwordFile)
  const who = [`--username=${user}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"]
  const text = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
  const attempt = (locale: string) =>
    spawnSync(
      home.bin.initdb,
      [`--pgdata=${home.cluster}`, ...who, ...text, `--locale=${locale}`, "--no-instructions"],
      { ...asPostgres(home, home.folder), encoding: "utf8" },
    )
  // Systems without the C.UTF-8 locale still sort and fold Unicode by the built-in provider.
  let made = attempt("C.UTF-8")
  if (made.status !== 0) made = attempt("C")
  rmSync(passwordFile)
  if (made.status !== 0)
    throw new StartRefused(
      `The database could not be made under ${home.folder}: ${reason(made.stderr || String(made.error))}.`,
    )
}
