import { randomUUID } from "node:crypto"
import { rename, rm } from "node:fs/promises"
import { backupFileName, backupsToKeep, lastBackupTime } from "@milkwood/domain/backups/backup"
import { backupsContract } from "@milkwood/domain/backups/backups.contract"
import { backupsSettings } from "@milkwood/domain/backups/backups-settings"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { isDatabaseUnavailable, isDiskFull } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { job, startJob } from "../platform/work/jobs.ts"
import type { ArchiveSums } from "./archive.ts"
import { backupPathsOf, createBackupFolder, serverPlace, tidyBackups } from "./backup-files.ts"
import { currentKey, overviewOf } from "./backups.queries.ts"
import { takeBackupInSubprocess } from "./take-backup-apart.ts"

const jobKind = "backups.make"

const backupRecordOf = (id: string, fileName: string) => ({ kind: "backup" as const, id, label: fileName })

async function insertBackup(cx: Cx, keyId: string, isAutomatic: boolean): Promise<boolean> {
  const id = randomUUID()
  const begun = await cx.tx.run(sql`
    insert into backups (id, key_id, state, is_automatic, asked_by, file_name, has_database, started_at)
    values (${id}, ${keyId}, 'making', ${isAutomatic}, ${actorUserId(cx.actor)}, ${backupFileName(cx.now)}, ${cx.app.data?.postgres != null}, ${cx.now})
    on conflict do nothing`)
  if (begun === 0) return false
  await startJob(cx, { kind: jobKind, label: "Backup", payload: { backupId: id }, resultPath: "/settings/security" })
  return true
}

export const askForBackup = command(backupsContract.make, async (cx) => {
  const key = await currentKey(cx)
  if (!key) throw refused("NO_KEY")
  if (!(await insertBackup(cx, key.id, false))) throw refused("UNDERWAY")
  return overviewOf(cx)
})

/** Starts the due automatic backup, exactly once per due time on any number of servers. Returns whether it started. */
export async function startDueBackup(app: App): Promise<boolean> {
  if (!app.data) return false
  const moment = await app.moment()
  return app.database.transaction("jobs", async (tx) => {
    const { automaticBackup, backupFrequency } = await readSettings(tx, backupsSettings)
    const key = await currentKey({ tx })
    if (!automaticBackup || !key) return false
    const due = lastBackupTime(backupFrequency, moment.now.toZonedDateTimeISO(moment.timezone)).toInstant()
    const done = await tx.row(sql`select from backups where is_automatic and started_at >= ${due} limit 1`)
    if (done) return false
    const actor = { kind: "system" as const, name: "Milkwood", onBehalfOf: null }
    return insertBackup({ app, tx, actor, ...moment, requestId: "backup" }, key.id, true)
  })
}

interface RunningBackup {
  state: string
  fileName: string
  recipient: string
}

export const makeBackup = job<{ backupId: string }>(
  jobKind,
  async ({ app, signal, payload: { backupId }, progress, transaction, complete }) => {
    const found = await transaction(({ tx }) =>
      tx.row<RunningBackup>(sql`
        select b.state, b.file_name as "fileName", k.recipient from backups b join backup_keys k on k.id = b.key_id
        where b.id = ${backupId}`),
    )
    if (found?.state !== "making") return {}
    const { unfinished, complete: place } = backupPathsOf(app, backupId)
    try {
      await createBackupFolder(app)
      await transaction(tidyBackups)
      await rm(unfinished, { force: true })
      const sums = await takeBackupInSubprocess(
        app,
        { path: unfinished, recipient: found.recipient },
        signal,
        (bytes) => progress(0, null, `${Math.ceil(bytes / 1_000_000)} MB read`),
      )
      await rename(unfinished, place)
      await transaction(async (cx) => {
        await recordMade(cx, backupId, found.fileName, sums)
        await complete(cx, { backupId })
      })
    } catch (error) {
      if (signal.aborted || isDatabaseUnavailable(error)) throw error
      await rm(unfinished, { force: true }).catch(() => {})
      await transaction(async (cx) => {
        await recordFailure(cx, backupId, found.fileName, describeError(error as Error))
        await complete(cx, { backupId })
      })
      return { backupId }
    }
    await transaction(removeOldBackups)
    return { backupId }
  },
  ({ payload: { backupId }, transaction }) =>
    transaction(async (cx) => {
      const found = await cx.tx.row<RunningBackup>(
        sql`select state, file_name as "fileName" from backups where id = ${backupId}`,
      )
      if (found?.state === "making")
        await recordFailure(cx, backupId, found.fileName, "The server stopped each time before it finished.")
    }),
)

async function recordMade(cx: Cx, id: string, fileName: string, { size, sha256 }: ArchiveSums): Promise<void> {
  const now = cx.app.clock.now()
  await cx.tx.run(sql`
    update backups set state = 'made', finished_at = ${now}, verified_at = ${now}, size = ${size}, sha256 = ${sha256},
      place = ${serverPlace()} where id = ${id}`)
  await record(cx, [{ type: "BackupMade", record: backupRecordOf(id, fileName), groupId: null, size, sha256 }])
}

async function recordFailure(cx: Cx, id: string, fileName: string, reason: string): Promise<void> {
  await cx.tx.run(
    sql`update backups set state = 'failed', finished_at = ${cx.app.clock.now()}, message = ${reason} where id = ${id}`,
  )
  await record(cx, [{ type: "BackupFailed", record: backupRecordOf(id, fileName), groupId: null, reason }])
}

function describeError(error: Error): string {
  if (isDiskFull(error)) return "The disk is full."
  const { code } = error as NodeJS.ErrnoException
  return code ? `It could not be written (${code}).` : error.message
}

async function removeOldBackups(cx: Cx): Promise<void> {
  const rows = await cx.tx.rows<{ id: string; fileName: string; at: string }>(
    sql`select id, file_name as "fileName", started_at as at from backups where state = 'made'`,
  )
  const all = rows.map((row) => ({ ...row, at: Temporal.Instant.from(row.at) }))
  const kept = backupsToKeep(all, cx.now.toZonedDateTimeISO(cx.timezone))
  for (const { id, fileName } of all.filter(({ id }) => !kept.has(id))) await removeBackupFile(cx, id, fileName)
}

/** Delete the file first: a row without a file is shown as lost. */
async function removeBackupFile(cx: Cx, id: string, fileName: string): Promise<void> {
  await rm(backupPathsOf(cx.app, id).complete, { force: true })
  await cx.tx.run(sql`update backups set state = 'removed' where id = ${id}`)
  await record(cx, [{ type: "BackupRemoved", record: backupRecordOf(id, fileName), groupId: null }])
}

export const removeBackup = command(backupsContract.remove, async (cx) => {
  expectProof(cx)
  const found = await cx.tx.row<{ fileName: string }>(sql`
    select file_name as "fileName" from backups where id = ${cx.input.backupId} and state = 'made' for update`)
  if (!found) throw refused("NOT_FOUND", "This backup does not exist.")
  await removeBackupFile(cx, cx.input.backupId, found.fileName)
  return overviewOf(cx)
})
