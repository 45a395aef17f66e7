import { randomUUID } from "node:crypto"
import { benefitsContract, type ProductBenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { refuseIfUsed } from "@milkwood/domain/benefits/usage-shape"
import { diffFields } from "@milkwood/domain/kernel/changes"
import { eq, sql } from "drizzle-orm"
import { command, invalidInput, orRefuse } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { lockRow, pickFields, refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { productBenefitRow } from "./benefits.queries.ts"
import { productBenefits } from "./benefits.tables.ts"
import { productBenefitUsage } from "./usage.queries.ts"

const fields = ["productType", "benefit", "tier", "costCents", "coverAmountCents", "coverPercentage"] as const
const nameOf = (row: ProductBenefitRow) => `${row.productType} / ${row.benefit} / ${row.tier}`
const productBenefitRecordOf = (row: ProductBenefitRow) => ({
  kind: "product_benefit" as const,
  id: row.id,
  label: nameOf(row),
})

export const createProductBenefit = command(benefitsContract.productBenefits.create, async (cx) => {
  const { tx, now, input } = cx
  await checkReferences(tx, input)
  const id = randomUUID()
  await refuseDuplicates(
    () => tx.insert(productBenefits).values({ id, ...input, createdAt: now }),
    "ALREADY_CONFIGURED",
  )
  const row = await productBenefitRow(cx, id)
  await record(cx, [
    {
      type: "ProductBenefitCreated",
      record: productBenefitRecordOf(row),
      groupId: null,
      after: pickFields(row, fields),
    },
  ])
  return row
})

export const updateProductBenefit = command(benefitsContract.productBenefits.update, async (cx) => {
  const { tx, input } = cx
  const { id, version, ...values } = input
  const before = await lockRow(tx, "product_benefits", input, () => productBenefitRow(cx, id))
  await checkReferences(tx, input)
  const { productTypeId, benefitId, tierId } = before
  if (values.productTypeId !== productTypeId || values.benefitId !== benefitId || values.tierId !== tierId) {
    const used = await productBenefitUsage(tx, id)
    orRefuse(refuseIfUsed(nameOf(before), used, "moved to another product type, benefit or tier"))
  }
  await refuseDuplicates(
    () =>
      tx
        .update(productBenefits)
        .set({ ...values, version: version + 1 })
        .where(eq(productBenefits.id, id)),
    "ALREADY_CONFIGURED",
  )
  const row = await productBenefitRow(cx, id)
  await record(cx, [
    {
      type: "ProductBenefitUpdated",
      record: productBenefitRecordOf(row),
      groupId: null,
      ...diffFields(before, row, fields),
    },
  ])
  return row
})

export const removeProductBenefit = command(benefitsContract.productBenefits.remove, async (cx) => {
  const { tx, input } = cx
  const row = await lockRow(tx, "product_benefits", input, () => productBenefitRow(cx, input.id))
  orRefuse(refuseIfUsed(nameOf(row), await productBenefitUsage(tx, row.id)))
  await tx.delete(productBenefits).where(eq(productBenefits.id, row.id))
  await record(cx, [
    {
      type: "ProductBenefitDeleted",
      record: productBenefitRecordOf(row),
      groupId: null,
      before: pickFields(row, fields),
    },
  ])
  return { id: row.id }
})

/** Locks product type, benefit and tier against deletion until the transaction ends. */
async function checkReferences(
  tx: Tx,
  input: { productTypeId: string; benefitId: string; tierId: string },
): Promise<void> {
  const parts = [
    ["productTypeId", "product_types", input.productTypeId, "This product type does not exist."],
    ["benefitId", "benefits", input.benefitId, "This benefit does not exist."],
    ["tierId", "benefit_tiers", input.tierId, "This benefit tier does not exist."],
  ] as const
  const missing: { path: string; message: string }[] = []
  for (const [path, table, id, message] of parts) {
    const found = await tx.row(sql`select true from ${sql.raw(table)} where id = ${id} for key share`)
    if (!found) missing.push({ path, message })
  }
  if (missing.length > 0) throw invalidInput(missing)
}
