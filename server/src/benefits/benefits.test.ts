import { isDefinedError, safe } from "@orpc/client"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { createSampleBenefits } from "./benefits.samples.ts"
import { vatPercentOn } from "./vat.queries.ts"

let app: TestApp
const as = (name: "admin" | "manager" | "underwriter" | "none") => app.as(app.people[name])
const all = { page: 1, pageSize: 100, dir: "asc", search: "" } as const

beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
})
afterAll(() => app.close())

async function refusalOf(call: Promise<unknown>) {
  const { error } = await safe(call)
  if (!error || !isDefinedError(error)) throw new Error("expected a refusal of the contract", { cause: error })
  return error as { code: string; message: string; data: unknown }
}

const readTrail = (id: string) =>
  app.sql.rows<{ fact: string; detail: { before?: object; after?: object } }>(
    sql`select fact, detail from audit_log where record_id = ${id} order by id`,
  )

describe("tiers", () => {
  it("exist from the start, in order", async () => {
    const { rows, total } = await as("manager").benefits.tiers.list({})
    expect(rows.map(({ name, position }) => [position, name])).toEqual([
      [1, "Standard"],
      [2, "Silver"],
      [3, "Gold"],
      [4, "Platinum"],
    ])
    expect(total).toBe(4)
  })

  it("are added above the others and can be reordered", async () => {
    const client = as("underwriter")
    const added = await client.benefits.tiers.create({ name: "Diamond", description: "" })
    expect(added.position).toBe(5)
    const { rows } = await client.benefits.tiers.list({})
    const reversed = rows.map(({ id }) => id).reverse()
    const ordered = await client.benefits.tiers.reorder({ ids: reversed })
    expect(ordered.rows.map(({ name }) => name)).toEqual(["Diamond", "Platinum", "Gold", "Silver", "Standard"])
    expect((await refusalOf(client.benefits.tiers.reorder({ ids: reversed.slice(1) }))).code).toBe("INVALID")
    expect((await refusalOf(client.benefits.tiers.reorder({ ids: [...reversed.slice(1), reversed[1]!] }))).code).toBe(
      "INVALID",
    )
    await client.benefits.tiers.reorder({ ids: [...reversed].reverse() })
    await client.benefits.tiers.remove({ id: added.id, version: 1 })
    expect((await client.benefits.tiers.list({})).total).toBe(4)
  })

  it("can be renamed", async () => {
    const client = as("manager")
    const { rows } = await client.benefits.tiers.list({})
    const silver = rows[1]!
    const renamed = await client.benefits.tiers.update({
      id: silver.id,
      version: silver.version,
      name: "Argent",
      description: "x",
    })
    expect(renamed).toMatchObject({ name: "Argent", description: "x", position: 2, version: 2 })
    await client.benefits.tiers.update({ id: silver.id, version: 2, name: "Silver", description: "" })
  })
})

