import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

/** Tables with the text in any column, and files with its bytes. Proves that a text was deleted. */
export async function findPlantedText(owner: Tx, folder: string, planted: string): Promise<string[]> {
  const tables = await owner.rows<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p', 'm') and c.relnamespace = 'public'::regnamespace order by 1`)
  const found: string[] = []
  // Row text shows bytes as hexadecimal digits.
  const hex = Buffer.from(planted).toString("hex")
  for (const { name } of tables) {
    const row = await owner.row(sql`
      select from ${sql.identifier(name)} x
      where position(lower(${planted}) in lower(x::text)) > 0 or position(${hex} in x::text) > 0 limit 1`)
    if (row) found.push(name)
  }
  if (!existsSync(folder)) return found
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    if (readFileSync(join(parentPath, name)).includes(planted)) found.push(`file ${name}`)
  }
  return found
}
