import { randomUUID } from "node:crypto"
import { read as readWorkbook } from "@e965/xlsx"
import { catalogue, type ReportId } from "@milkwood/domain/reports/catalogue"
import { permissionOf, type ReportFormat, reportFormats } from "@milkwood/domain/reports/report"
import { sql } from "drizzle-orm"
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { approveStage, createApprovedClaim, createClaimPendingAt, createRoutedClaim } from "../claims/claims.samples.ts"
import { mailNotices } from "../notifications/mail-notices.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { queueRecurring } from "../platform/work/schedule.ts"

/* Medical fields contain one rare word and decision texts another. No report, file, mail or notification may show these
   words to a user without access. */
const plantedDiagnosis = "Kaposi-7731"
const plantedReason = "Vhembe-4409"
const plantedWords = [plantedDiagnosis, plantedReason]

let app: ClaimApp
let server: Awaited<ReturnType<ClaimApp["serve"]>>
let scene: ClaimScene
let viewpoints: [name: string, actor: UserActor | null][]
const outsideAddress = "reinsurer@elsewhere.example"

beforeAll(async () => {
  app = await openClaimApp()
  server = await app.serve()
  await queueRecurring(app.app)
  scene = await insureGroup(app, "Quiet Carriers")
  const other = await insureGroup(app, "Beside Them")
  const { admin, manager, underwriter, none } = app.people
  const { hr, signatory } = scene.people
  viewpoints = [
    ["an administrator", admin],
    ["a manager", manager],
    ["an underwriter", underwriter],
    ["the employer's HR", hr],
    ["its signatory", signatory],
    ["another employer's HR", other.people.hr],
    ["somebody without a role", none],
    ["nobody who is signed in", null],
  ]
  const { cast, sample } = scene
  const told = {
    ...sample,
    ...{
      description: plantedDiagnosis,
      diagnosis: plantedDiagnosis,
      hospitalName: plantedDiagnosis,
      doctorName: plantedDiagnosis,
      treatmentDetails: plantedDiagnosis,
      billNumber: plantedDiagnosis,
    },
  }
  await createApprovedClaim(cast, told)
  await createRoutedClaim(cast, told)
  let reduced = await createClaimPendingAt(cast, "group_admin", told)
  reduced = await approveStage(cast, reduced, 10_000_00, plantedDiagnosis)
  const waiting = await createClaimPendingAt(cast, "underwriter", told)
  await cast.underwriter.claims.decide({
    ...{ claimId: waiting.id, version: waiting.version, idempotencyKey: randomUUID() },
    ...{ decision: "reject", comment: `${plantedReason} ${plantedDiagnosis}` },
  })
  const sent = await createRoutedClaim(cast, told)
  await cast.manager.claims.sendBack({
    claimId: sent.id,
    version: sent.version,
    reason: `${plantedReason} ${plantedDiagnosis}`,
  })
}, 60_000)
afterAll(() => app.close())

const period = { from: "2026-01-01", to: "2026-12-31" }
const reportQueryOf = (id: ReportId) => (catalogue.find((one) => one.id === id)!.dates.kind === "period" ? period : {})
const withoutSpaces = (text: string) => text.replace(/\s+/g, "")

async function textOf(bytes: Buffer, format: ReportFormat): Promise<string> {
  if (format === "csv") return bytes.toString("utf8")
  if (format === "excel") return JSON.stringify(readWorkbook(bytes).Sheets)
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  let text = JSON.stringify(await pdf.getMetadata())
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    text += items.map((item) => ("str" in item ? item.str : "")).join("")
  }
  return text
}

