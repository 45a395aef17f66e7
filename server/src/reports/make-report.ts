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
import { streamCsv } from "../platform/lists/csv.ts"
import { streamXlsx } from "../platform/lists/xlsx.ts"
import { printLong } from "../platform/pdf/pdf.ts"
import { readDocumentSettings } from "../platform/settings/paper.ts"
import { record } from "../platform/trail/facts.ts"
import { isInfrastructureUnavailable, type JobCx, job, type NewJob } from "../platform/work/jobs.ts"
import { readActiveActor } from "../users/users.queries.ts"
import type { ReportRequest } from "./asked-report.ts"
import { reportLists } from "./catalogue.ts"
import { customFileName, rebuildCustomReport } from "./custom/asked-custom.ts"
import { createReportDocument } from "./report-document.ts"
import { fileColumnsOf, ReportTotals, readChart, readFigures, readReportBatches } from "./report-rows.ts"
import { countSubtotals } from "./report-subtotals.ts"

const jobKind = "reports.make"

export const makeJobOf = (name: string, format: ReportFormat, runId: string): NewJob => ({
  kind: jobKind,
  label: `${name} (${reportFormatNames[format]})`,
  payload: { runId },
  resultPath: `/reports/generated`,
})

/** A million rows of any report are smaller than this. */
const maxReportBytes = 2 * 1024 ** 3

const mimeTypes: Record<ReportFormat, string> = {
  pdf: "application/pdf",
  excel: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
}

export interface ReportRun {
  id: string
  report: AnyReportId
  name: string
  format: ReportFormat
  asked: Record<string, unknown>
  words: string
  ownerId: string
  state: "making" | "done" | "failed"
}

export const readRun = (cx: Cx, runId: string) =>
  cx.tx.row<ReportRun>(sql`
    select id, report, name, format, asked, words, owner_id as "ownerId", state from report_runs where id = ${runId}`)

export interface GeneratedFile {
  content: ReceivedFile
  rows: number
}

function rebuildReport({ report: id, name, asked }: ReportRun, owner: UserActor): ReportRequest {
  const { asOf, from, to } = asked as ReportRequest["dates"]
  const dates = { ...(asOf && { asOf }), ...(from && { from }), ...(to && { to }) }
  if (id === customId) return rebuildCustomReport(name, asked, dates, owner)
  const report = reportOf(id)
  checkPermission(owner, permissionOf(report))
  return { report, list: reportLists[id], asked, dates }
}

/** Uses the owner's current rights; refused for a disabled owner. */
export async function generateFile(
  app: App,
  run: ReportRun,
  signal: AbortSignal,
  progress: Progress,
): Promise<GeneratedFile> {
  const owner = await readActiveActor(app.database.direct("jobs"), run.ownerId, app.clock.now())
  if (!owner) throw refused("FORBIDDEN", "The account that requested the report is disabled.")
  return writeReportFile(app, run, owner, rebuildReport(run, owner), signal, progress)
}

type Progress = (rows: number, all?: number) => Promise<void>

