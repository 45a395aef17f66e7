import { createHash, randomUUID } from "node:crypto"
import { read as readWorkbook } from "@e965/xlsx"
import { defaultListInput, type ListWords } from "@milkwood/domain/kernel/list"
import { catalogue, type ReportId, reportIds } from "@milkwood/domain/reports/catalogue"
import { maxPdfRows, permissionOf, type ReportFormat, reportCategories } from "@milkwood/domain/reports/report"
import { sql } from "drizzle-orm"
import Papa from "papaparse"
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import {
  createApprovedClaim,
  createRejectedClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "../claims/claims.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { createCompletedPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { createReversedReceipt, createUnallocatedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"
import type { Client } from "../test/app.ts"

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let scene: ClaimScene
let manager: Client
const plantedName = "Kaposi-7731"
const year = { from: "2026-01-01", to: "2026-12-31" }

beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  manager = app.as(app.people.manager)
  app.clock.set("2026-10-01T08:00:00Z")
  scene = await insureGroup(app, "=cmd() Dairy")
  const { policyId, cast, sample } = scene
  await insureGroup(app, "Second Works")
  const early = { ...sample, incidentOn: "2026-09-10", notificationOn: "2026-09-12" }
  const told = {
    ...early,
    description: plantedName,
    diagnosis: plantedName,
    hospitalName: plantedName,
    treatmentDetails: plantedName,
  }
  await createSentInvoice(manager, { policyId, month: "2026-08-01", invoiceOn: "2026-08-01" })
  const september = await createSentInvoice(manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await manager.billing.credit({
    ...{ invoiceId: september.id, idempotencyKey: randomUUID(), amountCents: 23_00, reason: "A slip" },
  })
  await recordedReceipt(manager, { policyId, amountCents: 100_50, receivedOn: "2026-09-20", method: "cheque" })
  await createUnallocatedReceipt(manager, { policyId, amountCents: 99_00, receivedOn: "2026-09-25" })
  await createReversedReceipt(manager, { policyId, amountCents: 5_00, receivedOn: "2026-09-26" })
  const paid = await createApprovedClaim(cast, told)
  await createCompletedPayout(manager, app.as(app.people.manager2), paid.id, "2026-10-01")
  await createApprovedClaim(cast, told)
  const submitted = await createSubmittedClaim(cast, told)
  await setReserve(submitted.id, 4_000_00)
  await createRoutedClaim(cast, told)
  await createRejectedClaim(cast, told)
  await createMember(manager, policyId, { firstName: "+Late", lastName: "@Joiner", startOn: "2026-10-05" })
  app.clock.set("2026-11-02T08:00:00Z")
})
afterAll(() => app.close())

async function setReserve(claimId: string, amountCents: number) {
  const { version } = await manager.claims.reserve.detail({ claimId })
  return manager.claims.reserve.set({ claimId, version, amountCents, reason: "A quote of the hospital" })
}

/** Reports without a row in this file's scene. The demo has rows of every report. */
const emptyReports = new Set<ReportId>(["doubtful_data", "dependents", "renewals"])

type Query = Record<string, string | number | boolean>
const reportDatesOf = (id: ReportId): Query =>
  catalogue.find((one) => one.id === id)!.dates.kind === "period" ? { from: year.from, to: year.to } : {}

async function generateReportAs(
  who: UserActor,
  report: ReportId,
  format: ReportFormat,
  query: Query = reportDatesOf(report),
) {
  const { runId } = await app.as(who).reports.generate({ ...{ report, format, query }, idempotencyKey: randomUUID() })
  await app.runJobs()
  const [run] = await app.sql.rows<{ state: string; message: string | null; rows: number; sha256: string }>(
    sql`select state, message, rows, sha256 from report_runs where id = ${runId}`,
  )
  const answer = await fetch(`${server.url}/api/reports/${runId}/file`, { headers: server.headersOf(who) })
  return { runId, run: run!, answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

async function textOf(bytes: Buffer): Promise<string> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    pages.push(items.map((item) => ("str" in item ? item.str : "")).join(" "))
  }
  return pages.join("\n").replace(/\s+/g, " ")
}

