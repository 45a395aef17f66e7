import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Policy } from "@milkwood/domain/policies/policy"
import type { Cx } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { draftHolds } from "./policies.queries.ts"

/** Tells that a draft starts on another day than it did, once it has members: they may have to start with it. */
export async function tellMovedStart(cx: Cx, before: Policy, to: Day | null): Promise<void> {
  if (before.status !== "Draft" || to === null || to === before.startOn) return
  if (!(await draftHolds(cx.tx, before.id)).members) return
  await record(cx, [
    {
      type: "DraftStartMoved",
      record: { kind: "policy", id: before.id, label: before.number },
      groupId: before.groupId,
      from: before.startOn,
      to,
    },
  ])
}
