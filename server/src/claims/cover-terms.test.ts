import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { recordChangeFrom } from "@milkwood/domain/kernel/timeline"
import { termOn } from "@milkwood/domain/policies/cover-terms"
import type { PolicyCoverage, PolicyInformation } from "@milkwood/domain/policies/policy-shape"
import { type SQL, sql } from "drizzle-orm"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startJob } from "../platform/work/jobs.ts"
import { policiesDaily } from "../policies/policies.jobs.ts"
import { createDraftPolicy } from "../policies/policies.samples.ts"
import { type ClaimApp, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createDraftClaim, createSubmittedClaim } from "./claims.samples.ts"

const start: Day = "2026-01-01"
let app: ClaimApp
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())

type CoverageChange = Partial<PolicyCoverage> & {
  sumAssuredFromOn?: Day
  waitingPeriodFromOn?: Day
  laterChanges?: "keep" | "replace"
}

async function createScene(name: string) {
  const insured = await insureGroup(app, name)
  const manager = app.as(app.people.manager)
  const { policyId } = insured
  const detail = () => manager.policies.detail({ policyId })
  return {
    ...insured,
    manager,
    detail,
    coverage: async (values: CoverageChange) => {
      const { version, coverage } = await detail()
      const change = { section: "coverage" as const, values: { ...coverage, ...values } }
      return manager.policies.updateSection({ policyId, version, change })
    },
    information: async (values: Partial<PolicyInformation> & { productTypeFromOn?: Day }) => {
      const { version, information } = await detail()
      const change = { section: "information" as const, values: { ...information, ...values } }
      return manager.policies.updateSection({ policyId, version, change })
    },
  }
}

const checkLineOf = (claim: ClaimDetail, check: string) => claim.coverCheck.find((one) => one.check === check)!

