import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createRejectedClaim } from "../claims/claims.samples.ts"
import type { Client } from "../test/app.ts"
import { startDueReports } from "./send-report.ts"

let app: ClaimApp
let scene: ClaimScene
let manager: Client
let outsideAddress: string

beforeAll(async () => {
  app = await openClaimApp()
  manager = app.as(app.people.manager)
  scene = await insureGroup(app, "Scheduled Dairy")
  await createRejectedClaim(scene.cast, scene.sample)
})
afterAll(() => app.close())
const setAttachOutside = async (attachReportsOutside: boolean) => {
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail({})
  if (settings.attachReportsOutside !== attachReportsOutside)
    await admin.settings.save({ version, settings: { ...settings, attachReportsOutside } } as never)
}
beforeEach(async () => {
  await setAttachOutside(true)
  await app.sql.run(
    sql`update report_schedules set is_active = false, deleted_at = created_at where deleted_at is null`,
  )
  app.clock.set("2026-11-02T08:00:00Z")
  outsideAddress = `broker-${randomUUID()}@elsewhere.example`
})

const createScheduleForm = (more: object = {}) => ({
  ...{ name: "Monthly register", report: "member_register" as const, format: "csv" as const, type: "monthly" as const },
  ...{ hour: 9, dayOfMonth: 1, recipients: [app.people.manager.email, outsideAddress], idempotencyKey: randomUUID() },
  ...more,
})
const mailsTo = async (to: string) => (await app.mails()).filter((mail) => mail.to === to)
const runsOf = (scheduleId: string) =>
  app.sql.rows<{
    state: string
    message: string | null
    dueAt: string
    asked: Record<string, string>
    words: string
  }>(sql`
    select state, message, due_at as "dueAt", asked, words from report_runs where schedule_id = ${scheduleId} order by asked_at, id`)
const readAttachmentsTo = (to: string) =>
  app.sql.rows<{ attachments: { name: string }[]; text: string; subject: string }>(
    sql`select attachments, text_body as text, subject from mails where to_address = ${to} order by created_at`,
  )
const runDueReports = async () => {
  const started = await startDueReports(app.app)
  await app.runJobs()
  return started
}
const readSchedule = async (id: string) => (await manager.reports.schedules({})).find((one) => one.id === id)!

test("a schedule runs at its time for the days before and mails its recipients", async () => {
  const schedule = await manager.reports.createSchedule(createScheduleForm({ report: "movements" }))
  expect(schedule).toMatchObject({
    nextRunAt: "2026-12-01T07:00:00Z",
    isActive: true,
    deliveries: [
      { address: app.people.manager.email, kind: "attachment" },
      { address: outsideAddress, kind: "attachment" },
    ],
    lastRun: null,
  })
  app.clock.set("2026-12-01T06:59:59Z")
  expect(await runDueReports()).toBe(0)
  app.clock.set("2026-12-01T07:00:10Z")
  expect(await runDueReports()).toBe(1)
  expect(await runDueReports()).toBe(0)
  const [run, ...others] = await runsOf(schedule.id)
  expect(others).toEqual([])
  expect(run).toMatchObject({ state: "done", words: "2026-11-01 to 2026-11-30" })
  const [inside] = await readAttachmentsTo(app.people.manager.email)
  expect(inside).toMatchObject({ subject: "Monthly register", attachments: [{ name: "movements-2026-11-30.csv" }] })
  const [outside] = await readAttachmentsTo(outsideAddress)
  expect(outside).toMatchObject({ attachments: [{ name: "movements-2026-11-30.csv" }] })
  expect(outside!.text).toContain("The report is attached.")
  expect(await readSchedule(schedule.id)).toMatchObject({
    nextRunAt: "2027-01-01T07:00:00Z",
    lastRun: { state: "done" },
  })
})

