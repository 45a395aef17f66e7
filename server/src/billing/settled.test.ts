import { randomUUID } from "node:crypto"
import type { RunOutcome } from "@milkwood/domain/billing/billing-run"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { createPendingInvoice, createPremiumRun } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import { loadSettledBilling, markMonthSettled } from "./settled.queries.ts"
import { findMismatchedMonths } from "./settled.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())
beforeEach(() => app.clock.set("2026-09-01T08:00:00Z"))

type Policy = Awaited<ReturnType<BillingApp["policy"]>>

/** A policy billed for August and September on 3 September; today is the 10th. */
async function createScene(outcome: RunOutcome = "sent") {
  const policy = await app.policy({ startOn: "2026-07-01", billedFromOn: "2026-08-01", members: 3 })
  app.clock.set("2026-09-03T08:00:00Z")
  await createPremiumRun(app, "2026-09-01", [policy.id], outcome)
  app.clock.set("2026-09-10T08:00:00Z")
  const members = (await app.manager.members.list({ policyId: policy.id, sort: "number", dir: "asc" })).rows
  return { policy, members, ids: members.map(({ id }) => id) }
}

/** Ids of members to compare again; undefined if all. Also expects the same differences as a full comparison. */
async function readChangedMemberIds({ id }: Policy): Promise<string[] | undefined> {
  const knownAt = app.clock.now()
  const asked = { policies: sql`${id}::uuid`, month: "2026-10-01", knownAt }
  const settled = await loadSettledBilling(app.sql, id, knownAt)
  if (settled) expect(await findMismatchedMonths(app.sql, settled, asked)).toEqual([])
  return settled?.touched.sort()
}

const versionOf = async (memberId: string) => (await app.manager.members.detail({ memberId })).version

const invoiceOf = async ({ id }: Policy) => {
  const { id: invoiceId } = (await app.sql.row<{ id: string }>(sql`
    select id from invoices where policy_id = ${id} order by created_at desc limit 1`))!
  return app.manager.billing.detail({ invoiceId })
}

test("after a run only members with new facts are compared again", async () => {
  const { policy, ids } = await createScene()
  expect(await readChangedMemberIds(policy)).toEqual([])
  const { next } = await app.manager.billing.nextInvoice({ policyId: policy.id })
  expect(next).toMatchObject({ month: "2026-10-01", members: 3, monthCents: 3 * 350_00, adjusted: 0, why: [] })

  const late = await createMember(app.manager, policy.id, { startOn: "2026-08-20" })
  await app.manager.members.terminate({
    ...{ memberId: ids[0]!, version: await versionOf(ids[0]!), on: "2026-08-31", reason: "Left" },
  })
  expect(await readChangedMemberIds(policy)).toEqual([late.id, ids[0]!].sort())
  const changed = (await app.manager.billing.nextInvoice({ policyId: policy.id })).next!
  expect(changed).toMatchObject({ members: 3, monthCents: 3 * 350_00, adjusted: 2, adjustmentsCents: 0 })
  const why = changed.why.map((sentence) => sentence.replaceAll("\u00a0", " "))
  expect(why).toHaveLength(2)
  expect(why).toEqual(
    expect.arrayContaining([
      expect.stringContaining("joined on 2026-08-20, recorded 2026-09-10: September, R 350,00"),
      expect.stringContaining("left on 2026-08-31, recorded 2026-09-10: September"),
    ]),
  )

  app.clock.set("2026-10-01T08:00:00Z")
  await createPremiumRun(app, "2026-10-01", [policy.id])
  app.clock.set("2026-10-03T08:00:00Z")
  expect(await readChangedMemberIds(policy)).toEqual([])
})

test("a fully withdrawn cover marks its member as changed", async () => {
  const { policy, ids } = await createScene()
  await app.sql.run(sql`
    update member_covers set superseded_at = ${app.clock.now()} where member_id = ${ids[1]!} and superseded_at is null`)
  expect(await readChangedMemberIds(policy)).toEqual([ids[1]])
})

test("a fact requested before a run and recorded later marks its member as changed", async () => {
  const { policy, ids } = await createScene()
  await app.sql.run(sql`
    update member_covers set superseded_at = '2026-09-02T20:00:00Z' where member_id = ${ids[1]!} and superseded_at is null`)
  expect(await readChangedMemberIds(policy)).toEqual([ids[1]])
})

test("credit notes, new invoices and cancelled invoices mark their members as changed", async () => {
  const { policy, members, ids } = await createScene()
  const invoice = await invoiceOf(policy)
  const line = invoice.lines.find(({ memberId }) => memberId === ids[2])!
  await app.manager.billing.credit({
    ...{ invoiceId: invoice.id, idempotencyKey: randomUUID(), reason: "Billed by mistake", amountCents: null },
    lines: [{ invoiceLineId: line.id, netCents: 350_00 }],
  })
  expect(await readChangedMemberIds(policy)).toEqual([ids[2]])

  const other = await createPendingInvoice(app.manager, {
    ...{ policyId: policy.id, month: "2026-10-01", invoiceOn: "2026-09-10" },
    with: { lines: [{ description: members[0]!.firstName, memberId: ids[0]!, quantity: 1, unitCents: 350_00 }] },
  })
  expect(await readChangedMemberIds(policy)).toEqual([ids[0]!, ids[2]!].sort())
  app.clock.set("2026-10-01T08:00:00Z")
  await createPremiumRun(app, "2026-10-01", [policy.id])
  app.clock.set("2026-10-03T08:00:00Z")
  expect(await readChangedMemberIds(policy)).toEqual([])
  await app.manager.billing.cancel({ invoiceId: other.id, version: other.version, reason: "Made by mistake" })
  expect(await readChangedMemberIds(policy)).toEqual([ids[0]])
})

