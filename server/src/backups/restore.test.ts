import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { bankAccount, fnbHistory, uploadedStatement } from "../banking/banking.samples.ts"
import { sentInvoice } from "../billing/billing.samples.ts"
import type { Tx } from "../platform/database/database.ts"
import { Database } from "../platform/database/database.ts"
import { activePolicy } from "../policies/policies.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { openEmbeddedPostgres } from "../runtime/postgres.ts"
import { RealServer } from "../test/real-server.ts"

/*
 * The drill: a house is backed up while it runs, the backup is put into an empty folder, and every table and file is
 * held against what was there. Server and restore are killed in the middle of it.
 */

let server: RealServer
let secret: string
const folders: string[] = []
beforeAll(async () => {
  server = await RealServer.started("")
  const { client } = server
  const { id: policyId } = await activePolicy(client, { groupName: "Acacia Foods", startOn: "2026-01-01" })
  await sentInvoice(client, { policyId, month: "2026-08-01", invoiceOn: "2026-08-01" })
  const { settings, version } = await client.settings.detail()
  await client.settings.save({ version, settings: { ...settings, automaticBackup: false } })
  secret = (await client.backups.makeKey({ replaces: null })).secret
}, 120_000)
afterAll(async () => {
  await server?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "milkwood-restore-"))
  chmodSync(folder, 0o711)
  folders.push(folder)
  return folder
}

/** What goes on while a backup is asked for and made. */
const underWay = ["jobs", "backups", "schedules", "idempotency_keys", "audit_log", "audit_unsealed", "audit_seals"]

/** What is there of each table, but for the work under way and the trail, which grows. */
async function tablesOf(tx: Tx): Promise<Record<string, string>> {
  const tables = await tx.rows<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    if (underWay.includes(name)) continue
    const sums = await tx.row<{ sum: string }>(
      sql`select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from ${sql.identifier(name)} t`,
    )
    found[name] = sums!.sum
  }
  return found
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("incoming"))
    .map((entry) => join(entry.parentPath, entry.name))
  const contents = await Promise.all(
    names.map(async (name) => [name.slice(folder.length), (await readFile(name)).toString("base64")]),
  )
  return Object.fromEntries(contents.sort())
}

/** A backup of the server, made by it. Answers its file. */
async function backedUp(disturb: (path: string) => Promise<void> = async () => {}): Promise<string> {
  const { backups } = await server.client.backups.make({ idempotencyKey: randomUUID() })
  const path = join(server.folder, "backups", `${backups[0]!.id}.age`)
  await disturb(path)
  await server.until(async () => {
    const { backups: now } = await server.client.backups.overview({})
    const found = now.find(({ id }) => id === backups[0]!.id)!
    if (found.state === "failed") throw new Error(found.message!)
    return found.state === "made"
  })
  return path
}

const restoring = (file: string, folder: string, key = secret): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, "../restore.ts"), file], {
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: "", BACKUP_KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
  })

/** Runs the command; answers what it says. */
async function restore(file: string, folder: string, key = secret): Promise<string> {
  const child = restoring(file, folder, key)
  const said = Promise.all([text(child.stdout!), text(child.stderr!)])
  const [code] = (await once(child, "exit")) as [number]
  const [out, complaint] = await said
  return code === 0 ? out : `${code}: ${complaint}`
}

async function expectWhole(folder: string, tables: Record<string, string>, files: Record<string, string>) {
  const postgres = await openEmbeddedPostgres(folder)
  const database = new Database(postgres.url)
  try {
    const owner = database.direct("owner")
    expect(await tablesOf(owner)).toEqual(tables)
    expect(await verifyLedger(owner)).toEqual([])
    expect(await filesIn(join(folder, "files"))).toEqual(files)
    expect(existsSync(join(folder, "audit-seal.json"))).toBe(true)
  } finally {
    await database.close()
    await postgres.close()
  }
}

test("a running house is backed up and restored: every table and every file is as it was", async () => {
  const account = await bankAccount(server.client)
  const line = { day: "2026-11-03", text: "EFT ACACIA", amountCents: 100_00 }
  const uploadId = await server.served((over) =>
    uploadedStatement({ server: over }, server.actor, account.id, fnbHistory(account.accountNumber, 1_000_00, [line])),
  )
  await server.client.banking.import({ uploadId, idempotencyKey: randomUUID() })
  // The first seal reaches its file a moment after its commit.
  await server.until(async () => existsSync(join(server.folder, "audit-seal.json")))
  const [tables, files] = [await tablesOf(server.owner), await filesIn(join(server.folder, "files"))]
  expect(Object.keys(tables).length).toBeGreaterThan(60)
  expect(Object.keys(files).length).toBeGreaterThan(1)
  const file = await backedUp()
  // Nobody reads it without the key.
  expect(readFileSync(file).subarray(0, 21).toString()).toBe("age-encryption.org/v1")
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const folder = emptyFolder()
  expect(await restore(file, folder)).toMatch(/^Restored the backup of .*: \d+ files, \d+ MB\./)
  await expectWhole(folder, tables, files)
  expect(await restore(file, folder)).toMatch(/is not empty: a backup is restored into an empty one/)
}, 240_000)

test("a flipped byte, a cut-off end, another key and another file are refused with a sentence", async () => {
  const file = await backedUp()
  const broken = join(emptyFolder(), "broken.age")
  copyFileSync(file, broken)
  const middle = Math.floor(statSync(file).size / 2)
  const handle = openSync(broken, "r+")
  writeSync(handle, Buffer.from([readFileSync(file)[middle]! ^ 1]), 0, 1, middle)
  const folder = emptyFolder()
  expect(await restore(broken, folder)).toMatch(/is damaged and was not restored/)
  expect(existsSync(join(folder, "restore-unfinished"))).toBe(true)
  const other = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
  expect(await restore(file, emptyFolder(), other)).toMatch(/The key does not open/)
  expect(await restore(file, emptyFolder(), "secret")).toMatch(/That is no key of a backup/)
  expect(await restore(join(server.folder, "installation"), emptyFolder())).toMatch(/damaged|not a backup/)
  // What a refused one left is cleared away by the next.
  expect(await restore(file, folder)).toMatch(/^Restored/)
}, 240_000)

test("killed in the middle of a backup, the server makes it when it is back", async () => {
  const files = await filesIn(join(server.folder, "files"))
  const file = await backedUp(async (path) => {
    await server.until(async () => existsSync(path.replace(/age$/, "part")))
    await server.kill("both")
  })
  const folder = emptyFolder()
  expect(await restore(file, folder)).toMatch(/^Restored/)
  await expectWhole(folder, await tablesOf(server.owner), files)
}, 240_000)

test("killed in the middle of a restore, no server starts on what is there, and it is restored when it is run again", async () => {
  const file = await backedUp()
  const folder = emptyFolder()
  const child = restoring(file, folder)
  while (!existsSync(join(folder, "postgres", "cluster", "base"))) await pause(5)
  child.kill("SIGKILL")
  await once(child, "exit")
  const start = spawn(process.execPath, [join(import.meta.dirname, "../main.ts")], {
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: "", PORT: "0" },
    stdio: ["ignore", "ignore", "pipe"],
  })
  expect(await text(start.stderr!)).toMatch(/A backup was put into .* only in part: run the restore again/)
  expect(await restore(file, folder)).toMatch(/^Restored/)
  await expectWhole(folder, await tablesOf(server.owner), await filesIn(join(server.folder, "files")))
}, 240_000)
