import type { Database, DatabaseRole } from "../platform/database/database.ts"
import { withClient } from "../platform/database/with-client.ts"
import { StartRefusedError } from "./start-refused.ts"

const minPostgresVersion = 15

type DatabaseState = {
  version: number
  encoding: string
  isSuperuser: boolean
  mayMakeRoles: boolean
  mayBypassRows: boolean
  mayCreate: boolean
  missing: string[]
  /** False for a pooler, which reports process ids of its own. */
  isDatabase: boolean
}

/**
 * Checks that an external database is reachable, recent, UTF-8, and has the extensions and rights.
 * @throws StartRefused without the address, which contains a password
 */
export async function checkDatabase(url: string, variable = "DATABASE_URL"): Promise<void> {
  const serverFacts = await readDatabaseState(url, variable)
  if (!serverFacts.isDatabase)
    throw new StartRefusedError(
      variable === "DATABASE_URL"
        ? "DATABASE_URL is the address of a pooler, such as PgBouncer: set DATABASE_SESSION_URL to the address of the database itself."
        : "DATABASE_SESSION_URL is the address of a pooler: it must be the address of the database itself.",
    )
  if (serverFacts.version < minPostgresVersion)
    throw new StartRefusedError(
      `The server of ${variable} is PostgreSQL ${serverFacts.version}; Milkwood needs version ${minPostgresVersion} or newer.`,
    )
  if (serverFacts.encoding !== "UTF8")
    throw new StartRefusedError(
      `The database of ${variable} has the encoding ${serverFacts.encoding}; create one with "encoding 'UTF8'".`,
    )
  if (serverFacts.missing.length > 0)
    throw new StartRefusedError(
      `The PostgreSQL of ${variable} lacks ${serverFacts.missing.join(" and ")}: install its contrib package.`,
    )
  if (!serverFacts.mayCreate)
    throw new StartRefusedError(`The account in ${variable} cannot create tables: grant it CREATE on the database.`)
  if (!canCreateRoles(serverFacts))
    throw new StartRefusedError(
      `The account in ${variable} cannot create Milkwood's roles: it must be a superuser, or on PostgreSQL 16 and newer have CREATEROLE and BYPASSRLS.`,
    )
}

/** One of the product's roles has BYPASSRLS, which before PostgreSQL 16 only a superuser can grant. */
const canCreateRoles = ({ version, isSuperuser, mayMakeRoles, mayBypassRows }: DatabaseState) =>
  isSuperuser || (version >= 16 && mayMakeRoles && mayBypassRows)

async function readDatabaseState(url: string, variable: string): Promise<DatabaseState> {
  const standing = `
    select pg_backend_pid() = $1 as "isDatabase", current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding,
      r.rolsuper as "isSuperuser", r.rolcreaterole as "mayMakeRoles", r.rolbypassrls as "mayBypassRows",
      has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as "mayCreate",
      array(select e from unnest(array['pg_trgm', 'btree_gist']) e
        where not exists (select from pg_available_extensions a where a.name = e)) as missing
    from pg_roles r where r.rolname = current_user`
  try {
    const { rows } = await withClient(
      url,
      (client) => client.query<DatabaseState>(standing, [(client as unknown as { processID: number }).processID]),
      // Loading the product can block this process longer than the default timeout.
      { connectionTimeoutMillis: 30_000 },
    )
    return rows[0]!
  } catch (error) {
    throw new StartRefusedError(
      `The database of ${variable} cannot be used: ${connectionErrorText(error as NodeJS.ErrnoException)}.`,
    )
  }
}

function connectionErrorText({ code, message }: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ECONNREFUSED: "no server answers at that host and port",
    ENOTFOUND: "the host name is unknown",
    EAI_AGAIN: "the host name cannot be looked up",
    ETIMEDOUT: "the host does not answer",
    ENOENT: "there is no socket in that folder",
    "28P01": "the user name or the password is wrong",
    "28000": "the server rejects this account",
    "3D000": "there is no database of that name",
    "53300": "it has no free connection",
  }
  return known[code ?? ""] ?? (message || code || "it does not answer")
}

/**
 * Checks that each role reaches the same, migrated database through the pooler.
 * @throws StartRefused
 */
export async function checkPooler(database: Database): Promise<void> {
  const which = `select (select oid from pg_database where datname = current_database()) || ' ' || pg_postmaster_start_time() as id`
  const idOf = async (role: DatabaseRole) => (await database.pool(role).query<{ id: string }>(which)).rows[0]!.id
  const own = await idOf("owner")
  for (const role of ["staff", "scoped", "auth"] as const) {
    const found = await idOf(role).catch((error: NodeJS.ErrnoException) => {
      throw new StartRefusedError(
        `The pooler of DATABASE_URL cannot be used as milkwood_${role}: ${connectionErrorText(error)}. See docs/operations.md for its settings.`,
      )
    })
    if (found !== own)
      throw new StartRefusedError(
        "DATABASE_URL and DATABASE_SESSION_URL are two different databases: they must be the same.",
      )
  }
}
