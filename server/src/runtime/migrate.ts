import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type pg from "pg"
import { Database, pools, rolePassword, sqlState } from "../platform/database/database.ts"
import { migrationLock } from "../platform/database/locks.ts"
import { withClient } from "../platform/database/with-client.ts"
import { createRules, dropRules, hasRules, type RulesFile, readRulesFiles } from "./rules.ts"
import { StartRefusedError } from "./start-refused.ts"

const folder = join(import.meta.dirname, "../../migrations")

type LockWaitOptions = {
  /** Called once if another process has the lock. */
  onWait?: () => void
  signal?: AbortSignal
}

/**
 * Creates missing roles, applies new migrations and replaces changed rules (functions, triggers, views) in one
 * transaction. Migrations run without the rules, so that they behave the same on empty and used databases. Returns the
 * applied files.
 *
 * Throws if the schema is too new or too old, an applied migration was edited, the account may not create roles, or
 * another Milkwood uses the roles with another password.
 */
export async function migrate(ownerUrl: string, waiting: LockWaitOptions = {}): Promise<string[]> {
  return withClient(ownerUrl, (client) => applyMigrations(client, ownerUrl, waiting), { options: "-c TimeZone=UTC" })
}

async function applyMigrations(client: pg.Client, ownerUrl: string, waiting: LockWaitOptions): Promise<string[]> {
  await waitForLock(client, migrationLock, waiting)
  await refuseEarlierBuild(client)
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now()
    );
    create table if not exists schema_rules (
      name text primary key, position integer not null, checksum text not null, objects text[] not null,
      applied_at timestamptz not null default now()
    )`)
  const due = await readDueMigrations(client)
  await createRoles(client, ownerUrl)
  const rules = readRulesFiles()
  if (due.length === 0 && (await hasRules(client, rules))) return []
  for (let tries = 1; ; tries++) {
    try {
      await applyDueMigrations(client, due, rules)
      return [...due, ...rules].map(({ name }) => name)
    } catch (error) {
      await client.query("rollback").catch(() => {})
      // A deadlock, because a process of an earlier release may use the same tables.
      if (tries < 5 && sqlState(error) === "40P01") continue
      throw error
    }
  }
}

/** Builds before the first release had other migrations and no rules table. */
async function refuseEarlierBuild(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isEarlier: boolean }>(
    `select to_regclass('schema_migrations') is not null and to_regclass('schema_rules') is null as "isEarlier"`,
  )
  if (rows[0]!.isEarlier && (await client.query("select from schema_migrations limit 1")).rowCount)
    throw new StartRefusedError(
      "This database was created by a build from before the first release and cannot be brought up to date: start with an empty data folder (DATA_DIR) or an empty database (DATABASE_URL), or keep using the build that created it.",
    )
}

async function readDueMigrations(client: pg.Client): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "select name, checksum from schema_migrations order by name",
  )
  const files = readMigrationFiles()
  const newest = rows.findLast(({ name }) => !files.some((file) => file.name === name))
  if (newest)
    throw new StartRefusedError(
      `A newer Milkwood has brought this database up to date (${newest.name} is not known here): start that release, or a later one.`,
    )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const { name, checksum } of files)
    if (applied.has(name) && applied.get(name) !== checksum)
      throw new Error(`Migration ${name} was changed after it ran on this database.`)
  return files.filter(({ name }) => !applied.has(name))
}

async function applyDueMigrations(client: pg.Client, due: Migration[], rules: RulesFile[]): Promise<void> {
  await client.query("begin")
  await client.query("set local row_security = off")
  await dropRules(client)
  for (const { name, text, checksum } of due) {
    try {
      await client.query(text)
      // A table with pending deferred constraints cannot be altered.
      await client.query("set constraints all immediate")
    } catch (error) {
      throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
    }
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, checksum])
  }
  await createRules(client, rules)
  await client.query("commit")
}

/** Waits for the lock, which the connection then owns until it closes. */
export async function waitForLock(client: pg.Client, lock: number, { onWait, signal }: LockWaitOptions): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as held", [lock])
    if (rows[0].held) return
    if (tries === 1) onWait?.()
    await pause(200, undefined, { signal })
  }
}

export interface Migration {
  name: string
  text: string
  checksum: string
}

export function readMigrationFiles(): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8")
      return { name, text, checksum: checksumOf(text) }
    })
}

/** Ignores comment lines, so that they may change after a migration has run. */
export const checksumOf = (sql: string): string =>
  createHash("sha256")
    .update(sql.replace(/^ *--.*\n/gm, ""))
    .digest("hex")

type Role = "staff" | "scoped" | "auth"
const roles: Role[] = ["staff", "scoped", "auth"]

async function createRoles(client: pg.Client, ownerUrl: string): Promise<void> {
  for (const role of roles) {
    for (let tries = 1; ; tries++) {
      try {
        await createRole(client, ownerUrl, role)
        break
      } catch (error) {
        if (error instanceof StartRefusedError) throw error
        if (tries < 10 && isConcurrentRoleChange(error)) continue
        throw new StartRefusedError(
          `The account in DATABASE_URL cannot create the role milkwood_${role} (${(error as Error).message}). It must be able to create roles, one of them with BYPASSRLS.`,
          { cause: error },
        )
      }
    }
  }
}

/** Creates or corrects a role. All databases of the server share its roles, so correct roles are unchanged. */
async function createRole(client: pg.Client, ownerUrl: string, role: Role): Promise<void> {
  const seesAll = role === "staff"
  const settings = roleSettingsOf(role)
  const { rows } = await client.query<{ isRight: boolean }>(
    `select rolcanlogin and not (rolsuper or rolcreatedb or rolcreaterole) and rolbypassrls = $2
      and coalesce(rolconfig, '{}') @> $3 as "isRight"
      from pg_roles where rolname = $1`,
    [`milkwood_${role}`, seesAll, settings.map(({ name, value }) => `${name}=${value}`)],
  )
  const [found] = rows
  if (found) {
    if (!(await hasOurPassword(ownerUrl, role))) await refuseSharedRoles(client)
    else if (found.isRight) return
  }
  const attributes = `login nosuperuser nocreatedb nocreaterole ${seesAll ? "bypassrls" : "nobypassrls"}`
  const password = client.escapeLiteral(rolePassword(ownerUrl, role))
  await client.query(`${found ? "alter" : "create"} role milkwood_${role} ${attributes} password ${password}`)
  for (const { name, value } of settings) await client.query(`alter role milkwood_${role} set ${name} = '${value}'`)
}

/** Defaults for connections that set nothing, such as those of a pooler. */
const roleSettingsOf = (role: Role) => [
  { name: "TimeZone", value: "UTC" },
  ...Object.entries(pools[role].limits ?? {}).map(([what, value]) => ({ name: `${what}_timeout`, value })),
]

async function hasOurPassword(ownerUrl: string, role: Role): Promise<boolean> {
  try {
    return await withClient(new Database(ownerUrl).url(role), async () => true, { connectionTimeoutMillis: 10_000 })
  } catch (error) {
    return sqlState(error) !== "28P01"
  }
}

/** Refuses to set a new password if it would lock out a Milkwood on another database of the server. */
async function refuseSharedRoles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    `select datname as database from pg_stat_activity
      where usename = any ($1) and datname <> current_database() order by datname limit 1`,
    [roles.map((role) => `milkwood_${role}`)],
  )
  if (rows[0])
    throw new StartRefusedError(
      `Another Milkwood uses the database ${rows[0].database} on this PostgreSQL server with a different password than DATABASE_URL, but roles are shared by the whole server. Use the same password for both accounts, or a separate server for each Milkwood.`,
    )
}

function isConcurrentRoleChange(error: unknown): boolean {
  return ["23505", "42710"].includes(sqlState(error) ?? "") || /tuple concurrently/.test((error as Error).message)
}
