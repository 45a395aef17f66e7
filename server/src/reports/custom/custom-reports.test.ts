import { createHash, randomUUID } from "node:crypto"
import { read as readWorkbook } from "@e965/xlsx"
import type { Field } from "@milkwood/domain/kernel/field"
import { type CustomFilter, hasNoValue, operatorsOf } from "@milkwood/domain/reports/custom-filter"
import {
  type CustomDefinition,
  customReport,
  customSources,
  customTypes,
  defaultDefinition,
} from "@milkwood/domain/reports/custom-report"
import { type ReportFormat, reportFormats } from "@milkwood/domain/reports/report"
import { sql } from "drizzle-orm"
import Papa from "papaparse"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSentInvoice } from "../../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../../claims/claim-scene.samples.ts"
import { createApprovedClaim, createRejectedClaim, createSubmittedClaim } from "../../claims/claims.samples.ts"
import { createMember } from "../../members/members.samples.ts"
import { createCompletedPayout, createPayout } from "../../payouts/payouts.samples.ts"
import type { UserActor } from "../../platform/calls/actor.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../../receipts/receipts.samples.ts"
import { createRefund } from "../../refunds/refunds.samples.ts"
import type { Client } from "../../test/app.ts"
import { expectCsv, expectPaper, expectWorkbook, subtotalCellOf } from "../../test/report-papers.ts"
import { canReadRun, customReportRequestOn } from "./asked-custom.ts"
import { describeReportsAgainstTables } from "./held-against-tables.ts"

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let scene: ClaimScene
let manager: Client
const plantedName = "Kaposi-7731"
const evilName = "=cmd()|' /C calc'!A0"

beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  manager = app.as(app.people.manager)
  app.clock.set("2026-10-01T08:00:00Z")
  scene = await insureGroup(app, "=cmd() Dairy")
  const { policyId, cast, sample } = scene
  await insureGroup(app, "Second_Works 100%")
  const told = { ...sample, incidentOn: "2026-09-10", notificationOn: "2026-09-12", diagnosis: plantedName }
  await createSentInvoice(manager, { policyId, month: "2026-08-01", invoiceOn: "2026-08-01" })
  await createSentInvoice(manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await recordedReceipt(manager, { policyId, amountCents: 100_50, receivedOn: "2026-09-20", method: "cheque" })
  const paid = await createApprovedClaim(cast, told)
  await createCompletedPayout(manager, app.as(app.people.manager2), paid.id, "2026-10-01")
  const unpaid = await createApprovedClaim(cast, told)
  await createSubmittedClaim(cast, told)
  await createPayout(manager, unpaid.id)
  await createUnallocatedReceipt(manager, { policyId, amountCents: 500_00, receivedOn: "2026-09-21" })
  await createRefund(manager, { policyId, amountCents: 20_00 })
  await createRefund(manager, { policyId, amountCents: 30_00 })
  await createRejectedClaim(cast, told)
  await createMember(manager, policyId, { firstName: "+Late", lastName: "@Joiner", startOn: "2026-10-05" })
  app.clock.set("2026-11-02T08:00:00Z")
})
afterAll(() => app.close())

const wholePeriod = { range: "custom" as const, from: null, to: null }
const createDefinition = (type: CustomDefinition["type"], more: Partial<CustomDefinition> = {}): CustomDefinition => ({
  ...defaultDefinition,
  ...wholePeriod,
  type,
  fields: Object.keys(customSources[type].fields),
  ...more,
})
const previewReport = (definition: CustomDefinition, who: UserActor = app.people.manager) =>
  app.as(who).reports.custom.preview({ definition })
const createReportForm = (definition: CustomDefinition, more: object = {}) => ({
  ...{ name: "My claims", description: "", format: "csv" as const, definition, sharedWith: [] as never[] },
  ...more,
})
const saveReport = (definition: CustomDefinition, more: object = {}, who: UserActor = app.people.manager) =>
  app.as(who).reports.custom.create({ ...createReportForm(definition, more), idempotencyKey: randomUUID() })
const refusalCodes = (calls: Promise<unknown>[]) => Promise.all(calls.map(refusalCode))
const refusalCode = (promise: Promise<unknown>) =>
  promise.then(
    () => "answered",
    (error: { code: string }) => error.code,
  )

