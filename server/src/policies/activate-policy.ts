import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { activatePolicy as activate } from "@milkwood/domain/policies/policy-rules"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { checkProductType } from "./create-policy.ts"
import { unratedMembers } from "./policies.ports.ts"
import { countMembers, readPolicyDetail, readProductTypeName } from "./policies.queries.ts"
import { openDatedFacts, setBilledFrom, setEndRule } from "./policy-periods.ts"
import { lockPolicy, savePolicy } from "./policy-record.ts"

/** Every covered member needs a rate. A refusal rolls back the activation. */
async function refuseUnratedMembers(cx: Cx, policyId: string): Promise<void> {
  const { count, some } = await unratedMembers(cx, policyId)
  if (count === 0) return
  const names = some.map(({ name, why }) => `${name} (${why})`)
  if (count > some.length) names.push(`${count - some.length} more`)
  const missing = [{ field: "rates", label: `A rate for ${names.join(", ")}` }]
  throw refused("INCOMPLETE", `Not ready to activate. Members without a rate: ${names.join(", ")}`, { missing })
}

/** The members module activates the members and their cover in the same transaction. */
export const activatePolicy = command(policiesContract.activate, async (cx) => {
  const locked = await lockPolicy(cx.tx, cx.input.policyId)
  expectVersion(locked, cx.input.version)
  const { billedFromOn } = cx.input
  const draft = { ...locked, ...(billedFromOn && { billedFromOn: firstOfMonth(billedFromOn) }) }
  const members = await countMembers(cx.tx, draft.id)
  const productType = await readProductTypeName(cx, draft.productTypeId)
  const activated = orRefuse(activate(draft, { members, productType }, cx.now))
  await checkProductType(cx, draft)
  const policy = { ...draft, startOn: draft.startOn! }
  await openDatedFacts(cx, policy)
  if (draft.billedFromOn) await setBilledFrom(cx, policy, draft.billedFromOn)
  if (draft.endRule !== "whole month") await setEndRule(cx, policy, draft.endRule, policy.startOn)
  await savePolicy(cx, locked, activated)
  if (draft.rateTableId) await refuseUnratedMembers(cx, draft.id)
  return readPolicyDetail(cx, draft.id)
})
