import { benefitsContract } from "@milkwood/domain/benefits/benefits.contract"
import { refuseRates, vatNumberMissing } from "@milkwood/domain/benefits/vat"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { type Cx, command, invalidInput } from "../platform/calls/commands.ts"
import { holdLock } from "../platform/database/locks.ts"
import { readSettings } from "../platform/settings/store.ts"
import { tierRows } from "./benefits.queries.ts"
import { addBenefit, nameTakenMessage as benefitTakenMessage } from "./benefits.ts"
import { addProductBenefit } from "./product-benefits.ts"
import { addProductType, type ProductTypeInput, nameTakenMessage as productTypeTakenMessage } from "./product-types.ts"
import { addTier } from "./tiers.ts"

export const addStartingSet = command(benefitsContract.addStartingSet, async (cx) => {
  const { productType, tiers, benefits } = cx.input
  await holdLock(cx.tx, "startingSet")
  await refuseFields(cx, cx.input)
  const added = await addProductType(cx, productType)
  const tierIds = await findOrAddTiers(cx, tiers)
  const rows = []
  for (const { cover, ...fields } of benefits) {
    const benefit = await addBenefit(cx, fields)
    for (const tierId of tierIds) {
      await addProductBenefit(cx, { productTypeId: added.id, benefitId: benefit.id, tierId, costCents: 0, ...cover })
    }
    rows.push(benefit)
  }
  return { productType: added, benefits: rows, productBenefits: rows.length * tierIds.length }
})

async function findOrAddTiers(cx: Cx, names: readonly string[]): Promise<string[]> {
  const existing = await tierRows(cx)
  const ids: string[] = []
  for (const name of names) {
    const found = existing.find((tier) => tier.name.toLowerCase() === name.toLowerCase())
    ids.push((found ?? (await addTier(cx, { name, description: "" }))).id)
  }
  return ids
}

/** All problems at once; each command reports only its own. */
async function refuseFields(
  { tx, today }: Cx,
  { productType, benefits }: { productType: ProductTypeInput; benefits: readonly { name: string }[] },
): Promise<void> {
  const fields: { path: string; message: string }[] = []
  const usedNames = async (table: "product_types" | "benefits", names: readonly string[]) => {
    const rows = await tx.rows<{ place: number }>(sql`
      select n.place::int as place from unnest(${sql.param([...names])}::text[]) with ordinality as n (name, place)
      where exists (select from ${sql.raw(table)} r where lower(r.name) = lower(n.name)) order by n.place`)
    return rows.map(({ place }) => place - 1)
  }
  if ((await usedNames("product_types", [productType.name])).length > 0) {
    fields.push({ path: "productType.name", message: productTypeTakenMessage(productType.name) })
  }
  const { organisation } = await readSettings(tx, platformSettings)
  if (refuseRates(productType.vatRates, { ...organisation, today }))
    fields.push({ path: "productType.vatRates", message: vatNumberMissing.NO_VAT_NUMBER.message })
  const used = await usedNames(
    "benefits",
    benefits.map(({ name }) => name),
  )
  for (const place of used) {
    fields.push({ path: `benefits.${place}.name`, message: benefitTakenMessage(benefits[place]!.name) })
  }
  if (fields.length > 0) throw invalidInput(fields)
}
