import { randomUUID } from "node:crypto"
import { benefitsContract, type TierRow } from "@milkwood/domain/benefits/benefits.contract"
import { refuseIfUsed } from "@milkwood/domain/benefits/usage-shape"
import { diffFields } from "@milkwood/domain/kernel/changes"
import { eq, sql } from "drizzle-orm"
import { type Cx, command, invalidInput, orRefuse } from "../platform/calls/commands.ts"
import { lockRow, pickFields, refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { tierRow, tierRows } from "./benefits.queries.ts"
import { benefitTiers } from "./benefits.tables.ts"
import { tierUsage } from "./usage.queries.ts"

const fields = ["name", "description", "position"] as const
const tierRecordOf = (row: TierRow) => ({ kind: "tier" as const, id: row.id, label: row.name })
const nameTakenMessage = (name: string) => `There is already a benefit tier named ${name}.`

export const createTier = command(benefitsContract.tiers.create, (cx) => addTier(cx, cx.input))

export async function addTier(cx: Cx, { name, description }: Pick<TierRow, "name" | "description">): Promise<TierRow> {
  const { tx, now } = cx
  const input = { name, description }
  const id = randomUUID()
  await tx.run(sql`select from benefit_tiers for update`)
  const last = await tx.row<{ position: number }>(sql`select coalesce(max(position), 0) as position from benefit_tiers`)
  await refuseDuplicates(
    () => tx.insert(benefitTiers).values({ id, ...input, position: last!.position + 1, createdAt: now }),
    "NAME_TAKEN",
    nameTakenMessage(input.name),
  )
  const row = await tierRow(cx, id)
  await record(cx, [{ type: "TierCreated", record: tierRecordOf(row), groupId: null, after: pickFields(row, fields) }])
  return row
}

export const updateTier = command(benefitsContract.tiers.update, async (cx) => {
  const { tx, input } = cx
  const { id, version, ...values } = input
  const before = await lockRow(tx, "benefit_tiers", input, () => tierRow(cx, id))
  await refuseDuplicates(
    () =>
      tx
        .update(benefitTiers)
        .set({ ...values, version: version + 1 })
        .where(eq(benefitTiers.id, id)),
    "NAME_TAKEN",
    nameTakenMessage(input.name),
  )
  const row = await tierRow(cx, id)
  await record(cx, [
    { type: "TierUpdated", record: tierRecordOf(row), groupId: null, ...diffFields(before, row, fields) },
  ])
  return row
})

/** Reordering does not change the tiers' versions, so the last of two concurrent orders wins. */
export const reorderTiers = command(benefitsContract.tiers.reorder, async (cx) => {
  const { tx, input } = cx
  await tx.run(sql`select from benefit_tiers for update`)
  const before = await tierRows(cx)
  const named = new Set(input.ids)
  if (named.size !== input.ids.length || named.size !== before.length || before.some(({ id }) => !named.has(id))) {
    throw invalidInput([{ path: "ids", message: "Include every tier exactly once." }])
  }
  await tx.run(sql`
    update benefit_tiers set position = placed.position
    from unnest(${sql.param(input.ids)}::uuid[]) with ordinality as placed (id, position)
    where benefit_tiers.id = placed.id`)
  const rows = await tierRows(cx)
  for (const row of rows) {
    const old = before.find(({ id }) => id === row.id)!
    if (old.position === row.position) continue
    await record(cx, [
      { type: "TierUpdated", record: tierRecordOf(row), groupId: null, ...diffFields(old, row, fields) },
    ])
  }
  return { rows }
})

export const removeTier = command(benefitsContract.tiers.remove, async (cx) => {
  const { tx, input } = cx
  const row = await lockRow(tx, "benefit_tiers", input, () => tierRow(cx, input.id))
  orRefuse(refuseIfUsed(row.name, await tierUsage(tx, row.id)))
  await tx.delete(benefitTiers).where(eq(benefitTiers.id, row.id))
  await record(cx, [{ type: "TierDeleted", record: tierRecordOf(row), groupId: null, before: pickFields(row, fields) }])
  return { id: row.id }
})
