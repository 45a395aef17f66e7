import { readdirSync } from "node:fs"
import { join } from "node:path"
import { columnOf } from "@milkwood/domain/kernel/declared-field"
import { dependentFields } from "@milkwood/domain/members/dependent-fields"
import { memberFields } from "@milkwood/domain/members/member-fields"
import { policyFields } from "@milkwood/domain/policies/policy-fields"
import { getTableColumns, getTableName, is, sql } from "drizzle-orm"
import { PgTable } from "drizzle-orm/pg-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestApp, type TestApp } from "./app.ts"

const source = join(import.meta.dirname, "..")

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tables.ts"))

describe.each(files)("%s", (file) => {
  test("table descriptions match the database", async () => {
    const tables = Object.values(await import(join(source, file))).filter((value) => is(value, PgTable))
    expect(tables.length).toBeGreaterThan(0)
    for (const table of tables) {
      const columns = await app.sql.rows<{ name: string; type: string; notNull: boolean }>(sql`
        select a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as "notNull"
        from pg_attribute a where a.attrelid = to_regclass(${getTableName(table)}) and a.attnum > 0 and not a.attisdropped
        order by a.attname`)
      const described = Object.values(getTableColumns(table))
        .map((column) => ({
          name: column.name,
          type: column.getSQLType().replace(/\(.*\)/, ""),
          notNull: column.notNull,
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
      const advice = "a new column needs a migration and a line in the table description"
      expect(
        described,
        `server/src/${file} (-) and the database (+) differ in ${getTableName(table)}: ${advice}`,
      ).toEqual(columns)
    }
  })
})

test.each([
  ["member", memberFields],
  ["dependent", dependentFields],
  ["policy", policyFields],
])("no %s field's column is a reserved word of SQL", async (_, fields) => {
  const reserved = new Set(
    (await app.sql.rows<{ word: string }>(sql`select word from pg_get_keywords() where catcode in ('R', 'T')`)).map(
      ({ word }) => word,
    ),
  )
  const clashes = Object.keys(fields).filter((name) => reserved.has(columnOf(name)))
  expect(clashes, "PostgreSQL reserves these words: give the fields longer keys, such as `tradeUnion`").toEqual([])
})

test("every table of an employer has forced row-level security", async () => {
  const loose = await app.sql.rows(sql`
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'group_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not (c.relrowsecurity and c.relforcerowsecurity)
      and c.relname <> 'user_groups'`)
  expect(loose).toEqual([])
})

test("security definer functions ignore temporary tables of the caller", async () => {
  const loose = await app.sql.rows(sql`
    select p.proname from pg_proc p
    where p.prosecdef and p.pronamespace = 'public'::regnamespace
      and not coalesce('search_path=public, pg_temp' = any (p.proconfig), false)`)
  expect(loose).toEqual([])
})

test("foreign keys between employers' tables include the employer", async () => {
  const across = await app.sql.rows(sql`
    with grouped as (
      select c.oid, c.relname, a.attnum from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'group_id' and a.attnotnull
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    )
    select k.conname, child.relname as "from", parent.relname as "to"
    from pg_constraint k join grouped child on child.oid = k.conrelid join grouped parent on parent.oid = k.confrelid
    where k.contype = 'f' and parent.relname <> 'employer_groups' and not exists (
      select from pg_constraint same
      where same.contype = 'f' and same.conrelid = k.conrelid and same.confrelid = k.confrelid
        and child.attnum = any (same.conkey) and same.conkey && array(select unnest(k.conkey))
        and parent.attnum = any (same.confkey))`)
  expect(across).toEqual([])
})

test("no role can update or delete the audit trail or the ledger", async () => {
  const grants = await app.sql.rows(sql`
    select grantee, table_name, privilege_type from information_schema.role_table_grants
    where table_name in ('audit_log', 'audit_seals', 'ledger_entries', 'ledger_postings')
      and grantee in ('milkwood_staff', 'milkwood_scoped', 'milkwood_auth', 'PUBLIC') and privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')`)
  expect(grants).toEqual([])
})