describe("product types", () => {
  it("can be added, listed, edited and deleted, with each change recorded", async () => {
    const client = as("manager")
    const made = await client.benefits.productTypes.create({ name: "Group life", description: "Death cover" })
    expect(made).toMatchObject({
      vatClass: "standard",
      vatPercent: 15,
      vatRates: [{ from: null, percent: 15 }],
      version: 1,
      allowedActions: ["edit", "delete"],
    })
    expect(made.createdAt).toBe("2026-11-20T08:00:00Z")

    const edited = await client.benefits.productTypes.update({
      ...{ id: made.id, version: 1, name: "Group life", description: "Death and disability" },
      vatRates: [
        { from: null, percent: 15 },
        { from: "2026-11-01", percent: 0 },
      ],
    })
    expect(edited).toMatchObject({ vatPercent: 0, version: 2 })
    const { rows } = await client.benefits.productTypes.list({ ...all, search: "GROUP L" })
    expect(rows).toEqual([edited])

    await client.benefits.productTypes.remove({ id: made.id, version: 2 })
    expect((await client.benefits.productTypes.list({ ...all, search: "group l" })).total).toBe(0)
    expect(await readTrail(made.id)).toMatchObject([
      { fact: "ProductTypeCreated", detail: { after: { name: "Group life" } } },
      {
        fact: "ProductTypeUpdated",
        detail: { before: { description: "Death cover" }, after: { description: "Death and disability" } },
      },
      { fact: "ProductTypeDeleted", detail: { before: { name: "Group life" } } },
    ])
  })

  it("have unique names, ignoring case", async () => {
    const client = as("manager")
    const one = await client.benefits.productTypes.create({ name: "Funeral plan", description: "" })
    const two = await client.benefits.productTypes.create({ name: "Legal plan", description: "" })
    expect(
      await refusalOf(client.benefits.productTypes.create({ name: " funeral PLAN ", description: "" })),
    ).toMatchObject({
      code: "NAME_TAKEN",
      message: "There is already a product type named funeral PLAN.",
    })
    expect(
      (
        await refusalOf(
          client.benefits.productTypes.update({ id: two.id, version: 1, name: one.name, description: "" }),
        )
      ).code,
    ).toBe("NAME_TAKEN")
    expect((await client.benefits.productTypes.list({ ...all, search: "plan" })).rows.map(({ name }) => name)).toEqual([
      "Funeral plan",
      "Legal plan",
    ])
  })

  it("refuse a stale version with the current one", async () => {
    const client = as("manager")
    const row = await client.benefits.productTypes.create({ name: "Stale plan", description: "" })
    await as("underwriter").benefits.productTypes.update({
      id: row.id,
      version: 1,
      name: "Stale plan",
      description: "theirs",
    })
    const refused = await refusalOf(
      client.benefits.productTypes.update({ id: row.id, version: 1, name: "Stale plan", description: "mine" }),
    )
    expect(refused).toMatchObject({ code: "STALE", data: { version: 2 } })
    expect(await client.benefits.productTypes.get({ id: row.id })).toMatchObject({ description: "theirs", version: 2 })
    expect((await refusalOf(client.benefits.productTypes.remove({ id: row.id, version: 1 }))).code).toBe("STALE")
  })

  it("use the VAT rate of the day in the organisation's time zone", async () => {
    const client = as("manager")
    const row = await client.benefits.productTypes.create({
      name: "Dated plan",
      description: "",
      vatRates: [
        { from: "2026-12-01", percent: 15.5 },
        { from: null, percent: 15 },
      ],
    })
    const cx = <T>(work: (tx: Parameters<typeof vatPercentOn>[0]) => Promise<T>) =>
      app.transaction(app.people.manager, ({ tx }) => work(tx))
    expect(await cx((tx) => vatPercentOn(tx, row.id, "2026-11-30"))).toBe(15)
    expect(await cx((tx) => vatPercentOn(tx, row.id, "2026-12-01"))).toBe(15.5)
    const percentNow = async () =>
      (await client.benefits.productTypes.list({ ...all, search: "Dated" })).rows[0]!.vatPercent
    app.clock.set("2026-11-30T21:59:59Z")
    expect(await percentNow()).toBe(15)
    app.clock.set("2026-11-30T22:00:00Z")
    expect(await percentNow()).toBe(15.5)
    app.clock.set("2026-11-20T08:00:00Z")
  })

  it("keep a zero-rated class, and its dates", async () => {
    const client = as("manager")
    const made = await client.benefits.productTypes.create({
      name: "Classed plan",
      description: "",
      vatRates: [
        { from: null, percent: 0, class: "zero" },
        { from: "2026-11-01", percent: 0, class: "exempt" },
        { from: "2027-01-01", percent: 15, class: "standard" },
      ],
    })
    expect(made).toMatchObject({ vatClass: "exempt", vatPercent: 0 })
    expect(made.vatRates.map((rate) => rate.class)).toEqual(["zero", "exempt", "standard"])
    const { id, version, name, description, vatRates } = made
    const again = await client.benefits.productTypes.update({ id, version, name, description, vatRates })
    expect(again.vatRates).toEqual(vatRates)
    expect(
      (
        await refusalOf(
          client.benefits.productTypes.create({ name: "y", vatRates: [{ from: null, percent: 15, class: "zero" }] }),
        )
      ).code,
    ).toBe("INVALID")
  })

  it("require a name and valid rates", async () => {
    const client = as("manager")
    expect(await refusalOf(client.benefits.productTypes.create({ name: " ", description: "" }))).toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "name", message: "Name is required" }] },
    })
    expect(
      (await refusalOf(client.benefits.productTypes.create({ name: "x", description: "", vatRates: [] }))).code,
    ).toBe("INVALID")
  })
})

