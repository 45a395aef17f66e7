import { join } from "node:path"
import { Readable } from "node:stream"
import { commonErrors } from "@milkwood/domain/kernel/procedure"
import { type AnyReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import { customId } from "@milkwood/domain/reports/custom-report"
import {
  fileExtensions,
  maxPdfRows,
  permissionOf,
  type ReportFormat,
  reportFormatNames,
} from "@milkwood/domain/reports/report"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { type Cx, checkPermission, Refused, refused } from "../platform/calls/commands.ts"
import { Database, isDiskFull, sqlState } from "../platform/database/database.ts"
import { FileTooLarge, type ReceivedFile, type StoredFile } from "../platform/files/files.ts"
import { csvOf } from "../platform/lists/csv.ts"
import { xlsxOf } from "../platform/lists/xlsx.ts"
import { printLong } from "../platform/pdf/pdf.ts"
import { paperSettings } from "../platform/settings/paper.ts"
import { record } from "../platform/trail/facts.ts"
import { type JobCx, job, mustWait, type NewJob } from "../platform/work/jobs.ts"
import { activeActor } from "../users/users.queries.ts"
import type { AskedReport } from "./asked-report.ts"
import { reportLists } from "./catalogue.ts"
import { customFileName, rebuildCustomReport } from "./custom/asked-custom.ts"
import { documentOf } from "./report-document.ts"
import { chartOf, figuresOf, fileColumns, reportBatches, Totals } from "./report-rows.ts"
import { countSubtotals } from "./report-subtotals.ts"

const jobKind = "reports.make"

export const makeJob = (name: string, format: ReportFormat, runId: string): NewJob => ({
  kind: jobKind,
  label: `${name} (${reportFormatNames[format]})`,
  payload: { runId },
  resultPath: `/reports/generated`,
})

/** Larger than a million rows of any report. */
const mostBytes = 2 * 1024 ** 3

const mimes: Record<ReportFormat, string> = {
  pdf: "application/pdf",
  excel: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
}

export interface Run {
  id: string
  report: AnyReportId
  name: string
  format: ReportFormat
  asked: Record<string, unknown>
  words: string
  ownerId: string
  state: "making" | "done" | "failed"
}

export const runOf = (cx: Cx, runId: string) =>
  cx.tx.row<Run>(sql`
    select id, report, name, format, asked, words, owner_id as "ownerId", state from report_runs where id = ${runId}`)

export interface Made {
  content: ReceivedFile
  rows: number
}

function rebuildReport({ report: id, name, asked }: Run, owner: UserActor): AskedReport {
  const { asOf, from, to } = asked as AskedReport["dates"]
  const dates = { ...(asOf && { asOf }), ...(from && { from }), ...(to && { to }) }
  if (id === customId) return rebuildCustomReport(name, asked, dates, owner)
  const report = reportOf(id)
  checkPermission(owner, permissionOf(report))
  return { report, list: reportLists[id], asked, dates }
}

/** Uses the owner's current rights; refused for a disabled owner. */
export async function makeFile(app: App, run: Run, signal: AbortSignal, progress: Progress): Promise<Made> {
  const owner = await activeActor(app.database.direct("jobs"), run.ownerId, app.clock.now())
  if (!owner) throw refused("FORBIDDEN", "The account that requested the report is disabled.")
  return fileOf(app, run, owner, rebuildReport(run, owner), signal, progress)
}

type Progress = (rows: number, all?: number) => Promise<void>

/** Streams from one snapshot. Refused for a PDF of too many rows. */
export async function fileOf(
  app: App,
  run: Pick<Run, "id" | "name" | "words" | "format">,
  owner: UserActor,
  asked: AskedReport,
  signal: AbortSignal,
  progress: Progress,
): Promise<Made> {
  const moment = await app.moment()
  const totals = new Totals(asked)
  const columns = fileColumns(asked, moment)
  async function* counted(cx: Cx, all?: number): AsyncGenerator<object[]> {
    for await (const rows of reportBatches(cx, asked)) {
      signal.throwIfAborted()
      totals.add(rows)
      await progress(totals.rows, all)
      yield rows
    }
  }
  const read = (piecesOf: (cx: Cx) => Promise<AsyncIterable<string | Buffer>>): Promise<ReceivedFile> =>
    app.database.transaction(
      Database.roleOf(owner) === "staff" ? "jobs" : "scoped",
      async (tx) => {
        const pieces = await piecesOf({ app, tx, actor: owner, ...moment, requestId: run.id })
        return app.files.receive(Readable.from(pieces), mostBytes)
      },
      owner,
      undefined,
      { isOneMoment: true },
    )
  const made = async (content: Promise<ReceivedFile>): Promise<Made> => ({ content: await content, rows: totals.rows })
  if (run.format === "csv") return made(read(async (cx) => csvOf(columns, counted(cx))))
  if (run.format === "excel")
    return made(read(async (cx) => xlsxOf(run.name, columns, counted(cx), undefined, () => totals.cells)))
  const printed = printLong({ app, line: "reports", signal }, (print) =>
    read(async (cx) => {
      const figures = { ...(await figuresOf(cx, asked)), subtotals: 0 }
      if (figures.rows > maxPdfRows) throw refused("INVALID", tooLong)
      figures.subtotals = await countSubtotals(cx, asked)
      const { organisation, dateFormat, currency } = await paperSettings(cx.tx)
      const about = {
        organisation,
        dateFormat,
        currency,
        timezone: cx.timezone,
        madeAt: cx.now.toString(),
        madeBy: owner.name,
      }
      const chart = await chartOf(cx, asked)
      const { head, parts } = await documentOf(run, asked, columns, counted(cx, figures.rows), figures, {
        ...about,
        chart,
      })
      return print(join(import.meta.dirname, "report-pdf.ts"), head, parts)
    }),
  )
  return made(printed)
}

const tooLong = `A PDF can have at most ${maxPdfRows.toLocaleString("en-ZA")} rows, and this report has more. Choose Excel or CSV, or filter the report.`

const fileName = ({ report, name, format, asked }: Run, today: string): string =>
  `${report === customId ? customFileName(name) : report.replaceAll("_", "-")}-${(asked.to ?? asked.asOf ?? today) as string}.${fileExtensions[format]}`

async function storeReportFile(cx: Cx, run: Run, made: Made, note: string | null): Promise<StoredFile> {
  const { content, rows } = made
  const name = fileName(run, cx.today)
  const file = await cx.app.files.save(cx, { kind: "report", name, mime: mimes[run.format], groupId: null, content })
  await cx.tx.run(sql`
    update report_runs set state = 'done', message = ${note}, rows = ${rows}, file_id = ${file.id}, sha256 = ${file.sha256}, size = ${file.size}, finished_at = ${cx.now}
    where id = ${run.id}`)
  const { id, report, name: label, format, asked } = run
  await record(cx, [
    {
      ...{ type: "ReportGenerated" as const, record: { kind: "report_run" as const, id, label }, groupId: null },
      ...{ report, asked, format, rows, sha256: file.sha256 },
    },
  ])
  return file
}

const failRun = (cx: Cx, runId: string, message: string) =>
  cx.tx.run(
    sql`update report_runs set state = 'failed', message = ${message}, finished_at = ${cx.now} where id = ${runId} and state = 'making'`,
  )

/** Only a refusal's message is shown to the user. */
export function failureWords(error: unknown): string {
  if (error instanceof Refused) {
    const { message, refused: code } = error.refusal
    return message ?? commonErrors[code as keyof typeof commonErrors].message
  }
  if (error instanceof FileTooLarge) return "The file would be larger than 2 GB. Filter the report."
  if (isDiskFull(error)) return "The server's disk is full. Notify the person who runs the server."
  return "An unexpected error occurred; the server log has the details. Try again."
}

interface Outcome {
  skips?: (made: Made) => boolean
  /** A note stored with the file. A refusal fails the run. */
  note?: (cx: Cx, made: Made) => Promise<string | null>
  finish: (cx: Cx, file: StoredFile | undefined) => Promise<void>
  fail: (cx: Cx, words: string) => Promise<void>
}

/** A run interrupted by a server stop is retried; a failed run records its reason. */
export async function finishRun(
  { app, signal, progress, transaction }: Pick<JobCx<never>, "app" | "signal" | "progress" | "transaction">,
  run: Run,
  { skips, note, finish, fail }: Outcome,
): Promise<void> {
  let made: Made | undefined
  try {
    made = await makeFile(app, run, signal, progress)
    if (skips?.(made)) {
      await transaction(async (cx) => {
        await cx.tx.run(
          sql`update report_runs set state = 'skipped', message = 'It had no rows.', finished_at = ${cx.now} where id = ${run.id}`,
        )
        await finish(cx, undefined)
      })
      return
    }
    const kept = made
    await app.files.put(kept.content)
    await transaction(async (cx) => finish(cx, await storeReportFile(cx, run, kept, (await note?.(cx, kept)) ?? null)))
  } catch (error) {
    if (signal.aborted || mustWait(error)) throw error
    if (!(error instanceof Refused))
      app.log.error({ run: run.id, code: sqlState(error), err: (error as Error).name }, "a report failed")
    await transaction(async (cx) => {
      await failRun(cx, run.id, failureWords(error))
      await fail(cx, failureWords(error))
    })
  } finally {
    if (made) await app.files.discard(made.content)
  }
}

export const makeReport = job<{ runId: string }>(
  jobKind,
  async (cx) => {
    const { runId } = cx.payload
    const run = await cx.transaction((inner) => runOf(inner, runId))
    if (run?.state !== "making") return {}
    const done = (inner: Cx) => cx.complete(inner, { runId })
    await finishRun(cx, run, { finish: done, fail: done })
    return { runId }
  },
  ({ payload: { runId }, transaction }) =>
    transaction(async (cx) => {
      await failRun(cx, runId, "The report failed because the server stopped several times before it was complete.")
    }),
)
