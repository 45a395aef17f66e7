import { randomUUID } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { watchBackups } from "./backup-news.ts"
import { mailImmediateNotices } from "./mail-notices.ts"

let app: TestApp
let admin: ReturnType<TestApp["as"]>
beforeEach(async () => {
  app = await openTestApp({ now: "2026-11-22T08:00:00Z" })
  admin = app.as(app.people.admin)
})
afterEach(() => app.close())

const readOpenNotifications = async (actor: UserActor = app.people.admin) =>
  (await app.as(actor).notifications.inbox({ show: "unread" })).rows.map(({ text, path }) => [text, path])
const makeBackupNow = async () => {
  await admin.backups.make({ idempotencyKey: randomUUID() })
  await app.runJobs()
}
const runJobsAt = async (instant: string) => {
  app.clock.set(instant)
  await Promise.all([watchBackups(app.app), watchBackups(app.app)])
}

test("administrators are notified and mailed about a failed backup until one succeeds", async () => {
  const other = await app.people.another("admin")
  await admin.backups.makeKey({ replaces: null })
  const folder = join(app.app.data!.folder, "backups")
  writeFileSync(folder, "a file where the folder should be")
  await makeBackupNow()
  const said = ["Backup milkwood-backup-2026-11-22-080000.age failed", "/settings/security"]
  // Includes the requester: the backup failed in the background.
  for (const actor of [app.people.admin, other]) expect(await readOpenNotifications(actor)).toEqual([said])
  for (const actor of [app.people.manager, app.people.underwriter])
    expect(await readOpenNotifications(actor)).toEqual([])
  await mailImmediateNotices(app.app)
  expect((await app.mails()).map(({ to, subject }) => [to, subject]).sort()).toEqual(
    [app.people.admin, other].map(({ email }) => [email, said[0]]).sort(),
  )
  rmSync(folder)
  app.clock.set("2026-11-22T09:00:00Z")
  await makeBackupNow()
  expect(await readOpenNotifications()).toEqual([])
})

test("administrators are notified once if no backup was made in time", async () => {
  await runJobsAt("2026-11-23T12:00:00Z")
  expect(await readOpenNotifications()).toEqual([])
  await admin.backups.makeKey({ replaces: null })
  await makeBackupNow()
  // The backup of 03:00 is late from 06:00.
  await runJobsAt("2026-11-24T03:59:00Z")
  expect(await readOpenNotifications()).toEqual([])
  await runJobsAt("2026-11-24T04:00:00Z")
  const said = [["No backup has been created since 2026-11-23", "/settings/security"]]
  expect(await readOpenNotifications()).toEqual(said)
  await admin.notifications.markAll({ upTo: 1_000_000 })
  await runJobsAt("2026-11-26T04:00:00Z")
  expect(await readOpenNotifications()).toEqual([])
  await makeBackupNow()
  await runJobsAt("2026-11-27T04:00:00Z")
  expect(await readOpenNotifications()).toEqual([["No backup has been created since 2026-11-26", "/settings/security"]])
  await makeBackupNow()
  expect(await readOpenNotifications()).toEqual([])
  const { settings, version } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, automaticBackup: false } })
  await runJobsAt("2026-12-20T04:00:00Z")
  expect(await readOpenNotifications()).toEqual([])
})