describe("benefits", () => {
  it("can be added, edited and deleted", async () => {
    const client = as("underwriter")
    const made = await client.benefits.benefits.create({ name: "Funeral", description: "" })
    const edited = await client.benefits.benefits.update({
      id: made.id,
      version: 1,
      name: "Family funeral",
      description: "Up to 5",
    })
    expect(edited).toMatchObject({ name: "Family funeral", version: 2 })
    expect((await refusalOf(client.benefits.benefits.create({ name: "family funeral", description: "" }))).code).toBe(
      "NAME_TAKEN",
    )
    expect(
      (await refusalOf(client.benefits.benefits.update({ id: made.id, version: 1, name: "x", description: "" }))).code,
    ).toBe("STALE")
    await client.benefits.benefits.remove({ id: made.id, version: 2 })
    expect((await refusalOf(client.benefits.benefits.remove({ id: made.id, version: 2 }))).code).toBe("NOT_FOUND")
    expect((await readTrail(made.id)).map(({ fact }) => fact)).toEqual([
      "BenefitCreated",
      "BenefitUpdated",
      "BenefitDeleted",
    ])
  })

  it("are paged and sorted by the database", async () => {
    const client = as("manager")
    for (let n = 1; n <= 30; n += 1) {
      await client.benefits.benefits.create({ name: `Paged ${String(n).padStart(2, "0")}`, description: "100% of_it" })
    }
    const second = await client.benefits.benefits.list({ ...all, pageSize: 25, page: 2, search: "paged" })
    expect(second.total).toBe(30)
    expect(second.rows.map(({ name }) => name)).toEqual(["Paged 26", "Paged 27", "Paged 28", "Paged 29", "Paged 30"])
    const down = await client.benefits.benefits.list({ ...all, pageSize: 25, dir: "desc", search: "0% of_" })
    expect(down.rows[0]!.name).toBe("Paged 30")
    expect((await client.benefits.benefits.list({ ...all, search: "0%%of" })).total).toBe(0)
  })
})

describe("benefits configuration", () => {
  it("is unique for each product type, benefit and tier", async () => {
    const client = as("manager")
    const productType = await client.benefits.productTypes.create({ name: "Configured plan", description: "" })
    const benefit = await client.benefits.benefits.create({ name: "Disability", description: "" })
    const { tiers } = await client.benefits.choices()
    const gold = tiers.find(({ name }) => name === "Gold")!
    const parts = { productTypeId: productType.id, benefitId: benefit.id, tierId: gold.id }
    const made = await client.benefits.productBenefits.create({
      ...parts,
      costCents: 12_50,
      coverAmountCents: 500_000_00,
      coverPercentage: 80,
    })
    expect(made).toMatchObject({
      productType: "Configured plan",
      benefit: "Disability",
      tier: "Gold",
      costCents: 12_50,
      coverAmountCents: 500_000_00,
      coverPercentage: 80,
    })

    expect((await refusalOf(client.benefits.productBenefits.create(parts))).code).toBe("ALREADY_CONFIGURED")
    const blank = await client.benefits.productBenefits.update({ ...parts, id: made.id, version: 1 })
    expect(blank).toMatchObject({ costCents: 0, coverAmountCents: 0, coverPercentage: 0, version: 2 })
    expect((await refusalOf(client.benefits.productBenefits.update({ ...parts, id: made.id, version: 1 }))).code).toBe(
      "STALE",
    )

    const { rows } = await client.benefits.productBenefits.list({ ...all, sort: "tier", productTypeId: productType.id })
    expect(rows).toEqual([blank])
    expect(
      (await client.benefits.productBenefits.list({ ...all, sort: "coverAmountCents", search: "configured" })).total,
    ).toBe(1)

    expect(await refusalOf(client.benefits.productTypes.remove({ id: productType.id, version: 1 }))).toMatchObject({
      code: "IN_USE",
      message: "Configured plan cannot be deleted: it is used by 1 product benefit (Disability / Gold).",
      data: { by: [{ kind: "configuration", count: 1, examples: ["Disability / Gold"] }] },
    })
    expect((await refusalOf(client.benefits.benefits.remove({ id: benefit.id, version: 1 }))).message).toBe(
      "Disability cannot be deleted: it is used by 1 product benefit (Configured plan / Gold).",
    )
    expect((await refusalOf(client.benefits.tiers.remove({ id: gold.id, version: 1 }))).message).toBe(
      "Gold cannot be deleted: it is used by 1 product benefit (Configured plan / Disability).",
    )

    await client.benefits.productBenefits.remove({ id: made.id, version: 2 })
    await client.benefits.benefits.remove({ id: benefit.id, version: 1 })
    await client.benefits.productTypes.remove({ id: productType.id, version: 1 })
    expect((await readTrail(made.id)).map(({ fact }) => fact)).toEqual([
      "ProductBenefitCreated",
      "ProductBenefitUpdated",
      "ProductBenefitDeleted",
    ])
  })

  it("names each part that does not exist", async () => {
    const unknown = crypto.randomUUID()
    expect(
      await refusalOf(
        as("manager").benefits.productBenefits.create({ productTypeId: unknown, benefitId: unknown, tierId: unknown }),
      ),
    ).toMatchObject({
      code: "INVALID",
      data: { fields: [{ path: "productTypeId" }, { path: "benefitId" }, { path: "tierId" }] },
    })
  })

  it("refuses a percentage above 100 and a negative amount", async () => {
    const { tiers } = await as("manager").benefits.choices()
    const parts = { productTypeId: tiers[0]!.id, benefitId: tiers[0]!.id, tierId: tiers[0]!.id }
    expect(
      await refusalOf(as("manager").benefits.productBenefits.create({ ...parts, coverPercentage: 101, costCents: -1 })),
    ).toMatchObject({ code: "INVALID", data: { fields: [{ path: "costCents" }, { path: "coverPercentage" }] } })
  })
})

