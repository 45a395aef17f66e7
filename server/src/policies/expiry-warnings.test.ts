import { sql } from "drizzle-orm"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { queueRecurring } from "../platform/work/schedule.ts"

let app: BillingApp
beforeEach(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
  await queueRecurring(app.app)
})
afterEach(() => app.close())

async function runMorningJobs(day: string) {
  app.clock.set(`${day}T05:30:00Z`)
  await queueRecurring(app.app)
  await app.runJobs()
}
const readWarningMails = async () => (await app.mails()).filter(({ subject }) => subject.includes(" ends on "))
const unreadWarningsOf = async (actor: UserActor) =>
  (await app.as(actor).notifications.inbox({ show: "unread" })).rows
    .filter(({ kind }) => kind === "policy_expiring")
    .map(({ text }) => text)
async function changeSettings(change: { policyExpiryWarnings?: boolean; policyExpiryDays?: number }) {
  const { settings: client } = app.as(app.people.admin)
  const { version, settings } = await client.detail()
  await client.save({ version, settings: { ...settings, ...change } })
}
const setEndOn = (policyId: string, day: string) =>
  app.sql.run(sql`update policies set end_on = ${day} where id = ${policyId}`)

test("the contact, managers and responsible users are notified once, 30 days before a policy's end", async () => {
  const { id, number, groupId } = await app.policy()
  const [hr, stranger] = [await app.people.groupAdmin(groupId), await app.people.groupAdmin()]
  await setEndOn(id, "2026-12-31")
  await runMorningJobs("2026-11-30")
  expect(await readWarningMails()).toEqual([])
  await runMorningJobs("2026-12-01")
  const [mail, ...more] = await readWarningMails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to: "hr@acacia.example", subject: `Policy ${number} ends on 2026-12-31` })
  expect(mail!.text).toContain("ends on 2026-12-31, in 30 days.")
  const said = `Policy ${number} ends on 2026-12-31`
  for (const actor of [app.people.manager, app.people.manager2, hr])
    expect(await unreadWarningsOf(actor)).toEqual([said])
  for (const actor of [app.people.admin, app.people.underwriter, stranger])
    expect(await unreadWarningsOf(actor)).toEqual([])
  await runMorningJobs("2026-12-02")
  await app.sql.run(
    sql`update jobs set state = 'queued', run_at = clock_timestamp() where kind = 'policies.expiryWarnings'`,
  )
  await app.runJobs()
  expect(await readWarningMails()).toHaveLength(1)
  const activity = await app.manager.policies.activity({ policyId: id })
  expect(activity.map(({ fact }) => fact)).toContain("PolicyExpiryWarned")
})

test("a missed expiry warning is sent later, and a renewed policy has another warning", async () => {
  const [first, second] = [await app.policy(), await app.policy()]
  await setEndOn(first.id, "2026-12-31")
  await setEndOn(second.id, "2026-12-20")
  await runMorningJobs("2026-12-15")
  expect((await readWarningMails()).map(({ text }) => /in \d+ days/.exec(text)![0]).sort()).toEqual([
    "in 16 days",
    "in 5 days",
  ])
  await setEndOn(first.id, "2027-12-31")
  await runMorningJobs("2026-12-16")
  expect(await unreadWarningsOf(app.people.manager)).toEqual([`Policy ${second.number} ends on 2026-12-20`])
  await runMorningJobs("2027-12-01")
  expect((await readWarningMails()).map(({ subject }) => subject)).toContain(
    `Policy ${first.number} ends on 2027-12-31`,
  )
})

test("settings change the days or disable warnings; users are notified even without a contact address", async () => {
  const { id, number } = await app.policy()
  await setEndOn(id, "2026-12-31")
  await changeSettings({ policyExpiryWarnings: false })
  await runMorningJobs("2026-12-02")
  expect(await readWarningMails()).toEqual([])
  expect(await unreadWarningsOf(app.people.manager)).toEqual([])
  await changeSettings({ policyExpiryWarnings: true, policyExpiryDays: 10 })
  await app.sql.run(sql`update policies set contact_email = '' where id = ${id}`)
  await runMorningJobs("2026-12-20")
  expect(await unreadWarningsOf(app.people.manager)).toEqual([])
  await runMorningJobs("2026-12-21")
  expect(await readWarningMails()).toEqual([])
  expect(await unreadWarningsOf(app.people.manager)).toEqual([`Policy ${number} ends on 2026-12-31`])
  await expect(changeSettings({ policyExpiryDays: 0 })).rejects.toMatchObject({ code: "INVALID" })
})
