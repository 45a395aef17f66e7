import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { terminatePolicy as terminate } from "@milkwood/domain/policies/policy-rules"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { readPolicyDetail } from "./policies.queries.ts"
import { setPolicyEnd } from "./policy-periods.ts"
import { lockPolicy, savePolicy } from "./policy-record.ts"

/** The members module ends the members' cover on the same day. */
export const terminatePolicy = command(policiesContract.terminate, async (cx) => {
  const { policyId, version, on, reason } = cx.input
  const policy = await lockPolicy(cx.tx, policyId)
  expectVersion(policy, version)
  const terminated = orRefuse(terminate(policy, on, reason, cx.today))
  await setPolicyEnd(cx, { ...policy, startOn: policy.startOn! }, on)
  await savePolicy(cx, policy, terminated)
  return readPolicyDetail(cx, policy.id)
})