describe("permissions", () => {
  it("a group's user can read benefits but has no actions", async () => {
    for (const actor of [await app.people.groupAdmin(), await app.people.policyHolder()]) {
      const { rows } = await app.as(actor).benefits.tiers.list({})
      expect(rows[0]!.allowedActions).toEqual([])
      expect((await app.as(actor).benefits.choices()).tiers).toHaveLength(4)
      expect((await app.as(actor).benefits.productTypes.list({})).rows[0]?.allowedActions).toEqual([])
      await app.as(actor).benefits.productBenefits.list({})
      expect((await refusalOf(app.as(actor).benefits.tiers.create({ name: "Mine", description: "" }))).code).toBe(
        "FORBIDDEN",
      )
      expect((await refusalOf(app.as(actor).benefits.tiers.remove({ id: rows[0]!.id, version: 1 }))).code).toBe(
        "FORBIDDEN",
      )
    }
  })
  it("reading benefits requires a role and a session", async () => {
    expect((await refusalOf(as("none").benefits.choices())).code).toBe("FORBIDDEN")
    expect((await refusalOf(app.as(null).benefits.choices())).code).toBe("UNAUTHENTICATED")
  })
  it("the database refuses changes of benefits by a group's user", async () => {
    const actor = await app.people.groupAdmin()
    await expect(
      app.transaction(actor, ({ tx }) => tx.run(sql`update benefit_tiers set name = 'Mine'`)),
    ).rejects.toMatchObject({ code: "42501" })
  })
})

describe("concurrent changes of benefits", () => {
  it("the second edit of one version is refused as stale", async () => {
    const row = await as("manager").benefits.benefits.create({ name: "Raced", description: "" })
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((description) =>
        safe(as("manager").benefits.benefits.update({ id: row.id, version: 1, name: "Raced", description })),
      ),
    )
    expect(answers.filter(({ isSuccess }) => isSuccess)).toHaveLength(1)
    expect(answers.flatMap(({ error }) => (error as { code?: string } | null)?.code ?? [])).toEqual([
      "STALE",
      "STALE",
      "STALE",
    ])
  })
  it("concurrent deletion and configuration of a benefit stay consistent", async () => {
    const productType = await as("manager").benefits.productTypes.create({ name: "Race plan", description: "" })
    const { tiers } = await as("manager").benefits.choices()
    for (let round = 0; round < 20; round += 1) {
      const benefit = await as("manager").benefits.benefits.create({ name: `Race ${round}`, description: "" })
      const [deleted, configured] = await Promise.all([
        safe(as("manager").benefits.benefits.remove({ id: benefit.id, version: 1 })),
        safe(
          as("underwriter").benefits.productBenefits.create({
            productTypeId: productType.id,
            benefitId: benefit.id,
            tierId: tiers[round % tiers.length]!.id,
          }),
        ),
      ])
      expect([deleted.isSuccess, configured.isSuccess].filter(Boolean)).toHaveLength(1)
      expect(["IN_USE", "INVALID"]).toContain(((deleted.error ?? configured.error) as { code?: string }).code)
    }
  })
})

describe("the sample insurer", () => {
  it("configures every benefit for every tier", async () => {
    const sample = await createSampleBenefits(as("manager"))
    expect(Object.keys(sample.benefits)).toHaveLength(5)
    const life = await as("manager").benefits.productBenefits.list({
      ...all,
      productTypeId: sample.productTypes["Group Life"]!,
    })
    expect(life.total).toBe(12)
    expect(life.rows.find(({ tier, benefit }) => tier === "Gold" && benefit === "Funeral benefit")).toMatchObject({
      coverAmountCents: 75_000_00,
      coverPercentage: 100,
    })
  })
})
