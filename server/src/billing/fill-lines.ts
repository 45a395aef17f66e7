import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { type CoveredMember, memberLines } from "@milkwood/domain/billing/member-lines"
import { type Day, firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { query } from "../platform/commands.ts"
import type { Tx } from "../platform/database.ts"
import { policyById, premiumOn } from "../policies/policies.queries.ts"
import { readSettings } from "../settings/settings.queries.ts"
import { premiumInvoiceWithin, vatOf } from "./save-invoice.ts"

/** The lines of the month that a day falls in, from the members covered on its 1st; nothing is saved. */
export const fillLines = query(billingContract.fillLines, async ({ tx, input }) => {
  const policy = await policyById(tx, input.policyId)
  const periodStartOn = firstOfMonth(input.month)
  const periodEndOn = lastOfMonth(input.month)
  const { defaultMemberPremiumCents } = await readSettings(tx)
  return {
    periodStartOn,
    periodEndOn,
    vatPercent: await vatOf(tx, policy.productTypeId, input.invoiceOn),
    lines: memberLines(
      await membersCoveredOn(tx, policy.id, periodStartOn),
      await premiumOn(tx, policy.id, periodStartOn),
      defaultMemberPremiumCents,
    ).map((line) => ({ ...line, memberId: line.memberId ?? null, tierId: line.tierId ?? null })),
    takenBy: (await premiumInvoiceWithin(tx, policy.id, { periodStartOn, periodEndOn })) ?? null,
  }
})

/** The VAT rate of a policy's product type on a day. */
export const vatPercent = query(billingContract.vatPercent, async ({ tx, input }) => {
  const policy = await policyById(tx, input.policyId)
  return { percent: await vatOf(tx, policy.productTypeId, input.on) }
})

/** Who has cover on a day: covered by their own dates, on a policy that was in force; by last name. */
function membersCoveredOn(tx: Tx, policyId: string, on: Day): Promise<CoveredMember[]> {
  return tx.rows<CoveredMember>(sql`
    select m.id as "memberId", m.first_name as "firstName", m.last_name as "lastName", v.tier_id as "tierId", t.name as "tierName"
    from member_covers v
    join members m on m.id = v.member_id
    join benefit_tiers t on t.id = v.tier_id
    where v.policy_id = ${policyId} and v.kind = 'covered' and v.superseded_at is null and v.valid @> ${on}::date
      and exists (select from policy_periods y
        where y.policy_id = ${policyId} and y.kind = 'active' and y.superseded_at is null and y.valid @> ${on}::date)
    order by m.last_name_key, m.name_key, m.number`)
}
