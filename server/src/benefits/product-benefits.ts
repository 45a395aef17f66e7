import { randomUUID } from "node:crypto"
import { type BenefitTerms, dependentsText } from "@milkwood/domain/benefits/benefit-terms"
import { benefitsContract, type ProductBenefitRow } from "@milkwood/domain/benefits/benefits.contract"
import { changeTerms } from "@milkwood/domain/benefits/terms-change"
import { refuseIfUsed } from "@milkwood/domain/benefits/usage-shape"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { diffFields } from "@milkwood/domain/kernel/changes"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { eq, sql } from "drizzle-orm"
import { type Cx, command, invalidInput, orRefuse } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { lockRow, pickFields, refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { productBenefitRow } from "./benefits.queries.ts"
import { productBenefits } from "./benefits.tables.ts"
import { saveChangedTerms, saveFirstTerms } from "./save-terms.ts"
import { productBenefitUsage } from "./usage.queries.ts"

const named = ["productType", "benefit", "tier", "costCents"] as const
const amounts = [
  "coverAmountCents",
  "salaryMultiple",
  "coverPercentage",
  "incidentLimitCents",
  "yearLimitCents",
  "coverYear",
] as const

/** The fields of a history; dependents are a text, and cover of past days has its first day and reason. */
const historyOf = (row: ProductBenefitRow, terms: TermsRow) => ({
  ...pickFields(row, named),
  ...pickFields(terms, amounts),
  dependents: dependentsText(terms.dependents),
})
type TermsRow = Pick<ProductBenefitRow, (typeof amounts)[number] | "dependents">
const historyFields = [...named, ...amounts, "dependents"] as const
const storedOf = ({ productTypeId, benefitId, tierId, costCents }: StoredFields) =>
  ({ productTypeId, benefitId, tierId, costCents }) satisfies Partial<typeof productBenefits.$inferInsert>
type StoredFields = Pick<ProductBenefitRow, "productTypeId" | "benefitId" | "tierId" | "costCents">
const nameOf = (row: ProductBenefitRow) => `${row.productType} / ${row.benefit} / ${row.tier}`
const productBenefitRecordOf = (row: ProductBenefitRow) => ({
  kind: "product_benefit" as const,
  id: row.id,
  label: nameOf(row),
})

export const createProductBenefit = command(benefitsContract.productBenefits.create, (cx) =>
  addProductBenefit(cx, cx.input),
)

export async function addProductBenefit(cx: Cx, input: StoredFields & TermsRow): Promise<ProductBenefitRow> {
  const { tx, now } = cx
  await checkReferences(tx, input)
  const id = randomUUID()
  await refuseDuplicates(
    () => tx.insert(productBenefits).values({ id, ...storedOf(input), createdAt: now }),
    "ALREADY_CONFIGURED",
  )
  await saveFirstTerms(cx, id, termsOf(input))
  const row = await productBenefitRow(cx, id)
  await record(cx, [
    {
      type: "ProductBenefitCreated",
      record: productBenefitRecordOf(row),
      groupId: null,
      after: historyOf(row, row),
    },
  ])
  return row
}

export const updateProductBenefit = command(benefitsContract.productBenefits.update, async (cx) => {
  const { tx, input } = cx
  const { id, version } = input
  const before = await lockRow(tx, "product_benefits", input, () => productBenefitRow(cx, id))
  await checkReferences(tx, input)
  const { productTypeId, benefitId, tierId } = before
  if (input.productTypeId !== productTypeId || input.benefitId !== benefitId || input.tierId !== tierId) {
    const used = await productBenefitUsage(tx, id)
    orRefuse(refuseIfUsed(nameOf(before), used, "moved to another product type, benefit or tier"))
  }
  await refuseDuplicates(
    () =>
      tx
        .update(productBenefits)
        .set({ ...storedOf(input), version: version + 1 })
        .where(eq(productBenefits.id, id)),
    "ALREADY_CONFIGURED",
  )
  const earlier = termsRowOn(before, input.from ?? cx.today)
  const change = changeTerms(termsOf(earlier), termsOf(input), input, cx.today)
  if (isRefusal(change)) {
    throw invalidInput([{ path: "reason", message: "Enter why cover of past days is corrected" }])
  }
  if (change) await saveChangedTerms(cx, id, termsOf(input), change)
  const row = await productBenefitRow(cx, id)
  const changed = change ? input : earlier
  const { before: old, after } = diffFields(historyOf(before, earlier), historyOf(row, changed), historyFields)
  await record(cx, [
    {
      type: "ProductBenefitUpdated",
      record: productBenefitRecordOf(row),
      groupId: null,
      before: old,
      after: change ? { ...after, coverFromOn: change.from, ...(change.reason && { reason: change.reason }) } : after,
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
      before: historyOf(row, row),
    },
  ])
  return { id: row.id }
})

/** The terms that applied on a day; the row lists all changes, oldest first. */
const termsRowOn = ({ terms }: ProductBenefitRow, day: Day) =>
  terms.findLast(({ from }) => from === null || from <= day)!

const termsOf = (row: TermsRow): BenefitTerms => ({
  amountCents: row.coverAmountCents,
  salaryMultiple: row.salaryMultiple,
  percentage: row.coverPercentage,
  incidentLimitCents: row.incidentLimitCents,
  yearLimitCents: row.yearLimitCents,
  coverYear: row.coverYear,
  dependents: row.dependents,
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
