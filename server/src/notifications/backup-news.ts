import { isBackupLate } from "@milkwood/domain/backups/backup"
import type { BackupFact } from "@milkwood/domain/backups/backup-facts"
import { backupsSettings } from "@milkwood/domain/backups/backups-settings"
import { todayInTimezone } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { markNotificationsDone, notifyPeople } from "./tell.ts"

type BackupFactOf<T extends BackupFact["type"]> = Extract<BackupFact, { type: T }>

/** The system sends these, so that the requester of the backup is notified too. */
const asSystemActor = (cx: Cx): Cx => ({ ...cx, actor: { kind: "system", name: "Milkwood", onBehalfOf: null } })

export const notifyBackupFailed = (cx: Cx, { record }: BackupFactOf<"BackupFailed">): Promise<void> =>
  notifyPeople(asSystemActor(cx), "backup_failed", [
    { record, groupId: null, roles: ["admin"], detail: { outcome: "failed" } },
  ])

/** A successful backup settles the earlier notifications. */
export const settleBackupNotifications = (cx: Cx): Promise<void> =>
  markNotificationsDone(
    asSystemActor(cx),
    ["backup_failed"],
    sql`select record_id from notifications where kind = 'backup_failed' and done_at is null`,
  )

/** Notifies administrators once per overdue backup, even if none was started. Runs every minute on any server. */
export async function watchBackups(app: App): Promise<void> {
  if (!app.data) return
  const moment = await app.moment()
  await app.database.transaction("jobs", async (tx) => {
    const { automaticBackup, backupFrequency } = await readSettings(tx, backupsSettings)
    if (!automaticBackup) return
    const last = await tx.row<{ id: string; since: string; isMade: boolean }>(sql`
      (select id, started_at as since, true as "isMade" from backups where state in ('made', 'removed', 'lost')
        order by started_at desc limit 1)
      union all (select id, made_at, false from backup_keys where replaced_at is null) order by "isMade" desc limit 1`)
    if (!last) return
    const since = Temporal.Instant.from(last.since)
    if (!isBackupLate(backupFrequency, since, moment.now.toZonedDateTimeISO(moment.timezone))) return
    const cx = asSystemActor({
      app,
      tx,
      ...moment,
      actor: { kind: "system", name: "Milkwood", onBehalfOf: null },
      requestId: "backup",
    })
    const once = `backup late ${last.since}`
    if (await tx.row(sql`select from notifications where once_key = ${once} limit 1`)) return
    await notifyPeople(cx, "backup_failed", [
      {
        record: { kind: "backup", id: last.id, label: "Backups" },
        groupId: null,
        roles: ["admin"],
        detail: { outcome: "late", ...(last.isMade && { on: todayInTimezone(since, moment.timezone) }) },
        once,
      },
    ])
  })
}
