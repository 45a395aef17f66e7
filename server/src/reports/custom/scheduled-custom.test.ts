import { randomUUID } from "node:crypto"
import { type CustomDefinition, defaultDefinition } from "@milkwood/domain/reports/custom-report"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../../claims/claim-scene.samples.ts"
import { createRejectedClaim, createSubmittedClaim } from "../../claims/claims.samples.ts"
import type { UserActor } from "../../platform/calls/actor.ts"
import type { Client } from "../../test/app.ts"
import { startDueReports } from "../send-report.ts"

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let scene: ClaimScene
let manager: Client
let underwriter: Client
let outsider: string

beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  manager = app.as(app.people.manager)
  underwriter = app.as(app.people.underwriter)
  scene = await insureGroup(app, "Scheduled Dairy")
  await createSubmittedClaim(scene.cast, scene.sample)
  await createRejectedClaim(scene.cast, { ...scene.sample, diagnosis: "Kaposi-7731" })
})
afterAll(() => app.close())
beforeEach(async () => {
  await allowOutsideRecipients()
  await app.sql.run(
    sql`update report_schedules set is_active = false, deleted_at = created_at where deleted_at is null`,
  )
  app.clock.set("2026-11-02T08:00:00Z")
  outsider = `broker-${randomUUID()}@elsewhere.example`
})

const createClaimsDefinition = (more: Partial<CustomDefinition> = {}): CustomDefinition => ({
  ...defaultDefinition,
  fields: ["claimNumber", "memberName", "claimAmount"],
  ...more,
})
const saveReport = (definition = createClaimsDefinition(), more: object = {}, who: UserActor = app.people.manager) =>
  app.as(who).reports.custom.create({
    ...{
      name: "Claims & more",
      description: "",
      format: "csv",
      definition,
      sharedWith: [],
      idempotencyKey: randomUUID(),
    },
    ...more,
  })
const createSchedule = (customReportId: string, more: object = {}, who: UserActor = app.people.manager) =>
  app.as(who).reports.createSchedule({
    ...{ name: "Every morning", report: "custom", customReportId, format: "csv", type: "daily", hour: 9 },
    ...{ recipients: [app.people.manager.email, outsider], idempotencyKey: randomUUID() },
    ...more,
  })
const runScheduleNow = async (scheduleId: string, who: UserActor = app.people.manager) => {
  const { runId } = await app.as(who).reports.runSchedule({ scheduleId, idempotencyKey: randomUUID() })
  await app.runJobs()
  return runId
}
const runDueReports = async (day: string) => {
  app.clock.set(`${day}T07:00:10Z`)
  const started = await startDueReports(app.app)
  await app.runJobs()
  return started
}
const runsOf = (scheduleId: string) =>
  app.sql.rows<{ id: string; state: string; message: string | null; words: string; name: string; rows: number }>(
    sql`select id, state, message, words, name, rows from report_runs where schedule_id = ${scheduleId} order by asked_at, id`,
  )
const mailsTo = (to: string, subject: string) =>
  app.sql.rows<{ attachments: { name: string }[]; text: string }>(
    sql`select attachments, text_body as text from mails where to_address = ${to} and subject = ${subject}`,
  )
const allowOutsideRecipients = async () => {
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail({})
  await admin.settings.save({ version, settings: { ...settings, attachReportsOutside: true } } as never)
}
const storeDefinition = (id: string, definition: CustomDefinition) =>
  app.sql.run(sql`update custom_reports set definition = ${JSON.stringify(definition)}::jsonb where id = ${id}`)

