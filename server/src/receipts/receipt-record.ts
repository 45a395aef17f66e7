import type { Cents } from "@milkwood/domain/kernel/money"
import type { OpenInvoice, Receipt } from "@milkwood/domain/receipts/receipt"
import type { ReceiptChange } from "@milkwood/domain/receipts/receipt-steps"
import { sql } from "drizzle-orm"
import { lockSentInvoices } from "../billing/invoice-record.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { lockRecord, readRecord, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { findPolicyHead } from "../policies/policy-record.ts"
import { isUnallocatedSql } from "./credit.queries.ts"
import { readOpenInvoices } from "./receipts.queries.ts"
import { receipts } from "./receipts.tables.ts"

/** Locks the open invoices first, then the receipt. Refuses NOT_FOUND. */
export async function lockReceipt({ tx }: Cx, receiptId: string): Promise<{ receipt: Receipt; open: OpenInvoice[] }> {
  const { policyId } = await readRecord(tx, receipts, receiptId)
  const open = await lockOpenInvoices(tx, policyId)
  return { open, receipt: await lockRecord(tx, receipts, receiptId) }
}

/** In id order, to prevent deadlocks. Call it before other rooms check rows of these receipts. */
export async function lockReceipts(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.rows(sql`select id from receipts where id = any (${sql.param([...ids])}::uuid[]) order by id for update`)
}

/** The unreversed receipts of a deposit, locked as in `lockReceipt`, in policy order. */
export async function lockReceiptsOf(cx: Cx, depositId: string): Promise<Receipt[]> {
  const standing = await cx.tx.rows<{ id: string }>(sql`
    select id from receipts where deposit_id = ${depositId} and reversed_at is null order by policy_id`)
  const held: Receipt[] = []
  for (const { id } of standing) held.push((await lockReceipt(cx, id)).receipt)
  return held
}

/**
 * Locks the open invoices of a policy in id order before summing, so that allocations to one invoice are serial. The
 * policy is locked first, so that no invoice is sent between the statements.
 */
export async function lockOpenInvoices(tx: Tx, policyId: string): Promise<OpenInvoice[]> {
  await findPolicyHead(tx, policyId)
  await lockSentInvoices(tx, policyId)
  return readOpenInvoices(tx, policyId)
}

/** Receipts with credit, locked in id order and read under the lock; some may have no credit left by then. */
export async function lockCredit(tx: Tx, policyId: string): Promise<Receipt[]> {
  const ids = await tx.rows<{ id: string }>(sql`
    select r.id from receipts r where r.policy_id = ${policyId} and ${isUnallocatedSql} order by r.id`)
  const held: Receipt[] = []
  for (const { id } of ids) held.push(await lockRecord(tx, receipts, id))
  return held
}

/** Adds refund parts, or releases (negative amounts), to their receipts, locked in id order. */
export async function addRefunded(
  tx: Tx,
  amounts: readonly { receiptId: string; amountCents: Cents }[],
): Promise<void> {
  await lockReceipts(
    tx,
    amounts.map(({ receiptId }) => receiptId),
  )
  await tx.run(sql`
    update receipts r set refunded_cents = r.refunded_cents + added.cents
    from (
      select "receiptId" as id, sum("amountCents")::bigint as cents
      from jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb) as amount ("receiptId" uuid, "amountCents" bigint) group by 1
    ) added where r.id = added.id`)
}

export async function saveReceipt(cx: Cx, before: Receipt, { value, facts }: ReceiptChange): Promise<void> {
  await saveRecord(cx.tx, receipts, before, value)
  await record(cx, facts)
}
