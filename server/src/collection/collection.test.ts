import { randomUUID } from "node:crypto"
import { collectionRate, collectionStatus, promiseState } from "@milkwood/domain/collection/collection"
import type { CallForm } from "@milkwood/domain/collection/collection-shape"
import { daysBetween } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createSentInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createUnallocatedReceipt, recordedReceipt } from "../receipts/receipts.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

const readRow = async (policyId: string, input: { month?: string } = { month: "all" }) =>
  (await app.manager.collection.list({ policyId, ...input })).rows[0]
const logCall = (policyId: string, what: Partial<CallForm> & Pick<CallForm, "outcome">) =>
  app.manager.collection.logCall({
    policyId,
    idempotencyKey: randomUUID(),
    call: { promisedCents: null, promisedOn: null, note: "", ...what },
  })

test("the collection list shows expected, collected and outstanding amounts per month, less credit notes", async () => {
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00, members: 2 })
  const september = await createSentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  const october = await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  expect(september.totalCents).toBe(2_300_00)
  // September is paid; October has a credit note of R 300 and a receipt of R 500.
  await recordedReceipt(app.manager, { policyId, amountCents: 2_300_00, receivedOn: "2026-10-05" })
  await app.manager.billing.credit({
    invoiceId: october.id,
    idempotencyKey: randomUUID(),
    amountCents: 300_00,
    reason: "A member had left",
  })
  await recordedReceipt(app.manager, { policyId, amountCents: 500_00, receivedOn: "2026-10-20" })

  // Due on 31 October, seen from 2 November; the same in every period.
  const today = {
    ...{ overdueCents: 1_500_00, overdueSince: "2026-10-31", days1to30: 1_500_00, current: 0, status: "Partial" },
    ...{ owedCents: 1_500_00, contactName: "Thandi Mokoena", phone: "0215550100", allowedActions: ["call", "remind"] },
  }
  const ofOctober = { expectedCents: 2_000_00, collectedCents: 500_00, outstandingCents: 1_500_00, rate: 25 }
  expect(await readRow(policyId, { month: "2026-10" })).toMatchObject({ ...ofOctober, ...today })
  expect(await readRow(policyId, { month: "2026-09" })).toMatchObject({
    ...{ expectedCents: 2_300_00, collectedCents: 2_300_00, outstandingCents: 0, rate: 100 },
    ...today,
  })
  // All months, including the paid invoice: 2 800 of 4 300.
  const ofAll = { expectedCents: 4_300_00, collectedCents: 2_800_00, outstandingCents: 1_500_00, rate: 65 }
  expect(await readRow(policyId)).toMatchObject({ ...ofAll, lastPaymentOn: "2026-10-20", ...today })
  await createUnallocatedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn: "2026-09-30" })
  expect(await readRow(policyId, { month: "2026-09" })).toMatchObject({ collectedCents: 2_300_00, creditCents: 100_00 })
  expect(await readRow(policyId, { month: "2026-10" })).toMatchObject({ ...ofOctober, creditCents: 0 })
  expect(await readRow(policyId)).toMatchObject({ ...ofAll, creditCents: 100_00, owedCents: 1_400_00 })
  expect(await readRow(policyId, { month: "2026-08" })).toBeUndefined()
})

test("the collection list defaults to the current month", async () => {
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  expect(await readRow(policyId, {})).toBeUndefined()
  await createSentInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn: "2026-11-01" })
  expect(await readRow(policyId, {})).toEqual(await readRow(policyId, { month: "2026-11" }))
  expect(await readRow(policyId, {})).toMatchObject({ expectedCents: 1_150_00, outstandingCents: 1_150_00 })
  await expect(app.manager.collection.list({ month: "every" })).rejects.toMatchObject({ code: "INVALID" })
})