describe.each(catalogue.map((one) => [one.id as ReportId, one] as const))("the report %s", (id, declared) => {
  const { columns, sums = [] } = declared.list as ListWords
  const titles = Object.values(columns).map(({ title }) => title)

  test("has the same rows and correct totals on screen and in each format", async () => {
    const screen = await manager.reports.rows({ report: id, query: { ...reportDatesOf(id), pageSize: 100 } })
    if (!emptyReports.has(id)) expect(screen.total, "beforeAll must create a row of this report").toBeGreaterThan(0)
    expect(screen.rows).toHaveLength(screen.total)
    for (const name of sums) {
      const added = screen.rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)
      expect(screen.sums?.[name], name).toBe(added)
    }

    const csv = await generateReportAs(app.people.manager, id, "csv")
    expect(csv.run).toMatchObject({ state: "done", message: null, rows: screen.total })
    const [head, ...lines] = Papa.parse<string[]>(csv.bytes.toString("utf8").replace("\uFEFF", "").trim()).data
    expect(head).toEqual(titles)
    expect(lines).toHaveLength(screen.total)
    for (const cell of lines.flat()) expect(cell).not.toMatch(/^[=+@]/)

    const excel = await generateReportAs(app.people.manager, id, "excel")
    const sheet = Object.values(readWorkbook(excel.bytes, { cellFormula: true, cellDates: false }).Sheets)[0]!
    Object.values(columns).forEach(({ title, kind, of }, index) => {
      const letter = String.fromCharCode(65 + index)
      expect(sheet[`${letter}1`]?.v).toBe(title)
      for (let line = 2; line <= screen.total + 1; line++) {
        const cell = sheet[`${letter}${line}`]
        if (cell) expect(cell.t, `${title} ${line}`).toBe(["money", "count", "day", "month"].includes(kind) ? "n" : "s")
      }
      const name = of ?? Object.keys(columns)[index]!
      if (screen.total > 0 && sums.includes(name)) {
        const total = sheet[`${letter}${screen.total + 2}`]
        expect(total.f, title).toBe(`SUM(${letter}2:${letter}${screen.total + 1})`)
        expect(total.v, title).toBeCloseTo(screen.sums![name]! / (kind === "money" ? 100 : 1), 6)
      }
    })
    expect(sheet["!autofilter"]?.ref ?? "").toMatch(screen.total > 0 ? /^A1:/ : /^$/)

    const pdf = await generateReportAs(app.people.manager, id, "pdf")
    const text = await textOf(pdf.bytes)
    expect(text).toContain(declared.name)
    expect(text).toMatch(/Page 1 of \d/)
    for (const row of screen.rows)
      for (const [name, { kind }] of Object.entries(columns))
        if (kind === "reference" && row[name]) expect(text).toContain(row[name])
    expect(pdf.answer.headers.get("content-type")).toBe("application/pdf")
  })

  test("needs the permission of its category at every request", async () => {
    const reads = permissionOf(declared) === "reports.read"
    const query = { report: id, query: {} }
    for (const who of [app.people.admin, app.people.manager]) await app.as(who).reports.rows(query)
    const underwriter = app.as(app.people.underwriter).reports.rows(query)
    await (reads
      ? expect(underwriter).resolves.toBeTruthy()
      : expect(underwriter).rejects.toMatchObject({ code: "FORBIDDEN" }))
    for (const who of [scene.people.hr, scene.people.signatory, app.people.none])
      await expect(app.as(who).reports.rows(query)).rejects.toMatchObject({ code: "FORBIDDEN" })
  })

  test("can be filtered by each of its filters and sorted in each order", async () => {
    const { filters = {} } = declared.list as ListWords
    for (const [name, filter] of Object.entries(filters)) {
      const values = filter.kind === "choice" ? filter.values : filter.kind === "flag" ? [true] : [scene.groupId]
      for (const value of values)
        await manager.reports.rows({ report: id, query: { ...reportDatesOf(id), [name]: value } })
    }
    for (const [key, { sort }] of Object.entries(columns))
      if (sort) await manager.reports.rows({ report: id, query: { ...reportDatesOf(id), sort: key, dir: "desc" } })
    expect(defaultListInput(declared.list).page).toBe(1)
  })
})

