import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { App } from "../app.ts"
import { Database, type Tx } from "../database/database.ts"
import { createSealFile, sealAudit, sealBatchLimits, sealFileLag, verifyAudit } from "./sealer.ts"

let app: TestApp
let otherDatabases: Database[]
const { batch, patience } = sealBatchLimits
const { withinMs } = sealFileLag
beforeEach(async () => {
  app = await openTestApp()
  otherDatabases = []
})
afterEach(async () => {
  Object.assign(sealBatchLimits, { batch, patience })
  sealFileLag.withinMs = withinMs
  for (const other of otherDatabases) await other.close()
  await app.close()
})

const sealFile = () => join(app.app.files.folder, "..", "audit-seal.json")
const readStoredSeq = async () => JSON.parse(await readFile(sealFile(), "utf8")).seq as number
const insertAuditRow = () =>
  app.sql.run(sql`
    insert into audit_log (at, actor_name, fact, record_kind, record_label, detail)
    values (${app.clock.now()}, 'Ada', 'Tested', 'test', 'x', '{}')`)

function createOtherApp(around: (statement: () => Promise<unknown>, kind: "rows" | "run") => Promise<unknown>): App {
  class WatchedDatabase extends Database {
    override transaction<T>(role: "staff", work: (tx: Tx) => Promise<T>): Promise<T> {
      return super.transaction(role, (tx) => {
        const { rows, run } = tx
        tx.rows = ((query) => around(() => rows.call(tx, query), "rows")) as Tx["rows"]
        tx.run = ((query) => around(() => run.call(tx, query), "run")) as Tx["run"]
        return work(tx)
      })
    }
  }
  const database = new WatchedDatabase(app.app.database.ownerUrl, { maxConnections: 2 })
  otherDatabases.push(database)
  return new App({ ...app.app, log: app.app.log, database })
}

test("the audit check reports no fault while a server continues to seal", async () => {
  await insertAuditRow()
  await sealAudit(app.app, sealFile())
  const beside = createOtherApp(async (statement) => {
    const answer = await statement()
    await insertAuditRow()
    await sealAudit(app.app, sealFile())
    return answer
  })
  await expect(verifyAudit(beside.database, sealFile())).resolves.toMatchObject({ ok: true, faults: [] })
  expect(await readStoredSeq()).toBeGreaterThan(1)
})

test("the seal file never contains a seal that was rolled back", async () => {
  await insertAuditRow()
  await sealAudit(app.app, sealFile())
  await app.sql.run(sql`
    create function break_off() returns trigger language plpgsql as $$ begin raise 'the commit breaks off'; end $$`)
  await app.sql.run(sql`
    create constraint trigger break_off after insert on audit_seals deferrable initially deferred
    for each row execute function break_off()`)
  await insertAuditRow()
  await expect(sealAudit(app.app, sealFile())).rejects.toThrow(/breaks off/)
  expect(await readStoredSeq()).toBe(1)
  await expect(verifyAudit(app.app.database, sealFile())).resolves.toMatchObject({ ok: true, unsealed: 1 })
})

test("removing the newest audit rows is still reported after the trail grows again", async () => {
  await insertAuditRow()
  await insertAuditRow()
  await sealAudit(app.app, sealFile())
  await app.app.database.transaction("owner", async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`delete from audit_seals where seq = 2`)
    await tx.run(sql`delete from audit_log where id = (select max(id) from audit_log)`)
  })
  const faults = async () => (await verifyAudit(app.app.database, sealFile())).faults
  expect(await faults()).toEqual(["The trail was cut off: it ends at seal 1, but seal 2 existed."])
  for (let rows = 0; rows < 3; rows++) {
    await insertAuditRow()
    await sealAudit(app.app, sealFile())
  }
  expect(await faults()).toEqual(["Seal 2 differs from the seal file."])
  expect(await readStoredSeq()).toBe(2)
})

test.each([
  ["missing", () => rm(sealFile(), { force: true })],
  ["damaged", () => writeFile(sealFile(), '{"seq":2}')],
])("a seal file that is %s is reported and not regenerated automatically", async (state, spoil) => {
  const error = vi.spyOn(app.app.log, "error")
  const verdict = () => verifyAudit(app.app.database, sealFile())
  await spoil()
  await insertAuditRow()
  expect(await verdict()).toMatchObject({ ok: true, unsealed: 1, oldestUnsealed: "2026-11-02T08:00:00Z" })
  if (state === "damaged") await rm(sealFile())
  await sealAudit(app.app, sealFile())
  expect(await verdict()).toMatchObject({ ok: true, oldestUnsealed: null })

  await spoil()
  await insertAuditRow()
  await sealAudit(app.app, sealFile())
  expect(error.mock.calls).toEqual([[`the seal file of the audit trail is ${state}: see audit:verify`]])
  const faults = [
    `The seal file ${sealFile()} is ${state}, but 2 seals exist: rows cut off since then cannot be detected.`,
  ]
  expect(await verdict()).toMatchObject({ ok: false, faults, canRegenerateSealFile: true })

  await createSealFile(app.app.database, sealFile())
  expect(await verdict()).toMatchObject({ ok: true, faults: [] })
  await insertAuditRow()
  await sealAudit(app.app, sealFile())
  expect(await readStoredSeq()).toBe(3)
})

