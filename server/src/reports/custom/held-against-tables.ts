import { randomUUID } from "node:crypto"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { type CustomDefinition, customReport, defaultDefinition } from "@milkwood/domain/reports/custom-report"
import { type ReportFormat, type ReportWords, reportFormats } from "@milkwood/domain/reports/report"
import { sql } from "drizzle-orm"
import { describe, expect, test } from "vitest"
import type { ClaimApp } from "../../claims/claim-scene.samples.ts"
import type { Client } from "../../test/app.ts"
import { expectCsv, expectPaper, expectWorkbook, subtotalCellOf } from "../../test/report-papers.ts"
import { customTruths } from "./custom-truth.samples.ts"

const createDefinition = (type: CustomDefinition["type"], more: Partial<CustomDefinition>): CustomDefinition => ({
  ...defaultDefinition,
  ...{ type, range: "custom", from: null, to: null },
  ...more,
})

/** Compares the report on screen with independent SQL, and each file with the screen. */
export function describeReportsAgainstTables(house: () => { app: ClaimApp; manager: Client }): void {
  describe.each(customTruths)("a report of $type that is", ({ type, from, number, added, by, day, filter }) => {
    const { condition, ...asked } = filter
    const month = sql`date_trunc('month', ${day.value})::date`
    const total = sql`coalesce(sum(${added.value}), 0)::bigint as added`
    const fields = [...new Set([number.field, by.field, added.field])]
    const order = (field: string) => ({ by: field, dir: "asc" as const })

    /** Compares the report's files with the screen and returns the rows on screen. */
    async function readEverywhere(definition: CustomDefinition) {
      const { app, manager } = house()
      const { id } = await manager.reports.custom.create({
        ...{ name: `Truth of ${type}`, description: "", format: "csv", definition, sharedWith: [] },
        idempotencyKey: randomUUID(),
      })
      const screen = await manager.reports.custom.rows({ customReportId: id, query: { pageSize: 100 } })
      const report = customReport(definition, "")
      const shown = { list: report.list, rows: screen.rows, sums: screen.sums!, subtotalBy: subtotalCellOf(report) }
      const runs = new Map<ReportFormat, string>()
      for (const format of reportFormats) {
        const of = { name: "Truth", format, definition, idempotencyKey: randomUUID() }
        runs.set(format, (await manager.reports.custom.generate(of)).runId)
      }
      await app.runJobs()
      for (const format of reportFormats) {
        const run = (await app.sql.row<{ fileId: string; rows: number; words: string; message: string | null }>(sql`
        select file_id as "fileId", rows, words, message from report_runs where id = ${runs.get(format)!}`))!
        expect(run).toMatchObject({ message: null, rows: screen.total })
        const bytes = await app.app.files.bytes(app.sql, run.fileId)
        if (format === "csv") expectCsv(bytes, shown)
        else if (format === "excel") expectWorkbook(bytes, shown)
        else
          await expectPaper(bytes, shown, {
            ...{ organisation: "Milkwood", title: "Truth", madeBy: app.people.manager.name, words: run.words },
            chart: chartPointsOf(report, screen.chart),
          })
      }
      return screen
    }

    test("filtered has the rows and the total of the tables", async () => {
      const { rows, sums } = await readEverywhere(
        createDefinition(type, { fields, filters: [asked], order: order(by.field) }),
      )
      const meant = await house().app.sql.rows<{ number: string; by: string; added: number }>(sql`
      select ${number.value} as number, ${by.value} as by, ${added.value} as added from ${from} and ${condition}`)
      expect(meant.length).toBeGreaterThan(0)
      const row = (one: unknown[]) => JSON.stringify(one)
      expect(rows.map((one) => row([one[number.field], one[by.field], one[added.field]])).sort()).toEqual(
        meant.map((one) => row([one.number, one.by, Number(one.added)])).sort(),
      )
      expect(sums![added.field]).toBe(meant.reduce((sum, one) => sum + Number(one.added), 0))
    })

    test("grouped and charted as bars has a line and a bar for each value", async () => {
      const grouped = createDefinition(type, { fields, groupBy: by.field, chart: "bars", order: order(by.field) })
      const { rows, chart } = await readEverywhere(grouped)
      const meant = await house().app.sql.rows<{ by: string; count: number; added: number }>(
        sql`select ${by.value} as by, count(*)::int as count, ${total} from ${from} group by 1`,
      )
      const sorted = <T>(lines: T[]) => lines.map((line) => JSON.stringify(line)).sort()
      expect(sorted(rows.map((row) => [row[by.field], row.rows, row[added.field]]))).toEqual(
        sorted(meant.map((one) => [one.by, one.count, Number(one.added)])),
      )
      expect(chart!.map(({ values }) => values[added.field])).toEqual(rows.map((row) => row[added.field]))
    })

    test("filtered, grouped by month and charted as lines has the months of the tables in their order", async () => {
      const monthly = { fields: [day.field, added.field], groupBy: day.field, chart: "lines" as const }
      const { rows, chart } = await readEverywhere(
        createDefinition(type, { ...monthly, filters: [asked], order: order(day.field) }),
      )
      const meant = await house().app.sql.rows<{ month: string; count: number; added: number }>(
        sql`select ${month} as month, count(*)::int as count, ${total} from ${from} and ${condition} group by 1 order by 1`,
      )
      expect(rows.map((row) => [row[day.field], row.rows, row[added.field]])).toEqual(
        meant.map((one) => [one.month, one.count, Number(one.added)]),
      )
      expect(chart!.map(({ label, values }) => [label, values[added.field]])).toEqual(
        meant.map((one) => [formatMonth(one.month), Number(one.added)]),
      )
    })
  })
}

function chartPointsOf(report: ReportWords, points: { label: string; values: Record<string, number> }[] | null) {
  const [name] = report.chart?.of ?? []
  if (!name || !points || points.length < 2 || points.every(({ values }) => values[name] === 0)) return []
  return points.map(({ label, values }) => ({ label, column: report.list.columns[name]!, value: values[name]! }))
}
