import { randomUUID } from "node:crypto"
import { collectionRate, collectionStatus, promiseState } from "@milkwood/domain/collection/collection"
import type { CallForm } from "@milkwood/domain/collection/collection-shape"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { recordedReceipt, unallocatedReceipt } from "../receipts/receipts.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

const rowOf = async (policyId: string, input: { month?: string } = {}) =>
  (await app.manager.collection.list({ policyId, ...input })).rows[0]
const call = (policyId: string, what: Partial<CallForm> & Pick<CallForm, "outcome">) =>
  app.manager.collection.logCall({
    policyId,
    idempotencyKey: randomUUID(),
    call: { promisedCents: null, promisedOn: null, note: "", ...what },
  })

test("expected, collected and outstanding of a month and of all that is open, less credit notes", async () => {
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00, members: 2 })
  const september = await sentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  const october = await sentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  expect(september.totalCents).toBe(2_300_00)
  // September is paid, of October R 300 was taken back and R 500 came in.
  await recordedReceipt(app.manager, { policyId, amountCents: 2_300_00, receivedOn: "2026-10-05" })
  await app.manager.billing.credit({
    invoiceId: october.id,
    idempotencyKey: randomUUID(),
    amountCents: 300_00,
    reason: "A member had left",
  })
  await recordedReceipt(app.manager, { policyId, amountCents: 500_00, receivedOn: "2026-10-20" })

  expect(await rowOf(policyId)).toMatchObject({
    expectedCents: 2_000_00,
    collectedCents: 500_00,
    outstandingCents: 1_500_00,
    rate: 25,
    lastPaymentOn: "2026-10-20",
    // Due on the 31st of October, seen from the 2nd of November.
    overdueCents: 1_500_00,
    days1to30: 1_500_00,
    current: 0,
    status: "Partial",
    contactName: "Thandi Mokoena",
    phone: "0215550100",
    allowedActions: ["call", "remind"],
  })
  expect(await rowOf(policyId, { month: "2026-09" })).toMatchObject({
    expectedCents: 2_300_00,
    collectedCents: 2_300_00,
    outstandingCents: 0,
    rate: 100,
    status: "Current",
    allowedActions: ["call"],
  })
  // Credit of a month counts as collected in it, and of every month as collected of all that is open.
  await unallocatedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn: "2026-09-30" })
  expect(await rowOf(policyId, { month: "2026-09" })).toMatchObject({
    collectedCents: 2_400_00,
    creditCents: 100_00,
    rate: 104,
  })
  expect(await rowOf(policyId, { month: "2026-10" })).toMatchObject({ collectedCents: 500_00, creditCents: 0 })
  expect(await rowOf(policyId)).toMatchObject({ collectedCents: 600_00, outstandingCents: 1_500_00, rate: 30 })
  expect(await rowOf(policyId, { month: "2026-08" })).toBeUndefined()
})

test("a policy is Current, Partial or Overdue as the domain has it, and the cards add up what is filtered", async () => {
  const groupName = "Status Works"
  const ids: string[] = []
  for (const _ of [0, 1, 2]) ids.push((await app.policy({ groupName, premiumCents: 1_000_00 })).id)
  const [current, partial, overdue] = ids as [string, string, string]
  await sentInvoice(app.manager, { policyId: current, month: "2026-11-01", invoiceOn: "2026-11-01" })
  for (const policyId of [partial, overdue])
    await sentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await recordedReceipt(app.manager, { policyId: partial, amountCents: 1_00, receivedOn: "2026-10-05" })

  const { rows, counts, cards, sums } = await app.manager.collection.list({ search: "status works" })
  expect(Object.fromEntries(rows.map(({ policyId, status }) => [policyId, status]))).toEqual({
    [current]: "Current",
    [partial]: "Partial",
    [overdue]: "Overdue",
  })
  expect(counts).toMatchObject({ all: 3, Current: 1, Partial: 1, Overdue: 1 })
  expect(cards).toEqual({
    expectedCents: 3 * 1_150_00,
    collectedCents: 1_00,
    outstandingCents: 3 * 1_150_00 - 1_00,
    rate: collectionRate(1_00, 3 * 1_150_00),
  })
  expect(sums).toMatchObject({ expectedCents: 3 * 1_150_00 })
  const { rows: numbered } = await app.manager.collection.list({ search: rows[0]!.policyNumber.toLowerCase() })
  expect(numbered.map(({ policyId }) => policyId)).toEqual([rows[0]!.policyId])
  // A card narrows the rows, and leaves the figures as they are.
  const collected = await app.manager.collection.list({ search: "status works", view: "collected" })
  expect(collected.rows.map(({ policyId }) => policyId)).toEqual([partial])
  expect(collected.cards).toEqual(cards)
  expect((await app.manager.collection.list({ search: "status works", view: "behind" })).total).toBe(3)
  for (const [overdueCents, paidOfOverdueCents] of [
    [0, 0],
    [0, 5],
    [5, 0],
    [5, 1],
  ] as const)
    expect(collectionStatus({ overdueCents, paidOfOverdueCents })).toBe(
      overdueCents === 0 ? "Current" : paidOfOverdueCents > 0 ? "Partial" : "Overdue",
    )
})