test("one of two servers replaces missed runs by one run with a note", async () => {
  const schedule = await manager.reports.createSchedule(
    createScheduleForm({ name: "Every day", type: "daily", dayOfMonth: null }),
  )
  app.clock.set("2026-11-09T12:00:00Z")
  const started = await Promise.all([startDueReports(app.app), startDueReports(app.app), startDueReports(app.app)])
  expect(started.reduce((sum, one) => sum + one)).toBe(1)
  await app.runJobs()
  expect(await runsOf(schedule.id)).toMatchObject([
    { dueAt: "2026-11-03T07:00:00Z", state: "done", words: "2026-11-03" },
  ])
  const sent = await readAttachmentsTo(app.people.manager.email)
  expect(sent.find(({ subject }) => subject === "Every day")!.text).toContain("is late")
  expect((await readSchedule(schedule.id)).nextRunAt).toBe("2026-11-10T07:00:00Z")
  const twice = app.sql.run(sql`
    insert into report_runs (id, report, name, format, asked, words, owner_id, state, asked_at, schedule_id, due_at)
    select ${randomUUID()}, report, name, format, asked, words, owner_id, 'making', asked_at, schedule_id, due_at
    from report_runs where schedule_id = ${schedule.id}`)
  await expect(twice).rejects.toThrow()
})

test("a schedule runs manually, as a test to oneself, and sends nothing without rows", async () => {
  const empty = { report: "renewals", skipWhenEmpty: true, name: "Renewals ahead" }
  const schedule = await manager.reports.createSchedule(createScheduleForm(empty))
  const run = (isTest: boolean) =>
    manager.reports.runSchedule({ scheduleId: schedule.id, isTest, idempotencyKey: randomUUID() })
  await run(false)
  await app.runJobs()
  expect(await runsOf(schedule.id)).toMatchObject([{ state: "skipped", message: "It had no rows." }])
  expect(await mailsTo(outsideAddress)).toEqual([])
  await run(true)
  await app.runJobs()
  expect((await runsOf(schedule.id)).map(({ state }) => state).sort()).toEqual(["done", "skipped"])
  expect(await mailsTo(outsideAddress)).toEqual([])
  const subjects = (await readAttachmentsTo(app.people.manager.email)).map(({ subject }) => subject)
  expect(subjects).toContain("Test: Renewals ahead")
  expect((await readSchedule(schedule.id)).lastRun).toMatchObject({ state: "skipped" })
})

