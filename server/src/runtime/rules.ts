import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { rooms } from "@milkwood/domain/rooms"
import type pg from "pg"

export interface RulesFile {
  name: string
  text: string
  checksum: string
}

export function readRulesFiles(): RulesFile[] {
  return ["platform", ...rooms].flatMap((room) => {
    const path = join(import.meta.dirname, "..", room, `${room}.rules.sql`)
    if (!existsSync(path)) return []
    const text = readFileSync(path, "utf8")
    return [{ name: `${room}.rules.sql`, text, checksum: createHash("sha256").update(text).digest("hex") }]
  })
}

export async function hasRules(client: pg.Client, files: RulesFile[]): Promise<boolean> {
  const { rows } = await client.query<{ name: string; checksum: string }>("select name, checksum from schema_rules")
  return rows.length === files.length && files.every((file) => rows.some((row) => isSameRulesFile(row, file)))
}

const isSameRulesFile = (row: { name: string; checksum: string }, file: RulesFile) =>
  row.name === file.name && row.checksum === file.checksum

/** Migrations must only find tables. */
export async function dropRules(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ objects: string[] }>("select objects from schema_rules order by position desc")
  for (const object of rows.flatMap(({ objects }) => objects.toReversed())) {
    const [kind, ...identity] = object.split(" ")
    await client.query(`drop ${kind} if exists ${identity.join(" ")}`)
  }
  await client.query("delete from schema_rules")
}

/** Records each file's objects, so that they can be dropped. */
export async function createRules(client: pg.Client, files: RulesFile[]): Promise<void> {
  let before = await readRuleObjects(client)
  for (const [position, { name, text, checksum }] of files.entries()) {
    try {
      await client.query(text)
    } catch (error) {
      throw new Error(`${name} failed: ${(error as Error).message}`, { cause: error })
    }
    const after = await readRuleObjects(client)
    const known = new Set(before)
    await client.query("insert into schema_rules (name, position, checksum, objects) values ($1, $2, $3, $4)", [
      name,
      position,
      checksum,
      after.filter((object) => !known.has(object)),
    ])
    before = after
  }
}

async function readRuleObjects(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ object: string }>(`
    select object from (
      select p.oid, 'function ' || p.oid::regprocedure as object from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      union all
      select oid, 'view ' || oid::regclass from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
      union all
      select oid, 'trigger ' || quote_ident(tgname) || ' on ' || tgrelid::regclass from pg_trigger where not tgisinternal
    ) found order by oid`)
  return rows.map(({ object }) => object)
}
