import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { editDraft } from "@milkwood/domain/policies/policy-edit"
import { lockGroupForShare } from "../employers/group-record.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { notifyScreens } from "../platform/work/live.ts"
import { checkProductType } from "./create-policy.ts"
import { readDraftContents, readPolicyDetail } from "./policies.queries.ts"
import { lockPolicy, savePolicy } from "./policy-record.ts"

export const savePolicyDraft = command(policiesContract.saveDraft, async (cx) => {
  const { policyId, version, ...values } = cx.input
  const draft = await lockPolicy(cx.tx, policyId)
  expectVersion(draft, version)
  const saved = orRefuse(editDraft(draft, values, await readDraftContents(cx.tx, policyId)))
  await checkProductType(cx, saved.value)
  if (saved.value.groupId !== draft.groupId) await lockGroupForShare(cx.tx, saved.value.groupId)
  await savePolicy(cx, draft, saved)
  await notifyScreens(cx.tx, { kind: "policy", id: policyId, groupId: saved.value.groupId })
  return readPolicyDetail(cx, policyId)
})
