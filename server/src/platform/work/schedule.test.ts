import { sql } from "drizzle-orm"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { dailyAt, queueRecurring, type RecurringJob } from "./schedule.ts"

let app: TestApp
beforeEach(async () => {
  app = await openTestApp({ now: "2026-11-21T08:00:00Z" })
})
afterEach(() => app.close())

const testRecurring: RecurringJob[] = [
  { name: "tested", next: dailyAt("02:30"), job: { kind: "platform.housekeeping", label: "Tested", payload: {} } },
]
const queueTestRecurring = () => queueRecurring(app.app, testRecurring)
const readNextRun = async () =>
  (await app.sql.row<{ at: string }>(sql`select next_run_at as at from schedules where name = 'tested'`))?.at

test("a schedule runs at its time, and once for all missed times", async () => {
  expect(await queueTestRecurring()).toBe(0)
  expect(await readNextRun()).toBe("2026-11-22T00:30:00Z")
  app.clock.set("2026-11-22T00:30:00Z")
  expect([await queueTestRecurring(), await queueTestRecurring()]).toEqual([1, 0])
  app.clock.set("2026-11-30T08:00:00Z")
  expect([await queueTestRecurring(), await queueTestRecurring()]).toEqual([1, 0])
})

test("a clock that was temporarily ahead does not stop the schedule", async () => {
  const warn = vi.spyOn(app.app.log, "warn")
  app.clock.set("2026-12-31T08:00:00Z")
  await queueTestRecurring()
  app.clock.set("2026-11-21T08:00:00Z")
  expect(await queueTestRecurring()).toBe(0)
  expect(await readNextRun()).toBe("2026-11-22T00:30:00Z")
  expect(warn.mock.calls).toEqual([
    [{ schedule: "tested", next: "2026-11-22T00:30:00Z" }, expect.stringContaining("too far ahead")],
  ])
  app.clock.set("2026-11-22T00:30:00Z")
  expect(await queueTestRecurring()).toBe(1)
})
