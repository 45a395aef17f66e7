import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { renewPolicy as renew } from "@milkwood/domain/policies/policy-rules"
import { sql } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { readPolicyDetail } from "./policies.queries.ts"
import { refreshCurrentPremiums, setPolicyEnd } from "./policy-periods.ts"
import { lockPolicy, savePolicy } from "./policy-record.ts"

/** The members module continues the members' cover. */
export const renewPolicy = command(policiesContract.renew, async (cx) => {
  const { policyId, version, endOn } = cx.input
  const policy = await lockPolicy(cx.tx, policyId)
  expectVersion(policy, version)
  const last = await cx.tx.row<{ kind: "active" | "suspended" }>(sql`
    select kind from policy_periods where policy_id = ${policyId} and superseded_at is null order by valid desc limit 1`)
  const renewed = orRefuse(renew(policy, endOn, { wasSuspended: last?.kind === "suspended", today: cx.today }))
  await setPolicyEnd(cx, { ...policy, startOn: policy.startOn! }, endOn)
  await savePolicy(cx, policy, renewed)
  await refreshCurrentPremiums(cx, policyId)
  return readPolicyDetail(cx, policyId)
})
