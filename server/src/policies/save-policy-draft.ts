import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { wrongDates } from "@milkwood/domain/policies/policy-rules"
import { eq } from "drizzle-orm"
import { command, invalid, refused } from "../platform/calls/commands.ts"
import { tellOthers } from "../platform/work/live.ts"
import { checkGroup, checkProductType } from "./create-policy.ts"
import { tellMovedStart } from "./draft-start.ts"
import { draftHolds, lockPolicyVersion, policyDetail } from "./policies.queries.ts"
import { policies } from "./policies.tables.ts"

/** Saves what the wizard holds. Not in the trail: a draft is on record from its creation, and what it says from activation. */
export const savePolicyDraft = command(policiesContract.saveDraft, async (cx) => {
  const { tx, now, input } = cx
  const { policyId, version, groupId, ...values } = input
  const draft = await lockPolicyVersion(cx, input)
  if (draft.status !== "Draft") throw refused("WRONG_STATUS", "The policy is no longer a draft.")
  const wrong = wrongDates(draft, { ...draft, ...values })
  if (wrong.length) throw invalid(wrong)
  await checkProductType(cx, values.productTypeId ?? null)
  if (groupId && groupId !== draft.groupId) {
    await checkGroup(cx, groupId)
    const { members, staffLists } = await draftHolds(tx, policyId)
    if (members) throw refused("GROUP_HAS_MEMBERS")
    if (staffLists) throw refused("GROUP_HAS_MEMBERS", "The group cannot be changed once a staff list was uploaded.")
  }
  await tx
    .update(policies)
    .set({ ...values, groupId: groupId ?? draft.groupId, updatedAt: now, version: version + 1 })
    .where(eq(policies.id, policyId))
  if (values.startOn !== undefined) await tellMovedStart(cx, draft, values.startOn)
  await tellOthers(tx, { kind: "policy", id: policyId, groupId: groupId ?? draft.groupId })
  return policyDetail(cx, policyId)
})
