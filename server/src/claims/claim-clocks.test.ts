import { timeLeft } from "@milkwood/domain/claims/claim-clock"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { Settings } from "@milkwood/domain/settings/settings"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { queueRecurring } from "../platform/work/schedule.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { approveStage, createSubmittedClaim } from "./claims.samples.ts"

let app: ClaimApp
let scene: ClaimScene

// Monday.
const monday = "2026-11-02"
beforeAll(async () => {
  app = await openClaimApp({ requiresDocuments: true })
  scene = await insureGroup(app, "Punctual Printers")
})
afterAll(() => app.close())
beforeEach(() => goTo(monday))

const goTo = (day: Day) => app.clock.set(`${day}T08:00:00Z`)
const read = ({ id: claimId }: Pick<ClaimDetail, "id">) => scene.cast.manager.claims.detail({ claimId })
const waive = (claim: ClaimDetail) =>
  scene.cast.manager.claims.waiveDocuments({
    claimId: claim.id,
    version: claim.version,
    documents: claim.requiredDocuments.find(({ state }) => state === "missing")!.documents,
    reason: "Seen at the counter",
  })

async function changeSettings(changes: Partial<Settings>): Promise<void> {
  const admin = app.as(app.people.admin)
  const { version, settings } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, ...changes } })
}

/** A death claim, promised in 2 working days, whose documents are complete on `day`. */
async function createCompleteClaim(day: Day = monday): Promise<ClaimDetail> {
  goTo(day)
  const submitted = await createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death" })
  return waive(await waive(submitted))
}

test("the clock waits again after a waiver is withdrawn, and starts anew with the document", async () => {
  const complete = await createCompleteClaim()
  expect(complete.clock).toMatchObject({ state: "running", documentsCompleteAt: `${monday}T08:00:00Z` })
  goTo("2026-11-04")
  const { documents } = complete.requiredDocuments[0]!
  const change = { claimId: complete.id, documents, reason: "The family found it" }
  const withdrawn = await scene.cast.manager.claims.withdrawWaiver({ ...change, version: complete.version })
  expect(withdrawn.clock).toMatchObject({ state: "waiting", documentsCompleteAt: null, dueOn: null })
  goTo("2026-11-05")
  expect((await waive(withdrawn)).clock).toMatchObject({
    state: "running",
    documentsCompleteAt: "2026-11-05T08:00:00Z",
    dueOn: "2026-11-09",
  })
})

test("the clock starts when the last required document is there or waived", async () => {
  const submitted = await createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death" })
  expect(submitted.clock).toMatchObject({
    state: "waiting",
    text: "Waiting for documents",
    dueOn: null,
    promisedDays: 2,
  })
  goTo("2026-11-04")
  const half = await waive(submitted)
  expect(half.clock).toMatchObject({ state: "waiting" })
  goTo("2026-11-05")
  expect((await waive(half)).clock).toMatchObject({
    state: "running",
    text: "2 working days left",
    documentsCompleteAt: "2026-11-05T08:00:00Z",
    dueOn: "2026-11-09",
  })
})

test("a request for documents stops the clock until they are there", async () => {
  const claim = await createCompleteClaim()
  expect(claim.clock).toMatchObject({ dueOn: "2026-11-04" })
  const { id: claimId, version } = claim
  const asked = await scene.cast.manager.claims.requestDocuments({ claimId, version, documents: ["other"], note: "" })
  expect(asked.clock).toMatchObject({ state: "waiting", dueOn: null })
  goTo("2026-11-05")
  const server = await app.serve()
  const form = new FormData()
  form.set("documentType", "other")
  form.set("file", new File(["%PDF-1.4\n%%EOF\n"], "letter.pdf", { type: "application/pdf" }))
  const headers = server.headersOf(scene.people.hr)
  await fetch(`${server.url}/api/claims/${claimId}/documents`, { method: "POST", headers, body: form })
  expect((await read(claim)).clock).toMatchObject({ state: "running", dueOn: "2026-11-09" })
})

