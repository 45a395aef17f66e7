import { sql } from "drizzle-orm"
import pg from "pg"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { takeTurn } from "../platform/migrate.ts"
import { StartRefused } from "../runtime/start-refused.ts"
import { openHouse, type TestHouse } from "../test/house.ts"
import { lastGroup, playDemo, playLock } from "./play.ts"

let house: TestHouse

beforeAll(async () => {
  house = await openHouse()
})

afterAll(() => house.close())

const demo = (databaseUrl?: string) => {
  const say = vi.fn<(words: string) => void>()
  return { say, accounts: playDemo(house.house, { databaseUrl, dataDir: "/srv/demo" }, say) }
}

test("what was not played to its end is not served, and nothing is added to it", async () => {
  for (const [databaseUrl, remedy] of [
    [undefined, /^The folder \/srv\/demo holds something.* delete the folder and start again/],
    ["postgresql://somewhere", /^The database of DATABASE_URL holds something.* Give the demo an empty database\.$/],
  ] as const) {
    const refusal = await demo(databaseUrl).accounts.catch((error) => error)
    expect(refusal).toBeInstanceOf(StartRefused)
    expect(refusal.message).toMatch(remedy)
  }
  expect(await house.sql.rows(sql`select from employer_groups`)).toEqual([])
})

test("who comes while another plays waits, and finds it done", async () => {
  const other = new pg.Client(house.house.database.url("owner"))
  await other.connect()
  await takeTurn(other, playLock, {})
  const { say, accounts } = demo()
  await vi.waitUntil(() => say.mock.calls.length > 0, 60_000)
  // The last that a play does.
  await house.as(house.people.manager).policies.create({ group: { kind: "new", name: lastGroup } })
  await other.end()
  expect((await accounts).map(({ role }) => role)).toContain("admin")
  expect(say.mock.calls).toEqual([["Another process plays the demo on this database; waiting for it…"]])
})

test("one that was played is served again, also when its people renamed what was played last", async () => {
  await house.sql.run(sql`update employer_groups set name = 'Namaqua Zinc'`)
  const { say, accounts } = demo()
  expect(await accounts).toHaveLength(5)
  expect(say).not.toHaveBeenCalled()
})