test("editing a run's draft unsettles the policy, and cancelling its invoice changes all members", async () => {
  const { policy, ids } = await createScene("draft")
  expect(await readChangedMemberIds(policy)).toEqual([])
  const { id, version, lines, ...form } = await invoiceOf(policy)
  const kept = lines.filter(({ memberId }) => memberId !== ids[0])
  const typed = kept.map(({ description, quantity, unitCents, memberId, tierId, billedMonth }) => ({
    ...{ description, quantity, unitCents, memberId, tierId, billedMonth },
  }))
  const { kind, invoiceOn, dueOn, periodStartOn, periodEndOn } = form
  const invoice = { kind, invoiceOn, dueOn, periodStartOn, periodEndOn, lines: typed }
  await app.manager.billing.update({ invoiceId: id, version, invoice })
  expect(await readChangedMemberIds(policy)).toBeUndefined()
  expect((await app.manager.billing.nextInvoice({ policyId: policy.id })).next).toMatchObject({
    month: "2026-08-01",
    members: 1,
  })

  app.clock.set("2026-09-01T08:00:00Z")
  const second = await createScene("pending")
  expect(await readChangedMemberIds(second.policy)).toEqual([])
  // A run without a difference settles too.
  await markMonthSettled({ tx: app.sql, now: app.clock.now() }, { policyId: second.policy.id, month: "2026-09-01" })
  expect(await readChangedMemberIds(second.policy)).toEqual([])
  const theirs = await invoiceOf(second.policy)
  await app.manager.billing.cancel({ invoiceId: theirs.id, version: theirs.version, reason: "Withdrawn" })
  expect(await readChangedMemberIds(second.policy)).toEqual(second.ids.sort())
  expect((await app.manager.billing.nextInvoice({ policyId: second.policy.id })).next).toMatchObject({
    month: "2026-08-01",
  })
})

test.each<[string, (policy: Policy) => Promise<unknown>]>([
  [
    "premium",
    ({ id: policyId, version, coverage }) =>
      app.manager.policies.updateSection({
        ...{ policyId, version },
        change: { section: "coverage", values: { ...coverage, premiumCents: 400_00, premiumFromOn: "2026-09-01" } },
      }),
  ],
  [
    "days in force",
    ({ id: policyId, version }) => app.manager.policies.suspend({ policyId, version, reason: "Premiums in arrears" }),
  ],
  [
    "rule for leavers",
    ({ id: policyId, version, terms }) =>
      app.manager.policies.updateSection({
        ...{ policyId, version },
        change: { section: "terms", values: { ...terms, endRule: "by days" } },
      }),
  ],
  [
    "first month billed here",
    ({ id: policyId, version, terms }) =>
      app.manager.policies.updateSection({
        ...{ policyId, version },
        change: { section: "terms", values: { ...terms, billedFromOn: "2026-07-01" } },
      }),
  ],
])("a policy whose %s changes is compared in full", async (_, change) => {
  const { policy } = await createScene()
  expect(await readChangedMemberIds(policy)).toEqual([])
  await change(await app.manager.policies.detail({ policyId: policy.id }))
  expect(await readChangedMemberIds(policy)).toBeUndefined()
})

const readSettledMonths = ({ id }: Policy) =>
  app.sql.row<{ month: string }>(sql`select month::text from settled_months where policy_id = ${id}`)

test("a run for an earlier month does not move the settled month back", async () => {
  const { policy } = await createScene()
  const late = await createMember(app.manager, policy.id, { startOn: "2026-07-20" })
  app.clock.set("2026-09-12T08:00:00Z")
  await createPremiumRun(app, "2026-08-01", [policy.id])
  expect(await readSettledMonths(policy)).toEqual({ month: "2026-09-01" })
  expect(await readChangedMemberIds(policy)).toEqual([late.id])
})

test("two runs on one day settle the invoices of both", async () => {
  const { policy } = await createScene()
  const one = await createMember(app.manager, policy.id, { startOn: "2026-07-20" })
  await createPremiumRun(app, "2026-10-01", [policy.id])
  const other = await createMember(app.manager, policy.id, { startOn: "2026-07-20" })
  app.clock.advance({ hours: 6 })
  await createPremiumRun(app, "2026-10-01", [policy.id])
  app.clock.set("2026-10-03T08:00:00Z")
  // Both joiners were recorded within the margin of the second run; no invoice was.
  expect(await readChangedMemberIds(policy)).toEqual([one.id, other.id].sort())
})

test("a parked policy is not settled", async () => {
  const policy = await app.policy({ startOn: "2026-07-01" })
  await app.sql.run(sql`update policies set contact_email = '' where id = ${policy.id}`)
  const { policy: other } = await createScene()
  const { counts } = await createPremiumRun(app, "2026-10-01", [policy.id, other.id])
  expect(counts).toMatchObject({ made: 1, parked: 1 })
  expect(await readSettledMonths(policy)).toBeUndefined()
  expect(await readSettledMonths(other)).toEqual({ month: "2026-10-01" })
})

test("employer users cannot read settled months", async () => {
  const employer = app.app.database.direct("scoped")
  await expect(employer.rows(sql`select from settled_months`)).rejects.toThrow(/permission/)
})
