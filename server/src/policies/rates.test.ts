import { effectSentence } from "@milkwood/domain/billing/effect-words"
import type { RateRow, RateTable } from "@milkwood/domain/policies/rates"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createDraftInvoice } from "../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../billing/billing-scene.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { createDraftPolicy } from "./policies.samples.ts"

let app: BillingApp
let tiers: Record<string, string>
beforeAll(async () => {
  app = await openBillingApp()
  tiers = Object.fromEntries((await app.manager.benefits.choices()).tiers.map(({ id, name }) => [name, id]))
})
afterAll(() => app.close())

/** Amounts contain non-breaking spaces. */
const normalizeSpaces = <T>(said: T): T => JSON.parse(JSON.stringify(said).replaceAll("\u00a0", " ")) as T

const row = (person: RateRow["person"], over: Partial<RateRow>): RateRow => ({
  ...{ person, tierId: null, ageFrom: null, ageUntil: null, cents: null, perMille: null },
  ...over,
})
const createRateTable = (rows: RateRow[], over: Partial<RateTable> = {}): RateTable => ({
  ...{ ageOn: "month", sumAssured: null, rows },
  ...over,
})
const personWithoutFacts = { idNumber: null, dateOfBirth: null, gender: null, lastName: "Nkosi" }

async function createRatedScene(rates: () => RateTable) {
  const draft = await createDraftPolicy(app.manager, { groupName: `Rated ${Math.random()}`, startOn: "2026-09-01" })
  const member = await createMember(app.manager, draft.id, {
    ...{ firstName: "Thandi", lastName: "Mokoena", tier: "Gold", startOn: "2026-09-01" },
    dependents: [{ ...personWithoutFacts, firstName: "Sam", relationship: "spouse", dateOfBirth: "1984-05-05" }],
  })
  const { id: memberId, version } = member
  await app.manager.members.update({
    ...{ memberId, version },
    personal: { ...member.personal, idNumber: null, passportNumber: "A1234567", dateOfBirth: "1986-03-01" },
  })
  const { version: read } = await app.manager.policies.detail({ policyId: draft.id })
  const saved = await app.manager.policies.saveRates({ policyId: draft.id, version: read, rates: rates() })
  return { policyId: draft.id, memberId, saved }
}

const createTierAndAgeRates = () =>
  createRateTable([
    row("member", { tierId: tiers.Gold!, ageFrom: 35, ageUntil: 44, cents: 412_00 }),
    row("member", { ageUntil: 34, cents: 300_00 }),
    row("spouse", { cents: 180_00 }),
  ])

const activatePolicy = async (policyId: string) => {
  const { version } = await app.manager.policies.detail({ policyId })
  return app.manager.policies.activate({ policyId, version })
}

