import { randomUUID } from "node:crypto"
import { collectionContract } from "@milkwood/domain/collection/collection.contract"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, invalidInput, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { premiumContacts } from "./collection.tables.ts"
import { loadPolicyContacts } from "./contacts.queries.ts"

export const logCall = command(collectionContract.logCall, async (cx) => {
  const { tx, input, today } = cx
  const { outcome, promisedCents, promisedOn, note } = input.call
  const policy = await readPolicy(tx, input.policyId)
  if (policy.status === "Draft") throw refused("NOTHING_OWED")
  if (promisedOn !== null && promisedOn < today)
    throw invalidInput([{ path: "call.promisedOn", message: "The promised payment date cannot be in the past" }])
  const { id: policyId, groupId, number } = policy
  await tx.insert(premiumContacts).values({
    ...{ id: randomUUID(), groupId, policyId, kind: "call", outcome, promisedCents, promisedOn, note },
    madeAt: cx.now,
    madeBy: actorUserId(cx.actor),
  })
  await record(cx, [
    {
      type: "PremiumCallLogged",
      record: { kind: "policy", id: policyId, label: number },
      groupId: null,
      ...{ outcome, promisedCents, promisedOn },
      ...(note !== "" && { reason: note }),
    },
  ])
  return loadPolicyContacts(cx, policyId)
})
