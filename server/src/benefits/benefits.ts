import { randomUUID } from "node:crypto"
import { type BenefitRow, benefitsContract } from "@milkwood/domain/benefits/benefits.contract"
import { refuseWhileUsed } from "@milkwood/domain/benefits/usage-shape"
import { changes } from "@milkwood/domain/kernel/changes"
import { eq } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { lockRow, pickFields, refusingDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { benefitRow } from "./benefits.queries.ts"
import { benefits } from "./benefits.tables.ts"
import { benefitUsage } from "./usage.queries.ts"

const fields = ["name", "description", "claimTypes"] as const
const about = (row: BenefitRow) => ({ kind: "benefit" as const, id: row.id, label: row.name })
const taken = (name: string) => `There is already a benefit named ${name}.`

export const createBenefit = command(benefitsContract.benefits.create, async (cx) => {
  const { tx, now, input } = cx
  const id = randomUUID()
  await refusingDuplicates(
    () => tx.insert(benefits).values({ id, ...input, createdAt: now }),
    "NAME_TAKEN",
    taken(input.name),
  )
  const row = await benefitRow(cx, id)
  await record(cx, [{ type: "BenefitCreated", record: about(row), groupId: null, after: pickFields(row, fields) }])
  return row
})

export const updateBenefit = command(benefitsContract.benefits.update, async (cx) => {
  const { tx, input } = cx
  const { id, version, ...values } = input
  const before = await lockRow(tx, "benefits", input, () => benefitRow(cx, id))
  await refusingDuplicates(
    () =>
      tx
        .update(benefits)
        .set({ ...values, version: version + 1 })
        .where(eq(benefits.id, id)),
    "NAME_TAKEN",
    taken(input.name),
  )
  const row = await benefitRow(cx, id)
  await record(cx, [{ type: "BenefitUpdated", record: about(row), groupId: null, ...changes(before, row, fields) }])
  return row
})

export const removeBenefit = command(benefitsContract.benefits.remove, async (cx) => {
  const { tx, input } = cx
  const row = await lockRow(tx, "benefits", input, () => benefitRow(cx, input.id))
  orRefuse(refuseWhileUsed(row.name, await benefitUsage(tx, row.id)))
  await tx.delete(benefits).where(eq(benefits.id, row.id))
  await record(cx, [{ type: "BenefitDeleted", record: about(row), groupId: null, before: pickFields(row, fields) }])
  return { id: row.id }
})
