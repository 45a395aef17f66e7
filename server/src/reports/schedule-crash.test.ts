import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { jobs } from "../jobs.ts"
import { runDueJobs } from "../platform/work/jobs.ts"
import { RealServer } from "../test/real-server.ts"
import { startDueReports } from "./send-report.ts"

/* Kills the server and its database while a report is generated and sent. `POINTS=12` tries twelve moments instead of
   three. */

const outside = "broker@elsewhere.example"

let server: RealServer
beforeAll(async () => {
  server = await RealServer.started(
    `create trigger starting before insert on report_runs for each row execute function stand_still('starting');
    create trigger planning before update on report_schedules for each row when (new.next_run_at > old.next_run_at)
      execute function stand_still('planning');
    create trigger making before update on jobs for each row when (new.kind = 'reports.send' and new.done is distinct from old.done)
      execute function stand_still('making');
    create trigger keeping before update on report_runs for each row when (new.state = 'done') execute function stand_still('keeping');
    create trigger mailing before insert on mails for each row execute function stand_still('mailing');
    create constraint trigger committing after insert on mails deferrable initially deferred for each row
      execute function stand_still('committing');`,
  )
  const { settings, version } = await server.client.settings.detail({})
  await server.client.settings.save({ version, settings: { ...settings, attachReportsOutside: true } } as never)
}, 180_000)
afterAll(() => server.close())

const crashPoints = ["keeping", "mailing", "starting", "committing", "making", "planning"]
const crashCases = (["both", "the server"] as const)
  .flatMap((what) => crashPoints.map((point) => [point, what] as const))
  .slice(0, Number(process.env.POINTS ?? 3))

test.each(crashCases)(
  "%s, while %s is killed: the schedule runs once, late, with one mail per recipient",
  async (point, what) => {
    const { owner, client, actor } = server
    const name = `Killed ${point} ${what}`
    const schedule = await client.reports.createSchedule({
      ...{ name, report: "member_register", format: "pdf", type: "daily", hour: 9 },
      ...{ recipients: [actor.email, outside], idempotencyKey: randomUUID() },
    })
    const dueThreeDaysAgo = sql`
      update report_schedules set next_run_at = date_trunc('hour', now()) - interval '3 days' where id = ${schedule.id}`
    await server.killedAt(point, what, () => owner.run(dueThreeDaysAgo))
    const run = () =>
      owner.rows<{ state: string }>(sql`select state from report_runs where schedule_id = ${schedule.id}`)
    await server.until(async () => (await run()).some(({ state }) => state === "done"), 90_000)
    expect(await run()).toEqual([{ state: "done" }])
    const mails = await owner.rows<{ to: string; files: number; isLate: boolean }>(sql`
      select to_address as "to", jsonb_array_length(attachments) as files, text_body like '%is late because%' as "isLate"
      from mails where about_id = ${schedule.id} order by to_address`)
    expect(mails).toEqual([
      { to: actor.email, files: 1, isLate: true },
      { to: outside, files: 1, isLate: true },
    ])
    const after = await owner.row<{ isAhead: boolean; facts: number; files: number }>(sql`
      select next_run_at > now() as "isAhead",
        (select count(*) from audit_log a join report_runs r on r.id = a.record_id where r.schedule_id = s.id and a.fact = 'ReportGenerated') as facts,
        (select count(*) from files f join report_runs r on r.file_id = f.id where r.schedule_id = s.id) as files
      from report_schedules s where id = ${schedule.id}`)
    expect(after).toEqual({ isAhead: true, facts: 1, files: 1 })
    await client.reports.deleteSchedule({ scheduleId: schedule.id })
  },
  150_000,
)

test("two processes run each scheduled time only once", async () => {
  const { owner, client, actor, app } = server
  const ids: string[] = []
  for (const name of ["One", "Two", "Three", "Four"]) {
    const { id } = await client.reports.createSchedule({
      ...{ name, report: "member_register", format: "csv", type: "daily", hour: 9 },
      ...{ recipients: [actor.email, outside], idempotencyKey: randomUUID() },
    })
    ids.push(id)
  }
  const mine = sql.param(ids)
  await owner.run(sql`update report_schedules set next_run_at = now() where id = any (${mine}::uuid[])`)
  const counted = () =>
    owner.row<{ runs: number; done: number; mails: number }>(sql`
      select count(*) as runs, count(*) filter (where state = 'done') as done,
        (select count(*) from mails where about_id = any (${mine}::uuid[])) as mails
      from report_runs where schedule_id = any (${mine}::uuid[])`)
  // Competes with the server, which checks every fifteen seconds.
  await server.until(async () => {
    await Promise.all([startDueReports(app), startDueReports(app)])
    await runDueJobs(app, jobs, new AbortController().signal)
    return (await counted())!.done === ids.length
  })
  expect(await counted()).toEqual({ runs: 4, done: 4, mails: 8 })
}, 90_000)
