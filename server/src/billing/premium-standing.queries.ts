import type { PremiumEvidence } from "@milkwood/domain/billing/premium-standing"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { payingMembers } from "../members/cover.queries.ts"
import type { Tx } from "../platform/database/database.ts"
import { isBilledTo } from "./billed.queries.ts"
import { openCents } from "./invoice-money.ts"

/**
 * Open amounts of sent premium invoices whose period began by the day, and months owed but not billed by a sent
 * invoice. A month is billed by a period that includes its 1st, or by a line that names it.
 */
export async function loadPremiumEvidence(tx: Tx, memberId: string, upTo: Day): Promise<PremiumEvidence> {
  const found = await tx.preparedRow<PremiumEvidence>(sql`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('number', i.number, 'dueOn', i.due_on, 'openCents', ${openCents})
          order by i.due_on, i.number) filter (where ${openCents} > 0), '[]')
        from invoices i
        where i.policy_id = m.policy_id and i.kind = 'premium' and i.status = 'sent' and i.period_start_on <= ${upTo}::date
      ) as open,
      owing.unbilled, owing.months as "monthsOwed"
    from members m
    cross join lateral (
      select count(*)::int as months,
        coalesce(jsonb_agg(month.first order by month.first) filter (where not exists (select from invoices i
          where i.policy_id = m.policy_id and i.kind = 'premium' and i.status = 'sent' and i.credited_whole_at is null
            and month.first between i.period_start_on and i.period_end_on)
          and not ${isBilledTo(sql`m.id`, sql`month.first`, sql`i.status = 'sent'`)}), '[]') as unbilled
      from (
        select first::date from generate_series(
          date_trunc('month', (select min(lower(c.valid)) from member_covers c
            where c.member_id = m.id and c.superseded_at is null)),
          date_trunc('month', ${upTo}::date), interval '1 month') first
      ) month
      where exists (select from (${payingMembers(sql`month.first`)}) paying where paying.member_id = m.id)
    ) owing
    where m.id = ${memberId}`)
  return found ?? { open: [], unbilled: [], monthsOwed: 0 }
}
