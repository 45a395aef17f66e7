import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../claims/claims.samples.ts"
import { createPayout } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { queueRecurring } from "../platform/work/schedule.ts"
import { recordedReceipt } from "../receipts/receipts.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let other: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Billed Bakers")
  other = await insureGroup(app, "Other Owners")
})
afterAll(() => app.close())

const withPlainSpaces = (text: string) => text.replaceAll("\u00a0", " ")
const readOpenTexts = async (actor: UserActor) =>
  (await app.as(actor).notifications.inbox({ show: "unread", limit: 100 })).rows.map(({ text }) =>
    withPlainSpaces(text),
  )
const findNotifiedUserIds = async (text: string, ...among: UserActor[]) => {
  const names: string[] = []
  for (const actor of among) if ((await readOpenTexts(actor)).includes(text)) names.push(actor.userId)
  return names
}
const allActors = () => {
  const { admin, manager, manager2, underwriter } = app.people
  const { hr, hr2, signatory } = scene.people
  return [admin, manager, manager2, underwriter, hr, hr2, signatory, other.people.hr, other.people.signatory]
}
const userIdsOf = (...actors: UserActor[]) => actors.map(({ userId }) => userId)
const runMorningJobs = async (day: string) => {
  app.clock.set(`${day}T05:20:00Z`)
  await queueRecurring(app.app)
  await app.runJobs()
}

test("employers are notified of an invoice, and once when overdue until paid", async () => {
  await queueRecurring(app.app)
  const { hr, hr2, signatory } = scene.people
  const manager = app.as(app.people.manager)
  const { policyId } = scene
  const invoice = await createSentInvoice(manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
  const rand = withPlainSpaces((invoice.totalCents / 100).toFixed(2).replace(".", ","))
  const [{ text } = { text: "" }] = (await app.as(hr).notifications.inbox({})).rows
  expect(withPlainSpaces(text).replaceAll(" ", "")).toBe(`Invoice${invoice.number}ofR${rand}isdueon${invoice.dueOn}`)
  expect(await findNotifiedUserIds(withPlainSpaces(text), ...allActors())).toEqual(userIdsOf(hr, hr2, signatory))

  const overdue = async (actor: UserActor) => (await readOpenTexts(actor)).filter((said) => said.includes("is unpaid"))
  await runMorningJobs(invoice.dueOn)
  expect(await overdue(hr)).toEqual([])
  const [year, month, date] = invoice.dueOn.split("-").map(Number)
  const after = (days: number) => new Date(Date.UTC(year!, month! - 1, date! + days)).toISOString().slice(0, 10)
  await runMorningJobs(after(1))
  for (const actor of [hr, hr2, signatory]) expect(await overdue(actor)).toHaveLength(1)
  for (const actor of [other.people.hr, app.people.manager]) expect(await overdue(actor)).toEqual([])
  await app.as(hr).notifications.markAll({ upTo: 1_000_000 })
  await runMorningJobs(after(2))
  expect(await overdue(hr)).toEqual([])
  await recordedReceipt(manager, { policyId, amountCents: invoice.totalCents, receivedOn: after(2) })
  await runMorningJobs(after(3))
  expect(await overdue(signatory)).toEqual([])
})

test("a broken promise notifies the user who took it, else managers", async () => {
  const { manager, manager2 } = app.people
  const { today } = await app.as(manager).settings.display({})
  const promise = (by: UserActor, promisedCents: number) =>
    app.as(by).collection.logCall({
      ...{ policyId: other.policyId, idempotencyKey: randomUUID() },
      call: { outcome: "promise", promisedCents, promisedOn: today, note: "" },
    })
  await promise(manager2, 500_00)
  const { number } = await app.as(manager).policies.detail({ policyId: other.policyId })
  const said = `R 500,00 promised by ${today} for policy ${number} did not arrive`
  await runMorningJobs(today)
  expect(await findNotifiedUserIds(said, ...allActors())).toEqual([])
  const tomorrow = Temporal.PlainDate.from(today).add({ days: 1 }).toString()
  await runMorningJobs(tomorrow)
  expect(await findNotifiedUserIds(said, ...allActors())).toEqual(userIdsOf(manager2))

  await app.as(manager2).notifications.markAll({ upTo: 1_000_000 })
  await app.as(manager2).collection.logCall({
    ...{ policyId: other.policyId, idempotencyKey: randomUUID() },
    call: { outcome: "promise", promisedCents: 700_00, promisedOn: tomorrow, note: "" },
  })
  await app.sql.run(sql`update users set disabled_at = ${app.clock.now()} where id = ${manager2.userId}`)
  await runMorningJobs(Temporal.PlainDate.from(tomorrow).add({ days: 1 }).toString())
  const again = `R 700,00 promised by ${tomorrow} for policy ${number} did not arrive`
  expect(await findNotifiedUserIds(again, ...allActors())).toEqual(userIdsOf(manager))
  await app.sql.run(sql`update users set disabled_at = null where id = ${manager2.userId}`)
})

test("payments notify users who may release them; failed payments notify the preparer", async () => {
  const { admin, manager, manager2 } = app.people
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  let payout = await createPayout(app.as(manager), claim.id)
  const waits = `Payment ${payout.number} of R 50 000,00 to release`
  expect(await findNotifiedUserIds(waits, ...allActors())).toEqual(userIdsOf(admin, manager2))
  payout = await app.as(manager2).payouts.release({
    ...{ payoutId: payout.id, version: payout.version, idempotencyKey: randomUUID() },
  })
  expect(await findNotifiedUserIds(waits, ...allActors())).toEqual([])
  payout = await app.as(manager2).payouts.fail({
    ...{ payoutId: payout.id, version: payout.version, idempotencyKey: randomUUID(), reason: "Account closed" },
  })
  expect(await findNotifiedUserIds(`Payment ${payout.number} failed`, ...allActors())).toEqual(userIdsOf(manager))
  await app.as(manager2).payouts.cancel({
    ...{ payoutId: payout.id, version: payout.version, idempotencyKey: randomUUID(), reason: "Paid by cheque" },
  })
  expect(await findNotifiedUserIds(`Payment ${payout.number} failed`, ...allActors())).toEqual([])
})

test("write-offs notify users who may confirm them, and no employer", async () => {
  const { admin, manager, manager2 } = app.people
  const { policyId } = other
  const invoice = await createSentInvoice(app.as(manager), { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  const [asked] = await app.as(manager).receipts.writeOff({
    ...{ invoiceId: invoice.id, amountCents: 100_00, reason: "Liquidated", idempotencyKey: randomUUID() },
  })
  const waits = `Write-off of R 100,00 on invoice ${invoice.number} to confirm`
  expect(await findNotifiedUserIds(waits, ...allActors())).toEqual(userIdsOf(admin, manager2))
  await app.as(admin).receipts.declineWriteOff({ writeOffId: asked!.id, idempotencyKey: randomUUID() })
  expect(await findNotifiedUserIds(waits, ...allActors())).toEqual([])
})
