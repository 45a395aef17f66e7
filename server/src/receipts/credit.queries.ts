import { receiptsSettings } from "@milkwood/domain/receipts/receipts-settings"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { keptForInvoices } from "./receipts.ports.ts"

/** Whether something of `receipts r` is set against nothing. */
export const unallocated = sql`r.reversed_at is null and r.allocated_cents + r.refunded_cents < r.amount_cents`

/** How much of `receipts r` that is. Units: cents. */
export const unallocatedCents = sql`r.amount_cents - r.allocated_cents - r.refunded_cents`

/** What a policy has paid that is set against nothing, as one row and column. Units: cents. */
export const creditOf = (policyId: SQL): SQL => sql`
  select coalesce(sum(${unallocatedCents}), 0)::bigint as cents
  from receipts r where r.policy_id = ${policyId} and ${unallocated}`

/** Whether an invoice that is being sent takes the policy's credit: as the sender chose, otherwise by the setting. */
export async function takesCredit(tx: Tx, chosen: boolean | undefined): Promise<boolean> {
  return chosen ?? (await readSettings(tx, receiptsSettings)).creditByItself
}

/**
 * The part of an invoice that the policy's credit will pay when the invoice is sent: what the sender or the setting takes,
 * then what refunds by credit note keep for coming invoices. Units: cents.
 */
export async function creditUsedBy(
  tx: Tx,
  { policyId, totalCents, useCredit }: { policyId: string; totalCents: number; useCredit: boolean | undefined },
): Promise<number> {
  const { taken, kept } = (await tx.row<{ taken: number; kept: number }>(sql`
    select (${creditOf(sql`${policyId}`)}) as taken, (${keptForInvoices(sql`${policyId}`)}) as kept`))!
  return Math.min(totalCents, ((await takesCredit(tx, useCredit)) ? taken : 0) + kept)
}