describe("report figures", () => {
  const report = async (id: ReportId, query: Query = reportDatesOf(id)) =>
    (await manager.reports.rows({ report: id, query: { pageSize: 100, ...query } })) as unknown as {
      rows: Record<string, number & string>[]
      sums: Record<string, number>
    }
  const account = async (name: string) =>
    (await manager.ledger.trialBalance({})).accounts.find(({ account }) => account === name)!

  test("premium billing equals the ledger's debtors postings of documents", async () => {
    const { sums } = await report("premium_billing")
    const [posted] = await app.sql.rows<{ cents: number }>(sql`
      select sum(amount_cents)::bigint as cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where account = 'premium_debtors' and e.kind in ('invoice_sent', 'credit_note')`)
    expect(sums.remainingCents).toBe(posted!.cents)
    expect(sums.totalCents).toBe(sums.billedCents! - sums.discountCents! + sums.vatCents!)
    expect(sums.creditedCents).toBeGreaterThan(0)
  })

  test("the cash book equals the ledger's movement of bank and undeposited", async () => {
    const { sums, rows } = await report("cash_book")
    const [bank, undeposited] = [await account("bank"), await account("undeposited")]
    const balance = bank.debitCents - bank.creditCents + undeposited.debitCents - undeposited.creditCents
    expect(sums.inCents! - sums.outCents!).toBe(balance)
    expect(rows.map(({ movement }) => movement)).toContain("receipt_taken_reversed")
    expect(rows.map(({ method }) => method)).toContain("cheque")
    expect(sums.allocatedCents).toBe(100_50)
  })

  test("the trial balance adds up to zero, and output VAT equals its account's movement", async () => {
    const { sums, rows } = await report("vat_and_trial_balance")
    expect(sums.debitCents).toBe(sums.creditCents)
    expect([sums.openingCents, sums.closingCents]).toEqual([0, 0])
    const vat = rows.find(({ account, part }) => account === "vat_output" && !part)!
    expect(sums.outputVatCents).toBe(vat.creditCents! - vat.debitCents!)
    const later = await report("vat_and_trial_balance", { from: "2026-09-15", to: "2026-12-31" })
    const debtors = later.rows.find((row) => row.account === "premium_debtors")!
    const { debitCents, creditCents } = await account("premium_debtors")
    expect(debtors.closingCents).toBe(debitCents - creditCents)
    expect(debtors.openingCents).not.toBe(0)
  })

  test("schemes and experience equal premium income and claims expense", async () => {
    const income = await account("premium_income")
    const expense = await account("claims_expense")
    for (const id of ["scheme_portfolio", "claims_experience"] as const) {
      const { sums } = await report(id)
      expect(sums.earnedCents, id).toBe(income.creditCents - income.debitCents)
      expect(sums.incurredCents, id).toBe(expense.debitCents - expense.creditCents)
    }
    const { sums } = await report("scheme_portfolio")
    expect(sums.members).toBe((await manager.members.list({ status: "Active" })).total)
  })

  test("members by age and in the register equal the member list", async () => {
    const active = (await manager.members.list({ status: "Active" })).total
    expect((await report("ages_and_lives")).sums.lives).toBe(active)
    const { rows } = await report("member_register")
    expect(rows).toHaveLength(active)
    const before = await report("member_register", { asOf: "2026-10-04" })
    expect(before.rows).toHaveLength(active - 1)
    const moved = await report("movements", { from: "2026-10-01", to: "2026-10-31" })
    expect(moved.rows.map(({ movement, on, memberName }) => [movement, on, memberName])).toEqual([
      ["joiner", "2026-10-05", "+Late @Joiner"],
    ])
    expect(moved.sums).toEqual({ joined: 1, premiumCents: 350_00, withoutRate: 0 })
  })

  test("claims reports equal the claim lists", async () => {
    const claims = await manager.claims.list({ pageSize: 100 })
    const register = await report("claims_register")
    expect(register.rows).toHaveLength(claims.total)
    expect(register.sums.requestedCents).toBe(claims.sums!.requestedAmountCents)
    const payable = await account("claims_payable")
    const outstanding = await report("outstanding_claims", {})
    const approved = outstanding.rows.filter(({ status }) => status === "approved")
    expect(approved.reduce((sum, row) => sum + row.reserveCents!, 0)).toBe(payable.creditCents - payable.debitCents)
    expect(outstanding.rows).toHaveLength(3)
    expect((await report("outstanding_claims", { overdue: true })).rows).toHaveLength(2)
    const undecided = outstanding.rows.filter(({ status }) => status !== "approved")
    const reserves = undecided.reduce((sum, row) => sum + row.reserveCents!, 0)
    const reserved = await account("claims_outstanding")
    expect(reserves).toBeGreaterThan(0)
    expect(reserved.creditCents - reserved.debitCents).toBe(reserves)
    const decided = await report("decisions")
    expect(decided.sums.claims).toBe(3)
    expect(decided.rows.map(({ outcome }) => outcome).sort()).toEqual(["Approved", "Rejected"])
    const { rows } = await report("turnaround")
    expect(rows.at(-1)).toMatchObject({
      stage: "Submission to decision",
      claims: 3,
      averageDays: 0,
      inTime: 3,
      late: 0,
    })
  })
})

