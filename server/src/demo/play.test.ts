import { sql } from "drizzle-orm"
import pg from "pg"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { demoLock } from "../platform/database/locks.ts"
import { waitForLock } from "../runtime/migrate.ts"
import { StartRefusedError } from "../runtime/start-refused.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { lastGroup, playDemo } from "./play.ts"

let app: TestApp

beforeEach(async () => {
  app = await openTestApp()
})

afterEach(() => app.close())

const playTestDemo = (databaseUrl?: string) => {
  const say = vi.fn<(words: string) => void>()
  return { say, accounts: playDemo(app.app, { databaseUrl, dataDir: "/srv/demo" }, say) }
}

test("refuses to start an incompletely seeded demo and leaves the database unchanged", async () => {
  for (const [databaseUrl, remedy] of [
    [undefined, /^The folder \/srv\/demo holds something.* delete the folder and start again/],
    ["postgresql://somewhere", /^The database of DATABASE_URL holds something.* Give the demo an empty database, and/],
  ] as const) {
    const refusal = await playTestDemo(databaseUrl).accounts.catch((error) => error)
    expect(refusal).toBeInstanceOf(StartRefusedError)
    expect(refusal.message).toMatch(remedy)
  }
  expect(await app.sql.rows(sql`select from employer_groups`)).toEqual([])
})

test("a second process waits for the demo's seeding and does not repeat it", async () => {
  const other = new pg.Client(app.app.database.url("owner"))
  await other.connect()
  await waitForLock(other, demoLock, {})
  const { say, accounts } = playTestDemo()
  await vi.waitUntil(() => say.mock.calls.length > 0, 60_000)
  // Creating the last employer completes the seeding.
  await app.as(app.people.manager).policies.create({ group: { kind: "new", name: lastGroup } })
  await other.end()
  expect((await accounts).map(({ role }) => role)).toContain("admin")
  expect(say.mock.calls).toEqual([["Another process plays the demo on this database; waiting for it..."]])
})

test("a complete demo starts again even after its last employer is renamed", async () => {
  await app.as(app.people.manager).policies.create({ group: { kind: "new", name: lastGroup } })
  await app.sql.run(sql`update employer_groups set name = 'Namaqua Zinc'`)
  const { say, accounts } = playTestDemo()
  expect(await accounts).toHaveLength(5)
  expect(say).not.toHaveBeenCalled()
})
