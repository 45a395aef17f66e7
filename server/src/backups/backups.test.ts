import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { startDueBackup } from "./make-backup.ts"

let app: TestApp
let admin: ReturnType<TestApp["as"]>
beforeEach(async () => {
  app = await openTestApp({ now: "2026-11-22T08:00:00Z" })
  admin = app.as(app.people.admin)
})
afterEach(() => app.close())

const startBackup = () => admin.backups.make({ idempotencyKey: randomUUID() })
const readBackupStates = async () => (await admin.backups.overview({})).backups.map(({ state }) => state)
const backupFolder = () => join(app.app.data!.folder, "backups")
const readBackupFacts = () =>
  app.sql.rows<{ fact: string }>(sql`select fact from audit_log where record_kind like 'backup%' order by id`)

test("a backup requires a key, which is shown once and not stored", async () => {
  await expect(startBackup()).rejects.toMatchObject({ code: "NO_KEY" })
  const { secret, overview } = await admin.backups.makeKey({ replaces: null })
  expect(secret).toMatch(/^AGE-SECRET-KEY-1/)
  const kept = await app.sql.rows<{ row: string }>(sql`
    select k::text as row from backup_keys k union all select detail::text from audit_log union all select answer::text from idempotency_keys`)
  for (const { row } of kept) expect(row ?? "").not.toContain("SECRET")
  await expect(admin.backups.makeKey({ replaces: null })).rejects.toMatchObject({ code: "CONFLICT" })
  const second = await admin.backups.makeKey({ replaces: overview.key!.id })
  expect(second.overview.key!.recipient).not.toBe(overview.key!.recipient)
})

test("makes one backup at a time and records its creation, download and removal", async () => {
  await admin.backups.makeKey({ replaces: null })
  const { backups } = await startBackup()
  await expect(startBackup()).rejects.toMatchObject({ code: "UNDERWAY" })
  await app.runJobs()
  const made = (await admin.backups.overview({})).backups[0]!
  expect(made).toMatchObject({ id: backups[0]!.id, state: "made", isAutomatic: false, hasDatabase: false })
  expect(made.verifiedAt).not.toBeNull()
  const { url, headersOf } = await app.serve()
  const sent = await fetch(`${url}/api/backups/${made.id}/file`, { headers: headersOf(app.people.admin) })
  expect((await sent.arrayBuffer()).byteLength).toBe(made.size)
  expect(sent.headers.get("content-disposition")).toContain("milkwood-backup-2026-11-22-080000.age")
  const refused = await fetch(`${url}/api/backups/${made.id}/file`, { headers: headersOf(app.people.manager) })
  expect(refused.status).toBe(403)
  const provenAt = app.clock.now().subtract({ minutes: 10 })
  const stale = await app.people.another("admin")
  Object.assign(stale, { session: { id: randomUUID(), provenAt, proofBy: "code" } })
  const asked = await fetch(`${url}/api/backups/${made.id}/file`, { headers: headersOf(stale) })
  expect(asked.status).toBe(403)
  expect(await asked.json()).toMatchObject({ code: "PROOF_REQUIRED", data: { by: "code" } })
  await admin.backups.remove({ backupId: made.id })
  expect(existsSync(join(backupFolder(), `${made.id}.age`))).toBe(false)
  expect(await readBackupStates()).toEqual([])
  await expect(admin.backups.remove({ backupId: made.id })).rejects.toMatchObject({ code: "NOT_FOUND" })
  expect((await readBackupFacts()).map(({ fact }) => fact)).toEqual([
    "BackupKeyMade",
    "BackupMade",
    "BackupDownloaded",
    "BackupRemoved",
  ])
})

test("automatic backups run once per due time on one server, if enabled", async () => {
  expect(await startDueBackup(app.app)).toBe(false)
  await admin.backups.makeKey({ replaces: null })
  const begun = await Promise.all([startDueBackup(app.app), startDueBackup(app.app)])
  expect(begun.filter(Boolean)).toHaveLength(1)
  await app.runJobs()
  app.clock.set("2026-11-22T23:00:00Z")
  expect(await startDueBackup(app.app)).toBe(false)
  // 03:00 on the 23rd in Johannesburg.
  app.clock.set("2026-11-23T01:00:00Z")
  expect(await startDueBackup(app.app)).toBe(true)
  await app.runJobs()
  const { settings, version } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, backupFrequency: "hourly" } })
  app.clock.set("2026-11-23T02:00:00Z")
  expect(await startDueBackup(app.app)).toBe(true)
  await app.runJobs()
  const saved = await admin.settings.detail()
  await admin.settings.save({ version: saved.version, settings: { ...saved.settings, automaticBackup: false } })
  app.clock.set("2026-11-25T02:00:00Z")
  expect(await startDueBackup(app.app)).toBe(false)
  expect((await admin.backups.overview({})).nextAt).toBeNull()
})

test("removes old backups, marks missing ones as lost and deletes unknown files", async () => {
  await admin.backups.makeKey({ replaces: null })
  for (let day = 1; day <= 12; day++) {
    app.clock.set(`2026-11-${String(day).padStart(2, "0")}T02:00:00Z`)
    await startDueBackup(app.app)
    await app.runJobs()
  }
  // Kept are the 12th, the six days before, and the 1st and 8th as ends of ISO weeks; October has no backup.
  const kept = (await admin.backups.overview({})).backups
  expect(kept.map(({ startedAt }) => startedAt.slice(8, 10))).toEqual(["12", "11", "10", "09", "08", "07", "06", "01"])
  expect(readdirSync(backupFolder())).toHaveLength(8)
  rmSync(join(backupFolder(), `${kept[1]!.id}.age`))
  writeFileSync(join(backupFolder(), `${randomUUID()}.part`), "left")
  await startBackup()
  await app.runJobs()
  expect((await readBackupStates()).filter((state) => state === "lost")).toHaveLength(1)
  expect(readdirSync(backupFolder()).every((name) => name.endsWith(".age"))).toBe(true)
})

test("reports a backup that cannot be written and makes the next one", async () => {
  await admin.backups.makeKey({ replaces: null })
  await startBackup()
  writeFileSync(backupFolder(), "a file where the folder should be")
  await app.runJobs()
  expect((await admin.backups.overview({})).backups[0]).toMatchObject({
    state: "failed",
    message: "It could not be written (EEXIST).",
  })
  rmSync(backupFolder())
  app.clock.set("2026-11-22T09:00:00Z")
  await startBackup()
  await app.runJobs()
  expect(await readBackupStates()).toEqual(["made", "failed"])
})

test("a failed removal of an old backup does not fail the new one", async () => {
  await admin.backups.makeKey({ replaces: null })
  const madeAt = async (time: string) => {
    app.clock.set(time)
    const { backups } = await startBackup()
    await app.runJobs()
    return join(backupFolder(), `${backups[0]!.id}.age`)
  }
  const first = await madeAt("2026-11-01T02:00:00Z")
  await madeAt("2026-11-01T03:00:00Z")
  rmSync(first)
  mkdirSync(first)
  await madeAt("2026-11-05T02:00:00Z")
  expect(await readBackupStates()).toEqual(["made", "made", "made"])
  rmSync(first, { recursive: true })
  writeFileSync(first, "one that can be removed again")
  await madeAt("2026-11-06T02:00:00Z")
  expect(await readBackupStates()).toEqual(["made", "made", "made"])
  expect((await readBackupFacts()).filter(({ fact }) => fact === "BackupFailed")).toEqual([])
})