describe("claim reserves by month", () => {
  const read = async (query: Query) =>
    (await manager.reports.rows({ report: "claim_reserves", query: { pageSize: 100, ...query } })) as unknown as {
      rows: (Record<string, number> & { month: string })[]
    }
  const ledgerAt = async (day: string) =>
    (await app.sql.row<{ cents: number }>(sql`
      select coalesce(-sum(amount_cents), 0)::bigint as cents from ledger_postings
      where account = 'claims_outstanding' and effective_on <= ${day}::date`))!.cents

  test("a month's opening reserve and movements add up to its closing reserve, which the ledger carries", async () => {
    const first = await createSubmittedClaim(scene.cast, scene.sample)
    await setReserve(first.id, 7_00)
    const second = await createSubmittedClaim(scene.cast, scene.sample)
    await setReserve(second.id, 5_00)
    const { version } = await manager.claims.detail({ claimId: second.id })
    await manager.claims.reject({ claimId: second.id, version, reason: "Not insured" })
    const { rows } = await read(year)
    expect(rows.map(({ month }) => month)).toEqual(["2026-10-01", "2026-11-01"])
    const [october, november] = rows
    for (const row of rows) {
      const { openingCents, closingCents, submittedCents, changedCents, setCents } = row
      const { reopenedCents, approvedCents, otherwiseCents } = row
      const moved = [submittedCents, changedCents, setCents, reopenedCents, approvedCents, otherwiseCents]
      expect(openingCents! + moved.reduce((sum, cents) => sum! + cents!, 0)!).toBe(closingCents)
    }
    expect(october!.submittedCents).toBeGreaterThan(0)
    expect(october!.approvedCents).toBeLessThan(0)
    expect(november!.openingCents).toBe(october!.closingCents)
    expect(november!.closingCents! - november!.openingCents!).toBe(7_00)
    expect(november!.submittedCents! + november!.setCents!).toBe(7_00 + 5_00)
    expect(november!.otherwiseCents).toBe(-5_00)
    expect(october!.closingCents).toBe(await ledgerAt("2026-10-31"))
    expect(november!.closingCents).toBe(await ledgerAt("2026-11-30"))
  })

  test("a period within a month opens with the reserve before its first day", async () => {
    const before = await ledgerAt("2026-10-31")
    expect(before).toBeGreaterThan(0)
    const { rows } = await read({ from: "2026-11-01", to: "2026-11-01" })
    // The clock is at November 2nd.
    expect(rows).toMatchObject([{ openingCents: before, submittedCents: 0, closingCents: before }])
  })

  test("one employer's reserves exclude the other employers'", async () => {
    expect((await read({ ...year, groupId: scene.groupId })).rows).toEqual((await read(year)).rows)
    const [other] = (await manager.policies.list({ search: "Second Works" })).rows
    expect((await read({ ...year, groupId: other!.groupId })).rows).toEqual([])
  })
})

