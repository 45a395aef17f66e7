import { nextBackupTime } from "@milkwood/domain/backups/backup"
import type { BackupRow, BackupsOverview } from "@milkwood/domain/backups/backups.contract"
import { backupsContract } from "@milkwood/domain/backups/backups.contract"
import { backupsSettings } from "@milkwood/domain/backups/backups-settings"
import { sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"

type BackupReaderCx = Pick<Cx, "tx" | "app" | "now" | "timezone">

export const currentKey = (cx: Pick<Cx, "tx">) =>
  cx.tx.row<NonNullable<BackupsOverview["key"]>>(sql`
    select k.id, k.recipient, k.made_at as "madeAt", u.name as "madeBy"
    from backup_keys k left join users u on u.id = k.made_by where k.replaced_at is null`)

export async function overviewOf(cx: BackupReaderCx): Promise<BackupsOverview> {
  const { automaticBackup, backupFrequency } = await readSettings(cx.tx, backupsSettings)
  const key = (await currentKey(cx)) ?? null
  const rows = await cx.tx.rows<Omit<BackupRow, "allowedActions">>(sql`
    select b.id, b.file_name as "fileName", b.state, b.is_automatic as "isAutomatic", u.name as "askedBy", b.started_at as "startedAt",
      b.finished_at as "finishedAt", b.size, b.sha256, b.has_database as "hasDatabase", b.verified_at as "verifiedAt", k.recipient, b.message
    from backups b join backup_keys k on k.id = b.key_id left join users u on u.id = b.asked_by
    where b.state in ('making', 'made') or b.id in (
      select id from backups where state in ('failed', 'lost') order by started_at desc limit 10)
    order by b.started_at desc limit 200`)
  const next = nextBackupTime(backupFrequency, cx.now.toZonedDateTimeISO(cx.timezone))
  return {
    hasDatabase: cx.app.data?.postgres != null,
    key,
    nextAt: automaticBackup && key ? next.toInstant().toString() : null,
    backups: rows.map((row) => ({ ...row, allowedActions: row.state === "made" ? ["download", "remove"] : [] })),
  }
}

export const readBackups = query(backupsContract.overview, overviewOf)