/** Streams from one snapshot. Refused for a PDF of too many rows. */
export async function writeReportFile(
  app: App,
  run: Pick<ReportRun, "id" | "name" | "words" | "format">,
  owner: UserActor,
  asked: ReportRequest,
  signal: AbortSignal,
  progress: Progress,
): Promise<GeneratedFile> {
  const moment = await app.moment()
  const totals = new ReportTotals(asked)
  const columns = fileColumnsOf(asked, moment)
  async function* countedBatches(cx: Cx, all?: number): AsyncGenerator<object[]> {
    for await (const rows of readReportBatches(cx, asked)) {
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
        return app.files.receive(Readable.from(pieces), maxReportBytes)
      },
      owner,
      undefined,
      { isOneMoment: true },
    )
  const made = async (content: Promise<ReceivedFile>): Promise<GeneratedFile> => ({
    content: await content,
    rows: totals.rows,
  })
  if (run.format === "csv") return made(read(async (cx) => streamCsv(columns, countedBatches(cx))))
  if (run.format === "excel")
    return made(read(async (cx) => streamXlsx(run.name, columns, countedBatches(cx), undefined, () => totals.cells)))
  const printed = printLong({ app, line: "reports", signal }, (print) =>
    read(async (cx) => {
      const figures = { ...(await readFigures(cx, asked)), subtotals: 0 }
      if (figures.rows > maxPdfRows) throw refused("INVALID", tooManyRowsMessage)
      figures.subtotals = await countSubtotals(cx, asked)
      const { organisation, dateFormat, currency } = await readDocumentSettings(cx.tx)
      const about = {
        organisation,
        dateFormat,
        currency,
        timezone: cx.timezone,
        madeAt: cx.now.toString(),
        madeBy: owner.name,
      }
      const chart = await readChart(cx, asked)
      const { head, parts } = await createReportDocument(
        run,
        asked,
        columns,
        countedBatches(cx, figures.rows),
        figures,
        {
          ...about,
          chart,
        },
      )
      return print(join(import.meta.dirname, "report-pdf.ts"), head, parts)
    }),
  )
  return made(printed)
}

const tooManyRowsMessage = `A PDF can have at most ${maxPdfRows.toLocaleString("en-ZA")} rows, and this report has more. Choose Excel or CSV, or filter the report.`

const reportFileNameOf = ({ report, name, format, asked }: ReportRun, today: string): string =>
  `${report === customId ? customFileName(name) : report.replaceAll("_", "-")}-${(asked.to ?? asked.asOf ?? today) as string}.${fileExtensions[format]}`

async function storeReportFile(cx: Cx, run: ReportRun, made: GeneratedFile, note: string | null): Promise<StoredFile> {
  const { content, rows } = made
  const name = reportFileNameOf(run, cx.today)
  const file = await cx.app.files.save(cx, {
    kind: "report",
    name,
    mime: mimeTypes[run.format],
    groupId: null,
    content,
  })
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
export function failureText(error: unknown): string {
  if (error instanceof Refused) {
    const { message, refused: code } = error.refusal
    return message ?? commonErrors[code as keyof typeof commonErrors].message
  }
  if (error instanceof FileTooLarge) return "The file would be larger than 2 GB. Filter the report."
  if (isDiskFull(error)) return "The server's disk is full. Please notify your administrator."
  return "An unexpected error occurred; the server log has the details. Try again."
}

interface RunOutcome {
  skips?: (made: GeneratedFile) => boolean
  /** A note stored with the file. A refusal fails the run. */
  note?: (cx: Cx, made: GeneratedFile) => Promise<string | null>
  finish: (cx: Cx, file: StoredFile | undefined) => Promise<void>
  fail: (cx: Cx, words: string) => Promise<void>
}

/** A run interrupted by a server stop is retried; a failed run records its reason. */
export async function finishRun(
  { app, signal, progress, transaction }: Pick<JobCx<never>, "app" | "signal" | "progress" | "transaction">,
  run: ReportRun,
  { skips, note, finish, fail }: RunOutcome,
): Promise<void> {
  let made: GeneratedFile | undefined
  try {
    made = await generateFile(app, run, signal, progress)
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
    if (signal.aborted || isInfrastructureUnavailable(error)) throw error
    if (!(error instanceof Refused))
      app.log.error({ run: run.id, code: sqlState(error), err: (error as Error).name }, "a report failed")
    await transaction(async (cx) => {
      await failRun(cx, run.id, failureText(error))
      await fail(cx, failureText(error))
    })
  } finally {
    if (made) await app.files.discard(made.content)
  }
}

export const makeReport = job<{ runId: string }>(
  jobKind,
  async (cx) => {
    const { runId } = cx.payload
    const run = await cx.transaction((inner) => readRun(inner, runId))
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
