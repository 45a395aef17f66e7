import type { PolicyFact } from "@milkwood/domain/policies/policy-facts"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { markNotificationsDone, notifyPeople } from "./tell.ts"

/** Notifies managers and the employer's users; the policy's contact receives a separate mail. */
export const notifyExpiring = (
  cx: Cx,
  { record, groupId, on }: Extract<PolicyFact, { type: "PolicyExpiryWarned" }>,
): Promise<void> =>
  notifyPeople(cx, "policy_expiring", [
    { record, groupId, roles: ["manager", "group_admin", "policy_holder"], detail: { on } },
  ])

/** Settles notifications of renewed or ended policies. */
export const settleExpiryNotifications = (cx: Cx): Promise<void> =>
  markNotificationsDone(
    cx,
    ["policy_expiring"],
    sql`select n.record_id from notifications n join policies p on p.id = n.record_id
      where n.done_at is null and n.kind = 'policy_expiring'
        and (p.status not in ('Active', 'Suspended') or p.end_on is distinct from (n.detail ->> 'on')::date)`,
  )
