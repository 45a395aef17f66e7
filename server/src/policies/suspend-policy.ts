import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import * as rules from "@milkwood/domain/policies/policy-rules"
import { type CallCx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { readPolicyDetail } from "./policies.queries.ts"
import { setPolicyState } from "./policy-periods.ts"
import { lockPolicy, savePolicy } from "./policy-record.ts"

type SuspensionCx = CallCx<{ policyId: string; version: number; reason: string }>

export const suspendPolicy = command(policiesContract.suspend, (cx) =>
  changeState(cx, rules.suspendPolicy, "suspended"),
)

export const reinstatePolicy = command(policiesContract.reinstate, (cx) =>
  changeState(cx, rules.reinstatePolicy, "active"),
)

async function changeState(cx: SuspensionCx, decide: typeof rules.suspendPolicy, state: "active" | "suspended") {
  const policy = await lockPolicy(cx.tx, cx.input.policyId)
  expectVersion(policy, cx.input.version)
  const decided = orRefuse(decide(policy, cx.input.reason))
  // A policy that has not started is suspended from its first day.
  const from = policy.startOn! > cx.today ? policy.startOn! : cx.today
  await setPolicyState(cx, policy, state, from)
  await savePolicy(cx, policy, decided)
  return readPolicyDetail(cx, policy.id)
}