test("expected less collected equals outstanding in every row, total and card, and the ledger", async () => {
  const groupName = "Footing Works"
  const { id: policyId, groupId } = await app.policy({ groupName, premiumCents: 1_000_00, members: 3 })
  const sent = (month: string) => createSentInvoice(app.manager, { policyId, month, invoiceOn: month })
  const [september, october] = [await sent("2026-09-01"), await sent("2026-10-01"), await sent("2026-11-01")]
  const admin = app.as(app.people.admin)
  const { settings, version } = await admin.settings.detail()
  await admin.settings.save({ version, settings: { ...settings, writeOffLimitCents: 1_000_00 } })
  await app.manager.receipts.writeOff({
    invoiceId: september!.id,
    amountCents: 450_00,
    reason: "Too small to follow up",
    idempotencyKey: randomUUID(),
  })
  await app.manager.billing.credit({
    invoiceId: october!.id,
    idempotencyKey: randomUUID(),
    amountCents: 345_00,
    reason: "A member had left",
  })
  await recordedReceipt(app.manager, { policyId, amountCents: 3_100_00, receivedOn: "2026-10-20" })
  await createUnallocatedReceipt(app.manager, { policyId, amountCents: 77_00, receivedOn: "2026-10-21" })
  for (const input of [
    {},
    ...["2026-09", "2026-10", "2026-11", "all"].map((month) => ({ month })),
    ...(["collected", "outstanding", "behind"] as const).map((view) => ({ view, month: "all" })),
    { tab: "Partial" as const, month: "all" },
  ]) {
    const { rows, sums, cards } = await app.manager.collection.list({ groupId, ...input })
    expect(rows.length, JSON.stringify(input)).toBe(1)
    for (const figures of [...rows, sums!, cards!])
      expect(figures.expectedCents - figures.collectedCents, JSON.stringify(input)).toBe(figures.outstandingCents)
  }
  const ledger = await app.sql.rows<{ account: string; cents: number }>(sql`
    select account, sum(amount_cents)::bigint as cents from ledger_postings
    where policy_id = ${policyId} and account in ('premium_debtors', 'unallocated_receipts') group by 1 order by 1`)
  const all = (await readRow(policyId))!
  expect(ledger).toEqual([
    { account: "premium_debtors", cents: all.outstandingCents },
    { account: "unallocated_receipts", cents: -all.creditCents },
  ])
  expect(all).toMatchObject({ expectedCents: 3 * 3_450_00 - 450_00 - 345_00, writtenOffCents: 450_00 })
  expect(all.rate).toBe(Math.round((3_100_00 * 100) / all.expectedCents))
})

test("collection status matches the domain rule, and cards total the filtered rows", async () => {
  const groupName = "Status Works"
  const ids: string[] = []
  for (const _ of [0, 1, 2, 3]) ids.push((await app.policy({ groupName, premiumCents: 1_000_00 })).id)
  const [current, partial, overdue, late] = ids as [string, string, string, string]
  await createSentInvoice(app.manager, { policyId: current, month: "2026-11-01", invoiceOn: "2026-11-01" })
  for (const policyId of [partial, overdue])
    await createSentInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  await createSentInvoice(app.manager, { policyId: late, month: "2026-07-01", invoiceOn: "2026-06-05" })
  await recordedReceipt(app.manager, { policyId: partial, amountCents: 1_00, receivedOn: "2026-10-05" })
  await recordedReceipt(app.manager, { policyId: late, amountCents: 1_149_00, receivedOn: "2026-10-05" })

  const asked = { search: "status works", month: "all" }
  const { rows, counts, cards, sums } = await app.manager.collection.list(asked)
  expect(Object.fromEntries(rows.map(({ policyId, status }) => [policyId, status]))).toEqual({
    [current]: "Current",
    [partial]: "Partial",
    [overdue]: "Overdue",
    [late]: "Overdue",
  })
  expect(counts).toMatchObject({ all: 4, Current: 1, Partial: 1, Overdue: 2 })
  expect(cards).toEqual({
    expectedCents: 4 * 1_150_00,
    collectedCents: 1_150_00,
    outstandingCents: 3 * 1_150_00,
    creditCents: 0,
    rate: collectionRate(1_150_00, 4 * 1_150_00),
  })
  expect(sums).toMatchObject({ expectedCents: 4 * 1_150_00 })
  await createSentInvoice(app.manager, { policyId: late, month: "2026-11-01", invoiceOn: "2026-11-01" })
  expect(await readRow(late, {})).toMatchObject({ status: "Overdue", outstandingCents: 1_150_00, overdueCents: 1_00 })
  const { rows: numbered } = await app.manager.collection.list({
    search: rows[0]!.policyNumber.toLowerCase(),
    month: "all",
  })
  expect(numbered.map(({ policyId }) => policyId)).toEqual([rows[0]!.policyId])
  const collected = await app.manager.collection.list({ ...asked, view: "collected" })
  expect(new Set(collected.rows.map(({ policyId }) => policyId))).toEqual(new Set([partial, late]))
  expect(collected.cards).toMatchObject({ collectedCents: 1_150_00, outstandingCents: 4 * 1_150_00 })
  expect((await app.manager.collection.list({ ...asked, view: "behind" })).total).toBe(4)
  for (const row of rows)
    expect(row.status).toBe(
      collectionStatus({
        overdueCents: row.overdueCents,
        paidOfOverdueCents: row.policyId === late || row.policyId === partial ? row.collectedCents : 0,
        daysLate: row.overdueSince ? daysBetween(row.overdueSince, "2026-11-02") : 0,
      }),
    )
})

