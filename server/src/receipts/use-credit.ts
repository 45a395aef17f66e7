import { creditFor } from "@milkwood/domain/receipts/receipt"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { receiptsSettings } from "@milkwood/domain/receipts/receipts-settings"
import { sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { insertAllocations } from "./allocations.ts"
import { creditOf, shouldUseCredit } from "./credit.queries.ts"
import { lockCredit, saveReceipt } from "./receipt-record.ts"

/**
 * After an invoice is sent, allocates policy credit to it, oldest receipt first, by the sender's choice or the setting.
 * Runs in billing's transaction, which has locked the policy, so receipts cannot change meanwhile.
 */
export async function applyCredit(
  cx: Cx,
  invoice: { id: string; number: string; policyId: string; totalCents: number; useCredit: boolean | undefined },
): Promise<void> {
  if (!(await shouldUseCredit(cx.tx, invoice.useCredit))) return
  const held = await lockCredit(cx.tx, invoice.policyId)
  for (const { receiptId, amountCents } of creditFor(invoice.totalCents, held)) {
    const receipt = held.find(({ id }) => id === receiptId)!
    await insertAllocations(cx, receipt, [{ invoiceId: invoice.id, amountCents }], [invoice])
    await saveReceipt(cx, receipt, { value: { ...receipt, version: receipt.version + 1 }, facts: [] })
  }
}

export const readCreditOffer = query(receiptsContract.creditOffer, async ({ tx, input }) => {
  const { autoCredit: isAutomatic } = await readSettings(tx, receiptsSettings)
  const named =
    "runId" in input
      ? sql`select invoice_id from billing_run_policies where run_id = ${input.runId}`
      : sql`select unnest(${sql.param(input.invoiceIds)}::uuid[])`
  const offer = await tx.row<{ totalCents: number; usedCents: number }>(sql`
    with asked as (
      select policy_id, sum(total_cents) as cents from invoices
      where status in ('draft', 'pending') and id in (${named}) group by 1
    )
    select coalesce(sum(cents), 0)::bigint as "totalCents",
      coalesce(sum(least(cents, (${creditOf(sql`asked.policy_id`)}))), 0)::bigint as "usedCents"
    from asked`)
  return { isAutomatic, ...offer! }
})
