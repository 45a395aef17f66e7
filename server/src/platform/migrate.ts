import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { rolePassword } from "./database.ts"

const folder = join(import.meta.dirname, "../../migrations")
/** Any number: the same in every process, so that two starting at once migrate one after the other. */
const migrationLock = 20_261_121

/**
 * Brings a database to the newest shape: makes our roles where they are missing, then runs each file of
 * `server/migrations` that has not run, in its own transaction, in order of name.
 *
 * Throws when a file that has run was changed since, or when the account may not make roles.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl, options: "-c TimeZone=UTC" })
  // A connection that breaks fails the statement under way; it must not end the process besides.
  client.on("error", () => {})
  await client.connect()
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock])
    await makeRoles(client, ownerUrl)
    await client.query(
      "create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())",
    )
    const applied = new Map(
      (await client.query<{ name: string; checksum: string }>("select name, checksum from schema_migrations")).rows.map(
        (row) => [row.name, row.checksum],
      ),
    )
    const ran: string[] = []
    for (const { name, text, checksum } of migrations()) {
      const known = applied.get(name)
      if (known === checksum) continue
      if (known) throw new Error(`Migration ${name} was changed after it had run on this database.`)
      await client.query("begin")
      await client.query("set local row_security = off")
      try {
        await client.query(text)
      } catch (error) {
        throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
      }
      await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [name, checksum])
      await client.query("commit")
      ran.push(name)
    }
    return ran
  } finally {
    await client.end()
  }
}

/** The files of the folder in order, each with its text and checksum. */
export function migrations(): { name: string; text: string; checksum: string }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8")
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") }
    })
}

async function makeRoles(client: pg.Client, ownerUrl: string): Promise<void> {
  for (const role of ["staff", "scoped", "auth"] as const) {
    const attributes = `login nosuperuser nocreatedb nocreaterole ${role === "staff" ? "bypassrls" : "nobypassrls"}`
    const password = client.escapeLiteral(rolePassword(ownerUrl, role))
    try {
      const found = await client.query("select from pg_roles where rolname = $1", [`milkwood_${role}`])
      await client.query(
        `${found.rowCount ? "alter" : "create"} role milkwood_${role} ${attributes} password ${password}`,
      )
    } catch (error) {
      throw new Error(
        `The account in DATABASE_URL may not make the role milkwood_${role} (${(error as Error).message}). It must be able to create roles, one of them with BYPASSRLS.`,
        { cause: error },
      )
    }
  }
}