test("a promise is open through its day, then broken, and kept by later receipts", async () => {
  app.clock.set("2026-11-02T08:00:00Z")
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  await createSentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await recordedReceipt(app.manager, { policyId, amountCents: 100_00, receivedOn: "2026-11-02" })
  app.clock.set("2026-11-02T09:00:00Z")
  const logged = await logCall(policyId, {
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
  expect(await readRow(policyId)).toMatchObject({
    standing: "promised",
    promisedCents: 500_00,
    promisedOn: "2026-11-06",
  })

  // The day is Johannesburg's: the 6th ends at 22:00 UTC.
  app.clock.set("2026-11-06T21:59:00Z")
  expect((await readRow(policyId))!.standing).toBe("promised")
  app.clock.set("2026-11-06T22:01:00Z")
  expect((await readRow(policyId))!.standing).toBe("broken")
  expect(
    (await app.manager.collection.list({ standing: "broken", month: "all" })).rows.map((row) => row.policyId),
  ).toEqual([policyId])

  // A receipt dated in time but captured late keeps the promise; its reversal breaks it again.
  app.clock.set("2026-11-09T08:00:00Z")
  const receipt = await recordedReceipt(app.manager, { policyId, amountCents: 500_00, receivedOn: "2026-11-06" })
  expect((await readRow(policyId))!.standing).toBe("kept")
  await app.manager.receipts.reverse({
    receiptId: receipt.id,
    version: receipt.version,
    idempotencyKey: randomUUID(),
    reason: "Bounced",
  })
  expect((await readRow(policyId))!.standing).toBe("broken")
  expect((await app.manager.collection.contacts({ policyId })).contacts[0]).toMatchObject({ promise: "broken" })
  for (const [receivedCents, today, state] of [
    [0, "2026-11-06", "open"],
    [0, "2026-11-07", "broken"],
    [5, "2026-12-01", "kept"],
  ] as const)
    expect(promiseState({ amountCents: 5, on: "2026-11-06", receivedCents }, today)).toBe(state)
})

test("a dispute lasts until the next successful call, and later outcomes replace earlier ones", async () => {
  app.clock.set("2026-11-10T08:00:00Z")
  const { id: policyId } = await app.policy({ premiumCents: 1_000_00 })
  await createSentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await expect(logCall(policyId, { outcome: "dispute" })).rejects.toMatchObject({ code: "INVALID" })
  await expect(logCall(policyId, { outcome: "promise" })).rejects.toMatchObject({ code: "INVALID" })
  await expect(
    logCall(policyId, { outcome: "promise", promisedCents: 1, promisedOn: "2026-11-09" }),
  ).rejects.toMatchObject({ code: "INVALID" })
  await expect(logCall(policyId, { outcome: "reached", promisedCents: 1 })).rejects.toMatchObject({ code: "INVALID" })

  await logCall(policyId, { outcome: "dispute", note: "Two people had left" })
  expect((await readRow(policyId))!.standing).toBe("disputed")
  app.clock.advance({ minutes: 1 })
  await logCall(policyId, { outcome: "no_answer" })
  expect((await readRow(policyId))!.standing).toBe("disputed")
  app.clock.advance({ minutes: 1 })
  await logCall(policyId, { outcome: "reached", note: "Settled: they are still there" })
  expect((await readRow(policyId))!.standing).toBeNull()
  app.clock.advance({ minutes: 1 })
  await logCall(policyId, { outcome: "promise", promisedCents: 1_00, promisedOn: "2026-11-30" })
  app.clock.advance({ minutes: 1 })
  await logCall(policyId, { outcome: "reached" })
  expect((await readRow(policyId))!.standing).toBe("promised")

  // Calls are in the policy's activity, but hidden from employer users.
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

test("logged calls cannot be changed by any role", async () => {
  for (const role of ["staff", "owner"] as const)
    await expect(app.app.database.direct(role).run(sql`update premium_contacts set note = 'other'`)).rejects.toThrow()
})
