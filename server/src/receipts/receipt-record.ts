import type { OpenInvoice, Receipt } from "@milkwood/domain/receipts/receipt"
import type { ReceiptChange } from "@milkwood/domain/receipts/receipt-steps"
import { sql } from "drizzle-orm"
import { lockSentInvoices } from "../billing/invoice-record.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { lockRecord, readRecord, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { findHeldPolicy } from "../policies/policy-record.ts"
import { unallocated } from "./credit.queries.ts"
import { openInvoicesOf } from "./receipts.queries.ts"
import { receipts } from "./receipts.tables.ts"

/** A receipt, locked, and before it what its money may be set against. NOT_FOUND where there is none. */
export async function lockReceipt({ tx }: Cx, receiptId: string): Promise<{ receipt: Receipt; open: OpenInvoice[] }> {
  const { policyId } = await readRecord(tx, receipts, receiptId)
  const open = await lockOpenInvoices(tx, policyId)
  return { open, receipt: await lockRecord(tx, receipts, receiptId) }
}

/** The receipts of a deposit that still stand, each locked as by `lockReceipt`, in the order of their policies. */
export async function lockReceiptsOf(cx: Cx, depositId: string): Promise<Receipt[]> {
  const standing = await cx.tx.rows<{ id: string }>(sql`
    select id from receipts where deposit_id = ${depositId} and reversed_at is null order by policy_id`)
  const held: Receipt[] = []
  for (const { id } of standing) held.push((await lockReceipt(cx, id)).receipt)
  return held
}

/**
 * The open invoices of a policy, to which nobody else allocates meanwhile. Locked in the order of id, before anything is
 * summed: two allocations to one invoice go one after the other. The policy is held first, so that no invoice is sent,
 * and found open without a lock, between the statements.
 */
export async function lockOpenInvoices(tx: Tx, policyId: string): Promise<OpenInvoice[]> {
  await findHeldPolicy(tx, policyId)
  await lockSentInvoices(tx, policyId)
  return openInvoicesOf(tx, policyId)
}

/**
 * The receipts of a policy that have credit, locked in the order of their ids: as they are under the lock, so that some
 * may have none left.
 */
export async function lockCredit(tx: Tx, policyId: string): Promise<Receipt[]> {
  const ids = await tx.rows<{ id: string }>(sql`
    select r.id from receipts r where r.policy_id = ${policyId} and ${unallocated} order by r.id`)
  const held: Receipt[] = []
  for (const { id } of ids) held.push(await lockRecord(tx, receipts, id))
  return held
}

/** Writes what a rule made of a locked receipt, and tells of it. */
export async function saveReceipt(cx: Cx, before: Receipt, { value, facts }: ReceiptChange): Promise<void> {
  await saveRecord(cx.tx, receipts, before, value)
  await record(cx, facts)
}