test("an outdated seal file is reported, and the sealer updates it without new rows", async () => {
  sealFileLag.withinMs = 100
  await insertAuditRow()
  await sealAudit(app.app, sealFile())
  const first = await readFile(sealFile())
  await insertAuditRow()
  await sealAudit(app.app, sealFile())
  await writeFile(sealFile(), first)
  expect((await verifyAudit(app.app.database, sealFile())).faults).toEqual([
    `The seal file ${sealFile()} of the audit trail is out of date: it ends at seal 1 of 2. The server updates it while it runs.`,
  ])
  await sealAudit(app.app, sealFile())
  expect(await readStoredSeq()).toBe(2)
  expect((await verifyAudit(app.app.database, sealFile())).ok).toBe(true)
})

test("a row that was hidden from the sealer is reported", async () => {
  await insertAuditRow()
  await app.app.database.direct("staff").run(sql`delete from audit_unsealed`)
  expect(await verifyAudit(app.app.database, sealFile())).toMatchObject({
    ok: false,
    unsealed: 1,
    faults: [expect.stringMatching(/^Audit row \d+ has no seal and is not queued for one\.$/)],
  })
})

test("one run seals all waiting rows, in any number of batches", async () => {
  sealBatchLimits.batch = 2
  for (let rows = 0; rows < 5; rows++) await insertAuditRow()
  expect(await sealAudit(app.app, sealFile())).toBe(5)
  expect(await readStoredSeq()).toBe(5)
})

test("a process that hangs while sealing is disconnected, and its late seal is discarded", async () => {
  sealBatchLimits.patience = "200ms"
  await insertAuditRow()
  const hanging = Promise.withResolvers<void>()
  const wakeUp = Promise.withResolvers<void>()
  onTestFinished(() => wakeUp.resolve())
  const hangs = createOtherApp(async (statement, kind) => {
    const answer = await statement()
    if (kind === "rows" && Array.isArray(answer) && "text" in (answer[0] ?? {})) {
      hanging.resolve()
      await wakeUp.promise
    }
    return answer
  })
  const lost = sealAudit(hangs, sealFile())
  lost.catch(() => {})
  await hanging.promise
  sealBatchLimits.patience = "30s"
  expect(await sealAudit(app.app, sealFile())).toBe(0)
  await insertAuditRow()
  await vi.waitUntil(async () => (await sealAudit(app.app, sealFile())) === 2, { timeout: 10_000 })
  wakeUp.resolve()
  await expect(lost).rejects.toThrow()
  expect(await readStoredSeq()).toBe(2)
  await expect(verifyAudit(app.app.database, sealFile())).resolves.toMatchObject({ ok: true, rows: 2, unsealed: 0 })
})

test("the database checks whether connected clients are alive", async () => {
  const found = await app.app.database
    .direct("staff")
    .rows(sql`select name, setting from pg_settings where name like 'tcp_keepalives%' order by name`)
  expect(found).toEqual([
    { name: "tcp_keepalives_count", setting: "3" },
    { name: "tcp_keepalives_idle", setting: "30" },
    { name: "tcp_keepalives_interval", setting: "10" },
  ])
})

test("removing all rows, seals and the seal file stays a fault when rows follow", async () => {
  const faults = async () => (await verifyAudit(app.app.database, sealFile())).faults
  const asReplica = (work: (tx: Tx) => Promise<unknown>) =>
    app.app.database.transaction("owner", async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`)
      await work(tx)
    })
  await insertAuditRow()
  await sealAudit(app.app, sealFile())
  await asReplica((tx) =>
    tx.run(sql`
      insert into ledger_entries (id, source, kind, effective_on, posted_at, description, record_kind, record_id)
      values (gen_random_uuid(), 'test', 'receipt_taken', '2026-11-02', ${app.clock.now()}, 'Test', 'receipt', gen_random_uuid())`),
  )
  expect(await faults()).toEqual([])
  await asReplica(async (tx) => {
    for (const table of ["audit_seals", "audit_unsealed", "audit_log"]) await tx.run(sql.raw(`delete from ${table}`))
  })
  await rm(sealFile())
  const gone = "The audit trail is empty, but there are accounts and ledger entries: its rows and seals were removed."
  expect(await faults()).toEqual([gone])
  expect(await verifyAudit(app.app.database, sealFile())).toMatchObject({
    ok: false,
    rows: 0,
    canRegenerateSealFile: false,
  })
  app.clock.advance({ minutes: 5 })
  await insertAuditRow()
  await sealAudit(app.app, sealFile())
  expect(await faults()).toEqual([
    "The audit trail begins at 2026-11-02T08:05:00Z, but the ledger at 2026-11-02T08:00:00Z: earlier rows were removed.",
  ])
})
