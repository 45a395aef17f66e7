import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type EmbeddedPostgres, openEmbeddedPostgres, runningDatabaseUrl, startTestPostgres } from "./postgres.ts"
import { postgresHome } from "./postgres-home.ts"
import { isRunning, waitUntil } from "./postmaster.ts"

const isRoot = process.getuid?.() === 0
const folders: string[] = []
let folder: string

function createFolder(mode = 0o711) {
  const made = mkdtempSync(join(tmpdir(), "milkwood-runtime-"))
  chmodSync(made, mode)
  folders.push(made)
  return made
}

beforeAll(async () => {
  folder = createFolder()
  const first = await openEmbeddedPostgres(folder)
  await queryRows(first, "create table notes (text text)")
  await first.close()
})

afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

async function queryRows<Row extends object>({ url }: { url: string }, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  client.on("error", () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const insertNote = (postgres: { url: string }, text: string) =>
  queryRows(postgres, `insert into notes values ('${text}')`)
const readNotes = async (postgres: { url: string }) =>
  (await queryRows<{ text: string }>(postgres, "select text from notes order by text")).map(({ text }) => text)

async function killProcess(pid: number) {
  process.kill(pid, "SIGKILL")
  expect(await waitUntil(() => !isRunning(pid), 10_000)).toBe(true)
}

async function startOpenerProcess(dataDir: string): Promise<{ url: string; pid: number; kill(): Promise<void> }> {
  const program = `
    import { openEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, "postgres.ts"))}
    const { url, pid } = await openEmbeddedPostgres(process.argv[1])
    console.log(JSON.stringify({ url, pid: pid() }))
    setInterval(() => {}, 1000)`
  const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", program, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string]
  return {
    ...(JSON.parse(line) as { url: string; pid: number }),
    async kill() {
      child.kill("SIGKILL")
      await once(child, "exit")
    },
  }
}

test("embedded PostgreSQL uses UTF-8, requires passwords and logs no statements", async () => {
  const postgres = await openEmbeddedPostgres(folder)
  const settings = await queryRows(
    postgres,
    "select current_setting('server_encoding') as e, lower('MÜLLER') as l, 'ü' ~ '[[:alpha:]]' as a, current_setting('timezone') as t",
  )
  expect(settings).toEqual([{ e: "UTF8", l: "müller", a: true, t: "UTC" }])
  const stranger = new URL(postgres.url)
  stranger.password = "wrong"
  await expect(queryRows({ url: stranger.href }, "select 1")).rejects.toMatchObject({ code: "28P01" })
  await expect(queryRows(postgres, "select 8001015009087 from nowhere")).rejects.toMatchObject({ code: "42P01" })
  await postgres.close()
  const { folder: home } = postgresHome(folder)
  expect(readFileSync(join(home, "postgres.log"), "utf8")).not.toContain("8001015009087")
  expect(statSync(join(home, "password")).mode & 0o077).toBe(0)
})

test("embedded PostgreSQL has the same address after a restart", async () => {
  const first = await openEmbeddedPostgres(folder)
  await first.close()
  expect(isRunning(first.pid())).toBe(false)
  const second = await openEmbeddedPostgres(folder)
  expect(second.url).toBe(first.url)
  expect(second.adopted).toBe(false)
  await second.close()
})

test("embedded PostgreSQL continues to run if the server is killed, and is reused", async () => {
  const server = await startOpenerProcess(folder)
  await insertNote(server, "before the server was killed")
  await server.kill()
  rmSync(join(folder, "postgres", "port"))
  const postgres = await openEmbeddedPostgres(folder)
  expect(postgres.adopted).toBe(true)
  expect(runningDatabaseUrl(postgresHome(folder))).toBe(postgres.url)
  expect(postgres.pid()).toBe(server.pid)
  expect(await readNotes(postgres)).toContain("before the server was killed")
  await postgres.close()
  expect(isRunning(server.pid)).toBe(false)
})

test("embedded PostgreSQL restarts at the same address if killed under a running server", async () => {
  const restarts: string[] = []
  const said = Promise.withResolvers<void>()
  const postgres = await openEmbeddedPostgres(folder, {
    onRestart(what) {
      restarts.push(what)
      said.resolve()
    },
  })
  await insertNote(postgres, "before the database was killed")
  await killProcess(postgres.pid())
  await said.promise
  expect(restarts).toEqual(["PostgreSQL stopped and was restarted"])
  expect(await readNotes(postgres)).toContain("before the database was killed")
  await postgres.close()
  expect(isRunning(postgres.pid())).toBe(false)
})

test("embedded PostgreSQL recovers if it and the server are killed during a statement", async () => {
  const server = await startOpenerProcess(folder)
  await insertNote(server, "before both were killed")
  const busy = queryRows(server, "insert into notes select 'cut short' from generate_series(1, 100000000)").catch(
    () => "cut",
  )
  const works = async () =>
    (
      await queryRows<{ n: number }>(
        server,
        "select count(*)::int as n from pg_stat_activity where query like 'insert%short%' and state = 'active' and pid <> pg_backend_pid()",
      )
    )[0]!.n > 0
  while (!(await works())) await new Promise(setImmediate)
  await server.kill()
  await killProcess(server.pid)
  const postgres = await openEmbeddedPostgres(folder)
  expect(await busy).toBe("cut")
  const notes = await readNotes(postgres)
  expect(notes).toContain("before both were killed")
  expect(notes).not.toContain("cut short")
  await postgres.close()
})

test("embedded PostgreSQL is not confused with another program that has its old process id", async () => {
  const server = await startOpenerProcess(folder)
  await server.kill()
  await killProcess(server.pid)
  const pidFile = join(postgresHome(folder).cluster, "postmaster.pid")
  writeFileSync(pidFile, readFileSync(pidFile, "utf8").replace(/^\d+/, String(process.pid)))
  const postgres = await openEmbeddedPostgres(folder)
  expect(await readNotes(postgres)).toContain("before both were killed")
  await postgres.close()
})

test("embedded PostgreSQL starts even if a kill left an empty postmaster.pid", async () => {
  const notice = join(folder, "postgres", "cluster", "postmaster.pid")
  writeFileSync(notice, "")
  const postgres = await openEmbeddedPostgres(folder)
  expect(await queryRows(postgres, "select 1 as one")).toEqual([{ one: 1 }])
  await postgres.close()
})

test("a cluster whose creation was interrupted is created again", async () => {
  const dataDir = createFolder()
  const { folder: home, cluster } = postgresHome(dataDir)
  const first = await openEmbeddedPostgres(dataDir)
  await first.close()
  rmSync(join(home, "password"))
  rmSync(join(cluster, "PG_VERSION"))
  const second = await openEmbeddedPostgres(dataDir)
  expect(await queryRows(second, "select 1 as one")).toEqual([{ one: 1 }])
  await second.close()
})

test("a test database removes its folder on close", async () => {
  const postgres = await startTestPostgres()
  expect(await queryRows(postgres, "show fsync")).toEqual([{ fsync: "off" }])
  await postgres.close()
  expect(existsSync(postgres.folder)).toBe(false)
})

if (isRoot) {
  test("PostgreSQL uses another folder and user if only root may enter the data folder", async () => {
    const dataDir = createFolder(0o700)
    const postgres: EmbeddedPostgres = await openEmbeddedPostgres(dataDir)
    const { folder: home } = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")) as { folder: string }
    folders.push(home)
    expect(statSync(join(home, "cluster")).uid).not.toBe(0)
    expect(existsSync(join(dataDir, "postgres"))).toBe(false)
    await postgres.close()
    const again = await openEmbeddedPostgres(dataDir)
    expect(again.url).toBe(postgres.url)
    await again.close()
  })
}