describe("the delivery of a report to a recipient", () => {
  const noAccount = "This address has no account, and"
  const medical = `${noAccount} reports that may contain medical details are not attached.`
  const closed = `${noAccount} Settings, Notifications does not allow attachments to outside addresses.`
  const mayNot = "The account cannot open this report."
  const disabled = "The account is disabled."
  const [attachment, link] = ["attachment", "link"] as const
  const cases = [
    [
      "member_register",
      { manager: attachment, underwriter: attachment, hr: mayNot, left: disabled },
      attachment,
      closed,
    ],
    ["premium_billing", { manager: attachment, underwriter: mayNot, hr: mayNot, left: disabled }, attachment, closed],
    ["decisions", { manager: link, underwriter: link, hr: mayNot, left: disabled }, medical, medical],
  ] as const

  test.each(cases)("for %s is the same in dialog, refusal and mail", async (report, byAccount, allowed, not) => {
    const { manager: owner, underwriter, manager2: left } = app.people
    await app.sql.run(sql`update users set disabled_at = now() where id = ${left.userId}`)
    const addresses: [string, string, boolean][] = [
      [owner.email, byAccount.manager, true],
      [underwriter.email.toUpperCase(), byAccount.underwriter, true],
      [scene.people.hr.email, byAccount.hr, true],
      [left.email, byAccount.left, true],
      [outsideAddress, allowed, true],
      [`second-${outsideAddress}`, not, false],
    ]
    const recipients = addresses.map(([address]) => address)
    const of = { report, type: "daily", dayOfMonth: null, name: `Delivery of ${report}` }
    for (const [address, meant, isAllowed] of addresses) {
      await setAttachOutside(isAllowed)
      const told = (await manager.reports.deliveries({ report, recipients })).find((one) => one.address === address)!
      const saving = manager.reports.createSchedule(createScheduleForm({ ...of, recipients: [address] }))
      if (meant !== attachment && meant !== link) {
        expect(told).toEqual({ address, kind: "refused", words: meant })
        const field = { path: "recipients", message: `${address}: ${meant}` }
        await expect(saving).rejects.toMatchObject({ code: "INVALID", data: { fields: [field] } })
        continue
      }
      const isAttached = meant === attachment
      expect(told).toMatchObject({
        kind: meant,
        words: isAttached ? "Receives the file as an attachment." : "Receives a link and signs in to open the report.",
      })
      const { id: scheduleId } = await saving
      await manager.reports.runSchedule({ scheduleId, idempotencyKey: randomUUID() })
      await app.runJobs()
      const sent = await app.sql.rows<{
        to: string
        attachments: { name: string; fileId: string }[]
        text: string
      }>(sql`
        select to_address as "to", attachments, text_body as text from mails where about_id = ${scheduleId}`)
      expect(sent.map(({ to }) => to)).toEqual([address])
      const [{ attachments, text }] = sent as [(typeof sent)[number]]
      expect(attachments.map(({ name }) => name)).toHaveLength(isAttached ? 1 : 0)
      expect(text.includes("The report is attached.")).toBe(isAttached)
      expect(text.includes("/reports/generated")).toBe(!isAttached)
      const [run] = await app.sql.rows<{ fileId: string }>(
        sql`select file_id as "fileId" from report_runs where schedule_id = ${scheduleId}`,
      )
      if (isAttached) expect(attachments[0]!.fileId).toBe(run!.fileId)
    }
    await app.sql.run(sql`update users set disabled_at = null where id = ${left.userId}`)
  })

  test("is checked again on activation and at each run; the owner is notified of refused recipients", async () => {
    const recipients = [app.people.underwriter.email, outsideAddress]
    const schedule = await manager.reports.createSchedule(createScheduleForm({ name: "Closed later", recipients }))
    await setAttachOutside(false)
    const { id: scheduleId, version } = schedule
    await manager.reports.runSchedule({ scheduleId, idempotencyKey: randomUUID() })
    await app.runJobs()
    expect(await runsOf(scheduleId)).toMatchObject([
      { state: "done", message: `Not sent to ${outsideAddress}: ${closed}` },
    ])
    expect(await mailsTo(outsideAddress)).toEqual([])
    const [told] = (await readAttachmentsTo(app.people.manager.email)).filter(({ subject }) =>
      subject.includes("Closed later"),
    )
    expect(told).toMatchObject({ subject: "Not sent to every recipient: Closed later", attachments: [] })
    expect(told!.text).toContain(`${outsideAddress}: ${closed}`)
    expect((await readSchedule(scheduleId)).deliveries.map(({ kind }) => kind)).toEqual(["attachment", "refused"])
    const paused = await manager.reports.toggleSchedule({ scheduleId, version, isActive: false })
    const activating = manager.reports.toggleSchedule({ scheduleId, version: paused.version, isActive: true })
    await expect(activating).rejects.toMatchObject({ code: "INVALID" })
    const { idempotencyKey: _key, ...changed } = createScheduleForm({ name: "Closed later", recipients })
    const changing = manager.reports.updateSchedule({ ...changed, scheduleId, version: paused.version })
    await expect(changing).rejects.toMatchObject({ code: "INVALID" })
  })

  test("fails the run when every recipient is refused", async () => {
    const schedule = await manager.reports.createSchedule(
      createScheduleForm({ name: "To nobody", recipients: [outsideAddress] }),
    )
    await setAttachOutside(false)
    await manager.reports.runSchedule({ scheduleId: schedule.id, idempotencyKey: randomUUID() })
    await app.runJobs()
    expect(await runsOf(schedule.id)).toMatchObject([
      { state: "failed", message: `Not sent to ${outsideAddress}: ${closed}` },
    ])
    expect(await mailsTo(outsideAddress)).toEqual([])
    await manager.reports.deleteSchedule({ scheduleId: schedule.id })
  })

  test("by link opens the file for users who may read it", async () => {
    const { underwriter } = app.people
    const decisions = { report: "decisions", type: "daily", dayOfMonth: null, recipients: [underwriter.email] }
    const schedule = await manager.reports.createSchedule(createScheduleForm(decisions))
    await manager.reports.runSchedule({ scheduleId: schedule.id, idempotencyKey: randomUUID() })
    await app.runJobs()
    expect((await app.as(underwriter).reports.runs({})).rows.map(({ name }) => name)).toContain("Decisions")
    expect((await app.as(app.people.manager2).reports.runs({})).rows).toEqual([])
  })
})

