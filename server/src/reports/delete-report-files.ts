import { addDays } from "@milkwood/domain/kernel/calendar"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { job } from "../platform/work/jobs.ts"

const deleteBatchSize = 500

async function deleteBatch(cx: Cx): Promise<number> {
  const { keepReportsDays } = await readSettings(cx.tx, { keepReportsDays: platformSettings.keepReportsDays })
  const before = addDays(cx.today, -keepReportsDays)
  // Files attached to unsent mails are kept.
  const old = await cx.tx.rows<{ id: string; fileId: string }>(sql`
    select r.id, r.file_id as "fileId" from report_runs r
    where r.file_id is not null and r.finished_at < (${before}::date::timestamp at time zone ${cx.timezone})
      and not exists (select from mails m where m.state = 'queued'
        and m.attachments @> jsonb_build_array(jsonb_build_object('fileId', r.file_id)))
    order by r.finished_at limit ${deleteBatchSize} for update of r skip locked`)
  if (old.length === 0) return 0
  await cx.tx.run(sql`
    update report_runs set file_id = null, file_deleted_at = ${cx.now}
    where id = any (${sql.param(old.map(({ id }) => id))}::uuid[])`)
  // Housekeeping deletes the bytes later, as for every unreferenced file.
  await cx.tx.run(sql`delete from files where id = any (${sql.param(old.map(({ fileId }) => fileId))}::uuid[])`)
  await record(cx, [
    {
      type: "ReportFilesDeleted",
      record: { kind: "report_run", id: null, label: "Generated reports" },
      ...{ groupId: null, count: old.length, before },
    },
  ])
  return old.length
}

/** Nightly: deletes report files past retention; runs stay on record. */
export const reportFilesDaily = job("reports.files", async ({ transaction, signal }) => {
  let deleted = 0
  for (;;) {
    signal.throwIfAborted()
    const some = await transaction(deleteBatch)
    deleted += some
    if (some < deleteBatchSize) return { deleted }
  }
})
