import { creditFor } from "@milkwood/domain/receipts/receipt"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { receiptsSettings } from "@milkwood/domain/receipts/receipts-settings"
import { sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { insertAllocations } from "./allocations.ts"
import { creditOf, takesCredit } from "./credit.queries.ts"
import { lockCredit, saveReceipt } from "./receipt-record.ts"

/**
 * After an invoice was sent: the policy's credit is set against it, the oldest receipt first, where whoever sent it said
 * so or, where they said nothing, by the setting. Reacts to billing's news in the same transaction; that holds the policy
 * alone, so that no receipt of it is allocated or reversed between what is read and what is written.
 */
export async function useCredit(
  cx: Cx,
  invoice: { id: string; number: string; policyId: string; totalCents: number; useCredit: boolean | undefined },
): Promise<void> {
  if (!(await takesCredit(cx.tx, invoice.useCredit))) return
  const held = await lockCredit(cx.tx, invoice.policyId)
  for (const { receiptId, amountCents } of creditFor(invoice.totalCents, held)) {
    const receipt = held.find(({ id }) => id === receiptId)!
    await insertAllocations(cx, receipt, [{ invoiceId: invoice.id, amountCents }], [invoice])
    await saveReceipt(cx, receipt, { value: { ...receipt, version: receipt.version + 1 }, facts: [] })
  }
}

/** What credit would pay of unsent invoices; several of one policy share its credit. */
export const creditOffer = query(receiptsContract.creditOffer, async ({ tx, input }) => {
  const { creditByItself: byItself } = await readSettings(tx, receiptsSettings)
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
  return { byItself, ...offer! }
})
