import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { utimes } from "node:fs/promises"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { SMTPServer } from "smtp-server"
import { afterAll, beforeAll, expect, test } from "vitest"
import { deliverMails } from "../platform/work/mail.ts"
import { queueRecurring } from "../platform/work/schedule.ts"
import { openTestApp, type TestApp } from "../test/app.ts"

const port = 42_155
let app: TestApp
let server: Awaited<ReturnType<TestApp["serve"]>>
beforeAll(async () => {
  // No mail server listens on this port until a test starts one.
  app = await openTestApp({ smtpUrl: `smtp://127.0.0.1:${port}` })
  server = await app.serve()
  await queueRecurring(app.app)
  await app.runJobs()
})
afterAll(() => app.close())

const managerClient = () => app.as(app.people.manager)

async function generateTestReport(): Promise<string> {
  const asked = { report: "member_register" as const, format: "csv" as const, query: {}, idempotencyKey: randomUUID() }
  const { runId } = await managerClient().reports.generate(asked)
  await app.runJobs()
  return runId
}
const readRunFile = async (runId: string) =>
  (await app.sql.row<{ id: string; path: string }>(sql`
    select f.id, f.storage_name as path from report_runs r join files f on f.id = r.file_id where r.id = ${runId}`))!
const downloadRun = async (runId: string) => {
  const answer = await fetch(`${server.url}/api/reports/${runId}/file`, {
    headers: server.headersOf(app.people.manager),
  })
  return { status: answer.status, text: await answer.text() }
}
const runNightlyJobs = async (day: string) => {
  app.clock.set(`${day}T00:40:00Z`)
  await queueRecurring(app.app)
  await app.runJobs()
}

test("report files past retention are deleted while their runs stay on record", async () => {
  const runId = await generateTestReport()
  const { path } = await readRunFile(runId)
  const onDisk = join(app.app.files.folder, path)
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail({})
  expect(settings.keepReportsDays).toBe(365)
  const tooFew = admin.settings.save({ version, settings: { ...settings, keepReportsDays: 29 } } as never)
  await expect(tooFew).rejects.toMatchObject({ data: { fields: [{ message: "At least 30 days" }] } })
  await admin.settings.save({ version, settings: { ...settings, keepReportsDays: 40 } } as never)

  await runNightlyJobs("2026-12-12")
  expect((await downloadRun(runId)).status).toBe(200)
  await runNightlyJobs("2026-12-13")
  const { rows } = await managerClient().reports.runs({})
  expect(rows).toMatchObject([{ id: runId, state: "done", rows: 0, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  expect(rows[0]!.fileDeletedAt).toMatch(/^2026-12-13T/)
  expect(await downloadRun(runId)).toMatchObject({
    status: 404,
    text: expect.stringContaining("The file of this report was deleted"),
  })
  const trail = await app.sql.rows(sql`
    select actor_name as who, detail from audit_log where fact = 'ReportFilesDeleted'`)
  expect(trail).toEqual([{ who: "Milkwood", detail: { count: 1, before: "2026-11-03" } }])

  // The cleanup compares the file system's modification time with the clock, so the test sets that time.
  expect(existsSync(onDisk)).toBe(true)
  await utimes(onDisk, new Date("2026-11-02"), new Date("2026-11-02"))
  await runNightlyJobs("2026-12-14")
  expect(existsSync(onDisk)).toBe(false)
  const other = await generateTestReport()
  for (const change of [
    sql`sha256 = null`,
    sql`file_id = null`,
    sql`file_id = null, file_deleted_at = now(), rows = 7`,
  ])
    await expect(app.sql.run(sql`update report_runs set ${change} where id = ${other}`)).rejects.toThrow()
  await expect(app.sql.run(sql`update report_runs set file_deleted_at = null where id = ${runId}`)).rejects.toThrow()
})

test("a report is made while the mail server is down, and mailed once afterwards", async () => {
  app.clock.set("2027-01-04T08:00:00Z")
  const recipients = [app.people.manager.email, app.people.admin.email]
  const schedule = await managerClient().reports.createSchedule({
    ...{ name: "Away", report: "member_register", format: "csv", type: "daily", hour: 9, recipients },
    idempotencyKey: randomUUID(),
  })
  await managerClient().reports.runSchedule({ scheduleId: schedule.id, idempotencyKey: randomUUID() })
  await app.runJobs()
  const [run] = await app.sql.rows<{ id: string; state: string }>(
    sql`select id, state from report_runs where schedule_id = ${schedule.id}`,
  )
  expect(run!.state).toBe("done")
  await deliverMails(app.app)
  const waiting = () =>
    app.sql.rows(sql`select state, attempts from mails where about_id = ${schedule.id} order by to_address`)
  expect(await waiting()).toEqual([
    { state: "queued", attempts: 1 },
    { state: "queued", attempts: 1 },
  ])
  // Files attached to unsent mails are kept, however old.
  const { path } = await readRunFile(run!.id)
  await runNightlyJobs("2028-01-04")
  expect(existsSync(join(app.app.files.folder, path))).toBe(true)
  expect((await downloadRun(run!.id)).status).toBe(200)

  const taken: { to: string[]; raw: string }[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      let raw = ""
      stream.on("data", (part: Buffer) => {
        raw += part
      })
      stream.on("end", () => {
        taken.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(port, "127.0.0.1", resolve))
  await app.sql.run(sql`update mails set next_attempt_at = now() where state = 'queued'`)
  await deliverMails(app.app)
  await deliverMails(app.app)
  await new Promise<void>((resolve) => smtp.close(resolve))
  const ours = taken.filter(({ raw }) => raw.includes("Subject: Away"))
  expect(ours.map(({ to }) => to).sort()).toEqual(recipients.map((to) => [to]).sort())
  expect(
    ours
      .filter(({ raw }) => raw.includes("member-register-"))
      .map(({ to }) => to)
      .sort(),
  ).toEqual(recipients.map((to) => [to]).sort())
  await runNightlyJobs("2028-01-05")
  expect((await downloadRun(run!.id)).status).toBe(404)
})
