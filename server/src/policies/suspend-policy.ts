import { step } from "@milkwood/domain/kernel/lifecycle"
import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { policyLifecycle } from "@milkwood/domain/policies/policy-lifecycle"
import { eq } from "drizzle-orm"
import { type CallCx, command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { lockPolicyVersion, policyDetail } from "./policies.queries.ts"
import { policies } from "./policies.tables.ts"
import { setPolicyState } from "./policy-periods.ts"

type Asked = CallCx<{ policyId: string; version: number; reason: string }>

/** From today on nobody on the policy has cover. Its members keep their own status. */
export const suspendPolicy = command(policiesContract.suspend, (cx) => turn(cx, "suspend"))

/** From today on the policy is in force again. */
export const reinstatePolicy = command(policiesContract.reinstate, (cx) => turn(cx, "reinstate"))

async function turn(cx: Asked, action: "suspend" | "reinstate") {
  const { reason } = cx.input
  const policy = await lockPolicyVersion(cx, cx.input)
  const status = orRefuse(step(policyLifecycle, policy, action))
  await cx.tx
    .update(policies)
    .set({ status, statusReason: reason, updatedAt: cx.now, version: policy.version + 1 })
    .where(eq(policies.id, policy.id))
  // A policy that has not started yet is suspended from its first day.
  const from = policy.startOn! > cx.today ? policy.startOn! : cx.today
  await setPolicyState(cx, policy, action === "suspend" ? "suspended" : "active", from)
  await record(cx, [
    {
      type: action === "suspend" ? "PolicySuspended" : "PolicyReinstated",
      record: { kind: "policy", id: policy.id, label: policy.number },
      groupId: policy.groupId,
      reason,
    },
  ])
  return policyDetail(cx, policy.id)
}
