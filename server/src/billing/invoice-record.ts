import type { Invoice } from "@milkwood/domain/billing/invoice"
import type { InvoiceChange } from "@milkwood/domain/billing/invoice-steps"
import type { Policy } from "@milkwood/domain/policies/policy"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { lockRecord, readRecord, type Stored, saveRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { lockPolicy } from "../policies/policy-record.ts"
import { invoices } from "./billing.tables.ts"

/** Locks the policy, then the invoice, as all modules do. NOT_FOUND if the actor cannot see it. */
export async function lockInvoice({ tx }: Cx, invoiceId: string): Promise<{ invoice: Invoice; policy: Policy }> {
  const { policyId } = await readRecord(tx, invoices, invoiceId)
  const policy = await lockPolicy(tx, policyId)
  return { policy, invoice: await lockRecord(tx, invoices, invoiceId) }
}

/** `extraColumns` are written even if the invoice is unchanged. */
export async function saveInvoice(
  cx: Cx,
  before: Invoice,
  { value, facts }: InvoiceChange,
  extraColumns: Partial<Stored<typeof invoices>> = {},
): Promise<void> {
  await saveRecord(cx.tx, invoices, before, value, extraColumns)
  await record(cx, facts)
}

/** In id order, to prevent deadlocks. */
export async function lockSentInvoices(tx: Tx, policyId: string): Promise<void> {
  await tx.rows(sql`select id from invoices where policy_id = ${policyId} and status = 'sent' order by id for update`)
}
