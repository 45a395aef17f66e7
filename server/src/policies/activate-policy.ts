import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { activatePolicy as mayActivate } from "@milkwood/domain/policies/policy-rules"
import { eq } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { countMembers, lockPolicyVersion, policyDetail, productTypeName } from "./policies.queries.ts"
import { policies } from "./policies.tables.ts"
import { openPeriods } from "./policy-periods.ts"

/** Draft to Active. The members' room hears of it and makes them Active, with cover, in the same transaction. */
export const activatePolicy = command(policiesContract.activate, async (cx) => {
  const { tx, now } = cx
  const draft = await lockPolicyVersion(cx, cx.input)
  const members = await countMembers(tx, draft.id)
  const status = orRefuse(mayActivate({ ...draft, members }))
  const startOn = draft.startOn!
  await tx
    .update(policies)
    .set({ status, activatedAt: now, updatedAt: now, version: draft.version + 1 })
    .where(eq(policies.id, draft.id))
  await openPeriods(cx, { ...draft, startOn })
  await record(cx, [
    {
      type: "PolicyActivated",
      record: { kind: "policy", id: draft.id, label: draft.number },
      groupId: draft.groupId,
      startOn,
      members,
      after: {
        groupName: draft.groupName,
        productType: await productTypeName(cx, draft.productTypeId),
        endOn: draft.endOn,
        coverageType: draft.coverageType,
        premiumCents: draft.premiumCents,
        sumAssuredCents: draft.sumAssuredCents,
        waitingPeriodMonths: draft.waitingPeriodMonths,
        contactName: draft.contactName,
        contactEmail: draft.contactEmail,
      },
    },
  ])
  return policyDetail(cx, draft.id)
})