test("a schedule sends a saved report's latest version for the whole days before the run", async () => {
  const report = await saveReport()
  const schedule = await createSchedule(report.id, { name: "Claims at nine" })
  expect(schedule).toMatchObject({ report: "custom", customReportId: report.id, customName: "Claims & more" })
  expect((await manager.reports.custom.detail({ customReportId: report.id })).schedules).toBe(1)
  expect(await runDueReports("2026-11-03")).toBe(1)
  await manager.reports.custom.update({
    ...{ name: "Claims renamed", description: "", format: "pdf", sharedWith: [] },
    ...{
      definition: createClaimsDefinition({ range: "last_7_days" }),
      customReportId: report.id,
      version: report.version,
    },
  })
  expect(await runDueReports("2026-11-04")).toBe(1)
  expect(await runsOf(schedule.id)).toMatchObject([
    { state: "done", name: "Claims & more", words: "Submitted date 2026-10-04 to 2026-11-02", rows: 2 },
    { state: "done", name: "Claims renamed", words: "Submitted date 2026-10-28 to 2026-11-03", rows: 2 },
  ])
  const inside = await mailsTo(app.people.manager.email, "Claims at nine")
  expect(inside.map(({ attachments }) => attachments.map(({ name }) => name))).toEqual([
    ["claims-more-2026-11-02.csv"],
    ["claims-renamed-2026-11-03.csv"],
  ])
  const outside = await mailsTo(outsider, "Claims at nine")
  expect(outside.map(({ attachments }) => attachments)).toEqual(inside.map(({ attachments }) => attachments))
})

test("reports are delivered as previewed, and a schedule with a refused recipient cannot be saved", async () => {
  const noAccount = "This address has no account, and"
  const medicalOutside = `${noAccount} reports that may contain medical details are not attached.`
  const mayNot = "The account cannot open this report."
  const [inside, other] = [app.people.manager.email, app.people.underwriter.email]
  const kinds: [string, CustomDefinition, Record<string, string>][] = [
    ["Plain", createClaimsDefinition(), { [inside]: "attachment", [other]: "attachment", [outsider]: "attachment" }],
    [
      "Medical",
      createClaimsDefinition({ filters: [{ field: "diagnosis", operator: "isNotEmpty", value: null }] }),
      { [inside]: "link", [other]: "link", [outsider]: medicalOutside },
    ],
    [
      "Money",
      { ...createClaimsDefinition(), type: "financial", fields: ["invoiceNumber", "amount"] },
      { [inside]: "attachment", [other]: mayNot, [outsider]: "attachment" },
    ],
  ]
  for (const [name, definition, meant] of kinds) {
    const { id: customReportId } = await saveReport(definition)
    const recipients = Object.keys(meant)
    const told = await manager.reports.deliveries({ report: "custom", customReportId, recipients })
    expect(told.map(({ address, kind, words }) => [address, kind === "refused" ? words : kind])).toEqual(
      Object.entries(meant),
    )
    const refusals = told.filter(({ kind }) => kind === "refused")
    if (refusals.length > 0)
      await expect(createSchedule(customReportId, { name, recipients })).rejects.toMatchObject({
        code: "INVALID",
        data: { fields: [{ path: "recipients", message: `${refusals[0]!.address}: ${refusals[0]!.words}` }] },
      })
    const others = recipients.filter((one) => !refusals.some(({ address }) => address === one))
    const schedule = await createSchedule(customReportId, { name, recipients: others })
    const runId = await runScheduleNow(schedule.id)
    for (const to of recipients) {
      const mails = await mailsTo(to, name)
      expect([to, mails.map(({ attachments }) => attachments.length)]).toEqual([
        to,
        meant[to] === "attachment" ? [1] : meant[to] === "link" ? [0] : [],
      ])
      for (const { text, attachments } of mails)
        expect(text).toContain(attachments.length > 0 ? "The report is attached." : "/reports/generated")
    }
    const file = async (who: UserActor) =>
      (await fetch(`${server.url}/api/reports/${runId}/file`, { headers: server.headersOf(who) })).status
    expect(await file(app.people.manager)).toBe(200)
    expect((await file(app.people.underwriter)) === 200).toBe(name !== "Money")
    const seen = (await underwriter.reports.schedules({})).map(({ id }) => id)
    expect(seen).not.toContain(schedule.id)
  }
})

test("a saved report with an added medical field is no longer sent to outside addresses", async () => {
  const report = await saveReport()
  const schedule = await createSchedule(report.id, { name: "Became medical" })
  await storeDefinition(report.id, createClaimsDefinition({ fields: ["claimNumber", "diagnosis"] }))
  await runScheduleNow(schedule.id)
  expect(await mailsTo(outsider, "Became medical")).toEqual([])
  expect(await mailsTo(app.people.manager.email, "Became medical")).toMatchObject([{ attachments: [] }])
  const [run] = await runsOf(schedule.id)
  expect(run).toMatchObject({ state: "done", message: expect.stringContaining(`Not sent to ${outsider}`) })
  expect(await mailsTo(app.people.manager.email, "Not sent to every recipient: Became medical")).toHaveLength(1)
})

