import { randomUUID } from "node:crypto"
import { type BenefitRow, benefitsContract } from "@milkwood/domain/benefits/benefits.contract"
import { refuseIfUsed } from "@milkwood/domain/benefits/usage-shape"
import { diffFields } from "@milkwood/domain/kernel/changes"
import { eq } from "drizzle-orm"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { lockRow, pickFields, refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { benefitRow } from "./benefits.queries.ts"
import { benefits } from "./benefits.tables.ts"
import { benefitUsage } from "./usage.queries.ts"

const fields = ["name", "description", "claimTypes"] as const
const benefitRecordOf = (row: BenefitRow) => ({ kind: "benefit" as const, id: row.id, label: row.name })
export const nameTakenMessage = (name: string) => `There is already a benefit named ${name}.`

export const createBenefit = command(benefitsContract.benefits.create, (cx) => addBenefit(cx, cx.input))

export async function addBenefit(
  cx: Cx,
  input: Pick<BenefitRow, "name" | "description" | "claimTypes">,
): Promise<BenefitRow> {
  const { tx, now } = cx
  const id = randomUUID()
  await refuseDuplicates(
    () => tx.insert(benefits).values({ id, ...input, createdAt: now }),
    "NAME_TAKEN",
    nameTakenMessage(input.name),
  )
  const row = await benefitRow(cx, id)
  await record(cx, [
    { type: "BenefitCreated", record: benefitRecordOf(row), groupId: null, after: pickFields(row, fields) },
  ])
  return row
}

export const updateBenefit = command(benefitsContract.benefits.update, async (cx) => {
  const { tx, input } = cx
  const { id, version, ...values } = input
  const before = await lockRow(tx, "benefits", input, () => benefitRow(cx, id))
  await refuseDuplicates(
    () =>
      tx
        .update(benefits)
        .set({ ...values, version: version + 1 })
        .where(eq(benefits.id, id)),
    "NAME_TAKEN",
    nameTakenMessage(input.name),
  )
  const row = await benefitRow(cx, id)
  await record(cx, [
    { type: "BenefitUpdated", record: benefitRecordOf(row), groupId: null, ...diffFields(before, row, fields) },
  ])
  return row
})

export const removeBenefit = command(benefitsContract.benefits.remove, async (cx) => {
  const { tx, input } = cx
  const row = await lockRow(tx, "benefits", input, () => benefitRow(cx, input.id))
  orRefuse(refuseIfUsed(row.name, await benefitUsage(tx, row.id)))
  await tx.delete(benefits).where(eq(benefits.id, row.id))
  await record(cx, [
    { type: "BenefitDeleted", record: benefitRecordOf(row), groupId: null, before: pickFields(row, fields) },
  ])
  return { id: row.id }
})
