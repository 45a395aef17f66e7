import { billingSettings } from "@milkwood/domain/billing/billing-settings"
import { collectionContract, type PolicyGrace } from "@milkwood/domain/collection/collection.contract"
import { graceOf } from "@milkwood/domain/collection/grace"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { openCents } from "../billing/invoice-money.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { readPolicy } from "../policies/policies.queries.ts"

export const loadUnpaidPremiums = (tx: Tx, policyId: string, today: Day): Promise<PolicyGrace["unpaid"]> =>
  tx.rows(sql`
    select i.id, i.number, i.due_on as "dueOn", ${openCents} as "openCents" from invoices i
    where i.policy_id = ${policyId} and i.kind = 'premium' and i.status = 'sent' and ${openCents} > 0
      and i.due_on < ${today}::date
    order by i.due_on, i.number`)

export const readGrace = query(collectionContract.grace, async ({ tx, input, today, actor }): Promise<PolicyGrace> => {
  const { policyId } = input
  const policy = await readPolicy(tx, policyId)
  const { premiumGraceDays } = await readSettings(tx, billingSettings)
  const unpaid = await loadUnpaidPremiums(tx, policyId, today)
  const grace = graceOf(unpaid[0]?.dueOn ?? null, today, premiumGraceDays)
  const found = (await tx.row<{ members: number; noticeSentAt: string | null }>(sql`
    select (select count(*)::int from members m where m.policy_id = ${policyId} and m.status = 'Active') as members,
      (select to_char(max(c.made_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from premium_contacts c
        where c.policy_id = ${policyId} and c.kind = 'notice' and c.made_at >= ${grace?.nonPaymentOn ?? today}::date) as "noticeSentAt"`))!
  const { role } = ruleActor(actor)
  const mayWrite = grace !== null && hasPermission(role, "collection.write")
  return {
    graceDays: premiumGraceDays,
    grace,
    unpaid,
    ...found,
    policyVersion: policy.version,
    allowedActions: [
      ...(mayWrite && found.noticeSentAt === null ? (["notice"] as const) : []),
      ...(mayWrite && grace.isOver && policy.status === "Active" && hasPermission(role, "policies.write")
        ? (["lapse"] as const)
        : []),
    ],
  }
})
