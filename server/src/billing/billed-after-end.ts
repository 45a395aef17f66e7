import { billingContract } from "@milkwood/domain/billing/billing.contract"
import type { InferSchemaOutput } from "@orpc/contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { creditedCents } from "./invoice-money.ts"
import { visibleTo } from "./invoices.queries.ts"

type Billed = InferSchemaOutput<(typeof billingContract.billedAfterEnd)["~orpc"]["outputSchema"] & object>[number]

export const billedAfterEnd = query(billingContract.billedAfterEnd, ({ tx, actor, input }) =>
  tx.rows<Billed>(sql`
    select i.id as "invoiceId", i.number, i.period_start_on as "periodStartOn",
      sum(l.total_cents)::bigint as "billedCents", ${creditedCents} as "creditedCents"
    from members m
    join invoice_lines l on l.member_id = m.id
    join invoices i on i.id = l.invoice_id
    where m.id = ${input.memberId} and i.kind = 'premium' and i.status <> 'cancelled' and i.credited_whole_at is null
      and i.period_start_on > m.end_on and ${visibleTo(actor)}
    group by i.id
    having sum(l.total_cents) > 0
    order by i.period_start_on, i.number limit 60`),
)
