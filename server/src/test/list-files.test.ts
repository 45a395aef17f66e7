import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestApp, type TestApp } from "./app.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** The statements of a file as psql sends them: `\set` values and `\gset` texts inserted, comments removed. */
function readPsqlStatements(file: string): [string, string][] {
  const text = readFileSync(file, "utf8").replace(/ ?--(?! name: ).*$/gm, "")
  const parts = new Map<string, string>()
  for (const [, body, name] of text.matchAll(/^select \$\$\n(.*?)\$\$ as (\w+) \\gset$/gms)) parts.set(name!, body!)
  const values = new Map<string, string>()
  for (const [, name, quoted, plain] of text.matchAll(/^\\set (\w+) (?:'(.*)'|(\S+))$/gm)) {
    values.set(name!, quoted?.replaceAll("\\n", "\n") ?? plain!)
  }
  const filled = (statement: string): string =>
    statement.replace(/(?<!:):(?:'(\w+)'|([a-z]\w*))/g, (all, value?: string, part?: string) => {
      const found = value === undefined ? parts.get(part!) : values.get(value)
      if (found === undefined) throw new Error(`${file} gives no value to ${all}.`)
      return value === undefined ? filled(found) : pg.escapeLiteral(found)
    })
  return [...text.matchAll(/^-- name: (\w+)\n(.*?;)$/gms)].map(([, name, statement]) => [name!, filled(statement!)])
}

describe.each(["members/members.list.sql", "claims/claims.list.sql", "payouts/payouts.list.sql"])("%s", (file) => {
  const statements = readPsqlStatements(join(import.meta.dirname, "..", file))

  test("the SQL file has all statements of a list", () => {
    const names = statements.map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining(["page", "figures", "search", "near", "walk", "rows", "export"]))
  })

  test.each(statements)("the statement %s runs as psql runs it", async (_, statement) => {
    await expect(app.sql.rows(sql.raw(statement))).resolves.toBeInstanceOf(Array)
  })
})
