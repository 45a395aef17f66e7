import { randomUUID } from "node:crypto"
import { startingSets } from "@milkwood/domain/benefits/starting-set"
import { isDefinedError, safe } from "@orpc/client"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createDraftInvoice } from "../billing/billing.samples.ts"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { openTestApp, type TestApp, testOrganisation } from "../test/app.ts"

let app: TestApp
const admin = () => app.as(app.people.admin)
const stateOf = async (step: string) => (await admin().settings.setUpSteps()).steps.find((one) => one.step === step)

beforeAll(async () => {
  app = await openTestApp({ isSetUp: false })
})
afterAll(() => app.close())

async function refusalOf(call: Promise<unknown>) {
  const { error } = await safe(call)
  if (!error || !isDefinedError(error)) throw new Error("expected a refusal of the contract", { cause: error })
  return error as { code: string; data: { fields: { path: string }[] } }
}

const inputOf = (name: keyof typeof startingSets) => {
  const set = startingSets[name]
  return {
    productType: {
      name: set.name,
      description: set.description,
      isFuneral: set.isFuneral,
      vatRates: [{ from: null, percent: set.vatPercent }],
    },
    tiers: ["standard", "Executive"],
    benefits: set.benefits.map(({ cover: { amountCents, percentage, ...cover }, ...benefit }) => ({
      ...benefit,
      cover: { ...cover, coverAmountCents: amountCents, coverPercentage: percentage },
    })),
  }
}
const countRows = async (table: string) =>
  (await app.sql.row<{ count: number }>(sql`select count(*)::int as count from ${sql.raw(table)}`))!.count

describe("the set-up", () => {
  it("shows a manager only the manager's steps, which the manager cannot skip", async () => {
    const { steps } = await app.as(app.people.manager).settings.setUpSteps()
    expect(steps.map(({ step }) => step)).toEqual(["benefits", "employer", "members", "invoices"])
    expect(steps.flatMap(({ allowedActions }) => allowedActions)).toEqual([])
    await expect(
      app.as(app.people.manager).settings.skipSetUpSteps({ steps: ["benefits"], isSkipped: true }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" })
    await expect(app.as(app.people.underwriter).settings.setUpSteps()).rejects.toMatchObject({ code: "FORBIDDEN" })
  })

  it("begins with every step open except colleagues, who exist", async () => {
    const { steps, next } = await admin().settings.setUpSteps()
    expect(steps.filter(({ state }) => state === "done").map(({ step }) => step)).toEqual(["colleagues"])
    expect(next).toBe("organisation")
  })

  it("keeps the steps that two administrators skip at once, through saves of the settings", async () => {
    const other = app.another(await app.people.another("admin"))
    await Promise.all([
      admin().settings.skipSetUpSteps({ steps: ["mailServer"], isSkipped: true }),
      other.settings.skipSetUpSteps({ steps: ["backupKey"], isSkipped: true }),
    ])
    const { version, settings } = await admin().settings.detail()
    await admin().settings.save({ version, settings: { ...settings, organisation: testOrganisation } })
    expect(await stateOf("mailServer")).toMatchObject({ state: "skipped", allowedActions: ["unskip"] })
    expect(await stateOf("backupKey")).toMatchObject({ state: "skipped" })
    await admin().settings.skipSetUpSteps({ steps: ["mailServer"], isSkipped: false })
    expect(await stateOf("mailServer")).toMatchObject({ state: "open", allowedActions: ["skip"] })
    expect(await stateOf("backupKey")).toMatchObject({ state: "skipped" })
  })

  it("counts the organisation as done with bank account and VAT number", async () => {
    expect(await stateOf("organisation")).toMatchObject({ state: "done", gaps: [] })
    expect((await admin().settings.detail()).settings.organisation.vatNumber).toBe(testOrganisation.vatNumber)
  })
})

describe("a starting set", () => {
  it("is added in one transaction, with an existing tier and a new one", async () => {
    const added = await admin().benefits.addStartingSet(inputOf("funeral"))
    expect(added).toMatchObject({ productType: { isFuneral: true, vatClass: "exempt" }, productBenefits: 2 })
    const { rows } = await admin().benefits.productBenefits.list({})
    expect(rows.map(({ tier }) => tier).sort()).toEqual(["Executive", "Standard"])
    expect(rows[0]).toMatchObject({ productType: "Group funeral", coverAmountCents: 30_000_00 })
    expect(rows[0]!.dependents).toHaveLength(5)
    expect(await stateOf("benefits")).toMatchObject({ state: "done" })
  })

  it("names each field whose name is in use, and stores nothing", async () => {
    const before = await Promise.all(["product_types", "benefits", "benefit_tiers"].map(countRows))
    const input = inputOf("funeral")
    const refusal = await refusalOf(admin().benefits.addStartingSet({ ...input, tiers: ["New tier"] }))
    expect(refusal.code).toBe("INVALID")
    expect(refusal.data.fields.map(({ path }) => path)).toEqual(["productType.name", "benefits.0.name"])
    expect(await Promise.all(["product_types", "benefits", "benefit_tiers"].map(countRows))).toEqual(before)
  })

  it("is added once when two administrators add it at once", async () => {
    const other = app.another(app.people.manager)
    const results = await Promise.allSettled([
      admin().benefits.addStartingSet(inputOf("life")),
      other.benefits.addStartingSet(inputOf("life")),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
    expect((await admin().benefits.productTypes.list({ search: "Group life" })).total).toBe(1)
  })

  it.each(["disability", "medical"] as const)("%s is valid as proposed", async (name) => {
    const { productType } = await admin().benefits.addStartingSet(inputOf(name))
    expect(productType.vatPercent).toBe(name === "medical" ? 15 : 0)
  })
})

describe("records of the first employer", () => {
  let scene: TestApp
  beforeAll(async () => {
    scene = await openTestApp()
  })
  afterAll(() => scene.close())

  it("complete the steps of employer, members and invoices", async () => {
    const manager = scene.as(scene.people.manager)
    const states = async () =>
      (await manager.settings.setUpSteps()).steps.map(({ step, state, gaps }) => [step, state, gaps])
    expect(await states()).toEqual(["benefits", "employer", "members", "invoices"].map((step) => [step, "open", []]))
    const { id: policyId } = await createActivePolicy(manager)
    const invoice = { policyId, month: "2026-11-01", invoiceOn: "2026-11-02" } as const
    const draft = await createDraftInvoice(manager, invoice)
    expect((await states()).at(-1)).toEqual(["invoices", "open", ["sending"]])
    await manager.billing.send({ invoiceId: draft.id, version: draft.version, idempotencyKey: randomUUID() })
    expect(await states()).toEqual(["benefits", "employer", "members", "invoices"].map((step) => [step, "done", []]))
    expect((await manager.policies.list({ tab: "Active" })).total).toBe(1)
    expect((await manager.members.list({})).total).toBeGreaterThan(0)
    expect((await manager.billing.list({ tab: "sent" })).total).toBe(1)
  })
})