test("a promise is open through its day, broken the day after, and kept by receipts since", async () => {
  app.clock.set("2026-11-02T08:00:00Z")
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  await sentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  // What came in before the promise does not keep it.
  await recordedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn: "2026-11-02" })
  app.clock.set("2026-11-02T09:00:00Z")
  const logged = await call(policyId, {
    outcome: "promise",
    promisedCents: 500_00,
    promisedOn: "2026-11-06",
    note: "Will pay on Friday",
  })
  expect(logged.contacts[0]).toMatchObject({
    outcome: "promise",
    promise: "open",
    note: "Will pay on Friday",
    madeByName: "Max Manager",
  })
  expect(await rowOf(policyId)).toMatchObject({ standing: "promised", promisedCents: 500_00, promisedOn: "2026-11-06" })

  // Johannesburg's day, not Greenwich's: its 6th ends at 22:00 in Greenwich.
  app.clock.set("2026-11-06T21:59:00Z")
  expect((await rowOf(policyId))!.standing).toBe("promised")
  app.clock.set("2026-11-06T22:01:00Z")
  expect((await rowOf(policyId))!.standing).toBe("broken")
  expect((await app.manager.collection.list({ standing: "broken" })).rows.map((row) => row.policyId)).toEqual([
    policyId,
  ])

  // What was received in time and captured late keeps it; taken back, it is broken again.
  app.clock.set("2026-11-09T08:00:00Z")
  const receipt = await recordedReceipt(app.manager, { policyId, amountCents: 500_00, receivedOn: "2026-11-06" })
  expect((await rowOf(policyId))!.standing).toBe("kept")
  await app.manager.receipts.reverse({
    receiptId: receipt.id,
    version: receipt.version,
    idempotencyKey: randomUUID(),
    reason: "Bounced",
  })
  expect((await rowOf(policyId))!.standing).toBe("broken")
  expect((await app.manager.collection.contacts({ policyId })).contacts[0]).toMatchObject({ promise: "broken" })
  for (const [receivedCents, today, state] of [
    [0, "2026-11-06", "open"],
    [0, "2026-11-07", "broken"],
    [5, "2026-12-01", "kept"],
  ] as const)
    expect(promiseState({ amountCents: 5, on: "2026-11-06", receivedCents }, today)).toBe(state)
})

test("a dispute stands until somebody is reached again, and a later word replaces an earlier one", async () => {
  app.clock.set("2026-11-10T08:00:00Z")
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  await sentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await expect(call(policyId, { outcome: "dispute" })).rejects.toMatchObject({ code: "INVALID" })
  await expect(call(policyId, { outcome: "promise" })).rejects.toMatchObject({ code: "INVALID" })
  await expect(
    call(policyId, { outcome: "promise", promisedCents: 1, promisedOn: "2026-11-09" }),
  ).rejects.toMatchObject({ code: "INVALID" })
  await expect(call(policyId, { outcome: "reached", promisedCents: 1 })).rejects.toMatchObject({ code: "INVALID" })

  await call(policyId, { outcome: "dispute", note: "Two people had left" })
  expect((await rowOf(policyId))!.standing).toBe("disputed")
  app.clock.advance({ minutes: 1 })
  await call(policyId, { outcome: "no_answer" })
  expect((await rowOf(policyId))!.standing).toBe("disputed")
  app.clock.advance({ minutes: 1 })
  await call(policyId, { outcome: "reached", note: "Settled: they are still there" })
  expect((await rowOf(policyId))!.standing).toBeNull()
  app.clock.advance({ minutes: 1 })
  await call(policyId, { outcome: "promise", promisedCents: 1_00, promisedOn: "2026-11-30" })
  app.clock.advance({ minutes: 1 })
  await call(policyId, { outcome: "reached" })
  expect((await rowOf(policyId))!.standing).toBe("promised")

  // In the policy's activity, and nothing of it for the employer's people.
  const activity = await app.manager.policies.activity({ policyId })
  expect(activity.map(({ sentence }) => sentence)).toContain(
    `called about the premiums: ${formatMoney(1_00, "ZAR")} promised by 2026-11-30`,
  )
  const { groupId } = await app.manager.policies.detail({ policyId })
  const hr = await app.people.groupAdmin(groupId)
  const theirs = await app.as(hr).policies.activity({ policyId })
  expect(theirs.filter(({ fact }) => fact === "PremiumCallLogged")).toEqual([])
  await app.transaction(hr, async ({ tx }) => {
    await expect(tx.rows(sql`select from premium_contacts`)).rejects.toThrow()
  })
})

test("what was said is never changed, whoever asks", async () => {
  for (const role of ["staff", "owner"] as const)
    await expect(app.app.database.direct(role).run(sql`update premium_contacts set note = 'other'`)).rejects.toThrow()
})
