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
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer, text } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createBankAccount, createFnbHistory, uploadStatementFile } from "../banking/banking.samples.ts"
import { createSentInvoice } from "../billing/billing.samples.ts"
import type { Tx } from "../platform/database/database.ts"
import { Database } from "../platform/database/database.ts"
import { type FileStorage, openStorage } from "../platform/files/storage.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { openEmbeddedPostgres } from "../runtime/postgres.ts"
import { createPlainPng } from "../test/plain-png.ts"
import { RealServer } from "../test/real-server.ts"
import { startS3, type TestS3 } from "../test/s3.ts"
import { productFlags, ServerProcess } from "../test/server-process.ts"

/* Restores a running installation's backup and compares every table and file. Server and restore are killed part-way.
   Documents are in the folder or in S3 storage. */

let s3: TestS3
let server: RealServer
let secret: string
const folders: string[] = []
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(async () => {
  await s3?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function startSourceServer(filesUrl: string): Promise<void> {
  server = await RealServer.started("", "true", filesUrl)
  const { client } = server
  const { id: policyId } = await createActivePolicy(client, { groupName: "Acacia Foods", startOn: "2026-01-01" })
  await createSentInvoice(client, { policyId, month: "2026-08-01", invoiceOn: "2026-08-01" })
  const { settings, version } = await client.settings.detail()
  await client.settings.save({ version, settings: { ...settings, automaticBackup: false } })
  await server.owner.run(sql`
    insert into organisation_logo (file_name, mime, width, height, image, saved_at)
    values ('logo.png', 'image/png', 40, 40, ${createPlainPng(40, 40)}, now())`)
  secret = (await client.backups.makeKey({ replaces: null })).secret
}

interface RestoreTarget {
  folder: string
  filesUrl: string
}

const storageOf = ({ folder, filesUrl }: RestoreTarget) => openStorage(filesUrl, join(folder, "files"))

function createEmptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "milkwood-restore-"))
  chmodSync(folder, 0o711)
  folders.push(folder)
  return folder
}

/** Tables that change while a backup runs. */
const tablesInMotion = [
  "jobs",
  "backups",
  "schedules",
  "idempotency_keys",
  "audit_log",
  "audit_unsealed",
  "audit_seals",
]

async function readTables(tx: Tx): Promise<Record<string, string>> {
  const tables = await tx.rows<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    if (tablesInMotion.includes(name)) continue
    const sums = await tx.row<{ sum: string }>(
      sql`select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from ${sql.identifier(name)} t`,
    )
    found[name] = sums!.sum
  }
  return found
}

async function readFiles(storage: FileStorage): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const listed of storage.list())
    for (const { name } of listed) found[name] = (await buffer(await storage.open(name))).toString("base64")
  return found
}

