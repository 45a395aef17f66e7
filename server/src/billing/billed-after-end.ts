import { billingContract } from "@milkwood/domain/billing/billing.contract"
import type { InferSchemaOutput } from "@orpc/contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { billedByMonth } from "./billed.queries.ts"
import { isVisibleTo } from "./invoices.queries.ts"

type BilledMember = InferSchemaOutput<(typeof billingContract.billedAfterEnd)["~orpc"]["outputSchema"] & object>[number]

export const billedAfterEnd = query(billingContract.billedAfterEnd, ({ tx, actor, input }) =>
  tx.rows<BilledMember>(sql`
    select b.month, sum(b.cents)::bigint as "billedCents",
      (array_agg(i.id order by i.created_at) filter (where b.cents > 0))[1] as "invoiceId",
      (array_agg(i.number order by i.created_at) filter (where b.cents > 0))[1] as number
    from (${billedByMonth({ policies: sql`select policy_id from member_covers where member_id = ${input.memberId}`, members: sql`${input.memberId}::uuid` })}) b
    join members m on m.id = b.member_id and b.month > m.end_on
    join invoices i on i.id = b.invoice_id and ${isVisibleTo(actor)}
    group by b.month
    having sum(b.cents) > 0
    order by b.month limit 60`),
)