test("no report contains medical details", async () => {
  for (const { id } of catalogue) {
    expect(
      JSON.stringify(await manager.reports.rows({ report: id, query: { ...reportDatesOf(id), pageSize: 100 } })),
    ).not.toContain(plantedName)
    expect(
      (await generateReportAs(app.people.underwriter, id, "csv").catch(() => ({ bytes: "" }))).bytes.toString(),
    ).not.toContain(plantedName)
  }
})

test("a reversed range or one longer than ten years is refused", async () => {
  const ask = (query: Query) => manager.reports.rows({ report: "premium_billing", query })
  await expect(ask({ from: "2026-05-01", to: "2026-04-30" })).rejects.toMatchObject({
    ...{ code: "INVALID", message: "The last day is before the first day" },
    data: { fields: [{ path: "to", message: "The last day is before the first day" }] },
  })
  await expect(ask({ from: "2001-01-01", to: "2026-04-30" })).rejects.toMatchObject({ code: "INVALID" })
  await expect(ask({ from: "yesterday" })).rejects.toMatchObject({ code: "INVALID" })
  const generated = manager.reports.generate({
    ...{ report: "premium_billing", format: "pdf", query: { from: "2026-05-01", to: "2026-04-30" } },
    idempotencyKey: randomUUID(),
  })
  await expect(generated).rejects.toMatchObject({ code: "INVALID" })
})

test("generating or scheduling a report refuses an unknown parameter", async () => {
  const unknown = { code: "INVALID", data: { fields: [{ path: "query.colour" }] } }
  const query = { movement: "joiner", colour: "red" }
  const asked = { report: "movements", format: "pdf", query } as const
  await expect(manager.reports.generate({ ...asked, idempotencyKey: randomUUID() })).rejects.toMatchObject(unknown)
  const scheduled = { name: "Joiners", type: "weekly", dayOfWeek: 0, hour: 9 } as const
  const recipients = [app.people.manager2.email]
  const schedule = manager.reports.createSchedule({ ...asked, ...scheduled, recipients, idempotencyKey: randomUUID() })
  await expect(schedule).rejects.toMatchObject(unknown)
})

test("the file of a report without rows states that there are none", async () => {
  const nothing = { from: "2019-01-01", to: "2019-01-31" }
  const csv = await generateReportAs(app.people.manager, "premium_billing", "csv", nothing)
  expect(csv.run.rows).toBe(0)
  expect(csv.bytes.toString()).toMatch(/^\uFEFFGroup,Policy,.*\r\n$/)
  const pdf = await generateReportAs(app.people.manager, "premium_billing", "pdf", nothing)
  expect(await textOf(pdf.bytes)).toContain("No policy months found.")
  expect((await generateReportAs(app.people.manager, "premium_billing", "excel", nothing)).run.state).toBe("done")
})

test("a run stores its file hash, is visible only to its owner and never changes", async () => {
  const query = { ...year, groupId: scene.groupId }
  const { runId, run, bytes } = await generateReportAs(app.people.manager, "premium_billing", "csv", query)
  expect(run.sha256).toBe(createHash("sha256").update(bytes).digest("hex"))
  const { rows } = await manager.reports.runs({ pageSize: 100 })
  expect(rows.find(({ id }) => id === runId)).toMatchObject({
    ...{ id: runId, state: "done", sha256: run.sha256, format: "csv", name: "Premium billing" },
    words: "2026-01-01 to 2026-12-31 · Employer: =cmd() Dairy",
  })
  const [fact] = await app.sql.rows<{ detail: { sha256: string; asked: object } }>(
    sql`select detail from audit_log where fact = 'ReportGenerated' and record_id = ${runId}`,
  )
  expect(fact!.detail).toMatchObject({ sha256: run.sha256, asked: query })
  for (const other of [app.people.manager2, app.people.admin, app.people.underwriter]) {
    const answer = await fetch(`${server.url}/api/reports/${runId}/file`, { headers: server.headersOf(other) })
    expect(answer.status).toBe(404)
    expect((await app.as(other).reports.runs({})).rows.map(({ id }) => id)).not.toContain(runId)
  }
  await expect(
    app.sql.run(sql`update report_runs set sha256 = ${"0".repeat(64)} where id = ${runId}`),
  ).rejects.toThrow()
  await expect(app.sql.run(sql`delete from report_runs where id = ${runId}`)).rejects.toThrow()
  const card = (await manager.reports.catalogue({})).reports.find(({ id }) => id === "premium_billing")
  expect(card!.lastGeneratedAt).toMatch(/^2026-11-02T/)
})