describe("rates", () => {
  test("a draft's rates set its premium, are dated by activation and appear on invoices", async () => {
    const { policyId, saved } = await createRatedScene(createTierAndAgeRates)
    expect(saved).toMatchObject({ rated: true, monthlyPremiumCents: 592_00, unrated: null, missing: [] })
    const { stands } = await app.manager.premiums.month({ policyId, month: "2026-09-01" })
    expect(stands).toEqual({ month: "2026-09-01", members: 1, cents: 592_00, unrated: { count: 0, some: [] } })
    await activatePolicy(policyId)
    const { lines } = await app.manager.billing.fillLines({ policyId, month: "2026-10-01", invoiceOn: "2026-11-02" })
    expect(normalizeSpaces(lines)).toMatchObject([
      { description: "Thandi Mokoena - Gold, 35 to 44: R 412,00; spouse R 180,00", unitCents: 592_00 },
    ])
    const { rows } = await app.manager.members.list({ policyId })
    const member = await app.manager.members.detail({ memberId: rows[0]!.id })
    const invoice = await createDraftInvoice(app.manager, { policyId, month: "2026-09-01", invoiceOn: "2026-11-02" })
    expect([member.policy, invoice.policy].map(({ premiumCents }) => premiumCents)).toEqual([null, null])
    expect(rows[0]!.premiumCents).toBe(592_00)
    const { tables } = await app.as(app.people.underwriter).policies.rates({ policyId })
    expect(tables).toEqual([{ fromOn: "2026-09-01", table: createTierAndAgeRates() }])
  })

  test("people without a rate block activation with a reason, and are never billed zero", async () => {
    const { policyId, memberId } = await createRatedScene(() =>
      createRateTable([row("member", { ageFrom: 18, ageUntil: 35, cents: 300_00 }), row("spouse", { cents: 100_00 })]),
    )
    const { stands } = await app.manager.premiums.month({ policyId })
    expect(stands.unrated).toEqual({
      count: 1,
      some: [{ memberId, name: "Thandi Mokoena", why: "no rate applies" }],
    })
    await expect(activatePolicy(policyId)).rejects.toMatchObject({
      code: "INCOMPLETE",
      data: { missing: [{ field: "rates", label: "A rate for Thandi Mokoena (no rate applies)" }] },
    })
    expect((await app.manager.policies.detail({ policyId })).status).toBe("Draft")
    expect(await app.sql.rows(sql`select 1 from policy_premiums where policy_id = ${policyId}`)).toEqual([])

    const { version } = await app.manager.policies.detail({ policyId })
    await app.manager.policies.saveRates({ policyId, version, rates: createTierAndAgeRates() })
    const active = await activatePolicy(policyId)
    // On an active policy, rates that miss a person only give a warning, but its invoice cannot be filled.
    const narrow = createRateTable([row("member", { tierId: tiers.Silver!, cents: 1_00 })])
    const {
      effects: [effect],
    } = await app.manager.billing.effect({
      change: { act: "changeRates", policyId, rates: narrow, from: "2026-09-01" },
    })
    expect(effect).toMatchObject({ unrated: 1 })
    const change = { policyId, version: active.version, rates: narrow, fromOn: "2026-09-01" }
    await app.manager.policies.saveRates(change)
    await expect(
      app.manager.billing.fillLines({ policyId, month: "2026-09-01", invoiceOn: "2026-11-02" }),
    ).rejects.toMatchObject({ data: { fields: [{ message: "No rate covers Thandi Mokoena" }] } })
    expect((await app.manager.billing.nextInvoice({ policyId })).next).toMatchObject({ unrated: 1 })
  })

  test("a joiner's cost uses birth date and family, or names the missing data", async () => {
    const { policyId } = await createRatedScene(createTierAndAgeRates)
    await activatePolicy(policyId)
    const said = async (over: object) => {
      const {
        effects: [effect],
      } = await app.manager.billing.effect({
        change: {
          ...{ act: "addMember", policyId, tierId: tiers.Gold!, startOn: "2026-09-01" },
          ...{ idNumber: null, passportNumber: null, dateOfBirth: "1986-03-01", dependents: [] },
          ...over,
        },
      })
      return normalizeSpaces(effectSentence(effect!, "ZAR"))
    }
    expect(await said({})).toBe("Next invoice: R 412,00 more for September, excl. VAT")
    // The birth date is derived from the ID number, and the chosen tier applies.
    expect(await said({ idNumber: "8603015009080", dateOfBirth: null })).toContain("R 412,00 more")
    expect(await said({ dateOfBirth: "1996-03-01", tierId: tiers.Silver! })).toContain("R 300,00 more")
    const spouse = { ...{ idNumber: null, relationship: "spouse", dateOfBirth: null }, untilOn: null }
    expect(await said({ dependents: [spouse] })).toContain("R 592,00 more")
    expect(await said({ dependents: [{ ...spouse, fromOn: "2026-10-01" }] })).toContain("R 412,00 more")
    const missing = "Next invoice: no change. One member month cannot be billed: no date of birth"
    expect(await said({ dateOfBirth: null })).toBe(missing)
    expect(await said({ dateOfBirth: null, startOn: "2026-12-01" })).toBe(
      "Next invoice: no change. Later months cannot be billed: no date of birth",
    )
  })

  test("changed rates of an active policy are dated, previewed and audited per row", async () => {
    const { policyId } = await createRatedScene(createTierAndAgeRates)
    const active = await activatePolicy(policyId)
    const dearer = createRateTable([
      row("member", { tierId: tiers.Gold!, cents: 450_00 }),
      row("member", { cents: 300_00 }),
      row("family", { cents: 200_00 }),
    ])
    const from = "2026-10-01"
    const {
      effects: [effect],
    } = await app.manager.billing.effect({
      change: { act: "changeRates", policyId, rates: dearer, from },
    })
    expect(effect).toMatchObject({ month: "2026-09-01", cents: 0, later: { month: "2026-10-01", cents: 58_00 } })
    const saved = await app.manager.policies.saveRates({
      policyId,
      version: active.version,
      rates: dearer,
      fromOn: from,
    })
    expect((await app.manager.policies.rates({ policyId })).tables.map(({ fromOn }) => fromOn)).toEqual([from])
    const { stands, proposed } = await app.manager.premiums.month({
      policyId,
      month: from,
      rates: createTierAndAgeRates(),
    })
    expect([stands.cents, proposed!.cents]).toEqual([650_00, 592_00])
    const [entry] = await app.manager.policies.activity({ policyId })
    expect(entry).toMatchObject({ sentence: "changed the rates from 2026-10-01" })
    expect(normalizeSpaces(entry!.changes)).toContainEqual({
      field: "rates",
      before: [
        "member, Gold, 35 to 44: R 412,00",
        "member, up to 34: R 300,00",
        "spouse: R 180,00",
        "age as at the 1st of the month",
      ],
      after: ["member, Gold: R 450,00", "member: R 300,00", "family: R 200,00"],
    })
    await expect(
      app.manager.policies.saveRates({ policyId, version: active.version, rates: dearer }),
    ).rejects.toMatchObject({ code: "STALE" })
    await expect(
      app.manager.policies.saveRates({ policyId, version: saved.version, rates: dearer, fromOn: "2026-08-31" }),
    ).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "fromOn" }] } })
    const { coverage } = saved
    const back = await app.manager.policies.updateSection({
      ...{ policyId, version: saved.version },
      change: { section: "coverage", values: { ...coverage, premiumCents: 300_00, premiumFromOn: "2026-12-01" } },
    })
    expect(back).toMatchObject({ rated: true, upcomingPremium: { premiumCents: 300_00, fromOn: "2026-12-01" } })
  })

  test("a rate per mille of the salary is dated, restricted and shown as a band", async () => {
    const { policyId, memberId } = await createRatedScene(() =>
      createRateTable([row("member", { tierId: tiers.Gold!, perMille: 0.85 })], {
        sumAssured: { kind: "salary", multiple: 36 },
      }),
    )
    await expect(activatePolicy(policyId)).rejects.toMatchObject({
      data: { missing: [{ label: "A rate for Thandi Mokoena (no salary on the 1st)" }] },
    })
    const member = await app.manager.members.detail({ memberId })
    const salary = { memberId, version: member.version, monthlyCents: 25_000_00, on: "2026-09-01" }
    await app.manager.members.setSalary(salary)
    await activatePolicy(policyId)
    // 25 000 × 36 × 0,85 ‰ = 765,00
    const { lines } = await app.manager.billing.fillLines({ policyId, month: "2026-09-01", invoiceOn: "2026-11-02" })
    expect(lines).toMatchObject([{ description: "Thandi Mokoena - Gold", unitCents: 765_00 }])
    const { version, groupId } = await app.manager.members.detail({ memberId })
    await app.manager.members.setSalary({ memberId, version, monthlyCents: 26_000_00, on: "2026-10-01" })
    const [year, before] = await app.as(await app.people.groupAdmin(groupId)).members.salaries({ memberId })
    expect([year, before]).toEqual([
      { fromOn: "2026-10-01", untilOn: null, monthlyCents: 26_000_00 },
      { fromOn: "2026-09-01", untilOn: "2026-09-30", monthlyCents: 25_000_00 },
    ])
    const holder = app.as(await app.people.policyHolder(groupId))
    await expect(holder.members.salaries({ memberId })).rejects.toMatchObject({ code: "FORBIDDEN" })
    const trail = JSON.stringify(await app.sql.rows(sql`select detail from audit_log where record_id = ${memberId}`))
    expect(trail).not.toMatch(/\b(2500000|2600000|25 000|26 000)\b/)
  })

  test("policies with rates are last in the list in both sort directions by premium", async () => {
    const { policyId } = await createRatedScene(createTierAndAgeRates)
    await app.policy({ premiumCents: 1_00 })
    await app.policy({ premiumCents: 9_999_00 })
    for (const dir of ["asc", "desc"] as const) {
      const { rows } = await app.manager.policies.list({ sort: "premiumCents", dir, pageSize: 100 })
      const premiums = rows.map(({ premiumCents }) => premiumCents)
      const own = premiums.filter((cents) => cents !== null)
      expect(premiums).toEqual([...own, ...premiums.filter((cents) => cents === null)])
      expect(own).toEqual([...own].sort((a, b) => (dir === "asc" ? a - b : b - a)))
      expect(rows.findIndex(({ id }) => id === policyId)).toBeGreaterThanOrEqual(own.length)
    }
  })

  test("rule and database refuse a table that rates a person twice", async () => {
    const { policyId, saved } = await createRatedScene(createTierAndAgeRates)
    const twice = createRateTable([row("member", { ageUntil: 40, cents: 1 }), row("member", { ageFrom: 40, cents: 2 })])
    await expect(
      app.manager.policies.saveRates({ policyId, version: saved.version, rates: twice }),
    ).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "rates.rows.1", message: "Row 1 already has a rate for some of these people" }] },
    })
    await expect(
      app.sql.run(sql`
        insert into rate_rows (rate_table_id, group_id, position, person, cents)
        select rate_table_id, group_id, 9, 'spouse', 1 from policies where id = ${policyId}`),
    ).rejects.toThrow()
  })
})
