import { withClient } from "../platform/database/with-client.ts"
import { StartRefused } from "./start-refused.ts"

const oldestVersion = 15

type Standing = {
  version: number
  encoding: string
  isSuperuser: boolean
  mayMakeRoles: boolean
  mayBypassRows: boolean
  mayCreate: boolean
  missing: string[]
}

/**
 * Looks whether the database of DATABASE_URL can carry Milkwood: reachable, new enough, in UTF-8, with the extensions,
 * and with an account that owns enough to set everything up.
 * @throws StartRefused in one sentence; never with the address itself, which holds a password
 */
export async function checkDatabase(url: string): Promise<void> {
  const standing = await ask(url)
  if (standing.version < oldestVersion)
    throw new StartRefused(
      `DATABASE_URL leads to PostgreSQL ${standing.version}; Milkwood needs version ${oldestVersion} or newer.`,
    )
  if (standing.encoding !== "UTF8")
    throw new StartRefused(
      `DATABASE_URL leads to a database in the encoding ${standing.encoding}; make one with "encoding 'UTF8'".`,
    )
  if (standing.missing.length > 0)
    throw new StartRefused(
      `The PostgreSQL of DATABASE_URL lacks ${standing.missing.join(" and ")}: install its contrib package.`,
    )
  if (!standing.mayCreate)
    throw new StartRefused("The account in DATABASE_URL may not make tables: grant it CREATE on the database.")
  if (!mayMakeOurRoles(standing))
    throw new StartRefused(
      "The account in DATABASE_URL may not make Milkwood's roles: it must be a superuser, or on PostgreSQL 16 and newer have CREATEROLE and BYPASSRLS.",
    )
}

/** One of our roles has BYPASSRLS; before PostgreSQL 16 only a superuser may give that. */
const mayMakeOurRoles = ({ version, isSuperuser, mayMakeRoles, mayBypassRows }: Standing) =>
  isSuperuser || (version >= 16 && mayMakeRoles && mayBypassRows)

async function ask(url: string): Promise<Standing> {
  const standing = `
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding,
      r.rolsuper as "isSuperuser", r.rolcreaterole as "mayMakeRoles", r.rolbypassrls as "mayBypassRows",
      has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as "mayCreate",
      array(select e from unnest(array['pg_trgm', 'btree_gist']) e
        where not exists (select from pg_available_extensions a where a.name = e)) as missing
    from pg_roles r where r.rolname = current_user`
  try {
    const { rows } = await withClient(url, (client) => client.query<Standing>(standing), {
      connectionTimeoutMillis: 10_000,
    })
    return rows[0]!
  } catch (error) {
    throw new StartRefused(`The database of DATABASE_URL cannot be used: ${why(error as NodeJS.ErrnoException)}.`)
  }
}

function why({ code, message }: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ECONNREFUSED: "nothing answers at that host and port",
    ENOTFOUND: "the host name is not known",
    EAI_AGAIN: "the host name cannot be looked up",
    ETIMEDOUT: "the host does not answer",
    ENOENT: "there is no socket in that folder",
    "28P01": "the user name or the password is wrong",
    "28000": "the server does not let this account in",
    "3D000": "there is no database of that name",
    "53300": "it has no connection to spare",
  }
  return known[code ?? ""] ?? (message || code || "it does not answer")
}
