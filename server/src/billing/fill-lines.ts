import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { handedOut, type InvoiceEdit, type InvoiceLineInput, wrongLines } from "@milkwood/domain/billing/invoice-form"
import { invoiceTotals } from "@milkwood/domain/billing/invoice-totals"
import { memberLines } from "@milkwood/domain/billing/member-lines"
import { type Day, firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { policiesSettings } from "@milkwood/domain/policies/policies-settings"
import { sql } from "drizzle-orm"
import { payingIn } from "../members/cover.queries.ts"
import { invalid, query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { policyById, premiumOn } from "../policies/policies.queries.ts"
import { storedLines } from "./invoice-lines.queries.ts"
import { premiumInvoiceWithin, vatOf } from "./save-invoice.ts"

/** The lines of the month that a day falls in, from the members who pay for it; nothing is saved. */
export const fillLines = query(billingContract.fillLines, async ({ tx, input }) => {
  const policy = await policyById(tx, input.policyId)
  const periodStartOn = firstOfMonth(input.month)
  const periodEndOn = lastOfMonth(input.month)
  const lines = await linesOfMonth(tx, policy.id, periodStartOn)
  return {
    periodStartOn,
    periodEndOn,
    vatPercent: await vatOf(tx, policy.productTypeId, input.invoiceOn),
    lines: lines.length > handedOut ? [] : lines,
    members: lines.length,
    subtotalCents: invoiceTotals(lines, 0).subtotalCents,
    takenBy: (await premiumInvoiceWithin(tx, policy.id, { periodStartOn, periodEndOn })) ?? null,
  }
})

/** A line for each member who pays for the month, at the premium that holds on its 1st. */
async function linesOfMonth(tx: Tx, policyId: string, firstOn: Day): Promise<InvoiceLineInput[]> {
  const { defaultMemberPremiumCents } = await readSettings(tx, policiesSettings)
  const premiumCents = await premiumOn(tx, policyId, firstOn)
  return memberLines(await payingIn(tx, policyId, firstOn), premiumCents, defaultMemberPremiumCents)
}

/** All the lines of a form: those of members that the server knows, and what was typed. INVALID as for typed ones. */
export async function wholeLines(
  tx: Tx,
  policyId: string,
  form: InvoiceEdit,
  invoiceId?: string,
): Promise<InvoiceLineInput[]> {
  if (form.memberLines === "typed") return form.lines
  const ofMembers =
    form.memberLines === "fill"
      ? await linesOfMonth(tx, policyId, form.periodStartOn)
      : await storedLines(tx, invoiceId!, sql`l.member_id is not null`)
  const lines = [...ofMembers, ...form.lines]
  const wrong = wrongLines({ ...form, lines })
  if (wrong) throw invalid([{ path: `invoice.${wrong.path}`, message: wrong.message }])
  return lines
}

/** The VAT rate of a policy's product type on a day. */
export const vatPercent = query(billingContract.vatPercent, async ({ tx, input }) => {
  const policy = await policyById(tx, input.policyId)
  return { percent: await vatOf(tx, policy.productTypeId, input.on) }
})
