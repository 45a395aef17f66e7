import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { queueRecurring } from "../platform/work/schedule.ts"
import { owedByMonth } from "../premiums/owed.queries.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
  await queueRecurring(app.app)
})
afterAll(() => app.close())

let memberTotal = 7_000
/** A policy that ends on 30 November with four members: one active, one who left before, two who gave notice. */
async function createRenewalScene() {
  const { manager } = app
  const policy = await app.policy({ groupName: `Renewed ${++memberTotal}`, startOn: "2026-01-01", endOn: "2026-11-30" })
  const join = async () => (await createMember(manager, policy.id, { person: ++memberTotal, startOn: "2026-03-01" })).id
  const [stays, left, lastDay, later] = [await join(), await join(), await join(), await join()]
  const leave = async (memberId: string, on: Day) => {
    const { version } = await manager.members.detail({ memberId })
    await manager.members.terminate({ memberId, version, on, reason: "Resigned" })
  }
  await leave(left, "2026-08-31")
  await leave(lastDay, "2026-11-30")
  await leave(later, "2026-12-31")
  return { policyId: policy.id, number: policy.number, stays, left, lastDay, later }
}

async function runMorningJobs(day: Day) {
  app.clock.set(`${day}T05:30:00Z`)
  await queueRecurring(app.app)
  await app.runJobs()
}

const renewPolicy = async (policyId: string, endOn: Day | null) => {
  const { version } = await app.manager.policies.detail({ policyId })
  return app.manager.policies.renew({ policyId, version, endOn })
}

test("renews an expired policy without a gap, with its numbers, members, waiting periods and premiums", async () => {
  const { manager } = app
  const { policyId, number, stays, left, lastDay, later } = await createRenewalScene()
  const before = await manager.members.detail({ memberId: stays })
  await runMorningJobs("2026-12-01")
  expect(await manager.policies.detail({ policyId })).toMatchObject({
    status: "Expired",
    allowedActions: ["editContact", "renew"],
  })
  await runMorningJobs("2027-01-20")
  await expect(renewPolicy(policyId, "2027-01-19")).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "endOn", message: "The new end date cannot be in the past" }] },
  })
  const renewed = await renewPolicy(policyId, "2027-11-30")
  expect(renewed).toMatchObject({ number, status: "Active", information: { endOn: "2027-11-30" } })

  const member = async (memberId: string) => manager.members.detail({ memberId })
  expect(await member(stays)).toMatchObject({
    ...{ number: before.number, status: "Active", endOn: null, statusReason: null },
    covers: [{ from: "2026-03-01", until: null }],
  })
  expect(await member(left)).toMatchObject({ status: "Terminated", endOn: "2026-08-31" })
  expect(await member(lastDay)).toMatchObject({ status: "Terminated", endOn: "2026-11-30", endReason: "Resigned" })
  expect(await member(later)).toMatchObject({ status: "Terminated", endOn: "2026-12-31" })
  // Cover is the same as if the policy had not expired.
  const owed = await app.sql.rows<{ memberId: string; month: Day }>(sql`
    select member_id as "memberId", month from (${owedByMonth({ policies: sql`${policyId}::uuid`, month: "2027-01-01", from: "2026-12-01" })}) o
    where cents > 0 and member_id = any (${sql.param([stays, left, lastDay, later])}::uuid[]) order by month, member_id`)
  expect(owed).toEqual([
    ...[stays, later].sort().map((memberId) => ({ memberId, month: "2026-12-01" })),
    { memberId: stays, month: "2027-01-01" },
  ])
  const [entry] = await manager.policies.activity({ policyId })
  expect(entry!.sentence).toBe("renewed the policy from 2026-12-01 until 2027-11-30")
})

test("refuses renewal after 60 days, and of a policy that did not expire", async () => {
  const { policyId } = await createRenewalScene()
  await expect(renewPolicy(policyId, null)).rejects.toMatchObject({
    code: "WRONG_STATUS",
  })
  await runMorningJobs("2027-01-30")
  await expect(renewPolicy(policyId, null)).rejects.toMatchObject({
    code: "WRONG_STATUS",
    message: "A policy can be renewed for 60 days after its end date.",
  })
})

test("a policy that expired while suspended is suspended after its renewal", async () => {
  const { id: policyId, version } = await app.policy({
    groupName: "Suspended",
    startOn: "2026-01-01",
    endOn: "2027-03-31",
  })
  const { id: memberId } = await createMember(app.manager, policyId, { person: ++memberTotal, startOn: "2026-03-01" })
  await app.manager.policies.suspend({ policyId, version, reason: "Arrears" })
  await runMorningJobs("2027-04-01")
  expect(await renewPolicy(policyId, null)).toMatchObject({ status: "Suspended", information: { endOn: null } })
  expect(await app.manager.members.detail({ memberId })).toMatchObject({ status: "Active", endOn: null })
  const rows = await app.sql.rows<{ kind: string }>(sql`
    select kind from policy_periods where policy_id = ${policyId} and superseded_at is null and valid @> '2027-06-01'::date`)
  expect(rows).toEqual([{ kind: "suspended" }])
})

test("a suspend command with a day is refused and names the field", async () => {
  const { id: policyId, version } = await app.policy({ groupName: "Planned", startOn: "2026-01-01" })
  const planned = { policyId, version, reason: "Arrears", on: "2027-12-01" }
  await expect(app.manager.policies.suspend(planned)).rejects.toMatchObject({
    ...{ code: "INVALID", status: 422 },
    data: { fields: [{ path: "on", message: "Unknown fields: on" }] },
  })
  expect(await app.manager.policies.detail({ policyId })).toMatchObject({ status: "Active", version })
})

test("the renewal of a funeral policy starts no new waiting period", async () => {
  const { manager } = app
  const admin = app.as(app.people.admin)
  const { tiers } = await admin.benefits.choices()
  const product = await admin.benefits.productTypes.create({ name: "Renewed funeral", isFuneral: true })
  const benefit = await admin.benefits.benefits.create({ name: "Renewed burial", claimTypes: ["death"] })
  await admin.benefits.productBenefits.create({
    ...{ productTypeId: product.id, benefitId: benefit.id, tierId: tiers.find(({ name }) => name === "Standard")!.id },
    ...{ costCents: 0, coverAmountCents: 20_000_00, coverPercentage: 100, dependents: null },
  })
  const { id: policyId } = await app.policy({
    ...{ groupName: "Renewed Funerals", productTypeId: product.id, waitingPeriodMonths: 2 },
    ...{ startOn: "2027-02-01", endOn: "2027-11-30" },
  })
  const { id: memberId } = await createMember(manager, policyId, { person: ++memberTotal, startOn: "2027-03-01" })
  await runMorningJobs("2027-12-01")
  expect(await renewPolicy(policyId, "2028-11-30")).toMatchObject({ status: "Active" })
  const { persons } = await manager.members.coverage({ memberId, on: "2027-12-02" })
  expect(persons[0]).toMatchObject({
    cover: "covered",
    benefits: [{ benefit: "Renewed burial", gap: null, coveredSince: "2027-03-01", claimableFrom: "2027-05-01" }],
  })
})
