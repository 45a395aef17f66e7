import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { migrate } from "./migrate.ts"
import { createRules, dropRules, hasRules, type RulesFile, readRulesFiles } from "./rules.ts"
import { StartRefusedError } from "./start-refused.ts"

const server = process.env.TEST_POSTGRES_URL!
const database = `rules_${process.pid}`
const url = Object.assign(new URL(server), { pathname: database }).href
let client: pg.Client

const runOnServer = async (statement: string) => {
  const owner = new pg.Client(server)
  await owner.connect()
  await owner.query(statement)
  await owner.end()
}

beforeAll(async () => {
  await runOnServer(`create database ${database}`)
  await migrate(url)
})
afterAll(() => runOnServer(`drop database ${database} with (force)`))

beforeEach(async () => {
  client = new pg.Client(url)
  await client.connect()
})
afterEach(() => client.end())

const readValue = async <T>(statement: string): Promise<T> =>
  (await client.query({ text: statement, rowMode: "array" })).rows[0]?.[0]
const functionBodyOf = (name: string) => readValue<string>(`select prosrc from pg_proc where proname = '${name}'`)
const objectExists = (name: string) =>
  readValue<boolean>(`select exists (select from pg_proc where proname = '${name}') or exists (select from pg_trigger where tgname = '${name}')
    or to_regclass('${name}') is not null`)
const markRulesFileChanged = (name: string) =>
  client.query("update schema_rules set checksum = 'older' where name = $1", [name])

test("records every rules file with the objects it created", async () => {
  const { rows } = await client.query<{ name: string; objects: string[] }>(
    "select name, objects from schema_rules order by position",
  )
  expect(rows.map(({ name }) => name)).toEqual(readRulesFiles().map(({ name }) => name))
  const recorded = rows.flatMap(({ objects }) => objects)
  expect(recorded).toContain("trigger check_approved_claim on claims")
  expect(recorded).toContain("function check_approved_claim()")
  expect(new Set(recorded).size).toBe(recorded.length)
  const triggers = await readValue<string>("select count(*) from pg_trigger where not tgisinternal")
  expect(recorded.filter((object) => object.startsWith("trigger "))).toHaveLength(Number(triggers))
})

test("a manually changed function remains until its rules file changes", async () => {
  const body = await functionBodyOf("check_approved_claim")
  await client.query(
    "create or replace function check_approved_claim() returns trigger language plpgsql as 'begin return new; end'",
  )
  expect(await migrate(url)).toEqual([])
  expect(await functionBodyOf("check_approved_claim")).not.toBe(body)
  await markRulesFileChanged("claims.rules.sql")
  expect(await migrate(url)).toContain("claims.rules.sql")
  expect(await functionBodyOf("check_approved_claim")).toBe(body)
  expect(await migrate(url)).toEqual([])
})

test("drops functions, triggers and views of a removed rules file", async () => {
  await client.query(`
    create function removed_rule(one text, two uuid[]) returns text language sql immutable return one;
    create view removed_view as select removed_rule('a', '{}') as one;
    create trigger removed_trigger before update on claims for each row execute function check_approved_claim();
    insert into schema_rules values ('removed.rules.sql', 99, '', array[
      'function removed_rule(text,uuid[])', 'view removed_view', 'trigger removed_trigger on claims'
    ])`)
  await migrate(url)
  for (const name of ["removed_rule", "removed_view", "removed_trigger"])
    expect(await objectExists(name), name).toBe(false)
  expect(await objectExists("refuse_delete_unless_draft")).toBe(true)
})

test("a changed file replaces its objects and drops removed ones", async () => {
  const file = (text: string): RulesFile[] => [{ name: "sample.rules.sql", text, checksum: text }]
  const first = file(`
    create function sample_total(of_policy uuid) returns bigint language sql stable return 1;
    create function sample_check() returns trigger language plpgsql as 'begin return new; end';
    create trigger sample_trigger before insert on claims for each row execute function sample_check();
    create view sample_view as select sample_total(id) as total from policies`)
  const second = file("create function sample_total(of_policy uuid) returns text language sql stable return 'two'")
  await client.query("begin")
  await dropRules(client)
  await createRules(client, first)
  expect(await hasRules(client, first)).toBe(true)
  expect(await hasRules(client, second)).toBe(false)
  expect(await objectExists("sample_view")).toBe(true)
  await dropRules(client)
  await createRules(client, second)
  expect(await functionBodyOf("sample_check")).toBeUndefined()
  expect(await objectExists("sample_trigger")).toBe(false)
  expect(await objectExists("sample_view")).toBe(false)
  expect(await readValue("select sample_total(null)")).toBe("two")
  await client.query("rollback")
})

test("reports a failing statement with its file name", async () => {
  await client.query("begin")
  await expect(
    createRules(client, [{ name: "sample.rules.sql", text: "create view v as select 1 from nowhere", checksum: "" }]),
  ).rejects.toThrow('sample.rules.sql failed: relation "nowhere" does not exist')
  await client.query("rollback")
})

test("refuses a database with a newer migration and leaves its rules unchanged", async () => {
  await client.query("insert into schema_migrations values ('9999_latest.sql', '')")
  await markRulesFileChanged("claims.rules.sql")
  await client.query("alter function check_approved_claim() rename to check_approved_claim_newer")
  await expect(migrate(url)).rejects.toThrow(/^A newer Milkwood /)
  expect(await objectExists("check_approved_claim_newer")).toBe(true)
  expect(await readValue("select checksum from schema_rules where name = 'claims.rules.sql'")).toBe("older")
  await client.query("delete from schema_migrations where name = '9999_latest.sql'")
  await client.query("alter function check_approved_claim_newer() rename to check_approved_claim")
  await migrate(url)
})

test("a failed migration leaves schema and rules unchanged", async () => {
  const { rows } = await client.query(
    "delete from schema_migrations where name like '%_claims.sql' returning name, checksum",
  )
  await expect(migrate(url)).rejects.toThrow(/_claims\.sql failed: relation "claims" already exists/)
  expect(await objectExists("refuse_delete_unless_draft")).toBe(true)
  expect(await readValue("select count(*)::int from schema_rules")).toBe(readRulesFiles().length)
  await client.query("insert into schema_migrations values ($1, $2)", [rows[0].name, rows[0].checksum])
  expect(await migrate(url)).toEqual([])
})

test("refuses a database from before the first release, with instructions", async () => {
  const earlier = `${database}_earlier`
  await runOnServer(`create database ${earlier}`)
  const at = Object.assign(new URL(server), { pathname: earlier }).href
  const owner = new pg.Client(at)
  await owner.connect()
  await owner.query(
    "create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())",
  )
  await owner.query(
    "insert into schema_migrations values ('0001_platform.sql', 'x'), ('0625_policy_cover_terms.sql', 'y')",
  )
  const refusal = await migrate(at).catch((error) => error)
  expect(refusal).toBeInstanceOf(StartRefusedError)
  expect(refusal.message).toMatch(
    /^This database was created by a build from before the first release .* an empty data folder/,
  )
  expect((await owner.query("select to_regclass('schema_rules') as made")).rows).toEqual([{ made: null }])
  await owner.end()
  await runOnServer(`drop database ${earlier}`)
})