describe("a change of an active policy's terms", () => {
  test("keeps the waiting period of earlier incidents", async () => {
    const { cast, sample, coverage } = await createScene("Waiting Wharf")
    const before = await createSubmittedClaim(cast, {
      ...sample,
      incidentOn: "2026-05-31",
      notificationOn: "2026-06-01",
    })
    const after = await createSubmittedClaim(cast, {
      ...sample,
      incidentOn: "2026-06-01",
      notificationOn: "2026-06-02",
    })
    expect([before, after].map((claim) => checkLineOf(claim, "waiting").result)).toEqual(["pass", "pass"])
    await coverage({ waitingPeriodMonths: 12, waitingPeriodFromOn: "2026-06-01" })
    const now = async ({ id }: ClaimDetail) => checkLineOf(await cast.manager.claims.detail({ claimId: id }), "waiting")
    expect(await now(before)).toEqual(checkLineOf(before, "waiting"))
    expect(await now(after)).toMatchObject({ result: "fail", evidence: expect.stringContaining("12 months from") })
  })

  test("keeps the benefits, limits and cover checks of earlier incidents (product type)", async () => {
    const { cast, sample, information, memberId, secondMemberId, detail } = await createScene("Product Pier")
    const at = (incidentOn: Day) => ({
      ...{ ...sample, incidentOn, notificationOn: addDays(incidentOn, 1) },
      requestedAmountCents: 40_000_00,
    })
    const submitted = await createSubmittedClaim(cast, at("2026-10-14"))
    const productTypeId = app.benefits.productTypes["Group Life"]!
    await information({ productTypeId, productTypeFromOn: "2026-10-15" })
    expect(await detail()).toMatchObject({ productTypeName: "Group Life", information: { productTypeId } })
    const offered = async (incidentOn: Day) =>
      (await cast.captures.claims.benefits({ memberId, incidentOn })).benefits.map(({ name }) => name)
    const given = (product: string) =>
      app.sql.rows<{ name: string }>(sql`
        select b.name from product_benefits pb join benefits b on b.id = pb.benefit_id
        join product_types pt on pt.id = pb.product_type_id
        where pt.name = ${product} and pb.tier_id = (select tier_id from members where id = ${memberId}) order by 1`)
    expect(await offered("2026-10-14")).toEqual((await given("Group Health")).map(({ name }) => name))
    expect(await offered("2026-10-15")).toEqual((await given("Group Life")).map(({ name }) => name))
    expect(await offered("2026-10-15")).not.toContain("Hospital benefit")
    const of = { memberId: secondMemberId }
    const before = await createDraftClaim(cast, { ...at("2026-10-14"), ...of })
    const after = await createDraftClaim(cast, { ...at("2026-10-15"), ...of })
    expect(before).toMatchObject({ policy: { productType: "Group Health" }, limitCents: submitted.limitCents })
    expect(checkLineOf(before, "maximum").result).toBe("pass")
    expect(after).toMatchObject({ policy: { productType: "Group Life" }, limitCents: 0 })
    expect(checkLineOf(after, "maximum").result).toBe("fail")
    await expect(cast.captures.claims.submit({ claimId: after.id, version: after.version })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "benefitId" }] },
    })
    await cast.captures.claims.submit({ claimId: before.id, version: before.version })
    const settled = await app.sql.rows<{ id: string; cents: number }>(sql`
      select id, max_cover_cents as cents from claims where id in (${submitted.id}, ${before.id})`)
    expect(new Set(settled.map(({ cents }) => cents)).size).toBe(1)
    expect(settled[0]!.cents).toBeGreaterThan(0)
  })

  test("starts the waiting period of a benefit that the earlier product did not have", async () => {
    const { cast, sample, memberId, manager, coverage, information } = await createScene("Started Stables")
    await coverage({ waitingPeriodMonths: 3, waitingPeriodFromOn: start })
    await information({ productTypeId: app.benefits.productTypes["Group Life"]!, productTypeFromOn: "2026-10-01" })
    const [benefitId, incidentOn] = [app.benefits.benefits["Death benefit"]!, "2026-10-20"]
    const draft = await createDraftClaim(cast, { ...sample, benefitId, claimType: "death", incidentOn })
    expect(checkLineOf(draft, "waiting")).toMatchObject({
      result: "fail",
      evidence: "3 months from 2026-10-01: incidents are covered from 2027-01-01.",
    })
    const { persons } = await manager.members.coverage({ memberId, on: incidentOn })
    const shown = persons[0]!.benefits.find((benefit) => benefit.benefitId === benefitId)
    expect(shown).toMatchObject({ coveredSince: "2026-10-01", claimableFrom: "2027-01-01" })
  })

  test("applies from the first of next month by default, and is recorded with its day", async () => {
    const { policyId, coverage, information, detail, manager } = await createScene("Coming Causeway")
    const { coverage: old, productTypeName } = await detail()
    await coverage({ sumAssuredCents: 750_000_00, waitingPeriodMonths: 6 })
    const [changed] = await manager.policies.activity({ policyId })
    expect(changed).toMatchObject({
      sentence: "changed Coverage Details",
      changes: [
        { field: "sumAssuredCents", before: old.sumAssuredCents, after: 750_000_00 },
        { field: "waitingPeriodMonths", before: 0, after: 6 },
        { field: "sumAssuredFromOn", before: null, after: "2026-12-01" },
        { field: "waitingPeriodFromOn", before: null, after: "2026-12-01" },
      ],
    })
    const productTypeId = app.benefits.productTypes["Group Life"]!
    const coming = await information({ productTypeId })
    expect(coming).toMatchObject({
      ...{ productTypeName, coverage: old },
      upcomingProductType: { productTypeId, name: "Group Life", fromOn: "2026-12-01" },
      upcomingSumAssured: { sumAssuredCents: 750_000_00, fromOn: "2026-12-01" },
      upcomingWaitingPeriod: { waitingPeriodMonths: 6, fromOn: "2026-12-01" },
    })
    const dated = await manager.policies.datedTerms({ policyId })
    expect(dated.sumsAssured).toEqual([
      { fromOn: start, sumAssuredCents: old.sumAssuredCents },
      { fromOn: "2026-12-01", sumAssuredCents: 750_000_00 },
    ])
    expect(dated.waitingPeriods.at(-1)).toEqual({ fromOn: "2026-12-01", waitingPeriodMonths: 6 })
    expect(dated.productTypes.map(({ name }) => name)).toEqual(["Group Health", "Group Life"])
    // The daily job updates the copies shown in lists and on the page.
    app.clock.set("2026-12-01T08:00:00Z")
    await app.app.database.transaction("staff", async (tx) => {
      const { now } = await app.app.moment()
      const actor = { kind: "system" as const, name: "Milkwood", onBehalfOf: null }
      await startJob({ tx, actor, now }, { kind: policiesDaily.kind, label: "Daily policy update", payload: {} })
    })
    await app.runJobs()
    expect(await detail()).toMatchObject({
      ...{ productTypeName: "Group Life", upcomingProductType: null, upcomingSumAssured: null },
      coverage: { sumAssuredCents: 750_000_00, waitingPeriodMonths: 6 },
    })
    app.clock.set("2026-11-02T08:00:00Z")
  })

  test("is refused before the policy's start, by the command and by the database", async () => {
    const { policyId, groupId, coverage, information } = await createScene("Early Estuary")
    const refused = (path: string) => ({ code: "INVALID", data: { fields: [{ path }] } })
    const dayBefore = addDays(start, -1)
    await expect(coverage({ waitingPeriodMonths: 1, waitingPeriodFromOn: dayBefore })).rejects.toMatchObject(
      refused("waitingPeriodFromOn"),
    )
    await expect(coverage({ sumAssuredCents: 1, sumAssuredFromOn: dayBefore })).rejects.toMatchObject(
      refused("sumAssuredFromOn"),
    )
    const productTypeId = app.benefits.productTypes["Group Life"]!
    await expect(information({ productTypeId, productTypeFromOn: dayBefore })).rejects.toMatchObject(
      refused("productTypeFromOn"),
    )
    const insert = (term: string, months: number | null, valid: string) =>
      app.sql.run(sql`
        insert into policy_cover_terms (id, group_id, policy_id, term, waiting_period_months, valid, recorded_at)
        values (gen_random_uuid(), ${groupId}, ${policyId}, ${term}, ${months}, ${valid}::daterange, '2026-11-02T08:00:00Z')`)
    await expect(insert("waiting period", 3, "[2025-12-01,2026-01-01)")).rejects.toThrow(/before the policy starts/)
    await expect(insert("waiting period", 3, "[2026-11-01,)")).rejects.toThrow(/policy_cover_terms_do_not_overlap/)
    await expect(insert("sum assured", 3, "[2026-11-01,)")).rejects.toThrow(/policy_cover_terms_have_one_value/)
    await app.sql.run(sql`
      update policy_cover_terms set superseded_at = '2026-11-03T08:00:00Z' where policy_id = ${policyId}`)
    const undo = sql`update policy_cover_terms set superseded_at = null where policy_id = ${policyId}`
    await expect(app.sql.run(undo)).rejects.toThrow(/superseded term/)
  })

  test("is visible to the group's own users only", async () => {
    const [own, other] = [await createScene("Own Oasis"), await createScene("Other Oasis")]
    const seen = (groupId: string) =>
      app.app.database.transaction("scoped", async (tx) => {
        await tx.run(sql`select set_config('app.groups', ${`{${groupId}}`}, true)`)
        return tx.rows<{ id: string }>(sql`select distinct policy_id as id from policy_cover_terms`)
      })
    expect(await seen(own.groupId)).toEqual([{ id: own.policyId }])
    const { hr } = other.people
    await expect(app.as(hr).policies.datedTerms({ policyId: own.policyId })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
  })
})

