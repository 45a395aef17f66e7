import { type SQL, sql } from "drizzle-orm"

export const premiumChecks: SQL[] = [
  sql`select 'premium by month is not what the lines come to: ' || number || ' ' || month || ' ' || sum(cents) as fault
      from (
        select number, invoice_id, credit_note_id, month, net_cents as cents from premium_of_lines
        union all
        select number, invoice_id, credit_note_id, month, -net_cents from premium_parts
      ) compared group by number, invoice_id, credit_note_id, month having sum(cents) <> 0`,
  sql`select 'premium counts on another day than its entry: ' || p.number || ' ' || p.month as fault
      from premium_parts p
      cross join lateral (select case when p.credit_note_id is null then 'invoice:' || p.invoice_id
        else 'credit-note:' || p.credit_note_id end as name) document
      left join ledger_entries posted on posted.source = document.name || case when p.credit_note_id is null then ':sent' else '' end
      left join ledger_entries earned on earned.source = document.name || ':earned:' || to_char(p.month, 'YYYY-MM')
      where posted.effective_on <> p.posted_on
        or case when p.earned_on = p.posted_on then null else p.earned_on end is distinct from earned.effective_on`,
  sql`select 'premium counts in another month than its own: ' || number || ' ' || month as fault
      from premium_parts
      where not is_earned_at_once and (month > date_trunc('month', posted_on) and earned_on is not null and earned_on <> month
        or month = date_trunc('month', posted_on) and earned_on is distinct from posted_on
        or month < date_trunc('month', posted_on) and not coalesce(earned_on between month and posted_on, false))`,
  sql`select 'premium of a closed month is not released: ' || number || ' ' || month as fault
      from premium_parts
      where earned_on is null and month <= (select max(month) from closed_months where reopened_at is null)`,
]
