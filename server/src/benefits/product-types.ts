import { randomUUID } from "node:crypto"
import { benefitsContract, type ProductTypeRow } from "@milkwood/domain/benefits/benefits.contract"
import { refuseWhileUsed } from "@milkwood/domain/benefits/usage-shape"
import type { VatRate } from "@milkwood/domain/benefits/vat-shape"
import { changes } from "@milkwood/domain/kernel/changes"
import { eq } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { holding, lockRow, refusingDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { productTypeRow } from "./benefits.queries.ts"
import { productTypes, productTypeVatRates } from "./benefits.tables.ts"
import { productTypeUsage } from "./usage.queries.ts"

const fields = ["name", "description", "vatRates"] as const
const about = (row: ProductTypeRow) => ({ kind: "product_type" as const, id: row.id, label: row.name })
const taken = (name: string) => `There is already a product type named ${name}.`

export const createProductType = command(benefitsContract.productTypes.create, async (cx) => {
  const { tx, now, input } = cx
  const { vatRates, ...values } = input
  const id = randomUUID()
  await refusingDuplicates(
    () => tx.insert(productTypes).values({ id, ...values, createdAt: now }),
    "NAME_TAKEN",
    taken(input.name),
  )
  await saveVatRates(tx, id, vatRates)
  const row = await productTypeRow(cx, id)
  await record(cx, [{ type: "ProductTypeCreated", record: about(row), groupId: null, after: holding(row, fields) }])
  return row
})

export const updateProductType = command(benefitsContract.productTypes.update, async (cx) => {
  const { tx, input } = cx
  const { id, version, vatRates, ...values } = input
  const before = await lockRow(tx, "product_types", input, () => productTypeRow(cx, id))
  await refusingDuplicates(
    () =>
      tx
        .update(productTypes)
        .set({ ...values, version: version + 1 })
        .where(eq(productTypes.id, id)),
    "NAME_TAKEN",
    taken(input.name),
  )
  await saveVatRates(tx, id, vatRates)
  const row = await productTypeRow(cx, id)
  await record(cx, [{ type: "ProductTypeUpdated", record: about(row), groupId: null, ...changes(before, row, fields) }])
  return row
})

export const removeProductType = command(benefitsContract.productTypes.remove, async (cx) => {
  const { tx, input } = cx
  const row = await lockRow(tx, "product_types", input, () => productTypeRow(cx, input.id))
  orRefuse(refuseWhileUsed(row.name, await productTypeUsage(tx, row.id)))
  await tx.delete(productTypes).where(eq(productTypes.id, row.id))
  await record(cx, [{ type: "ProductTypeDeleted", record: about(row), groupId: null, before: holding(row, fields) }])
  return { id: row.id }
})

/** The rates as a whole: they are edited as one list, and invoices keep the rate that they were made with. */
async function saveVatRates(tx: Tx, productTypeId: string, rates: readonly VatRate[]): Promise<void> {
  await tx.delete(productTypeVatRates).where(eq(productTypeVatRates.productTypeId, productTypeId))
  await tx
    .insert(productTypeVatRates)
    .values(rates.map((rate) => ({ productTypeId, fromOn: rate.from, percent: rate.percent })))
}
