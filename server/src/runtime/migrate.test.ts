import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { Database, rolePassword } from "../platform/database/database.ts"
import { checksumOf, migrate, waitForLock } from "./migrate.ts"
import { startTestPostgres, type TestPostgres } from "./postgres.ts"
import { StartRefusedError } from "./start-refused.ts"

// A separate PostgreSQL server, because its shared roles are changed.
let postgres: TestPostgres
let firstDatabaseUrl: string
let secondDatabaseUrl: string
let owner: pg.Client

beforeAll(async () => {
  postgres = await startTestPostgres()
  const onServer = await connectClient(postgres.url)
  for (const name of ["one", "two"]) await onServer.query(`create database ${name}`)
  await onServer.query("create role another superuser login password 'another'")
  await onServer.end()
  firstDatabaseUrl = address({ pathname: "one" })
  secondDatabaseUrl = address({ pathname: "two" })
  await migrate(firstDatabaseUrl)
})

afterAll(() => postgres.close())

beforeEach(async () => {
  owner = await connectClient(firstDatabaseUrl)
})

afterEach(() => owner.end())

const address = (parts: { pathname: string; username?: string; password?: string }) =>
  Object.assign(new URL(postgres.url), parts).href

async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on("error", () => {})
  await client.connect()
  return client
}

const readRolePasswords = async () =>
  (await owner.query("select rolname, rolpassword from pg_authid where rolname like 'milkwood\\_%' order by 1")).rows

test("migration skips applied migrations and keeps matching role passwords", async () => {
  const before = await readRolePasswords()
  expect(before).toHaveLength(3)
  expect(await migrate(firstDatabaseUrl)).toEqual([])
  expect((await migrate(secondDatabaseUrl)).length).toBeGreaterThan(1)
  expect(await readRolePasswords()).toEqual(before)
})

test("migration corrects a role with too many or too few rights", async () => {
  await owner.query("alter role milkwood_scoped bypassrls")
  await owner.query("alter role milkwood_auth nologin")
  await migrate(firstDatabaseUrl)
  const { rows } = await owner.query(
    "select rolname, rolbypassrls, rolcanlogin from pg_roles where rolname like 'milkwood\\_%' order by 1",
  )
  expect(rows).toEqual([
    { rolname: "milkwood_auth", rolbypassrls: false, rolcanlogin: true },
    { rolname: "milkwood_scoped", rolbypassrls: false, rolcanlogin: true },
    { rolname: "milkwood_staff", rolbypassrls: true, rolcanlogin: true },
  ])
})

test("concurrent role changes on one server both succeed", async () => {
  await owner.query("alter role milkwood_staff password 'an older one'")
  await owner.query("begin")
  await owner.query(`alter role milkwood_staff password '${rolePassword(firstDatabaseUrl, "staff")}'`)
  const second = migrate(secondDatabaseUrl)
  const watcher = await connectClient(firstDatabaseUrl)
  const isWaiting = "select from pg_stat_activity where datname = 'two' and wait_event_type = 'Lock'"
  while (!(await watcher.query(isWaiting)).rowCount);
  await owner.query("commit")
  expect(await second).toEqual([])
  await watcher.end()
})

test("role passwords are unchanged while a Milkwood on another database uses them", async () => {
  const others = address({ pathname: "two", username: "another", password: "another" })
  const before = await readRolePasswords()
  const atWork = await connectClient(new Database(firstDatabaseUrl).url("staff"))
  const refusal = await migrate(others).catch((error) => error)
  expect(refusal).toBeInstanceOf(StartRefusedError)
  expect(refusal.message).toMatch(/^Another Milkwood uses the database one .*\.$/)
  expect(refusal.message).not.toContain(rolePassword(others, "staff"))
  expect(await readRolePasswords()).toEqual(before)
  // The other database no longer uses the role, so its password may change.
  await atWork.end()
  while ((await owner.query("select from pg_stat_activity where usename = 'milkwood_staff'")).rowCount);
  const beside = await connectClient(new Database(secondDatabaseUrl).url("staff"))
  await migrate(others)
  await beside.end()
  await (await connectClient(new Database(others).url("staff"))).end()
})

test("refuses a database migrated by a newer release, naming its newest migration", async () => {
  await owner.query("insert into schema_migrations values ('9998_later.sql', ''), ('9999_latest.sql', '')")
  const refusal = await migrate(firstDatabaseUrl).catch((error) => error)
  expect(refusal).toBeInstanceOf(StartRefusedError)
  expect(refusal.message).toMatch(/^A newer Milkwood .*\(9999_latest\.sql is not known here\)/)
  await owner.query("delete from schema_migrations where name like '999%'")
})

test("a waiting process reports the wait once, can be aborted, and continues after release", async () => {
  await waitForLock(owner, 1, {})
  const [patient, stopped] = [await connectClient(firstDatabaseUrl), await connectClient(firstDatabaseUrl)]
  const stop = new AbortController()
  const given = waitForLock(stopped, 1, { onWait: () => stop.abort(), signal: stop.signal })
  await expect(given).rejects.toThrow(/aborted/)

  const tries = vi.spyOn(patient, "query")
  const onWait = vi.fn()
  const turn = waitForLock(patient, 1, { onWait })
  await vi.waitUntil(() => tries.mock.calls.length === 3, 60_000)
  await owner.query("select pg_advisory_unlock(1)")
  await turn
  expect(onWait).toHaveBeenCalledTimes(1)
  for (const client of [patient, stopped]) await client.end()
})

test("the checksum of a migration ignores only comment lines", () => {
  const sql = "-- One.\ncreate table a (\n  -- Two.\n  id uuid -- three\n);\n"
  expect(checksumOf(sql.replace("One", "Another").replace("Two", "More"))).toBe(checksumOf(sql))
  expect(checksumOf("create table a (\n  id uuid -- three\n);\n")).toBe(checksumOf(sql))
  expect(checksumOf(sql.replace("uuid", "text"))).not.toBe(checksumOf(sql))
})