test("the clock runs through the approvals, and the decision stores the days used", async () => {
  let claim = await createCompleteClaim()
  goTo("2026-11-03")
  claim = await scene.cast.manager.claims.route({ claimId: claim.id, version: claim.version })
  expect(claim.clock).toMatchObject({ text: "1 working day left" })
  claim = await approveStage(scene.cast, claim)
  goTo("2026-11-04")
  expect((await read(claim)).clock).toMatchObject({ state: "due", text: "Due today" })
  goTo("2026-11-09")
  expect((await read(claim)).clock).toMatchObject({ state: "late", text: "3 working days late" })
  claim = await approveStage(scene.cast, claim)
  claim = await approveStage(scene.cast, claim)
  expect(claim.clock).toMatchObject({ state: "decided", text: "Decided in 5 of 2 working days", dueOn: null })
  const period = { from: "2026-11-01", to: "2026-11-30" }
  const { rows } = await app.as(app.people.manager).reports.rows({ report: "turnaround", query: period })
  expect(rows.find(({ stage }) => stage === "Submission to decision")).toMatchObject({
    ...{ claims: 1, kept: 0, missed: 1, keptPercent: 0 },
  })
})

describe("settings", () => {
  test("a holiday announced late moves the due days of open claims", async () => {
    const claim = await createCompleteClaim()
    await changeSettings({ extraHolidays: ["2026-11-04"] })
    expect((await read(claim)).clock).toMatchObject({ dueOn: "2026-11-05", text: "2 working days left" })
    await changeSettings({ extraHolidays: [] })
    expect((await read(claim)).clock).toMatchObject({ dueOn: "2026-11-04" })
  })

  test("another timezone moves the due days of open claims", async () => {
    app.clock.set(`${monday}T22:30:00Z`)
    const submitted = await createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death" })
    const claim = await waive(await waive(submitted))
    // Already Tuesday in Johannesburg.
    expect(claim.clock).toMatchObject({ dueOn: "2026-11-05" })
    await changeSettings({ timezone: "UTC" })
    expect((await read(claim)).clock).toMatchObject({ dueOn: "2026-11-04" })
    await changeSettings({ timezone: "Africa/Johannesburg" })
    expect((await read(claim)).clock).toMatchObject({ dueOn: "2026-11-05" })
  })

  test("a claim that misses nothing any more starts its clock, and a new promise counts for new claims", async () => {
    const submitted = await createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death" })
    goTo("2026-11-05")
    const { requiredDocuments } = (await app.as(app.people.admin).settings.detail()).settings
    await changeSettings({ requiredDocuments: [], deathPromiseDays: 1 })
    expect((await read(submitted)).clock).toMatchObject({ promisedDays: 2, dueOn: "2026-11-09" })
    const next = await createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death" })
    expect(next.clock).toMatchObject({ promisedDays: 1, dueOn: "2026-11-06" })
    await changeSettings({ requiredDocuments, deathPromiseDays: 2 })
  })
})

test("the pending list shows and sorts by the time left, as the rule says", async () => {
  const early = await createCompleteClaim("2026-10-30")
  const later = await createCompleteClaim("2026-11-05")
  await createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death" })
  goTo("2026-11-09")
  const { manager } = scene.cast
  const { rows } = await manager.claims.pending({ sort: "dueOn", pageSize: 100 })
  const due = rows.map(({ dueOn }) => dueOn ?? "9999")
  expect(due).toEqual(due.toSorted())
  expect(rows.some(({ dueOn }) => dueOn === null)).toBe(true)
  for (const { status, dueOn, timeLeft: text, clock } of rows) {
    const facts = { status, dueOn, promisedDays: 2, workingDaysUsed: null }
    expect({ text, state: clock }).toEqual({
      text: timeLeft(facts, "2026-11-09", [])?.text,
      state: timeLeft(facts, "2026-11-09", [])?.state,
    })
  }
  const textOf = ({ id }: ClaimDetail) => rows.find((row) => row.id === id)?.timeLeft
  expect([textOf(early), textOf(later)]).toEqual(["4 working days late", "Due today"])
  const needed = await manager.claims.pending({ due: true, pageSize: 100 })
  expect(needed.rows.map(({ id }) => id)).toEqual(expect.arrayContaining([early.id, later.id]))
  expect(needed.rows.every(({ dueOn }) => dueOn !== null && dueOn <= "2026-11-09")).toBe(true)
})

