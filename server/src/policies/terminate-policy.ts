import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { terminatePolicy as mayTerminate } from "@milkwood/domain/policies/policy-rules"
import { eq } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { lockPolicyVersion, policyDetail } from "./policies.queries.ts"
import { policies } from "./policies.tables.ts"
import { setPolicyEnd } from "./policy-periods.ts"

/** Ends the policy. The members' room hears of it and ends its members on the same day. */
export const terminatePolicy = command(policiesContract.terminate, async (cx) => {
  const { on, reason } = cx.input
  const policy = await lockPolicyVersion(cx, cx.input)
  const status = orRefuse(mayTerminate(policy, on, cx.today))
  await cx.tx
    .update(policies)
    .set({ status, statusReason: reason, terminatedOn: on, updatedAt: cx.now, version: policy.version + 1 })
    .where(eq(policies.id, policy.id))
  await setPolicyEnd(cx, { ...policy, startOn: policy.startOn! }, on)
  await record(cx, [
    {
      type: "PolicyTerminated",
      record: { kind: "policy", id: policy.id, label: policy.number },
      groupId: policy.groupId,
      on,
      reason,
    },
  ])
  return policyDetail(cx, policy.id)
})
