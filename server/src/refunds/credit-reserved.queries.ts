import { type SQL, sql } from "drizzle-orm"

/** Cents held by kept refunds for future invoices. */
export const creditReservedForInvoices = (policyId: SQL): SQL => sql`
  select coalesce(sum(k.amount_cents), 0)::bigint
  from refunds f join refund_parts k on k.refund_id = f.id and k.released_at is null
  where f.policy_id = ${policyId} and f.method = 'credit_note' and f.status = 'processing'`
