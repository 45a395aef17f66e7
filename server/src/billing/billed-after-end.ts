import { billingContract } from "@milkwood/domain/billing/billing.contract"
import type { InferSchemaOutput } from "@orpc/contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { visibleTo } from "./invoices.queries.ts"

type Billed = InferSchemaOutput<(typeof billingContract.billedAfterEnd)["~orpc"]["outputSchema"] & object>[number]

export const billedAfterEnd = query(billingContract.billedAfterEnd, ({ tx, actor, input }) =>
  tx.rows<Billed>(sql`
    select b.month, sum(b.cents)::bigint as "billedCents",
      (array_agg(b.invoice_id order by b.created_at) filter (where b.cents > 0))[1] as "invoiceId",
      (array_agg(b.number order by b.created_at) filter (where b.cents > 0))[1] as number
    from (
      select i.id as invoice_id, i.number, i.created_at, l.billed_month as month, l.total_cents as cents
      from members m
      join invoice_lines l on l.member_id = m.id and l.billed_month > m.end_on
      join invoices i on i.id = l.invoice_id
      where m.id = ${input.memberId} and i.status <> 'cancelled' and ${visibleTo(actor)}
      union all
      select i.id, i.number, i.created_at, l.billed_month, -l.net_cents
      from members m
      join credit_note_lines l on l.member_id = m.id and l.billed_month > m.end_on
      join credit_notes c on c.id = l.credit_note_id and c.kind = 'correction'
      join invoices i on i.id = c.invoice_id
      where m.id = ${input.memberId} and ${visibleTo(actor)}
    ) b
    group by b.month
    having sum(b.cents) > 0
    order by b.month limit 60`),
)
