import { isDefinedError, safe } from "@orpc/client"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createDraftInvoice } from "../billing/billing.samples.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createDraftClaim, createRejectedClaim, createSubmittedClaim } from "../claims/claims.samples.ts"
import { createCheckedList, createImportedList } from "../staff-lists/staff-lists.samples.ts"

let app: ClaimApp
let scene: ClaimScene
const benefits = () => app.as(app.people.manager).benefits

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Acacia Foods")
})
afterAll(() => app.close())

async function refusalOf(call: Promise<unknown>) {
  const { error } = await safe(call)
  if (!error || !isDefinedError(error)) throw new Error("expected a refusal of the contract", { cause: error })
  return error as { code: string; message: string; data: { by: { kind: string; count: number; examples: string[] }[] } }
}

describe("deleting a benefits record", () => {
  it("refuses a product type that policies use", async () => {
    const { number } = await app.as(app.people.manager).policies.detail({ policyId: scene.policyId })
    const { rows } = await benefits().productTypes.list({ search: "Group Health" })
    const refused = await refusalOf(benefits().productTypes.remove({ id: rows[0]!.id, version: rows[0]!.version }))
    expect(refused.code).toBe("IN_USE")
    expect(refused.message).toContain(`Group Health cannot be deleted: it is used by 1 policy (${number})`)
    expect(refused.data.by).toContainEqual({ kind: "policy", count: 1, examples: [number] })
  })

  it("refuses a tier that members have or had", async () => {
    const manager = app.as(app.people.manager)
    const member = await manager.members.detail({ memberId: scene.memberId })
    const { rows } = await benefits().tiers.list({})
    const tier = rows.find(({ id }) => id === member.tierId)!
    const refused = await refusalOf(benefits().tiers.remove({ id: tier.id, version: tier.version }))
    expect(refused.code).toBe("IN_USE")
    expect(refused.data.by.find(({ kind }) => kind === "member")).toMatchObject({ count: 2 })
    expect(refused.message).toContain(member.number)
  })

  it("refuses a tier used by invoices or open staff lists, but ignores completed lists", async () => {
    const manager = app.people.manager
    const { staffLists } = app.as(manager)
    const desk = { app, server: await app.serve() }
    const tier = await benefits().tiers.create({ name: "Bronze", description: "" })
    const { rows } = await benefits().tiers.list({})
    await benefits().tiers.reorder({ ids: [tier.id, ...rows.map(({ id }) => id).filter((id) => id !== tier.id)] })
    const { version } = (await benefits().tiers.list({})).rows[0]!
    const remove = () => benefits().tiers.remove({ id: tier.id, version })
    const usesOf = async (kind: string) => (await refusalOf(remove())).data.by.find((use) => use.kind === kind)!

    const columns = "First Name,Last Name,ID Number,Email,Benefit Tier,Group Policy"
    const named = [columns, "Anna,Nkosi,8506255853085,anna@list.example,Bronze,"].join("\n")
    const unnamed = [columns, "Ben,Botha,7605094246088,ben@list.example,,"].join("\n")
    const other = [columns, "Ben,Botha,7605094246088,ben@list.example,Gold,"].join("\n")
    const lists = [
      await createCheckedList(desk, manager, scene.policyId, "names-it.csv", named),
      await createCheckedList(desk, manager, scene.policyId, "names-none.csv", unnamed),
    ]
    await createImportedList(desk, manager, scene.policyId, "names-another.csv", other)
    expect(await usesOf("import")).toEqual({ kind: "import", count: 2, examples: ["names-it.csv", "names-none.csv"] })
    for (const { id: importId, version } of lists) await staffLists.discard({ importId, version })

    const line = { description: "Card", quantity: 1, unitCents: 1_00, tierId: tier.id }
    const month = "2026-11-01"
    const invoice = await createDraftInvoice(app.as(manager), {
      policyId: scene.policyId,
      month,
      invoiceOn: month,
      with: { kind: "other", lines: [line] },
    })
    expect(await refusalOf(remove())).toMatchObject({
      message: `Bronze cannot be deleted: it is used by 1 invoice (${invoice.number}).`,
    })
    await app.sql.run(sql`update invoice_lines set tier_id = null where tier_id = ${tier.id}`)
    await remove()
  })

  it("refuses a benefit and its configuration that claims use", async () => {
    const draft = await createDraftClaim(scene.cast, scene.sample)
    const { rows } = await benefits().benefits.list({ search: "Hospital" })
    const ofBenefit = await refusalOf(benefits().benefits.remove({ id: rows[0]!.id, version: rows[0]!.version }))
    expect(ofBenefit.data.by).toContainEqual({ kind: "claim", count: 1, examples: [draft.number] })

    const configured = await benefits().productBenefits.list({ search: "Hospital", pageSize: 100 })
    const outcomes = await Promise.all(
      configured.rows.map(async ({ id, version, tier }) => {
        const { error } = await safe(benefits().productBenefits.remove({ id, version }))
        return { tier, message: (error as Error | null)?.message }
      }),
    )
    expect(outcomes.filter(({ message }) => message)).toHaveLength(1)
    expect(outcomes.find(({ message }) => message)?.message).toContain(`it is used by 1 claim (${draft.number})`)
  })

  it("allows a configuration that only closed claims use", async () => {
    const other = await insureGroup(app, "Baobab Mining")
    const manager = app.as(app.people.manager)
    const { productTypes, benefits: names, tiers } = await benefits().choices()
    const member = await manager.members.detail({ memberId: other.memberId })
    const parts = {
      productTypeId: productTypes.find(({ name }) => name === "Group Health")!.id,
      benefitId: names.find(({ name }) => name === "Maternity benefit")!.id,
      tierId: tiers.find(({ id }) => id === member.tierId)!.id,
    }
    const { rows } = await benefits().productBenefits.list({ productTypeId: parts.productTypeId, pageSize: 100 })
    const configured = rows.find(({ benefitId, tierId }) => benefitId === parts.benefitId && tierId === parts.tierId)!
    const sample = {
      ...{ ...other.sample, benefitId: parts.benefitId, claimType: "maternity" as const },
      requestedAmountCents: 1_000_00,
    }

    await createRejectedClaim(other.cast, sample)
    const open = await createSubmittedClaim(other.cast, { ...sample, memberId: other.secondMemberId })
    const refused = await refusalOf(
      benefits().productBenefits.remove({ id: configured.id, version: configured.version }),
    )
    expect(refused.data.by).toEqual([{ kind: "claim", count: 1, examples: [open.number] }])
  })

  it("refuses the configuration of a claim's tier on the incident day", async () => {
    const moved = await insureGroup(app, "Combretum Timber")
    const manager = app.as(app.people.manager)
    const { tiers, productTypes, benefits: names } = app.benefits
    const benefit = await benefits().benefits.create({ name: "Optical benefit", description: "" })
    const parts = { productTypeId: productTypes["Group Health"]!, benefitId: benefit.id }
    const then = await benefits().productBenefits.create({ ...parts, tierId: tiers.Standard! })
    const now = await benefits().productBenefits.create({ ...parts, tierId: tiers.Platinum! })
    const { number } = await createDraftClaim(moved.cast, { ...moved.sample, benefitId: benefit.id })
    const { version } = await manager.members.detail({ memberId: moved.memberId })
    await manager.members.changeTier({ memberId: moved.memberId, version, tierId: tiers.Platinum!, on: "2026-11-01" })

    const uses = [{ kind: "claim", count: 1, examples: [number] }]
    const removed = await refusalOf(benefits().productBenefits.remove({ id: then.id, version: 1 }))
    expect(removed.data.by).toEqual(uses)
    await benefits().productBenefits.remove({ id: now.id, version: 1 })

    const kept = { ...parts, id: then.id, version: 1, tierId: tiers.Standard! }
    for (const other of [
      { tierId: tiers.Platinum! },
      { productTypeId: productTypes["Group Life"]! },
      { benefitId: names["Funeral benefit"]! },
    ]) {
      const refused = await refusalOf(benefits().productBenefits.update({ ...kept, ...other }))
      expect(refused).toMatchObject({ code: "IN_USE", data: { by: uses } })
      expect(refused.message).toContain("cannot be moved to another product type, benefit or tier: it is used by")
    }
    const dearer = await benefits().productBenefits.update({ ...kept, coverAmountCents: 2_000_00 })
    expect(dearer.coverAmountCents).toBe(2_000_00)
    const free = await benefits().productBenefits.create({ ...parts, tierId: tiers.Gold! })
    await benefits().productBenefits.update({ ...parts, id: free.id, version: 1, tierId: tiers.Platinum! })
  })
})
