import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { payingMembers } from "../members/cover.queries.ts"
import { createMember } from "../members/members.samples.ts"
import { createDraftPolicy } from "../policies/policies.samples.ts"
import {
  createCancelledInvoice,
  createCreditedInvoice,
  createDraftInvoice,
  createSentInvoice,
} from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

const readNextPeriod = (policyId: string) => app.manager.billing.nextPeriod({ policyId })
const periodOf = (first: string, last: string) => ({ periodStartOn: first, periodEndOn: last, dueDays: 30 })
const invoiceOn = "2026-11-02"

test("next-period offers the first unbilled calendar month, regardless of billing order", async () => {
  const { id: policyId } = await app.policy({ startOn: "2026-09-01" })
  expect(await readNextPeriod(policyId)).toEqual(periodOf("2026-09-01", "2026-09-30"))
  await createSentInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn })
  await createDraftInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn })
  expect(await readNextPeriod(policyId)).toEqual(periodOf("2026-10-01", "2026-10-31"))
  await createDraftInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn })
  expect(await readNextPeriod(policyId)).toEqual(periodOf("2026-12-01", "2026-12-31"))
})

test("next-period offers a cancelled or fully credited month again", async () => {
  const { id: policyId } = await app.policy({ startOn: "2026-10-01" })
  await createCreditedInvoice(app.manager, { policyId, month: "2026-10-01", invoiceOn })
  await createCancelledInvoice(app.manager, { policyId, month: "2026-11-01", invoiceOn })
  expect(await readNextPeriod(policyId)).toEqual(periodOf("2026-10-01", "2026-10-31"))
})

test("next-period skips months without paying members", async () => {
  const { id: policyId } = await createDraftPolicy(app.manager, { groupName: "Late joiners", startOn: "2026-01-01" })
  await createMember(app.manager, policyId, { startOn: "2026-08-15" })
  const { version } = await app.manager.policies.detail({ policyId })
  await app.manager.policies.activate({ policyId, version })
  expect(await readNextPeriod(policyId)).toEqual(periodOf("2026-09-01", "2026-09-30"))
})

test("next-period offers no month before the first billing month, and includes the payment term", async () => {
  const { id: policyId } = await app.policy({ startOn: "2026-03-01", billedFromOn: "2026-10-14", dueDays: 14 })
  expect(await readNextPeriod(policyId)).toEqual({ ...periodOf("2026-10-01", "2026-10-31"), dueDays: 14 })
  const { effects } = await app.manager.billing.effect({
    change: { act: "setBilledFrom", policyId, month: "2026-11-20" },
  })
  expect(effects[0]).toMatchObject({
    month: "2026-11-01",
    cents: -35_000,
    parts: [{ months: ["2026-10-01"], members: 1 }],
  })
  const back = await app.manager.billing.effect({ change: { act: "setBilledFrom", policyId, month: null } })
  expect(back.effects[0]).toMatchObject({ month: "2026-03-01" })
})

test("next-period reads only the policy's covers that have begun, by index", async () => {
  const { id: policyId } = await app.policy({ startOn: "2026-09-01" })
  let lines: string[] = []
  const explained = app.app.database.transaction("owner", async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    // Dropped, because with few rows the planner may choose the index over all policies.
    await tx.run(sql`drop index member_covers_begin`)
    const asked = sql`explain ${payingMembers(sql`'2026-10-01'::date`, policyId)}`
    lines = (await tx.rows<{ "QUERY PLAN": string }>(asked)).map((row) => row["QUERY PLAN"].trim())
    throw new Error("nothing stays")
  })
  await expect(explained).rejects.toThrow("nothing stays")
  expect(lines.find((line) => /Index Cond: .*policy_id = .*lower\(valid\) <= /.test(line))).toBeDefined()
  // Without this condition, covers are scanned once per policy.
  const periods = lines.findIndex((line) => /on policy_periods pp/.test(line))
  expect(lines.slice(periods + 1, periods + 4).some((line) => /policy_id = '/.test(line))).toBe(true)
})
