import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createMember } from "./members.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

const start: Day = "2026-01-01"
let memberCount = 9_000

async function createScene() {
  const { manager } = app
  const policy = await app.policy({ startOn: start, groupName: `Changes ${++memberCount}` })
  const member = await createMember(manager, policy.id, {
    person: memberCount,
    startOn: start,
    tier: "Bronze",
    monthlyCents: 100,
  })
  const { tiers } = await manager.benefits.choices()
  const tierId = (name: string) => tiers.find((tier) => tier.name === name)!.id
  const act = async (on: Day) => {
    const { version } = await manager.members.detail({ memberId: member.id })
    return { memberId: member.id, version, on, reason: "As recorded" }
  }
  const later = (replace: boolean) => (replace ? { laterChanges: "replace" as const } : {})
  return {
    policyId: policy.id,
    memberId: member.id,
    suspend: async (on: Day, replace = false) => manager.members.suspend({ ...(await act(on)), ...later(replace) }),
    reinstate: async (on: Day, replace = false) => manager.members.reinstate({ ...(await act(on)), ...later(replace) }),
    terminate: async (on: Day) => manager.members.terminate(await act(on)),
    tier: async (name: string, on: Day, replace = false) =>
      manager.members.changeTier({ ...(await act(on)), tierId: tierId(name), ...later(replace) }),
    salary: async (monthlyCents: Cents | null, on: Day, replace = false) => {
      const { reason: _, ...edit } = await act(on)
      return manager.members.setSalary({ ...edit, monthlyCents, ...later(replace) })
    },
    premium: async (premiumCents: Cents, premiumFromOn: Day, replace = false) => {
      const { version, coverage } = await manager.policies.detail({ policyId: policy.id })
      const values = { ...coverage, premiumCents, premiumFromOn, ...later(replace) }
      return manager.policies.updateSection({ policyId: policy.id, version, change: { section: "coverage", values } })
    },
    endRule: async (endRule: "whole month" | "by days", endRuleFromOn: Day, replace = false) => {
      const { version, terms } = await manager.policies.detail({ policyId: policy.id })
      const values = { ...terms, endRule, endRuleFromOn, ...later(replace) }
      return manager.policies.updateSection({ policyId: policy.id, version, change: { section: "terms", values } })
    },
    on: async (day: Day) =>
      app.sql.row<{ kind: string; tier: string; salary: Cents | null; premium: Cents; rule: string | null }>(sql`
        select c.kind, t.name as tier,
          (select monthly_cents from member_salaries s where s.member_id = c.member_id and s.superseded_at is null and s.valid @> ${day}::date) as salary,
          (select premium_cents from policy_premiums p where p.policy_id = c.policy_id and p.superseded_at is null and p.valid @> ${day}::date) as premium,
          (select rule from policy_end_rules r where r.policy_id = c.policy_id and r.superseded_at is null and r.valid @> ${day}::date) as rule
        from member_covers c join benefit_tiers t on t.id = c.tier_id
        where c.member_id = ${member.id} and c.superseded_at is null and c.valid @> ${day}::date`),
  }
}

test("a back-dated premium keeps a planned increase unless the user replaces it", async () => {
  const { policyId, premium, on } = await createScene()
  await premium(15_000, "2027-02-01")
  await premium(10_100, "2026-11-01")
  expect((await on("2026-11-01"))!.premium).toBe(10_100)
  expect((await on("2027-01-31"))!.premium).toBe(10_100)
  expect((await on("2027-02-01"))!.premium).toBe(15_000)
  const { premiums } = await app.manager.policies.datedTerms({ policyId })
  expect(premiums.filter(({ fromOn }) => fromOn > "2026-11-01")).toEqual([
    { fromOn: "2027-02-01", premiumCents: 15_000 },
  ])
  await premium(9_900, "2026-12-01", true)
  expect((await on("2026-11-30"))!.premium).toBe(10_100)
  expect((await on("2027-02-01"))!.premium).toBe(9_900)
  const [entry] = await app.manager.policies.activity({ policyId })
  expect(entry).toMatchObject({
    changes: expect.arrayContaining([{ field: "laterChanges", before: null, after: "Replaced" }]),
  })
})

test("an earlier suspension recorded late keeps the later suspension", async () => {
  const { suspend, reinstate, memberId, on } = await createScene()
  await suspend("2026-11-10")
  await reinstate("2026-12-03")
  await suspend("2026-10-05")
  const member = await reinstate("2026-10-20")
  expect(member.covers.map(({ kind, from, until }) => [kind, from, until])).toEqual([
    ["covered", start, "2026-10-04"],
    ["suspended", "2026-10-05", "2026-10-19"],
    ["covered", "2026-10-20", "2026-11-09"],
    ["suspended", "2026-11-10", "2026-12-02"],
    ["covered", "2026-12-03", null],
  ])
  expect((await on("2026-12-01"))!.kind).toBe("suspended")
  // "replace" also removes the later suspension.
  await reinstate("2026-10-10", true)
  expect((await on("2026-12-01"))!.kind).toBe("covered")
  const [entry] = await app.manager.members.activity({ memberId })
  expect(entry!.sentence).toBe("reinstated the member from 2026-10-10, replacing later changes")
})

test("a rejoining member gets their last tier, even with tier changes planned for later", async () => {
  const { tier, terminate, reinstate, on } = await createScene()
  await tier("Silver", "2026-06-01")
  await tier("Gold", "2026-09-15")
  await terminate("2026-08-31")
  expect((await reinstate("2026-10-01")).tierName).toBe("Silver")
  expect((await on("2026-10-01"))!.tier).toBe("Silver")
})

test("facts recorded in any order give the same cover for each day", async () => {
  const facts = (of: Awaited<ReturnType<typeof createScene>>) => [
    async () => of.premium(12_000, "2026-05-01"),
    async () => of.premium(13_000, "2027-01-01"),
    async () => of.salary(200, "2026-04-15"),
    async () => of.salary(300, "2026-09-01"),
    async () => of.tier("Silver", "2026-07-01"),
    async () => of.tier("Gold", "2026-10-10"),
    async () => {
      await of.suspend("2026-06-20")
      await of.reinstate("2026-07-20")
    },
    async () => {
      await of.suspend("2026-09-20")
      await of.reinstate("2026-10-20")
    },
    async () => of.endRule("by days", "2026-03-01"),
    async () => of.endRule("whole month", "2026-08-01"),
  ]
  const says: string[] = []
  for (const order of [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    [7, 4, 9, 2, 1, 5, 0, 6, 3, 8],
    [5, 1, 6, 3, 8, 7, 2, 0, 9, 4],
  ]) {
    const of = await createScene()
    const all = facts(of)
    for (const at of order) {
      app.clock.advance({ seconds: 1 })
      await all[at]!()
    }
    const days = []
    for (let at = 0; at < 400; at += 7) days.push({ ...(await of.on(addDays(start, at))) })
    says.push(JSON.stringify(days))
    expect(await of.on("2026-07-10")).toEqual({
      ...{ kind: "suspended", tier: "Silver", salary: 200, premium: 12_000, rule: "by days" },
    })
    expect(await of.on("2026-12-01")).toEqual({
      ...{ kind: "covered", tier: "Gold", salary: 300, premium: 12_000, rule: "whole month" },
    })
  }
  expect(new Set(says).size).toBe(1)
})