async function readUnreadNotifications(): Promise<Record<string, string[]>> {
  const { admin, manager, manager2, underwriter } = app.people
  const unread: Record<string, string[]> = {}
  for (const person of [admin, manager, manager2, underwriter, scene.people.hr, scene.people.signatory]) {
    const { rows } = await app.as(person).notifications.inbox({ show: "unread", limit: 100 })
    const of = rows.filter(({ kind }) => kind === "report_failed").map(({ text }) => text)
    if (of.length > 0) unread[person.userId] = of
  }
  return unread
}

test("a successful run clears the notification of the previous failure", async () => {
  const schedule = await manager.reports.createSchedule(
    createScheduleForm({ name: "Register", type: "daily", dayOfMonth: null }),
  )
  await app.sql.run(sql`update users set role = null where id = ${app.people.manager.userId}`)
  app.clock.set("2026-11-03T07:00:01Z")
  expect(await runDueReports()).toBe(1)
  await app.sql.run(sql`update users set role = 'manager' where id = ${app.people.manager.userId}`)
  // The owner may no longer read reports; administrators are notified instead.
  expect(await readUnreadNotifications()).toEqual({ [app.people.admin.userId]: ['Scheduled report "Register" failed'] })
  app.clock.set("2026-11-04T07:00:01Z")
  expect(await runDueReports()).toBe(1)
  expect((await readSchedule(schedule.id)).lastRun).toMatchObject({ state: "done" })
  expect(await readUnreadNotifications()).toEqual({})
})

test("a schedule pauses after three failures in a row and stops without an authorised owner", async () => {
  const owner = app.people.manager2
  const financial = {
    report: "premium_billing",
    type: "daily",
    dayOfMonth: null,
    name: "Daily billing",
    recipients: [outsideAddress],
  }
  const schedule = await app.as(owner).reports.createSchedule(createScheduleForm(financial))
  await app.sql.run(sql`update users set role = 'underwriter' where id = ${owner.userId}`)
  for (const [day, isActive, said] of [
    ["03", true, "failed"],
    ["04", true, "failed"],
    ["05", false, "is paused"],
  ] as const) {
    app.clock.set(`2026-11-${day}T07:00:01Z`)
    expect(await runDueReports()).toBe(1)
    expect((await readSchedule(schedule.id)).isActive).toBe(isActive)
    expect(await readUnreadNotifications()).toEqual({ [owner.userId]: [`Scheduled report "Daily billing" ${said}`] })
  }
  expect((await readSchedule(schedule.id)).pausedBecause).toContain(
    "failed 3 times in a row: You do not have access to this.",
  )
  expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toEqual(["Paused: Daily billing"])
  expect(await mailsTo(outsideAddress)).toEqual([])
  app.clock.set("2026-11-06T07:00:01Z")
  expect(await runDueReports()).toBe(0)
  await app.sql.run(sql`update users set role = 'manager' where id = ${owner.userId}`)
  const paused = await readSchedule(schedule.id)
  const back = await app
    .as(owner)
    .reports.toggleSchedule({ scheduleId: paused.id, version: paused.version, isActive: true })
  expect(back).toMatchObject({ isActive: true, pausedBecause: null, nextRunAt: "2026-11-07T07:00:00Z" })
  expect(await readUnreadNotifications()).toEqual({})
  await app.sql.run(sql`update users set disabled_at = now() where id = ${owner.userId}`)
  app.clock.set("2026-11-07T07:00:01Z")
  expect(await runDueReports()).toBe(1)
  expect(await readSchedule(schedule.id)).toMatchObject({
    isActive: false,
    pausedBecause: "The account of the schedule's owner is disabled.",
  })
  expect(await readUnreadNotifications()).toEqual({
    [app.people.admin.userId]: ['Scheduled report "Daily billing" is paused'],
  })
  const [told] = (await app.as(app.people.admin).notifications.inbox({ show: "unread" })).rows
  expect(told).toMatchObject({ path: "/reports/scheduled", groupName: null })
  await app.as(app.people.admin).reports.deleteSchedule({ scheduleId: schedule.id })
  expect(await readUnreadNotifications()).toEqual({})
  await app.sql.run(sql`update users set disabled_at = null where id = ${owner.userId}`)
})

