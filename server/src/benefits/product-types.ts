import { randomUUID } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import type { productTypeFields } from "@milkwood/domain/benefits/benefit-shape"
import { benefitsContract, type ProductTypeRow } from "@milkwood/domain/benefits/benefits.contract"
import { refuseLongWaiting } from "@milkwood/domain/benefits/funeral-product"
import { refuseIfUsed } from "@milkwood/domain/benefits/usage-shape"
import { refuseRates, vatClassOf } from "@milkwood/domain/benefits/vat"
import type { VatRate } from "@milkwood/domain/benefits/vat-shape"
import { diffFields } from "@milkwood/domain/kernel/changes"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { eq, sql } from "drizzle-orm"
import type { z } from "zod"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { lockRow, pickFields, refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { policiesWithLongWaiting } from "./benefits.ports.ts"
import { productTypeRow } from "./benefits.queries.ts"
import { productTypes } from "./benefits.tables.ts"
import { productTypeUsage } from "./usage.queries.ts"

export type ProductTypeInput = z.output<typeof productTypeFields>

const fields = ["name", "description", "vatRates", "isFuneral"] as const
const productTypeRecordOf = (row: ProductTypeRow) => ({ kind: "product_type" as const, id: row.id, label: row.name })
export const nameTakenMessage = (name: string) => `There is already a product type named ${name}.`

export const createProductType = command(benefitsContract.productTypes.create, (cx) => addProductType(cx, cx.input))

export async function addProductType(cx: Cx, input: ProductTypeInput): Promise<ProductTypeRow> {
  const { tx, now } = cx
  const { vatRates, ...values } = input
  const id = randomUUID()
  await expectVatNumber(cx, vatRates)
  await refuseDuplicates(
    () => tx.insert(productTypes).values({ id, ...values, createdAt: now }),
    "NAME_TAKEN",
    nameTakenMessage(input.name),
  )
  await saveVatRates(cx, id, vatRates)
  const row = await productTypeRow(cx, id)
  await record(cx, [
    { type: "ProductTypeCreated", record: productTypeRecordOf(row), groupId: null, after: pickFields(row, fields) },
  ])
  return row
}

export const updateProductType = command(benefitsContract.productTypes.update, async (cx) => {
  const { tx, input } = cx
  const { id, version, vatRates, ...values } = input
  const before = await lockRow(tx, "product_types", input, () => productTypeRow(cx, id))
  if (!isDeepStrictEqual(before.vatRates, vatRates.map(withClass))) await expectVatNumber(cx, vatRates)
  await refuseDuplicates(
    () =>
      tx
        .update(productTypes)
        .set({ ...values, version: version + 1 })
        .where(eq(productTypes.id, id)),
    "NAME_TAKEN",
    nameTakenMessage(input.name),
  )
  await saveVatRates(cx, id, vatRates)
  const row = await productTypeRow(cx, id)
  if (row.isFuneral && !before.isFuneral) orRefuse(refuseLongWaiting(await policiesWithLongWaiting(cx, id)))
  await record(cx, [
    { type: "ProductTypeUpdated", record: productTypeRecordOf(row), groupId: null, ...diffFields(before, row, fields) },
  ])
  return row
})

export const removeProductType = command(benefitsContract.productTypes.remove, async (cx) => {
  const { tx, input } = cx
  const row = await lockRow(tx, "product_types", input, () => productTypeRow(cx, input.id))
  orRefuse(refuseIfUsed(row.name, await productTypeUsage(tx, row.id)))
  await tx.delete(productTypes).where(eq(productTypes.id, row.id))
  await record(cx, [
    { type: "ProductTypeDeleted", record: productTypeRecordOf(row), groupId: null, before: pickFields(row, fields) },
  ])
  return { id: row.id }
})

async function expectVatNumber({ tx, today }: Pick<Cx, "tx" | "today">, rates: readonly VatRate[]): Promise<void> {
  const { organisation } = await readSettings(tx, platformSettings)
  orRefuse(refuseRates(rates, { ...organisation, today }))
}

const withClass = ({ from, percent, class: named }: VatRate) => ({
  from,
  percent,
  class: named ?? vatClassOf(percent),
})

/** Rates are edited as one list; removed or changed ones are kept in history. */
async function saveVatRates({ tx, now }: Pick<Cx, "tx" | "now">, productTypeId: string, rates: readonly VatRate[]) {
  const said = rates.map(withClass)
  await tx.run(sql`
    with said as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(said)}::jsonb) as ("from" date, percent numeric, class text)
    )
    update product_type_vat_rates r set superseded_at = ${now}
    where r.product_type_id = ${productTypeId} and r.superseded_at is null
      and not exists (select from said s where (s."from", s.percent, s.class) is not distinct from (r.from_on, r.percent, r.class))`)
  await tx.run(sql`
    insert into product_type_vat_rates (product_type_id, from_on, percent, class, recorded_at)
    select ${productTypeId}::uuid, "from", percent, class, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(said)}::jsonb) as ("from" date, percent numeric, class text)
    on conflict do nothing`)
}