test("managers see due claims under “Needs you” and are notified once per due day", async () => {
  const claim = await createCompleteClaim()
  const morning = async (day: Day) => {
    app.clock.set(`${day}T05:20:00Z`)
    await queueRecurring(app.app)
    await app.runJobs()
  }
  await queueRecurring(app.app)
  const texts = async () => {
    const { rows } = await app.as(app.people.manager2).notifications.inbox({ limit: 100 })
    return rows.map(({ text }) => text).filter((text) => text.includes(claim.number))
  }
  await morning("2026-11-03")
  expect(await texts()).not.toContain(`Claim ${claim.number} is due on 2026-11-04`)
  await morning("2026-11-04")
  await morning("2026-11-05")
  expect((await texts()).filter((text) => text.includes("due on"))).toEqual([
    `Claim ${claim.number} is due on 2026-11-04`,
  ])
  const { total } = await scene.cast.manager.claims.pending({ due: true })
  const needs = await app.as(app.people.manager).reports.needsYou({})
  expect(needs.find(({ key }) => key === "claimsDue")).toMatchObject({ count: total })
})

test("the database refuses a due day of a claim that waits, and a route without documents", async () => {
  const submitted = await createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death" })
  const change = (set: ReturnType<typeof sql>) => app.sql.run(sql`update claims set ${set} where id = ${submitted.id}`)
  await expect(change(sql`due_on = '2026-11-04'`)).rejects.toThrow(/claims_due_is_running/)
  await expect(change(sql`working_days_used = 1`)).rejects.toThrow(/claims_days_used_is_decided/)
  await expect(
    change(sql`status = 'pending_group_admin', routed_at = now(), reviewed_by = submitted_by, reviewed_at = now()`),
  ).rejects.toThrow(/claims_routed_has_documents/)
  await expect(change(sql`documents_complete_at = submitted_at - interval '1 second'`)).rejects.toThrow(
    /claims_clock_begins_at_submission/,
  )
})

describe("with daylight saving time in another timezone", () => {
  const changeTimezone = async (timezone: Settings["timezone"]) => {
    await changeSettings({ timezone })
    app.app.forgetSettings()
  }
  beforeAll(() => changeTimezone("America/New_York"))
  afterAll(() => changeTimezone("Africa/Johannesburg"))

  test.each([
    {
      change: "starts",
      // Thursday 23:30; an hour later it would be Friday.
      completeAt: "2026-03-06T04:30:00Z",
      dueOn: "2026-03-09",
      beforeReminder: "2026-03-09T11:10:00Z",
      afterReminder: "2026-03-09T11:20:00Z",
      lastSecond: "2026-03-10T03:59:59Z",
      midnight: "2026-03-10T04:00:00Z",
    },
    {
      change: "ends",
      // Friday 00:30; an hour earlier it would be Thursday.
      completeAt: "2026-10-30T04:30:00Z",
      dueOn: "2026-11-03",
      beforeReminder: "2026-11-03T12:10:00Z",
      afterReminder: "2026-11-03T12:20:00Z",
      lastSecond: "2026-11-04T04:59:59Z",
      midnight: "2026-11-04T05:00:00Z",
    },
  ])("a promise is due and late by local time when daylight saving $change", async (days) => {
    const { completeAt, dueOn, beforeReminder, afterReminder, lastSecond, midnight } = days
    app.clock.set(completeAt)
    const facts = { claimType: "death", incidentOn: "2026-02-10", notificationOn: "2026-02-11" } as const
    const claim = await waive(await waive(await createSubmittedClaim(scene.cast, { ...scene.sample, ...facts })))
    expect(claim.clock).toMatchObject({ text: "2 working days left", dueOn })

    const remindersAt = async (instant: string) => {
      app.clock.set(instant)
      await queueRecurring(app.app)
      await app.runJobs()
      const { rows } = await app.as(app.people.manager2).notifications.inbox({ limit: 100 })
      return rows.map(({ text }) => text).filter((text) => text === `Claim ${claim.number} is due on ${dueOn}`)
    }
    // A reminder missed on an earlier day is sent at once.
    await remindersAt(`${addDays(dueOn, -1)}T18:00:00Z`)
    expect(await remindersAt(beforeReminder)).toHaveLength(0)
    expect(await remindersAt(afterReminder)).toHaveLength(1)

    const statesAt = async (instant: string) => {
      app.clock.set(instant)
      const { rows } = await scene.cast.manager.claims.pending({ search: claim.number })
      return [(await read(claim)).clock?.state, rows.map(({ clock }) => clock)]
    }
    expect(await statesAt(lastSecond)).toEqual(["due", ["due"]])
    expect(await statesAt(midnight)).toEqual(["late", ["late"]])
  })
})
