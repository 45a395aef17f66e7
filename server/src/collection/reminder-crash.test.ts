import { randomUUID } from "node:crypto"
import { premiumTemplates } from "@milkwood/domain/collection/premium-mail"
import { addMonths, firstOfMonth, isoMonthOf } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSampleBenefits } from "../benefits/benefits.samples.ts"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { systemClock } from "../platform/clock.ts"
import { startJob } from "../platform/work/jobs.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { RealServer } from "../test/real-server.ts"

/* Kills the server and its database while a reminder run is paused at a chosen point, after some of three mails.
   `POINTS=12` tries all points instead of three. */

const places = ["mailing", "committing", "filing", "noting"]
const points = [1, 0, 2]
  .flatMap((made) => places.map((place) => ({ place, made })))
  .slice(0, Number(process.env.POINTS ?? 3))

let server: RealServer
let productTypeId: string

beforeAll(async () => {
  server = await RealServer.started(
    `create table made_before as select 1 as n;
    create trigger queueing before insert on jobs for each row when (new.kind = 'collection.mails') execute function stand_still('queueing');
    create trigger filing before insert on files for each row when (new.kind = 'statement') execute function stand_still('filing');
    create trigger mailing before insert on mails for each row when (new.about_kind = 'policy') execute function stand_still('mailing');
    create trigger noting before insert on premium_contacts for each row execute function stand_still('noting');
    create constraint trigger committing after insert on premium_contacts deferrable initially deferred for each row
      execute function stand_still('committing');`,
    // At the commit, the policy's own row counts too.
    `(select count(*) from premium_contacts) % 3 = (select (n + (tg_argv[0] = 'committing')::int) % 3 from made_before)`,
  )
  productTypeId = (await createSampleBenefits(server.client)).productTypes["Group Health"]!
}, 180_000)

afterAll(() => server.close())

const readLastMonth = () =>
  addMonths(firstOfMonth(systemClock.now().toZonedDateTimeISO("UTC").toPlainDate().toString()), -1)

async function createThreeOwingPolicies(name: string): Promise<string[]> {
  const ids: string[] = []
  for (const place of [1, 2, 3]) {
    const sample = {
      groupName: `${name} ${place}`,
      productTypeId,
      premiumCents: place * 100_00,
      startOn: readLastMonth(),
    }
    const { id } = await createActivePolicy(server.client, sample)
    await createSentInvoice(server.client, { policyId: id, month: readLastMonth(), invoiceOn: readLastMonth() })
    ids.push(id)
  }
  return ids
}

const isDone = async () => {
  const left = await server.owner.row<{ jobs: number }>(
    sql`select count(*) as jobs from jobs where kind like 'collection.%' and state in ('queued', 'running')`,
  )
  return left!.jobs === 0
}

const countReminders = (policyIds: string[]) =>
  server.owner.rows<{ mails: number; files: number; contacts: number; facts: number }>(sql`
    select (select count(*) from mails m where m.about_kind = 'policy' and m.about_id = p.id) as mails,
      (select count(*) from mails m join files f on f.id = (m.attachments -> 0 ->> 'fileId')::uuid
        where m.about_kind = 'policy' and m.about_id = p.id) as files,
      (select count(*) from premium_contacts c where c.policy_id = p.id and c.kind = 'reminder') as contacts,
      (select count(*) from audit_log a where a.record_id = p.id and a.fact = 'PremiumReminderSent') as facts
    from policies p where p.id = any (${sql.param(policyIds)}::uuid[]) order by p.number`)

const oneReminderEach = Array.from({ length: 3 }, () => ({ mails: 1, files: 1, contacts: 1, facts: 1 }))

/** Returns the duration of the run after the restart. */
async function killAndRestartAt(place: string, made: number, start: () => Promise<unknown>): Promise<number> {
  await server.owner.run(sql`update made_before set n = ${made}`)
  await server.killedAt(place, "both", start)
  return server.until(isDone)
}

test.each(points)("killed while $place, with $made reminded: the run resumes and reminds every policy once", async ({
  place,
  made,
}) => {
  const policyIds = await createThreeOwingPolicies(`Owing ${place} ${made}`)
  const waited = await killAndRestartAt(place, made, () =>
    server.client.collection.remind({ policyIds, idempotencyKey: randomUUID(), ...premiumTemplates.reminder.initial }),
  )
  expect(waited).toBeLessThan(60_000)
  expect(await countReminders(policyIds)).toEqual(oneReminderEach)
}, 240_000)

test("killed while recording calendar reminders: they are sent once this month to all debtors", async () => {
  const policyIds = await createThreeOwingPolicies("By the calendar")
  const { today } = await server.app.moment()
  const day = Math.min(28, Number(today.slice(8)))
  const { settings, version } = await server.client.settings.detail()
  const changes = { premiumReminders: true, premiumReminderDay: day, outstandingAlerts: false }
  await server.client.settings.save({ version, settings: { ...settings, ...changes } })
  const before = addMonths(firstOfMonth(today), -2)
  await server.owner.run(sql`
    insert into premium_calendar (task, month, due_on, outcome, done_at)
    values ('reminders', ${before}, ${before}, 'begin', ${systemClock.now()}) on conflict do nothing`)
  const daily = () =>
    startJob(
      { tx: server.owner, actor: server.actor, now: systemClock.now() },
      { kind: "collection.daily", label: "Premium collection", payload: {} },
    )
  const { contacts } = (await server.owner.row<{ contacts: number }>(
    sql`select count(*) as contacts from premium_contacts`,
  ))!
  await killAndRestartAt("queueing", contacts % 3, daily)
  const run = `calendar:${isoMonthOf(today)}`
  const remindedOnce = await server.owner.rows(sql`
    select policy_id, count(*) from premium_contacts where run = ${run} group by 1 having count(*) <> 1`)
  expect(remindedOnce).toEqual([])
  expect(await countReminders(policyIds)).toEqual(oneReminderEach)
  await daily()
  await server.until(isDone)
  expect(await countReminders(policyIds)).toEqual(oneReminderEach)
}, 240_000)
