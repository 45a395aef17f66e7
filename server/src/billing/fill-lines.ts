import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { memberLines } from "@milkwood/domain/billing/member-lines"
import { firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { policiesSettings } from "@milkwood/domain/policies/policies-settings"
import { payingIn } from "../members/cover.queries.ts"
import { query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { policyById, premiumOn } from "../policies/policies.queries.ts"
import { premiumInvoiceWithin, vatOf } from "./save-invoice.ts"

/** The lines of the month that a day falls in, from the members who pay for it; nothing is saved. */
export const fillLines = query(billingContract.fillLines, async ({ tx, input }) => {
  const policy = await policyById(tx, input.policyId)
  const periodStartOn = firstOfMonth(input.month)
  const periodEndOn = lastOfMonth(input.month)
  const { defaultMemberPremiumCents } = await readSettings(tx, policiesSettings)
  return {
    periodStartOn,
    periodEndOn,
    vatPercent: await vatOf(tx, policy.productTypeId, input.invoiceOn),
    lines: memberLines(
      await payingIn(tx, policy.id, periodStartOn),
      await premiumOn(tx, policy.id, periodStartOn),
      defaultMemberPremiumCents,
    ),
    takenBy: (await premiumInvoiceWithin(tx, policy.id, { periodStartOn, periodEndOn })) ?? null,
  }
})

/** The VAT rate of a policy's product type on a day. */
export const vatPercent = query(billingContract.vatPercent, async ({ tx, input }) => {
  const policy = await policyById(tx, input.policyId)
  return { percent: await vatOf(tx, policy.productTypeId, input.on) }
})