describe("a schedule", () => {
  test("needs a name, valid recipient addresses and a report its owner may read", async () => {
    const words = "Please provide a schedule name and at least one recipient email."
    const refused = (more: object) =>
      manager.reports
        .createSchedule(createScheduleForm(more))
        .catch((error: { data?: { fields: { message: string }[] } }) => error.data?.fields[0]?.message)
    expect(await refused({ name: "  " })).toBe(words)
    expect(await refused({ recipients: [] })).toBe(words)
    expect(await refused({ recipients: ["nobody"] })).toBe("This is not an e-mail address")
    expect(await refused({ recipients: ["a@b.example", "A@b.example"] })).toBe("Add each recipient only once")
    expect(await refused({ dayOfMonth: 29 })).toBeTruthy()
    expect(await refused({ hour: 24 })).toBeTruthy()
    const underwriter = app.as(app.people.underwriter)
    await expect(underwriter.reports.createSchedule(createScheduleForm({ report: "cash_book" }))).rejects.toMatchObject(
      {
        code: "FORBIDDEN",
      },
    )
    for (const who of [scene.people.hr, scene.people.signatory, app.people.none])
      await expect(app.as(who).reports.createSchedule(createScheduleForm())).rejects.toMatchObject({
        code: "FORBIDDEN",
      })
  })

  test("is changed only by its owner, and visible to others only as administrator or manager", async () => {
    const schedule = await app.as(app.people.underwriter).reports.createSchedule(createScheduleForm())
    const { id: scheduleId, version } = schedule
    app.clock.set("2026-11-02T08:01:00Z")
    const newer = await app
      .as(app.people.underwriter)
      .reports.createSchedule(createScheduleForm({ name: "A newer one" }))
    expect((await app.as(app.people.admin).reports.schedules({})).map(({ id }) => id)).toEqual([newer.id, scheduleId])
    await app.as(app.people.underwriter).reports.deleteSchedule({ scheduleId: newer.id })
    const { idempotencyKey: _key, ...changed } = createScheduleForm({
      type: "weekly",
      dayOfWeek: 6,
      dayOfMonth: null,
      hour: 6,
    })
    await expect(manager.reports.updateSchedule({ ...changed, scheduleId, version })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
    await expect(
      app.as(app.people.admin).reports.updateSchedule({ ...changed, scheduleId, version }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" })
    const own = app.as(app.people.underwriter)
    const after = await own.reports.updateSchedule({ ...changed, scheduleId, version })
    expect(after).toMatchObject({ type: "weekly", nextRunAt: "2026-11-08T04:00:00Z", version: version + 1 })
    await expect(own.reports.updateSchedule({ ...changed, scheduleId, version })).rejects.toMatchObject({
      code: "STALE",
    })
    const paused = await app
      .as(app.people.admin)
      .reports.toggleSchedule({ scheduleId, version: after.version, isActive: false })
    expect(paused.isActive).toBe(false)
    expect((await app.as(app.people.underwriter).reports.schedules({})).map(({ id }) => id)).toEqual([scheduleId])
    await own.reports.deleteSchedule({ scheduleId })
    await expect(own.reports.deleteSchedule({ scheduleId })).rejects.toMatchObject({ code: "NOT_FOUND" })
    const told = await app.sql.rows<{ fact: string }>(
      sql`select fact from audit_log where record_id = ${scheduleId} order by id`,
    )
    expect(told.map(({ fact }) => fact)).toEqual([
      ...["ReportScheduled", "ReportScheduleChanged", "ReportSchedulePaused", "ReportScheduleDeleted"],
    ])
  })
})
