import { randomUUID } from "node:crypto"
import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { policiesSettings } from "@milkwood/domain/policies/policies-settings"
import type { Policy } from "@milkwood/domain/policies/policy"
import { policyFactHead } from "@milkwood/domain/policies/policy-facts"
import { findDateErrors, findWaitingErrors } from "@milkwood/domain/policies/policy-rules"
import { sql } from "drizzle-orm"
import { createGroup, lockGroupForShare } from "../employers/group-record.ts"
import { type Cx, command, invalidInput } from "../platform/calls/commands.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { readPolicyDetail } from "./policies.queries.ts"
import { policies } from "./policies.tables.ts"

export const createPolicy = command(policiesContract.create, async (cx) => {
  const { tx, now, today, input } = cx
  const { group, ...values } = input
  const start = { status: "Draft" as const, startOn: values.startOn ?? null }
  const wrong = findDateErrors(start, { startOn: start.startOn, endOn: values.endOn ?? null })
  if (wrong.length) throw invalidInput(wrong)
  await checkProductType(cx, {
    ...start,
    productTypeId: values.productTypeId ?? null,
    endOn: values.endOn ?? null,
    waitingPeriodMonths: values.waitingPeriodMonths ?? 0,
  })

  const groupId = group.kind === "new" ? await createGroup(cx, group.name) : group.groupId
  if (group.kind === "existing") await lockGroupForShare(tx, groupId)
  const settings = await readSettings(tx, policiesSettings)
  const id = randomUUID()
  const number = await nextNumber(tx, "policy", today)
  await tx.insert(policies).values({
    ...values,
    id,
    groupId,
    number,
    premiumCents: values.premiumCents ?? settings.defaultMemberPremiumCents,
    createdAt: now,
    updatedAt: now,
  })
  await record(cx, [{ type: "PolicyCreated", ...policyFactHead({ id, number, groupId }) }])
  return readPolicyDetail(cx, id)
})

/** INVALID for an unknown product type, and for a waiting period that a funeral product does not allow. */
export async function checkProductType(
  { tx }: Pick<Cx, "tx">,
  policy: Pick<Policy, "productTypeId" | "startOn" | "endOn" | "waitingPeriodMonths">,
): Promise<void> {
  if (policy.productTypeId === null) return
  const found = await tx.row<{ isFuneral: boolean }>(
    sql`select is_funeral as "isFuneral" from product_types where id = ${policy.productTypeId}`,
  )
  if (!found) throw invalidInput([{ path: "productTypeId", message: "This product type does not exist" }])
  const wrong = findWaitingErrors(policy, found)
  if (wrong.length > 0) throw invalidInput(wrong, wrong[0]!.message)
}