test("deleting a report stops its schedules with that reason and keeps its files", async () => {
  const report = await saveReport()
  const schedule = await createSchedule(report.id, { name: "Goes away" })
  const runId = await runScheduleNow(schedule.id)
  await manager.reports.custom.remove({ customReportId: report.id })
  const [after] = (await manager.reports.schedules({})).filter(({ id }) => id === schedule.id)
  expect(after).toMatchObject({ isActive: false, pausedBecause: "The custom report Claims & more was deleted." })
  expect(await runDueReports("2026-11-03")).toBe(0)
  const again = manager.reports.toggleSchedule({ scheduleId: schedule.id, version: after!.version, isActive: true })
  await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" })
  const headers = server.headersOf(app.people.manager)
  expect((await fetch(`${server.url}/api/reports/${runId}/file`, { headers })).status).toBe(200)
})

test("a schedule fails if its report is unshared or lost a filter field; others continue", async () => {
  const shared = await saveReport(createClaimsDefinition(), { sharedWith: ["underwriter"] })
  const theirs = await createSchedule(shared.id, { name: "Theirs" }, app.people.underwriter)
  const narrowed = await saveReport()
  const lost = await createSchedule(narrowed.id, { name: "Lost" })
  const fine = await createSchedule((await saveReport()).id, { name: "Fine" })
  await storeDefinition(
    narrowed.id,
    createClaimsDefinition({
      fields: ["claimNumber", "shoeSize"],
      filters: [{ field: "shoeSize", operator: "is", value: 43 }],
    }),
  )
  await manager.reports.custom.update({
    ...{ name: shared.name, description: "", format: "csv", sharedWith: [], definition: createClaimsDefinition() },
    ...{ customReportId: shared.id, version: shared.version },
  })
  expect(await runDueReports("2026-11-03")).toBe(3)
  expect(await runsOf(theirs.id)).toMatchObject([
    { state: "failed", message: "The custom report Claims & more is no longer shared with you." },
  ])
  expect(await runsOf(lost.id)).toMatchObject([{ state: "failed" }])
  expect((await runsOf(lost.id))[0]!.message).toContain("filters by fields that no longer exist: shoeSize")
  expect(await runsOf(fine.id)).toMatchObject([{ state: "done" }])
  expect(await mailsTo(outsider, "Lost")).toEqual([])
  await storeDefinition(narrowed.id, createClaimsDefinition({ fields: ["claimNumber", "shoeSize"] }))
  expect(await runDueReports("2026-11-04")).toBe(3)
  expect((await runsOf(lost.id)).at(-1)).toMatchObject({ state: "done", rows: 2 })
})

test("a removed owner's schedules of a report stop; other users' schedules continue", async () => {
  const owner = app.people.manager2
  const report = await saveReport(createClaimsDefinition(), { sharedWith: ["underwriter"] }, owner)
  const theirs = await createSchedule(report.id, { name: "Theirs" }, app.people.underwriter)
  const own = await createSchedule(report.id, { name: "Own" }, owner)
  await app.sql.run(sql`update users set disabled_at = now() where id = ${owner.userId}`)
  expect(await runDueReports("2026-11-03")).toBe(2)
  expect(await runsOf(theirs.id)).toMatchObject([{ state: "done" }])
  const [stopped] = (await manager.reports.schedules({})).filter(({ id }) => id === own.id)
  expect(stopped).toMatchObject({ isActive: false, pausedBecause: "The account of the schedule's owner is disabled." })
  await app.sql.run(sql`update users set disabled_at = null where id = ${owner.userId}`)
})

test("a schedule of a custom report needs a report that its owner may open", async () => {
  const report = await saveReport()
  await expect(createSchedule(report.id, {}, app.people.underwriter)).rejects.toMatchObject({ code: "NOT_FOUND" })
  await expect(createSchedule(report.id, { customReportId: null })).rejects.toMatchObject({ code: "INVALID" })
  await expect(
    app.sql.run(sql`update report_schedules set custom_report_id = null where report = 'custom'`),
  ).rejects.toThrow()
})
