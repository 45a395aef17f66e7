import { createWriteStream, readFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { pipeline } from "node:stream/promises"
import { utils, write } from "@e965/xlsx"
import { memberRegister } from "@milkwood/domain/reports/catalogue/member"
import type { Report, ReportFormat } from "@milkwood/domain/reports/report"
import { sql } from "drizzle-orm"
import PDFDocument from "pdfkit"
import { to as copyTo } from "pg-copy-streams"
import { withClient } from "../server/src/platform/database/with-client.ts"
import { fontFile } from "../server/src/platform/pdf/pdf-fonts.ts"
import { a4 } from "../server/src/platform/pdf/pdf-sheet.ts"
import type { ReportRequest } from "../server/src/reports/asked-report.ts"
import { reportList } from "../server/src/reports/catalogue/report-list.ts"
import type { ReportList } from "../server/src/reports/catalogue.ts"
import { writeReportFile } from "../server/src/reports/make-report.ts"
import { startTestPostgres } from "../server/src/runtime/postgres.ts"
import { testPostgresVariable } from "../server/src/runtime/test-postgres.setup.ts"
import { openTestApp, type TestApp } from "../server/src/test/app.ts"
import { type Bench, measureMs, median, requireTrue } from "./measure.ts"

/* Report files of the member register (twelve columns), from database to disk. The rows are precomputed in order, so
   only reading and writing are measured. */

const memberSelect = sql.raw(`
  select id, number, name, "idNumber", "dateOfBirth", gender, "groupName", "policyNumber", tier, cover, "startOn", dependents,
    "premiumCents", _group, _name, "_groupId", "_policyId", null::jsonb as opens from lying_ready`)

async function withTestApp<T>(rows: number, work: (house: TestApp) => Promise<T>): Promise<T> {
  const postgres = await startTestPostgres({ durable: true })
  process.env[testPostgresVariable] = postgres.url
  const house = await openTestApp()
  try {
    await house.sql.run(sql`
      create table lying_ready as
      select gen_random_uuid() as id, 'MBR-' || lpad(n::text, 8, '0') as number,
        (array['Thabo','Lerato','Pieter','Ayesha','Sipho','Karin'])[1 + n % 6] || ' '
          || (array['Nkosi','van der Merwe','Naidoo','O''Reilly','Müller','Dlamini "Lucky"'])[1 + n / 6 % 6] as name,
        lpad((n * 7919 % 10000000000000)::text, 13, '0') as "idNumber", date '1950-01-01' + (n % 18000)::int as "dateOfBirth",
        (array['male','female',null])[1 + n % 3] as gender, 'Group ' || n % 1000 || ' (Pty) Ltd, Holdings' as "groupName",
        'GP-2026-' || lpad((n % 1000)::text, 6, '0') as "policyNumber", (array['Silver','Gold'])[1 + n % 2] as tier,
        'covered' as cover, date '2015-01-01' + (n % 4000)::int as "startOn", (n % 5)::int as dependents,
        (35000 + n % 900)::bigint as "premiumCents", '' as _group, '' as _name, null::uuid as "_groupId", null::uuid as "_policyId"
      from generate_series(1, ${rows}::bigint) n`)
    await house.sql.run(sql`create index on lying_ready (number, id)`)
    await house.sql.run(sql`grant select on lying_ready to milkwood_staff`)
    await withClient(house.app.database.ownerUrl, (client) => client.query("vacuum analyze lying_ready"))
    return await work(house)
  } finally {
    await house.close()
    await postgres.close()
  }
}

async function generateReport({ app, people }: TestApp, format: ReportFormat, rows: number) {
  const list = reportList(memberRegister.list, () => memberSelect) as unknown as ReportList
  const report = memberRegister as Report
  const asked: ReportRequest = { report, list, asked: { ...list.start, sort: "number" }, dates: {} }
  const about = { id: crypto.randomUUID(), name: report.name, words: "As they lie there", format }
  const mb = () => process.memoryUsage().rss / 1024 ** 2
  const start = mb()
  let [tenth, most, longest, at] = [0, 0, 0, performance.now()]
  const look = setInterval(() => {
    longest = Math.max(longest, performance.now() - at - 50)
    at = performance.now()
    most = Math.max(most, mb())
  }, 50)
  let [size, pages] = [0, 0]
  const ms = await measureMs(async () => {
    const file = await writeReportFile(
      app,
      about,
      people.manager,
      asked,
      new AbortController().signal,
      async (done) => {
        if (tenth === 0 && done >= rows / 10) tenth = mb()
      },
    )
    requireTrue(file.rows === rows, "every row is in it")
    size = file.content.size / 1024 ** 2
    if (format === "pdf") pages = readFileSync(file.content.path, "latin1").match(/\/Type \/Page\b/g)!.length
    await app.files.discard(file.content)
  })
  clearInterval(look)
  return { ms, size, pages, grown: most - tenth, most: most - start, longest }
}

/** A million rows as CSV; the reference is COPY TO a file. `--rows=100000`. */
export const reportCsv: Bench = {
  name: "report-csv",
  async run(say, flags) {
    const rows = Number(flags.get("rows") ?? 1_000_000)
    return withTestApp(rows, async (house) => {
      const copied = () =>
        measureMs(() =>
          withClient(house.app.database.ownerUrl, (client) =>
            pipeline(
              client.query(
                copyTo(`copy (select number, name, "idNumber", "dateOfBirth", gender, "groupName", "policyNumber", tier, cover,
                  "startOn", dependents, "premiumCents" from lying_ready order by number, id) to stdout (format csv, header)`),
              ),
              createWriteStream(join(house.app.files.folder, "copied"), { flush: true }),
            ),
          ),
        )
      await generateReport(house, "csv", rows)
      const [first, file, last] = [await copied(), await generateReport(house, "csv", rows), await copied()]
      say(`${rows} rows, ${Math.round(file.size)} MB`)
      return [
        {
          what: `a report of ${rows} rows as CSV`,
          ...{ ours: file.ms, reference: median([first, last]), unit: "ms" as const },
          against: "COPY TO of the same rows into a file",
          atMost: 3,
          also: [
            { what: "memory growth from the first tenth to the last row", value: file.grown, unit: "MB", atMost: 60 },
            { what: "longest wait of another task", value: file.longest, unit: "ms" },
          ],
        },
      ]
    })
  },
}

/** 100,000 rows as a workbook; the reference is SheetJS writing the same cells from memory. */
export const reportXlsx: Bench = {
  name: "report-xlsx",
  async run(say, flags) {
    const rows = Number(flags.get("rows") ?? 100_000)
    return withTestApp(rows, async (house) => {
      const cells = (
        await house.sql.rows<Record<string, string | number>>(
          sql`select number, name, "idNumber", "dateOfBirth" - date '1899-12-30' as born, gender, "groupName", "policyNumber", tier, cover,
            "startOn" - date '1899-12-30' as started, dependents, "premiumCents" / 100.0::float8 as premium from lying_ready order by number, id`,
        )
      ).map((row) => Object.values(row))
      const library = () =>
        measureMs(async () => {
          const book = utils.book_new()
          utils.book_append_sheet(book, utils.aoa_to_sheet(cells), "Member register")
          const bytes: Buffer = write(book, { type: "buffer", bookType: "xlsx", compression: true })
          await pipeline([bytes], createWriteStream(join(house.app.files.folder, "written"), { flush: true }))
        })
      await generateReport(house, "excel", rows)
      const [first, file, last] = [await library(), await generateReport(house, "excel", rows), await library()]
      say(`${rows} rows, ${Math.round(file.size)} MB`)
      return [
        {
          what: `a report of ${rows} rows as a workbook`,
          ...{ ours: file.ms, reference: median([first, last]), unit: "ms" as const },
          against: "SheetJS writing the same cells",
          atMost: 2,
          also: [
            { what: "memory growth from the first tenth to the last row", value: file.grown, unit: "MB", atMost: 60 },
            { what: "longest wait of another task", value: file.longest, unit: "ms" },
          ],
        },
      ]
    })
  },
}

const referencePageCount = 50

/** A PDF of a thousand pages in its own thread; the reference draws fifty cell by cell with pdfkit. */
export const reportPdf: Bench = {
  name: "report-pdf",
  async run(say, flags) {
    const rows = Number(flags.get("rows") ?? 42_000)
    return withTestApp(rows, async (house) => {
      const file = await generateReport(house, "pdf", rows)
      say(`${rows} rows, ${file.pages} pages, ${Math.round(file.size)} MB`)
      const cells = (
        await house.sql.rows<Record<string, string>>(
          sql`select number, name, "idNumber", "dateOfBirth", gender, "groupName", "policyNumber", tier, cover, "startOn",
            dependents::text, ("premiumCents" / 100.0)::text as premium from lying_ready order by number, id limit ${Math.round((rows / file.pages) * referencePageCount)}`,
        )
      ).map((row) => Object.values(row))
      const alone = await measureMs(() => measurePlainDrawing(cells, rows / file.pages))
      return [
        {
          what: `a PDF of ${rows} rows, each page`,
          ...{ ours: file.ms / file.pages, reference: alone / referencePageCount, unit: "ms" as const },
          against: "pdfkit alone drawing the same cells",
          atMost: 1,
          also: [
            { what: "whole file", value: file.ms / 1_000, unit: "s", atMost: 60 },
            { what: "peak memory above the start", value: file.most, unit: "MB", atMost: 300 },
            { what: "longest wait of another task", value: file.longest, unit: "ms" },
          ],
        },
      ]
    })
  },
}

function measurePlainDrawing(rows: readonly string[][], aPage: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const pdf = new PDFDocument({ size: [a4.height, a4.width], margin: 0, autoFirstPage: false, font: "" })
  let size = 0
  pdf.on("data", (part: Buffer) => {
    size += part.length
  })
  pdf.on("end", () => resolve(size))
  pdf.registerFont("regular", fontFile("latin-400"))
  rows.forEach((cells, nth) => {
    if (nth % Math.floor(aPage) === 0) pdf.addPage().font("regular").fontSize(7.5)
    cells.forEach((cell, column) => {
      pdf.text(cell ?? "", 36 + column * 64, 60 + (nth % Math.floor(aPage)) * 11.5, { lineBreak: false })
    })
  })
  pdf.end()
  return promise
}
