import { randomUUID } from "node:crypto"
import { premiumTemplates } from "@milkwood/domain/collection/premium-mail"
import type { defaultSettings } from "@milkwood/domain/settings/settings"
import { sql } from "drizzle-orm"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { queueRecurring } from "../platform/work/schedule.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"

let app: BillingApp
beforeEach(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterEach(() => app.close())

async function createOwingPolicy(sample: Parameters<BillingApp["policy"]>[0] = {}): Promise<string> {
  const { id } = await app.policy({ premiumCents: 1_000_00, ...sample })
  await createSentInvoice(app.manager, { policyId: id, month: "2026-09-01", invoiceOn: "2026-09-01" })
  return id
}
const { subject, text } = premiumTemplates.reminder.initial
const sendReminders = (policyIds: string[], words: { subject?: string; text?: string } = {}) =>
  app.manager.collection.remind({ policyIds, idempotencyKey: randomUUID(), subject, text, ...words })
const readPremiumMails = async () => (await app.mails()).filter((mail) => /Premiums|non-payment/.test(mail.subject))

test("a reminder is mailed with the statement and filled-in fields; paid-up policies get none", async () => {
  const [first, second, paid] = [await createOwingPolicy(), await createOwingPolicy(), await createOwingPolicy()]
  await recordedReceipt(app.manager, { policyId: paid!, amountCents: 1_150_00, receivedOn: "2026-10-05" })
  const draft = await app.manager.collection.mailDraft({ policyId: first!, kind: "reminder" })
  expect(draft.text).toContain("Dear Thandi Mokoena")
  expect(draft.text.replaceAll("\u00a0", " ")).toContain("Of this, R 1 150,00 has been overdue since 2026-10-01.")

  const answer = await sendReminders([first!, second!, paid!, first!])
  expect(answer).toMatchObject({ sending: 2, skipped: [{ policyId: paid, reason: "paid_up" }] })
  await app.runJobs()
  const mails = await readPremiumMails()
  expect(mails).toHaveLength(2)
  for (const mail of mails) {
    expect(mail.text).not.toMatch(/[{}]/)
    expect(mail.attachments[0]!.name).toMatch(/^statement-GP-2026-\d+-2026-08-01-to-2026-11-02\.pdf$/)
  }
  const { contacts } = await app.manager.collection.contacts({ policyId: first! })
  expect(contacts).toMatchObject([
    { kind: "reminder", sentTo: "hr@acacia.example", mail: "kept", madeByName: "Max Manager" },
  ])
  await app.sql.run(sql`update jobs set state = 'queued', run_at = clock_timestamp() where kind = 'collection.mails'`)
  await app.runJobs()
  expect(await readPremiumMails()).toHaveLength(2)
  const activity = await app.manager.policies.activity({ policyId: first! })
  expect(activity.map(({ fact }) => fact)).toContain("PremiumReminderSent")
  // A policy paid between request and sending gets no mail.
  await sendReminders([second!])
  await recordedReceipt(app.manager, { policyId: second!, amountCents: 1_150_00, receivedOn: "2026-11-01" })
  await app.runJobs()
  expect(await readPremiumMails()).toHaveLength(2)
})

test("refuses an empty mail text and one with an unknown placeholder", async () => {
  const policyId = await createOwingPolicy()
  await expect(sendReminders([policyId], { text: "Dear {name}" })).rejects.toMatchObject({ code: "INVALID" })
  await expect(sendReminders([policyId], { text: " " })).rejects.toMatchObject({ code: "INVALID" })
  await expect(sendReminders([randomUUID()])).rejects.toMatchObject({ code: "NOT_FOUND" })
})

test("the grace period lasts the configured days, and a lapse is a confirmed suspension", async () => {
  const policyId = await createOwingPolicy()
  const over = await app.manager.collection.grace({ policyId })
  expect(over).toMatchObject({
    graceDays: 15,
    grace: {
      nonPaymentOn: "2026-10-02",
      noticeDueOn: "2026-10-16",
      coverUntil: "2026-10-16",
      daysLeft: 0,
      isOver: true,
    },
    members: 1,
    noticeSentAt: null,
    allowedActions: ["notice", "lapse"],
  })
  const admin = app.as(app.people.admin)
  const save = async (changes: Partial<typeof defaultSettings>) => {
    const { settings, version } = await admin.settings.detail()
    await admin.settings.save({ version, settings: { ...settings, ...changes } })
  }
  await save({ premiumGraceDays: 40 })
  expect(await app.manager.collection.grace({ policyId })).toMatchObject({
    grace: { coverUntil: "2026-11-10", daysLeft: 9, isOver: false },
    allowedActions: ["notice"],
  })
  await save({ premiumGraceDays: 15 })
  await queueRecurring(app.app)
  app.clock.advance({ hours: 24 })
  await queueRecurring(app.app)
  await app.runJobs()
  expect((await app.manager.policies.detail({ policyId })).status).toBe("Active")

  const words = await app.manager.collection.mailDraft({ policyId, kind: "notice" })
  expect(words.text).toContain("until 2026-10-16")
  await app.manager.collection.sendNotice({
    policyId,
    idempotencyKey: randomUUID(),
    subject: words.subject,
    text: words.text,
  })
  await app.runJobs()
  const noticed = await app.manager.collection.grace({ policyId })
  expect(noticed.noticeSentAt).not.toBeNull()
  expect(noticed.allowedActions).toEqual(["lapse"])
  await app.manager.policies.suspend({ policyId, version: noticed.policyVersion, reason: "Premium not paid" })
  expect((await app.manager.collection.grace({ policyId })).allowedActions).toEqual([])

  const other = await app.policy()
  expect(await app.manager.collection.grace({ policyId: other.id })).toMatchObject({ grace: null, unpaid: [] })
  await expect(
    app.manager.collection.sendNotice({ policyId: other.id, idempotencyKey: randomUUID(), subject: "x", text: "x" }),
  ).rejects.toMatchObject({ code: "NOTHING_UNPAID" })
})

test.each([
  "Africa/Johannesburg",
  "UTC",
  "America/New_York",
] as const)("reminders on the 20th and alerts after the 5th run once, even late, in %s", async (timezone) => {
  const [plain, promised, disputed] = [await createOwingPolicy(), await createOwingPolicy(), await createOwingPolicy()]
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, timezone } })
  app.app.forgetSettings()
  const log = (policyId: string, call: Parameters<typeof app.manager.collection.logCall>[0]["call"]) =>
    app.manager.collection.logCall({ policyId, idempotencyKey: randomUUID(), call })
  await log(promised!, { outcome: "promise", promisedCents: 100_00, promisedOn: "2026-11-30", note: "" })
  await log(disputed!, { outcome: "dispute", note: "Not a premium or claim payment" })

  const hour = Temporal.PlainDateTime.from
  /** Runs the jobs twice at 07:00 local time, as two processes would. */
  const atSeven = async (day: string, minutes = 0) => {
    app.clock.set(hour(`${day}T07:00`).toZonedDateTime(timezone).toInstant().add({ minutes }).toString())
    await queueRecurring(app.app)
    await queueRecurring(app.app)
    await app.runJobs()
    if (minutes !== 0) return
    await app.sql.run(sql`update jobs set state = 'queued', run_at = clock_timestamp()
      where kind like 'collection.%' and created_at >= ${app.clock.now()}`)
    await app.runJobs()
  }
  const reminded = async () =>
    (await readPremiumMails()).filter((mail) => mail.subject.startsWith("Premiums outstanding")).length
  const alerted = async () =>
    (await readPremiumMails()).filter((mail) => mail.subject.startsWith("Premiums overdue")).length

  // Installed on the 2nd: earlier due days are skipped.
  await atSeven("2026-11-03")
  expect([await reminded(), await alerted()]).toEqual([0, 0])
  await atSeven("2026-11-05")
  expect(await alerted()).toBe(0)
  await atSeven("2026-11-06", -1)
  expect(await alerted()).toBe(0)
  await atSeven("2026-11-06")
  expect(await alerted()).toBe(2)
  const [alert] = (await readPremiumMails()).filter((mail) => mail.subject.startsWith("Premiums overdue"))
  expect(alert!.text.replaceAll("\u00a0", " ")).toContain("premiums of R 3 450,00 are overdue on 3 policies")
  await atSeven("2026-11-07")
  expect([await reminded(), await alerted()]).toEqual([0, 2])

  // No server ran from the 8th to the 22nd: the missed 20th runs once, without promised and disputed policies.
  await atSeven("2026-11-22")
  expect(await reminded()).toBe(1)
  expect((await app.manager.collection.contacts({ policyId: plain! })).contacts).toMatchObject([
    { kind: "reminder", madeByName: null },
  ])
  await atSeven("2026-11-23")
  expect([await reminded(), await alerted()]).toEqual([1, 2])

  // Switched off on its day, a task is skipped for that month even if switched on later.
  const now = await admin.settings.detail()
  await admin.settings.save({ version: now.version, settings: { ...now.settings, premiumReminders: false } })
  await atSeven("2026-12-20")
  const then = await admin.settings.detail()
  await admin.settings.save({ version: then.version, settings: { ...then.settings, premiumReminders: true } })
  await atSeven("2026-12-28")
  expect(await reminded()).toBe(1)
  await atSeven("2027-01-20")
  expect(await reminded()).toBe(3)
})
