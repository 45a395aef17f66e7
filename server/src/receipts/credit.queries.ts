import { receiptsSettings } from "@milkwood/domain/receipts/receipts-settings"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { creditReservedForInvoices } from "./receipts.ports.ts"

/** Whether part of `receipts r` is unallocated. */
export const isUnallocatedSql = sql`r.reversed_at is null and r.allocated_cents + r.refunded_cents < r.amount_cents`

/** An amount in cents. */
export const unallocatedCents = sql`r.amount_cents - r.allocated_cents - r.refunded_cents`

/** The unallocated receipts of a policy, in cents, as one row and column. */
export const creditOf = (policyId: SQL): SQL => sql`
  select coalesce(sum(${unallocatedCents}), 0)::bigint as cents
  from receipts r where r.policy_id = ${policyId} and ${isUnallocatedSql}`

/** The sender's choice, or else the setting. */
export async function shouldUseCredit(tx: Tx, chosen: boolean | undefined): Promise<boolean> {
  return chosen ?? (await readSettings(tx, receiptsSettings)).autoCredit
}

/**
 * The credit that pays an invoice when it is sent, in cents. Free credit depends on the sender's choice or the setting;
 * credit reserved by credit note refunds is always used.
 */
export async function creditUsedBy(
  tx: Tx,
  { policyId, totalCents, useCredit }: { policyId: string; totalCents: number; useCredit: boolean | undefined },
): Promise<number> {
  const { taken, kept } = (await tx.row<{ taken: number; kept: number }>(sql`
    select (${creditOf(sql`${policyId}`)}) as taken, (${creditReservedForInvoices(sql`${policyId}`)}) as kept`))!
  return Math.min(totalCents, ((await shouldUseCredit(tx, useCredit)) ? taken : 0) + kept)
}