describe.each(catalogue.map((one) => [one.id as ReportId, one] as const))("%s", (id, declared) => {
  test("medical text is visible only to users with access, on screen and in files", async () => {
    const runs: string[] = []
    for (const [name, actor] of viewpoints) {
      const client = app.as(actor)
      const asked = { report: id, query: reportQueryOf(id) }
      const isStaff = actor !== null && ["admin", "manager", "underwriter"].includes(actor.role ?? "")
      const reads = isStaff && (permissionOf(declared) === "reports.read" || actor.role !== "underwriter")
      const refusal = actor === null ? "UNAUTHENTICATED" : "FORBIDDEN"
      const generate = () => client.reports.generate({ ...asked, format: "csv", idempotencyKey: randomUUID() })
      if (reads) {
        await client.reports.rows(asked)
        runs.push((await generate()).runId)
      } else {
        await expect(client.reports.rows(asked), name).rejects.toMatchObject({ code: refusal })
        await expect(generate(), name).rejects.toMatchObject({ code: refusal })
      }
    }
    await app.runJobs()
    const makers = viewpoints.map(([, actor]) => actor)
    for (const [nth, runId] of runs.entries())
      for (const actor of makers) {
        const answer = await fetch(`${server.url}/api/reports/${runId}/file`, { headers: server.headersOf(actor) })
        const isMaker =
          actor !== null &&
          (await app.sql.row<{ owner: string }>(sql`select owner_id as owner from report_runs where id = ${runId}`))!
            .owner === actor.userId
        expect(answer.status === 200, `${nth} ${actor?.name}`).toBe(isMaker)
      }
  })

  test("no format contains medical details; decision reasons are only in Decisions", async () => {
    const manager = app.as(app.people.manager)
    const held = [
      JSON.stringify(await manager.reports.rows({ report: id, query: { ...reportQueryOf(id), pageSize: 100 } })),
    ]
    for (const format of reportFormats) {
      const { runId } = await manager.reports.generate({
        ...{ report: id, format, query: reportQueryOf(id), idempotencyKey: randomUUID() },
      })
      await app.runJobs()
      const answer = await fetch(`${server.url}/api/reports/${runId}/file`, {
        headers: server.headersOf(app.people.manager),
      })
      expect(answer.status).toBe(200)
      held.push(withoutSpaces(await textOf(Buffer.from(await answer.arrayBuffer()), format)))
    }
    for (const text of held) {
      if ("medical" in declared) continue
      for (const word of plantedWords) expect(text).not.toContain(word)
    }
    // Verifies that the test's search finds the reason if it is present.
    if (id === "decisions") for (const text of held.slice(0, 3)) expect(text).toContain(plantedReason)
  })
})

test("no scheduled mail or notification contains medical text, for any recipient", async () => {
  const manager = app.as(app.people.manager)
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail({})
  await admin.settings.save({ version, settings: { ...settings, attachReportsOutside: true } } as never)
  const everybody = viewpoints.flatMap(([, actor]) => (actor ? [actor.email] : []))
  for (const { id, name } of catalogue) {
    const schedule = (recipients: string[]) =>
      manager.reports.createSchedule({
        ...{ name, report: id, format: "csv", type: "yearly", dayOfMonth: 1, hour: 9 },
        ...{ recipients, idempotencyKey: randomUUID() },
      })
    await expect(schedule([...everybody, outsideAddress]), name).rejects.toMatchObject({ code: "INVALID" })
    const { id: scheduleId } = await schedule([app.people.manager.email])
    // Bypasses the check on saving, because recipients may lose rights after a schedule is saved.
    await app.sql.run(sql`
      update report_schedules set recipients = ${sql.param([...everybody, outsideAddress])}::text[] where id = ${scheduleId}`)
  }
  app.clock.set("2027-01-01T08:00:00Z")
  await queueRecurring(app.app)
  const { startDueReports } = await import("./send-report.ts")
  expect(await startDueReports(app.app)).toBe(catalogue.length)
  await app.runJobs()
  for (const channel of ["mail", "digest"] as const)
    await app.app.database.transaction("jobs", async (tx) =>
      mailNotices(
        {
          app: app.app,
          tx,
          ...(await app.app.moment()),
          requestId: "t",
          actor: { kind: "system", name: "Milkwood", onBehalfOf: null },
        },
        channel,
      ),
    )
  const mails = await app.mails()
  const ofReports = mails.filter(({ attachments }) => attachments.length > 0)
  expect(new Set(ofReports.map(({ subject }) => subject)).size).toBe(catalogue.length - 1)
  expect(ofReports.map(({ subject }) => subject)).not.toContain("Decisions")
  for (const { to, subject, text, attachments } of mails) {
    for (const word of plantedWords) expect(`${subject} ${text}`, `to ${to}: ${subject}`).not.toContain(word)
    for (const { fileId } of attachments) {
      const bytes = (await app.app.files.bytes(app.sql, fileId)).toString("utf8")
      for (const word of plantedWords) expect(bytes, `to ${to}: ${subject}`).not.toContain(word)
    }
  }
  // A user without access gets no report, even as a recipient.
  const readers = ["admin", "manager", "underwriter"]
  for (const [, actor] of viewpoints) {
    if (!actor) continue
    const got = ofReports.filter(({ to }) => to === actor.email).map(({ subject }) => subject)
    const may = catalogue.filter(
      (one) =>
        !("medical" in one) &&
        readers.includes(actor.role ?? "") &&
        (permissionOf(one) === "reports.read" || actor.role !== "underwriter"),
    )
    expect(got.sort(), actor.name).toEqual(may.map(({ name }) => name).sort())
  }
  for (const [, actor] of viewpoints) {
    if (!actor || actor.role === null) continue
    const { rows } = await app.as(actor).notifications.inbox({ limit: 100 })
    for (const word of plantedWords) expect(JSON.stringify(rows), actor.name).not.toContain(word)
  }
  const trail = JSON.stringify(
    await app.sql.rows(sql`select detail, record_label from audit_log where fact like 'Report%' or fact like 'Notif%'`),
  )
  for (const word of plantedWords) expect(trail).not.toContain(word)
}, 60_000)
