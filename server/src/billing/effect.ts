import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { type Effect, effectOf, needsBilled, type ProposedMembers } from "@milkwood/domain/billing/effect"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { factsKnownAt } from "@milkwood/domain/kernel/dated-fact"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { billedByMonth } from "./billed.queries.ts"
import { findNextMonthToBill } from "./next-period.ts"
import { loadProposedChanges } from "./proposed.ts"
import type { Proposed, ProposedGroup } from "./proposed-facts.ts"

export const readEffect = query(billingContract.effect, async (cx) => {
  const { policies, refused } = await loadProposedChanges(cx, cx.input.change)
  const effects: PolicyEffect[] = []
  for (const change of policies) {
    const found = await effectOnNextInvoice(cx, change)
    if (found) effects.push(found)
  }
  return { effects: effects.sort((a, b) => (a.policyNumber < b.policyNumber ? -1 : 1)), refused }
})

type PolicyEffect = Effect & { policyId: string; policyNumber: string }

async function effectOnNextInvoice(
  { tx, now, today }: Pick<Cx, "tx" | "now" | "today">,
  { policyId, policy, groups }: Proposed,
): Promise<PolicyEffect | null> {
  const stored = await readPolicy(tx, policyId)
  const { startOn } = stored
  if (!startOn) return null
  const at = now.toString()
  const billedFromOn = factsKnownAt(policy.after.billedFrom, at)[0]?.month ?? null
  const month = await findNextMonthToBill(tx, { ...stored, startOn, billedFromOn }, today)
  const months = needsBilled(policy, groups, month, at)
  const billed = months.length === 0 ? groups : await addBilledAmounts(tx, policyId, groups, months)
  return { policyId, policyNumber: stored.number, ...effectOf(policy, billed, month, at) }
}

async function addBilledAmounts(
  tx: Tx,
  policyId: string,
  groups: readonly ProposedGroup[],
  months: readonly Day[],
): Promise<ProposedMembers[]> {
  const rows = await tx.rows<{ memberId: string; month: Day; cents: Cents }>(sql`
    select member_id as "memberId", month, sum(cents)::bigint as cents
    from (${billedByMonth({ policies: sql`${policyId}::uuid`, month: months.at(-1)! })}) b
    where month = any (${sql.param([...months])}::date[]) and member_id is not null group by 1, 2`)
  const ofMember = Map.groupBy(rows, ({ memberId }) => memberId)
  return groups.map((group) => {
    const billed = new Map<Day, Cents>()
    for (const id of group.memberIds)
      for (const { month, cents } of ofMember.get(id) ?? []) billed.set(month, (billed.get(month) ?? 0) + cents)
    return { ...group, billed }
  })
}