test("a user who lost access or was disabled before the run gets no file", async () => {
  const asked = { report: "premium_billing" as const, format: "csv" as const, query: {}, idempotencyKey: randomUUID() }
  const { runId } = await app.as(app.people.manager2).reports.generate(asked)
  await app.sql.run(sql`update users set role = 'underwriter' where id = ${app.people.manager2.userId}`)
  await app.runJobs()
  const after = await app.sql.rows(sql`select state, message from report_runs where id = ${runId}`)
  expect(after).toEqual([{ state: "failed", message: "You do not have access to this." }])
  await app.sql.run(sql`update users set role = 'manager' where id = ${app.people.manager2.userId}`)
})

test("the catalogue lists only reports the caller may read, and marks urgent ones", async () => {
  const own = await manager.reports.catalogue({})
  expect(own.reports.map(({ id }) => id)).toEqual(reportIds)
  for (const category of reportCategories)
    expect(catalogue.filter((one) => one.category === category).length, category).toBeGreaterThanOrEqual(4)
  expect(own.quick.map(({ key, urgent }) => [key, urgent])).toEqual([
    ["billing", false],
    ["overdue", true],
    ["waiting", true],
    ["joiners", false],
  ])
  const theirs = await app.as(app.people.underwriter).reports.catalogue({})
  const notFinancial = catalogue.filter(({ category }) => category !== "financial").map(({ id }) => id)
  expect(theirs.reports.map(({ id }) => id)).toEqual(notFinancial)
  expect(theirs.quick.map(({ key }) => key)).toEqual(["waiting", "joiners"])
  expect(own.quick.map(({ status, at }) => [status, at])).toEqual(own.quick.map(() => ["Ready", null]))
  const joiners = async () => (await manager.reports.catalogue({})).quick.find(({ key }) => key === "joiners")
  const asked = { report: "movements", format: "pdf", query: { movement: "joiner" } } as const
  await manager.reports.createSchedule({
    ...asked,
    name: "Joiners",
    type: "weekly",
    dayOfWeek: 0,
    hour: 9,
    recipients: [app.people.manager2.email],
    idempotencyKey: randomUUID(),
  })
  expect(await joiners()).toMatchObject({ status: "Scheduled", at: "2026-11-09T07:00:00Z" })
  await manager.reports.generate({ ...asked, idempotencyKey: randomUUID() })
  expect(await joiners()).toMatchObject({ status: "Processing", at: null })
  await app.runJobs()
  expect(await joiners()).toMatchObject({ status: "Ready" })
})

test("a report too long for PDF fails with advice; the screen caps its count and CSV is complete", async () => {
  const { rows } = await manager.members.list({ status: "Active" })
  await app.sql.run(sql`
    insert into dependents (id, group_id, member_id, first_name, last_name, relationship, date_of_birth, from_on, created_at, updated_at)
    select gen_random_uuid(), group_id, id, 'Child', n::text, 'child', '2020-02-29', start_on, now(), now()
    from members, generate_series(1, ${maxPdfRows} + 1) n where id = ${rows[0]!.id}`)
  const screen = await manager.reports.rows({ report: "dependents", query: { pageSize: 25 } })
  expect(screen).toMatchObject({ totalIsCapped: true, sums: null, chart: null })
  const pdf = await generateReportAs(app.people.manager, "dependents", "pdf", {})
  expect(pdf.run).toMatchObject({ state: "failed", rows: null, sha256: null })
  expect(pdf.run.message).toMatch(/^A PDF can have at most 50.000 rows, and this report has more\. Choose Excel or CSV/)
  expect(pdf.answer.status).toBe(404)
  const csv = await generateReportAs(app.people.manager, "dependents", "csv", {})
  expect(csv.run).toMatchObject({ state: "done", rows: maxPdfRows + 1 })
  expect(csv.bytes.toString("utf8").match(/\r\n/g)).toHaveLength(maxPdfRows + 2)
}, 60_000)