async function generateReport(
  definition: CustomDefinition,
  format: ReportFormat,
  more: object = {},
  who = app.people.manager,
) {
  const { runId } = await app.as(who).reports.custom.generate({
    ...{ name: "My claims", format, definition, idempotencyKey: randomUUID() },
    ...more,
  })
  await app.runJobs()
  const [run] = await app.sql.rows<{
    state: string
    message: string | null
    rows: number
    sha256: string
    words: string
  }>(sql`select state, message, rows, sha256, words, asked from report_runs where id = ${runId}`)
  const answer = await fetch(`${server.url}/api/reports/${runId}/file`, { headers: server.headersOf(who) })
  return { runId, run: run!, answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const csvLines = (bytes: Buffer) =>
  Papa.parse<string[]>(bytes.toString("utf8").replace("\uFEFF", "").trim()).data.slice(1)

function sampleValueFor(field: Field, operator: CustomFilter["operator"]): CustomFilter["value"] {
  if (hasNoValue(operator)) return null
  if (field.names) return Object.keys(field.names).slice(0, 2)
  if (field.kind === "day") return "2026-09-10"
  return field.kind === "money" || field.kind === "count" ? 1_00 : "a"
}

describe.each(customTypes)("a report of %s", (type) => {
  const fields = Object.entries(customSources[type].fields)

  test("has each of its fields on screen and in each format", async () => {
    const screen = await previewReport(createDefinition(type))
    expect(screen.total).toBeGreaterThan(1)
    expect(screen.rows).toHaveLength(Math.min(screen.total, 25))
    for (const [name, { title }] of fields) {
      const alone = await previewReport(createDefinition(type, { fields: [name] }))
      expect([title, alone.total]).toEqual([title, screen.total])
      expect(Object.keys(alone.rows[0]!).sort()).toEqual(["id", name, "opens"].sort())
    }
    const csv = await generateReport(createDefinition(type), "csv")
    expect(csv.run).toMatchObject({ state: "done", rows: screen.total })
    const excel = await generateReport(createDefinition(type), "excel")
    const sheet = Object.values(readWorkbook(excel.bytes).Sheets)[0]!
    fields.forEach(([, { title, kind }], index) => {
      const letter = String.fromCharCode(65 + index)
      expect(sheet[`${letter}1`]?.v).toBe(title)
      const cell = sheet[`${letter}2`]
      const isNumber = ["money", "count", "day"].includes(kind)
      if (cell && cell.v !== "By rates") expect([title, cell.t]).toEqual([title, isNumber ? "n" : "s"])
    })
    const pdf = await generateReport(createDefinition(type), "pdf")
    expect(pdf.run.state).toBe("done")
    // Some types have too many fields for a page, so the PDF names the omitted ones.
    const report = customReport(createDefinition(type), "")
    await expectPaper(
      pdf.bytes,
      { list: report.list, rows: screen.rows, sums: screen.sums!, subtotalBy: subtotalCellOf(report) },
      { organisation: "Milkwood", title: "My claims", madeBy: app.people.manager.name, words: pdf.run.words },
    )
    expect(pdf.answer.headers.get("content-type")).toBe("application/pdf")
  })

  test("can be filtered by every operator of every field, and by its negation", async () => {
    const { total } = await previewReport(createDefinition(type, { fields: [fields[0]![0]] }))
    for (const [name, field] of fields) {
      const count = async (operator: CustomFilter["operator"]) =>
        (
          await previewReport(
            createDefinition(type, {
              fields: [fields[0]![0]],
              filters: [{ field: name, operator, value: sampleValueFor(field, operator) }],
            }),
          )
        ).total
      const counts = new Map<string, number>()
      for (const operator of operatorsOf(field)) counts.set(operator, await count(operator))
      const both = (one: string, other: string) =>
        counts.has(one) && expect([name, one, counts.get(one)! + counts.get(other)!]).toEqual([name, one, total])
      both("isEmpty", "isNotEmpty")
      both("contains", "lacks")
      both(
        field.kind === "day" || field.kind === "money" || field.kind === "count" ? "isEmpty" : "is",
        field.kind === "day" || field.kind === "money" || field.kind === "count" ? "isNotEmpty" : "isNot",
      )
    }
  })

  test("can be sorted by each of its columns in both directions", async () => {
    for (const [name, field] of fields) {
      const rows = async (dir: "asc" | "desc") =>
        (await previewReport(createDefinition(type, { order: { by: name, dir } }))).rows.map((row) => row[name])
      const [up, down] = [await rows("asc"), await rows("desc")]
      const shown = (all: unknown[]) => all.filter((value) => value !== null)
      if (shown(up).length < 25 && !field.names) expect([name, shown(down)]).toEqual([name, shown(up).reverse()])
      for (const all of [up, down]) expect(all.slice(0, shown(all).length)).toEqual(shown(all))
    }
  })

  test("can be grouped by each grouping field, with totals equal to those of its rows", async () => {
    const whole = await manager.reports.custom.rows({
      customReportId: (await saveReport(createDefinition(type), { name: `All ${type}` })).id,
    })
    const groupFields = fields.filter(([, { groups }]) => groups).map(([name]) => name)
    for (const [name, { groups }] of fields.filter(([, { groups }]) => groups)) {
      expect(groups).toBe(true)
      const definition = createDefinition(type, { groupBy: name, chart: "bars", order: { by: name, dir: "asc" } })
      const { id } = await saveReport(definition, { name: `${type} by ${name}` })
      const grouped = await manager.reports.custom.rows({ customReportId: id, query: { pageSize: 100 } })
      expect(grouped.sums!.rows).toBe(whole.total)
      for (const [column, sum] of Object.entries(grouped.sums!)) {
        const added = grouped.rows.reduce((all, row) => all + Number(row[column]), 0)
        expect([name, column, added]).toEqual([name, column, sum])
        if (column !== "rows") expect([name, column, sum]).toEqual([name, column, whole.sums![column]])
      }
      const shown = { list: customReport(definition, "").list, rows: grouped.rows, sums: grouped.sums! }
      // Every grouping in the PDF, which counts lines in advance; one in the other formats.
      for (const format of name === groupFields[0] ? reportFormats : (["pdf"] as const)) {
        const file = await generateReport(definition, format, { name: "Grouped" })
        expect(file.run).toMatchObject({ message: null, state: "done", rows: grouped.total })
        if (format === "csv") expectCsv(file.bytes, shown)
        else if (format === "excel") expectWorkbook(file.bytes, shown)
        else
          await expectPaper(file.bytes, shown, {
            ...{ organisation: "Milkwood", title: "Grouped", madeBy: app.people.manager.name },
            words: file.run.words,
          })
      }
    }
  })
})

describeReportsAgainstTables(() => ({ app, manager }))

describe("report figures", () => {
  const sumsOf = async (type: CustomDefinition["type"], more: Partial<CustomDefinition> = {}) =>
    manager.reports.custom.rows({
      customReportId: (await saveReport(createDefinition(type, more))).id,
      query: { pageSize: 100 },
    })

  test("claims totals equal those of the claims list by status", async () => {
    const claims = await manager.claims.list({ pageSize: 100 })
    const drafts = claims.rows.filter(({ status }) => status === "draft").length
    const grouped = await sumsOf("claims", { groupBy: "status" })
    expect(grouped.sums!.rows).toBe(claims.total - drafts)
    expect(grouped.sums!.claimAmount).toBe(claims.sums!.requestedAmountCents)
    for (const row of grouped.rows) {
      const theirs = await manager.claims.list({ status: row.status as never })
      expect(row.rows).toBe(theirs.total)
      expect(row.claimAmount).toBe(theirs.sums!.requestedAmountCents)
    }
  })

  test("invoice totals equal those of the invoice list by payment status", async () => {
    const invoices = await manager.billing.list({ pageSize: 100 })
    const grouped = await sumsOf("financial", { groupBy: "paymentStatus" })
    expect(grouped.sums).toMatchObject({ rows: invoices.total, amount: invoices.sums!.totalCents })
    expect(grouped.sums!.outstanding).toBe(invoices.sums!.openCents)
    expect(grouped.sums!.paid).toBe(100_50)
    const paid = await previewReport(
      createDefinition("financial", { filters: [{ field: "paymentMethod", operator: "is", value: "cheque" }] }),
    )
    expect(paid.rows).toMatchObject([{ paymentOn: "2026-10-01", paymentMethod: "Cheque" }])
  })

  test("member and group totals equal those of their lists", async () => {
    const members = await manager.members.list({ pageSize: 100 })
    const grouped = await sumsOf("members", { groupBy: "groupName" })
    expect(grouped.sums!.rows).toBe(members.total)
    const policies = await manager.policies.list({ pageSize: 100 })
    const groups = await sumsOf("groups")
    expect(groups.total).toBe(policies.rows.filter(({ status }) => status !== "Draft").length)
    expect(groups.sums!.memberCount).toBe(policies.rows.reduce((sum, { memberCount }) => sum + memberCount, 0))
    const joined = await previewReport(
      createDefinition("members", { range: "custom", from: "2026-10-05", to: "2026-10-05", fields: ["fullName"] }),
    )
    expect(joined.rows.map(({ fullName }) => fullName)).toEqual(["+Late @Joiner"])
  })
})

test("a chart compares the groups, with months in date order whatever the row order", async () => {
  const { chart } = await previewReport(
    createDefinition("financial", {
      groupBy: "invoiceOn",
      chart: "lines",
      fields: ["amount"],
      order: { by: "invoiceOn", dir: "desc" },
    }),
  )
  expect(chart!.map(({ label }) => label)).toEqual(["Aug 2026", "Sep 2026"])
  const byStatus = await previewReport(
    createDefinition("claims", { groupBy: "status", chart: "bars", fields: ["memberName"] }),
  )
  const counted = byStatus.rows.map((row) => Number(row.rows))
  expect(byStatus.chart!.map(({ values }) => values.rows)).toEqual(counted)
})

test("the range uses days in the installation's timezone", async () => {
  app.clock.set("2026-10-07T22:30:00Z")
  const last = await previewReport(createDefinition("claims", { range: "last_7_days" }))
  expect(last.dates).toEqual({ from: "2026-10-02", to: "2026-10-08" })
  expect(last.total).toBe(0)
  app.clock.set("2026-10-07T21:30:00Z")
  const earlier = await previewReport(createDefinition("claims", { range: "last_7_days" }))
  expect(earlier.dates).toEqual({ from: "2026-10-01", to: "2026-10-07" })
  expect(earlier.total).toBe(4)
  app.clock.set("2026-11-02T08:00:00Z")
})

describe("user input in a custom report", () => {
  test("is passed as a value and never as part of an SQL statement", async () => {
    const evil = [`'; drop table claims; --`, `" or true or "`, `\\`, `%`, `_`, `$1`, `a' || version() || '`]
    for (const value of evil) {
      for (const operator of ["contains", "lacks", "begins", "is", "isNot"] as const) {
        const { total } = await previewReport(
          createDefinition("claims", { filters: [{ field: "memberName", operator, value }] }),
        )
        expect([value, operator, total]).toEqual([
          value,
          operator,
          operator === "lacks" || operator === "isNot" ? 4 : 0,
        ])
      }
    }
    const wild = await previewReport(
      createDefinition("groups", { filters: [{ field: "groupName", operator: "contains", value: "d_w" }] }),
    )
    expect(wild.rows.map(({ groupName }) => groupName)).toEqual(["Second_Works 100%"])
    const zero = {
      definition: createDefinition("claims", { filters: [{ field: "memberName", operator: "is", value: "a\0b" }] }),
    }
    expect(await refusalCode(manager.reports.custom.preview(zero))).toBe("INVALID")
  })

  test("is refused with an unknown field, operator or order", async () => {
    const evil = `id" from users --`
    for (const more of [
      { fields: [evil] },
      { groupBy: evil },
      { order: { by: evil, dir: "asc" } },
      { filters: [{ field: evil, operator: "is", value: "x" }] },
      { filters: [{ field: "memberName", operator: evil, value: "x" }] },
      { fields: ["dueOn"] },
    ])
      expect(
        await refusalCodes([
          previewReport({ ...createDefinition("claims"), ...more } as never),
          saveReport({ ...createDefinition("claims"), ...more } as never),
          generateReport({ ...createDefinition("claims"), ...more } as never, "csv"),
        ]),
        JSON.stringify(more),
      ).toEqual(["INVALID", "INVALID", "INVALID"])
    const { id } = await saveReport(createDefinition("claims"))
    const sorted = manager.reports.custom.rows({ customReportId: id, query: { sort: evil } })
    expect(await refusalCode(sorted)).toBe("INVALID")
  })

  test("cannot add names to an SQL statement even through a tampered stored definition", async () => {
    const { id } = await saveReport(createDefinition("claims"))
    const evil = { ...createDefinition("claims"), fields: ["claimNumber", `x" from users --`], groupBy: `y" --` }
    await app.sql.run(sql`update custom_reports set definition = ${JSON.stringify(evil)}::jsonb where id = ${id}`)
    const rows = await manager.reports.custom.rows({ customReportId: id })
    expect(Object.keys(rows.rows[0]!)).toEqual(["id", "opens", "claimNumber"])
    expect(() =>
      customReportRequestOn("2026-11-02", { name: "x", definition: evil }, app.people.manager).list.export(
        customReportRequestOn("2026-11-02", { name: "x", definition: evil }, app.people.manager).asked,
        { actor: app.people.manager, today: "2026-11-02", timezone: "UTC", currency: "ZAR" },
        ["claimNumber"],
      ),
    ).toThrow()
  })

  test("a name like a formula is plain text in cells and no path in file names", async () => {
    for (const format of ["csv", "excel"] as const) {
      const { answer, bytes } = await generateReport(createDefinition("claims"), format, { name: `${evilName}/../x` })
      expect(answer.headers.get("content-disposition")).toMatch(/cmd-c-calc-a0-x-2026-11-02\.(csv|xlsx)/)
      if (format === "csv") for (const cell of csvLines(bytes).flat()) expect(cell).not.toMatch(/^[=+@]/)
      else {
        const book = readWorkbook(bytes, { cellFormula: true })
        expect(book.SheetNames[0]).toMatch(/^[^\\/?*[\]:]{1,31}$/)
        for (const [place, cell] of Object.entries(Object.values(book.Sheets)[0]!))
          if (!place.startsWith("!") && (cell as { t: string }).t === "s") expect(cell).not.toHaveProperty("f")
      }
    }
    const { bytes } = await generateReport(createDefinition("members", { fields: ["fullName"] }), "csv")
    expect(bytes.toString()).toContain("'+Late @Joiner")
  })
})

describe("rights on custom reports", () => {
  const calls = (who: UserActor, definition: CustomDefinition) => [
    previewReport(definition, who),
    saveReport(definition, {}, who),
    generateReport(definition, "csv", {}, who),
  ]

  test("exclude types, fields and saved reports that the role may not read", async () => {
    const financial = createDefinition("financial")
    const medical = createDefinition("claims", { fields: ["claimNumber", "diagnosis"] })
    const all = ["FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]
    expect(await refusalCodes(calls(app.people.underwriter, financial))).toEqual(all)
    const theirs = await previewReport(medical, app.people.underwriter)
    expect(JSON.stringify(theirs)).toContain(plantedName)
    for (const who of [scene.people.hr, scene.people.signatory, app.people.none])
      expect(await refusalCodes(calls(who, createDefinition("claims", { fields: ["claimNumber"] })))).toEqual(all)
    // Even with access to reports, these roles may not see the field.
    const asked = (definition: CustomDefinition, role: UserActor["role"]) => () =>
      customReportRequestOn("2026-11-02", { name: "x", definition }, { ...app.people.underwriter, role })
    for (const definition of [
      medical,
      createDefinition("claims", {
        fields: ["claimNumber"],
        filters: [{ field: "diagnosis", operator: "contains", value: plantedName }],
      }),
      createDefinition("members", { fields: ["idNumber"] }),
    ])
      for (const role of ["policy_holder", "group_admin", null] as const) expect(asked(definition, role)).toThrow()
  })

  test("a custom report without medical fields contains no medical text", async () => {
    const { diagnosis: _d, hospitalName: _h, ...plain } = customSources.claims.fields
    const without = createDefinition("claims", { fields: Object.keys(plain) })
    for (const format of ["csv", "excel"] as const) {
      const { bytes, run } = await generateReport(without, format, {}, app.people.underwriter)
      expect(run.state).toBe("done")
      const text = format === "csv" ? bytes.toString() : JSON.stringify(Object.values(readWorkbook(bytes).Sheets))
      expect(text).not.toContain(plantedName)
    }
  })

  test("a user who lost the right to a type gets neither new nor earlier files", async () => {
    const owner = app.people.manager2
    const before = await generateReport(createDefinition("financial"), "csv", {}, owner)
    expect(before.answer.status).toBe(200)
    const { runId } = await app.as(owner).reports.custom.generate({
      ...{ name: "Late", format: "csv", definition: createDefinition("financial"), idempotencyKey: randomUUID() },
    })
    await app.sql.run(sql`update users set role = 'underwriter' where id = ${owner.userId}`)
    await app.runJobs()
    const [run] = await app.sql.rows(sql`select state, message from report_runs where id = ${runId}`)
    expect(run).toEqual({ state: "failed", message: "You do not have access to this." })
    expect(canReadRun({ report: "custom", asked: { custom: createDefinition("financial") } }, "underwriter")).toBe(
      false,
    )
    expect(canReadRun({ report: "custom", asked: { custom: createDefinition("financial") } }, "manager")).toBe(true)
    await app.sql.run(sql`update users set role = 'manager' where id = ${owner.userId}`)
  })
})

describe("a saved report", () => {
  test("is managed by its owner and opened by roles it is shared with", async () => {
    const { underwriter, manager2, admin } = app.people
    const mine = await saveReport(createDefinition("claims"), { name: "Shared claims" })
    expect(mine).toMatchObject({ allowedActions: ["open", "edit", "delete"], missing: [], isOrphaned: false })
    const { id: customReportId, version } = mine
    for (const who of [underwriter, manager2, admin]) {
      expect((await app.as(who).reports.custom.list({})).map(({ id }) => id)).not.toContain(customReportId)
      const all = await refusalCodes([
        app.as(who).reports.custom.detail({ customReportId }),
        app.as(who).reports.custom.rows({ customReportId }),
        app.as(who).reports.custom.update({ ...createReportForm(createDefinition("claims")), customReportId, version }),
        app.as(who).reports.custom.remove({ customReportId }),
        generateReport(createDefinition("claims"), "csv", { customReportId }, who),
      ])
      expect(new Set(all)).toEqual(new Set(["NOT_FOUND"]))
    }
    const shared = await manager.reports.custom.update({
      ...createReportForm(createDefinition("claims"), { name: "Shared claims", sharedWith: ["underwriter"] }),
      ...{ customReportId, version },
    })
    expect(shared.version).toBe(version + 1)
    const again = manager.reports.custom.update({
      ...createReportForm(createDefinition("claims")),
      customReportId,
      version,
    })
    expect(await refusalCode(again)).toBe("STALE")
    const theirs = (await app.as(underwriter).reports.custom.list({})).find(({ id }) => id === customReportId)!
    expect(theirs.allowedActions).toEqual(["open"])
    const run = await generateReport(createDefinition("claims"), "csv", { customReportId }, underwriter)
    expect(run.run.state).toBe("done")
    expect((await manager.reports.custom.detail({ customReportId })).lastGeneratedAt).not.toBeNull()
    const theirActs = [
      app.as(underwriter).reports.custom.update({
        ...createReportForm(createDefinition("claims")),
        customReportId,
        version: version + 1,
      }),
      app.as(underwriter).reports.custom.remove({ customReportId }),
    ]
    expect(await refusalCodes(theirActs)).toEqual(["FORBIDDEN", "FORBIDDEN"])
    expect(await refusalCode(app.as(manager2).reports.custom.detail({ customReportId }))).toBe("NOT_FOUND")
    await manager.reports.custom.remove({ customReportId })
    expect(await refusalCode(manager.reports.custom.detail({ customReportId }))).toBe("NOT_FOUND")
    const facts = await app.sql.rows<{ fact: string }>(
      sql`select fact from audit_log where record_id = ${customReportId} order by id`,
    )
    expect(facts.map(({ fact }) => fact)).toEqual(["CustomReportSaved", "CustomReportChanged", "CustomReportDeleted"])
  })

  test("remains shared after its owner's removal; administrators delete unshared ones", async () => {
    const owner = app.people.manager2
    const own = await saveReport(createDefinition("claims"), { name: "Left alone" }, owner)
    const shared = await saveReport(
      createDefinition("claims"),
      { name: "Left shared", sharedWith: ["underwriter"] },
      owner,
    )
    await app.sql.run(sql`update users set disabled_at = now() where id = ${owner.userId}`)
    const left = (await app.as(app.people.admin).reports.custom.list({})).find(({ id }) => id === own.id)!
    expect(left).toMatchObject({ isOrphaned: true, allowedActions: ["open", "delete"] })
    expect(await refusalCode(manager.reports.custom.detail({ customReportId: own.id }))).toBe("NOT_FOUND")
    const theirs = app.as(app.people.underwriter).reports.custom
    expect((await theirs.rows({ customReportId: shared.id })).total).toBe(4)
    await app.as(app.people.admin).reports.custom.remove({ customReportId: own.id })
    await app.sql.run(sql`update users set disabled_at = null where id = ${owner.userId}`)
  })

  test("lists removed fields and opens with the others", async () => {
    const { id: customReportId } = await saveReport(createDefinition("claims", { fields: ["claimNumber"] }))
    const stored = createDefinition("claims", {
      fields: ["claimNumber", "shoeSize"],
      filters: [{ field: "shoeSize", operator: "is", value: 43 }],
    })
    const store = (definition: CustomDefinition) =>
      app.sql.run(
        sql`update custom_reports set definition = ${JSON.stringify(definition)}::jsonb where id = ${customReportId}`,
      )
    await store(stored)
    const opened = await manager.reports.custom.detail({ customReportId })
    expect(opened).toMatchObject({ missing: ["shoeSize"], missingFilters: ["shoeSize"] })
    expect(opened.definition.fields).toEqual(["claimNumber"])
    const rows = await manager.reports.custom.rows({ customReportId })
    expect(Object.keys(rows.rows[0]!).sort()).toEqual(["claimNumber", "id", "opens"])
    await store({ ...stored, fields: ["shoeSize"], filters: [] })
    const nothing = await manager.reports.custom.detail({ customReportId })
    expect(nothing.definition.fields).toEqual([])
    await expect(manager.reports.custom.rows({ customReportId })).rejects.toMatchObject({
      message: "The fields of this report no longer exist.",
    })
    await manager.reports.custom.remove({ customReportId })
  })

  test("keeps its owner in the database and its row cannot be deleted", async () => {
    const { id } = await saveReport(createDefinition("claims"))
    const run = (statement: ReturnType<typeof sql>) => app.sql.run(statement)
    await expect(run(sql`update custom_reports set owner_id = ${randomUUID()} where id = ${id}`)).rejects.toThrow()
    await expect(run(sql`delete from custom_reports where id = ${id}`)).rejects.toThrow()
    await expect(run(sql`update custom_reports set shared_with = '{policy_holder}' where id = ${id}`)).rejects.toThrow()
    const [grants] = await app.sql.rows<{ scoped: boolean }>(
      sql`select has_table_privilege('milkwood_scoped', 'custom_reports', 'select') as scoped`,
    )
    expect(grants!.scoped).toBe(false)
  })
})

test("a reversed range is refused; the file of a report without rows states that", async () => {
  const wrong = createDefinition("claims", { range: "custom", from: "2026-05-01", to: "2026-04-30" })
  await expect(previewReport(wrong)).rejects.toMatchObject({
    ...{
      code: "INVALID",
      data: { fields: [{ path: "definition.to", message: "The last day is before the first day" }] },
    },
  })
  const empty = createDefinition("claims", { range: "custom", from: "2019-01-01", to: "2019-01-31" })
  expect((await previewReport(empty)).total).toBe(0)
  for (const format of ["csv", "excel", "pdf"] as const) {
    const { run } = await generateReport(empty, format)
    expect(run).toMatchObject({ state: "done", rows: 0 })
  }
})

test("a custom report's run stores its definition and its file's hash", async () => {
  const definition = createDefinition("claims", {
    fields: ["claimNumber", "claimAmount"],
    filters: [{ field: "status", operator: "is", value: ["approved", "paid"] }],
    range: "last_year",
  })
  app.clock.advance({ seconds: 1 })
  const { runId, run, bytes } = await generateReport(definition, "csv", { name: "Paid out" })
  expect(run.sha256).toBe(createHash("sha256").update(bytes).digest("hex"))
  const row = (await manager.reports.runs({ pageSize: 100 })).rows.find(({ id }) => id === runId)!
  expect(row).toMatchObject({
    ...{ name: "Paid out", report: "custom", sha256: run.sha256, rows: 2 },
    words: "Submitted date 2025-11-03 to 2026-11-02 · Status is Approved or Paid",
  })
  const [fact] = await app.sql.rows<{ detail: { asked: { custom: object } } }>(
    sql`select detail from audit_log where fact = 'ReportGenerated' and record_id = ${runId}`,
  )
  expect(fact!.detail.asked.custom).toEqual(definition)
})