test("the terms of a draft have no effective days", async () => {
  const manager = app.as(app.people.manager)
  const draft = await createDraftPolicy(manager, { groupName: "Draft Delta" })
  const values = { ...draft.coverage, waitingPeriodMonths: 9 }
  const saved = await manager.policies.updateSection({
    ...{ policyId: draft.id, version: draft.version },
    change: { section: "coverage", values },
  })
  expect(saved.coverage.waitingPeriodMonths).toBe(9)
  expect(await manager.policies.datedTerms({ policyId: draft.id })).toMatchObject({ waitingPeriods: [] })
  expect(await readTermsOn(draft.id, "2020-01-01")).toMatchObject({ months: 9 })
})

test("a product type that a policy has used cannot be deleted", async () => {
  const { information } = await createScene("Former Fjord")
  await information({ productTypeId: app.benefits.productTypes["Group Life"]!, productTypeFromOn: start })
  const admin = app.as(app.people.admin)
  const { id, version } = await admin.benefits.productTypes.create({ name: "Short-lived", description: "" })
  await information({ productTypeId: id, productTypeFromOn: "2026-03-01" })
  await information({ productTypeId: app.benefits.productTypes["Group Life"]!, productTypeFromOn: "2026-03-01" })
  await expect(admin.benefits.productTypes.remove({ id, version })).rejects.toMatchObject({ code: "IN_USE" })
})

test("changes in any order give the same terms as the domain rule", async () => {
  const { policyId, coverage } = await createScene("Random Reef")
  const months = fc.record({ months: fc.integer({ min: 0, max: 24 }), cents: fc.integer({ min: 1, max: 900 }) })
  const step = fc.tuple(months, fc.integer({ min: 0, max: 500 }), fc.constantFrom("waiting", "sum"), fc.boolean())
  const steps = fc.sample(step, { numRuns: 40, seed: 20261102 })
  const from = { from: start, until: null }
  const { coverage: old } = await app.as(app.people.manager).policies.detail({ policyId })
  let waiting = [{ ...from, months: old.waitingPeriodMonths }]
  let sums = [{ ...from, cents: old.sumAssuredCents }]
  for (const [value, days, of, isReplacing] of steps) {
    const day = addDays(start, days)
    const laterChanges = isReplacing ? "replace" : "keep"
    if (of === "waiting") {
      await coverage({ waitingPeriodMonths: value.months, waitingPeriodFromOn: day, laterChanges })
      waiting = recordChangeFrom(waiting, day, { months: value.months }, laterChanges)
    } else {
      await coverage({ sumAssuredCents: value.cents, sumAssuredFromOn: day, laterChanges })
      sums = recordChangeFrom(sums, day, { cents: value.cents }, laterChanges)
    }
    for (const on of [addDays(start, -5), start, addDays(day, -1), day, addDays(start, 510)]) {
      const expected = { months: termOn(waiting, on)!.months, cents: termOn(sums, on)!.cents }
      expect(await readTermsOn(policyId, on), `${of} from ${day} seen on ${on}`).toEqual(expected)
    }
  }
  const { coverage: today } = await app.as(app.people.manager).policies.detail({ policyId })
  expect(today.waitingPeriodMonths).toBe(termOn(waiting, "2026-11-02")!.months)
  expect(today.sumAssuredCents).toBe(termOn(sums, "2026-11-02")!.cents)
})

const readTermsOn = (policyId: string, on: Day) => {
  const terms: SQL = sql`
    select waiting_period_months as months, sum_assured_cents as cents from policy_terms_on(${policyId}, ${on}::date)`
  return app.sql.row<{ months: number; cents: number | null }>(terms)
}
