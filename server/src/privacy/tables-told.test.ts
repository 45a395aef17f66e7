import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { expect, test } from "vitest"
import { openTestApp } from "../test/app.ts"

test("docs/data-retention.md lists every table exactly once, and no others", async () => {
  const app = await openTestApp()
  const tables = await app.sql.rows<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`)
  await app.close()
  const page = readFileSync(join(import.meta.dirname, "../../../docs/data-retention.md"), "utf8")
  const section = /^## Every table$([\s\S]*?)^## /m.exec(page)![1]!
  const told = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(told.sort()).toEqual(tables.map(({ name }) => name))
})
