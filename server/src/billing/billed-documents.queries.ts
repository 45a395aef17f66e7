import type { BilledDocument } from "@milkwood/domain/billing/difference"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

const makerName = sql`
  (select r.number from billing_run_policies p join billing_runs r on r.id = p.run_id where p.invoice_id = i.id limit 1) as run,
  (select name from users where id = i.created_by) as by`

/** Documents per `<member> <month>`, oldest first. */
export async function loadDocumentsOfMonths(
  tx: Tx,
  policyId: string,
  months: readonly { memberId: string; month: Day }[],
): Promise<Map<string, BilledDocument[]>> {
  if (months.length === 0) return new Map()
  const asked = sql`jsonb_to_recordset(${JSON.stringify(months)}::jsonb) as asked ("memberId" uuid, month date)`
  const isAsked = sql`on l.member_id = asked."memberId" and l.billed_month = asked.month`
  const rows = await tx.rows<BilledDocument & { memberId: string; month: Day }>(sql`
    select l.member_id as "memberId", l.billed_month as month, 'invoice' as kind, i.number, i.created_at as at,
      sum(l.total_cents)::bigint as cents, ${makerName}
    from ${asked} join invoice_lines l ${isAsked} join invoices i on i.id = l.invoice_id
    where i.policy_id = ${policyId} and i.status <> 'cancelled' group by 1, 2, i.id
    union all
    select l.member_id, l.billed_month, 'creditNote', i.number, i.created_at, -sum(l.net_cents)::bigint, null,
      (select name from users where id = i.created_by)
    from ${asked} join credit_note_lines l ${isAsked} join credit_notes i on i.id = l.credit_note_id
    where i.policy_id = ${policyId} and i.kind = 'correction' group by 1, 2, i.id
    order by at, number`)
  return Map.groupBy(rows, ({ memberId, month }) => `${memberId} ${month}`)
}

/** Skips fully corrected invoices. */
export async function loadFirstInvoices(
  tx: Tx,
  policyId: string,
  months: readonly Day[],
): Promise<Map<Day, Pick<BilledDocument, "kind" | "number" | "by" | "run">>> {
  if (months.length === 0) return new Map()
  const rows = await tx.rows<Pick<BilledDocument, "kind" | "number" | "by" | "run"> & { month: Day }>(sql`
    select distinct on (l.billed_month) l.billed_month as month, 'invoice' as kind, i.number, ${makerName}
    from invoices i join invoice_lines l on l.invoice_id = i.id
    where i.policy_id = ${policyId} and i.status <> 'cancelled' and i.credited_whole_at is null
      and l.billed_month = any (${sql.param([...months])}::date[])
    order by l.billed_month, i.created_at, i.number`)
  return new Map(rows.map(({ month, ...invoice }) => [month, invoice]))
}