async function createBackup(disturb: (path: string) => Promise<void> = async () => {}): Promise<string> {
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

const startRestore = (file: string, { folder, filesUrl }: RestoreTarget, key = secret): ChildProcess =>
  spawn(process.execPath, [...productFlags, join(import.meta.dirname, "../restore.ts"), file], {
    env: { ...process.env, DATA_DIR: folder, FILES_URL: filesUrl, DATABASE_URL: "", BACKUP_KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
  })

async function runRestore(file: string, place: RestoreTarget, key = secret): Promise<string> {
  const child = startRestore(file, place, key)
  const said = Promise.all([text(child.stdout!), text(child.stderr!)])
  const [code] = (await once(child, "exit")) as [number]
  const [out, complaint] = await said
  return code === 0 ? out : `${code}: ${complaint}`
}

async function expectComplete(place: RestoreTarget, tables: Record<string, string>, files: Record<string, string>) {
  const { folder } = place
  const postgres = await openEmbeddedPostgres(folder)
  const database = new Database(postgres.url)
  try {
    const owner = database.direct("owner")
    expect(await readTables(owner)).toEqual(tables)
    expect(await verifyLedger(owner)).toEqual([])
    expect(await readFiles(await storageOf(place))).toEqual(files)
    expect(existsSync(join(folder, "audit-seal.json"))).toBe(true)
  } finally {
    await database.close()
    await postgres.close()
  }
}

describe.each(["in its folder", "in a storage that speaks S3"])("an installation with its documents %s", (where) => {
  const isElsewhere = where !== "in its folder"
  let places = 0
  const emptyPlace = (): RestoreTarget => ({
    folder: createEmptyFolder(),
    filesUrl: isElsewhere ? s3.urlOf({ folder: `restored-${++places}` }) : "",
  })
  const filesNow = () => readFiles(server.app.files.storage)

  beforeAll(() => startSourceServer(isElsewhere ? s3.url : ""), 120_000)
  afterAll(() => server?.close())

  test("a backup of a running installation restores every table and file unchanged", async () => {
    const account = await createBankAccount(server.client)
    const line = { day: "2026-11-03", text: "EFT ACACIA", amountCents: 100_00 }
    const uploadId = await server.served((over) =>
      uploadStatementFile(
        { server: over },
        server.actor,
        account.id,
        createFnbHistory(account.accountNumber, 1_000_00, [line]),
      ),
    )
    await server.client.banking.import({ uploadId, idempotencyKey: randomUUID() })
    // The seal file is written shortly after the commit.
    await server.until(async () => existsSync(join(server.folder, "audit-seal.json")))
    const [tables, files] = [await readTables(server.owner), await filesNow()]
    expect(Object.keys(tables).length).toBeGreaterThan(60)
    expect(Object.keys(files).length).toBeGreaterThan(1)
    const file = await createBackup()
    // The file is encrypted and private.
    expect(readFileSync(file).subarray(0, 21).toString()).toBe("age-encryption.org/v1")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const place = emptyPlace()
    expect(await runRestore(file, place)).toMatch(/^Restored the backup of .*: \d+ files, \d+ MB\./)
    await expectComplete(place, tables, files)
    expect(await runRestore(file, place)).toMatch(/is not empty. Restore the backup into/)
    const restored = new ServerProcess({ DATABASE_URL: "", DATA_DIR: place.folder, FILES_URL: place.filesUrl })
    await restored.start()
    expect((await fetch(`${restored.url}/api/ready`)).status).toBe(200)
    await restored.close()
  }, 240_000)

  test("refuses to restore after a changed byte, truncation, a wrong key, or from another file", async () => {
    const file = await createBackup()
    const broken = join(createEmptyFolder(), "broken.age")
    copyFileSync(file, broken)
    const middle = Math.floor(statSync(file).size / 2)
    const handle = openSync(broken, "r+")
    writeSync(handle, Buffer.from([readFileSync(file)[middle]! ^ 1]), 0, 1, middle)
    const place = emptyPlace()
    expect(await runRestore(broken, place)).toMatch(/is damaged and was not restored/)
    expect(existsSync(join(place.folder, "restore-unfinished"))).toBe(true)
    const other = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
    expect(await runRestore(file, emptyPlace(), other)).toMatch(/The key does not decrypt/)
    expect(await runRestore(file, emptyPlace(), "secret")).toMatch(/This is not a backup key/)
    expect(await runRestore(join(server.folder, "installation"), emptyPlace())).toMatch(/damaged|not a backup/)
    expect(await runRestore(file, place)).toMatch(/^Restored/)
  }, 240_000)

  test("a server killed during a backup makes it after restart", async () => {
    const files = await filesNow()
    const file = await createBackup(async (path) => {
      if (isElsewhere) await killAtRequest("GET", /\/documents\/files\//, () => server.kill("both"))
      else {
        await server.until(async () => existsSync(path.replace(/age$/, "part")))
        await server.kill("both")
      }
    })
    const place = emptyPlace()
    expect(await runRestore(file, place)).toMatch(/^Restored/)
    await expectComplete(place, await readTables(server.owner), files)
  }, 240_000)

  test("a server does not start after an interrupted restore, which can be repeated", async () => {
    const file = await createBackup()
    const place = emptyPlace()
    const child = startRestore(file, place)
    const ended = once(child, "exit")
    if (isElsewhere) await killAtRequest("PUT", /restored-\d+\/files\//, () => child.kill("SIGKILL"))
    else {
      while (!existsSync(join(place.folder, "postgres", "cluster", "base"))) await pause(5)
      child.kill("SIGKILL")
    }
    await ended
    const start = new ServerProcess({ DATABASE_URL: "", DATA_DIR: place.folder, FILES_URL: place.filesUrl })
    await expect(start.start()).rejects.toThrow(/The restore into .* is incomplete: run it again/)
    await start.close()
    expect(await runRestore(file, place)).toMatch(/^Restored/)
    await expectComplete(place, await readTables(server.owner), await filesNow())
  }, 240_000)
})

/** Kills the process at the second matching request; later requests are served. */
async function killAtRequest(method: string, which: RegExp, kill: () => unknown): Promise<void> {
  let asked = 0
  s3.disturb((request) =>
    request.method === method && which.test(request.url ?? "") && ++asked > 1 ? "silence" : undefined,
  )
  while (asked < 2) await pause(5)
  s3.disturb(undefined)
  await kill()
}
