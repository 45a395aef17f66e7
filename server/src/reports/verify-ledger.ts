import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { premiumChecks } from "./verify-premium.ts"

const premiumOfDocuments = sql`
  select invoice_id, credit_note_id, sum(net_cents) filter (where earned_on = posted_on) as income,
    sum(net_cents) filter (where earned_on is null or earned_on > posted_on) as unearned,
    sum(net_cents) filter (where earned_on < posted_on) as accrued
  from premium_parts group by invoice_id, credit_note_id`

/** Postings that the records require: source, account, policy, cents. Reversed records also require the reversal. */
const requiredPostings = sql`
  with legs (source, undone, policy_id, amounts) as (
    select 'invoice:' || i.id || ':sent', false, i.policy_id, jsonb_build_object('premium_debtors', total_cents, 'vat_output', -vat_cents,
      'premium_income', -coalesce(p.income, 0), 'unearned_premium', -coalesce(p.unearned, 0), 'accrued_premium', -coalesce(p.accrued, 0))
    from invoices i left join (${premiumOfDocuments}) p on p.invoice_id = i.id and p.credit_note_id is null where i.status = 'sent'
    union all
    select 'credit-note:' || n.id, false, n.policy_id, jsonb_build_object('premium_debtors', -total_cents, 'vat_output', vat_cents,
      'premium_income', -coalesce(p.income, 0), 'unearned_premium', -coalesce(p.unearned, 0), 'accrued_premium', -coalesce(p.accrued, 0))
    from credit_notes n left join (${premiumOfDocuments}) p on p.credit_note_id = n.id
    union all
    select case when credit_note_id is null then 'invoice:' || invoice_id else 'credit-note:' || credit_note_id end
        || ':earned:' || to_char(month, 'YYYY-MM'), false, policy_id,
      jsonb_build_object(case when earned_on > posted_on then 'unearned_premium' else 'accrued_premium' end, net_cents, 'premium_income', -net_cents)
    from premium_parts where earned_on <> posted_on
    union all
    select 'receipt:' || id || case posted_version when 1 then '' else ':' || posted_version end, undone, policy_id,
      jsonb_build_object(paid_into, amount_cents, 'unallocated_receipts', -amount_cents)
    from (
      select id, posted_version, reversed_at is not null as undone, policy_id, paid_into, amount_cents from receipts
      union all
      select receipt_id, posted_version, true, policy_id, paid_into, amount_cents from receipt_edits
    ) taken
    union all
    select 'allocation:' || id, released_at is not null, policy_id,
      jsonb_build_object('unallocated_receipts', amount_cents, 'premium_debtors', -amount_cents)
    from receipt_allocations
    union all
    select 'write-off:' || id, reversed_on is not null, policy_id,
      jsonb_build_object('write_offs', net_cents, 'vat_output', vat_cents, 'premium_debtors', -total_cents)
    from write_offs where written_off_on is not null
    union all
    select source, false, policy_id, jsonb_build_object('claims_expense', change_cents, 'claims_outstanding', -change_cents)
    from claim_reserve_movements where cause not in ('approved', 'approval_withdrawn')
    union all
    select approved.source, undone, approved.policy_id, jsonb_build_object('claims_outstanding', -coalesce(change_cents, 0),
      'claims_expense', cents + coalesce(change_cents, 0), 'claims_payable', -cents)
    from (
      select 'claim:' || claim_id || ':approved' || case when nth = 1 then '' else ':' || nth end as source, undone, policy_id, cents
      from (
        select claim_id, row_number() over (partition by claim_id order by round) as nth, true as undone, policy_id,
          approved_amount_cents as cents
        from claim_reopenings where kind = 'approval_withdrawn'
        union all
        select id, 1 + (select count(*) from claim_reopenings r where r.claim_id = c.id and r.kind = 'approval_withdrawn'), false,
          policy_id, approved_amount_cents
        from claims c where status in ('approved', 'paid')
      ) numbered
    ) approved left join claim_reserve_movements v on v.source = approved.source
    union all
    -- What was undone stays posted with its reversal, once for each time; what stands is the last.
    select 'payout:' || id || ':released:' || nth, nth <= releases_undone, policy_id,
      jsonb_build_object('unallocated_receipts', amount_cents, 'refunds_payable', -amount_cents)
    from payouts, generate_series(1, releases_undone + (status in ('processing', 'completed', 'returned'))::int) nth
    where subject_kind = 'refund'
    union all
    select 'payout:' || id || ':completed' || case when nth = 1 then '' else ':' || nth end, nth <= completions_undone, policy_id,
      jsonb_build_object(case subject_kind when 'claim' then 'claims_payable' else 'refunds_payable' end, amount_cents, 'bank', -amount_cents)
    from payouts, generate_series(1, completions_undone + (status in ('completed', 'returned'))::int) nth
    union all
    select 'payout:' || id || ':returned' || case when nth = 1 then '' else ':' || nth end, nth <= returns_undone, policy_id,
      jsonb_build_object('bank', amount_cents, case subject_kind when 'claim' then 'claims_payable' else 'unallocated_receipts' end, -amount_cents)
    from payouts, generate_series(1, returns_undone + (status = 'returned')::int) nth
    union all
    select 'bank-account:' || id || ':opening', false, null,
      jsonb_build_object('bank', posted, 'opening_balances', -posted)
    from (
      select a.id, a.opening_posted_cents
        - (select coalesce(sum(after_cents - before_cents), 0) from bank_opening_corrections where account_id = a.id) as posted
      from bank_accounts a where a.opened_on is not null
    ) opened
    union all
    select 'bank-opening:' || id, false, null,
      jsonb_build_object('bank', after_cents - before_cents, 'opening_balances', before_cents - after_cents)
    from bank_opening_corrections
    union all
    select 'bank-placement:' || p.id, p.undone_at is not null, null,
      jsonb_build_object('bank', l.amount_cents, case p.kind when 'charge' then 'bank_charges' else 'interest_received' end, -l.amount_cents)
    from bank_placements p join bank_lines l on l.id = p.line_id where p.kind in ('charge', 'interest')
    union all
    select 'receipt-deposit:' || m.id, m.undone_at is not null or exists (
        select from bank_matches b where b.receipt_id = m.receipt_id and b.kind = 'returned' and b.undone_at is null), r.policy_id,
      side.amounts
    from bank_matches m join receipts r on r.id = m.receipt_id join bank_lines l on l.id = m.line_id
    -- A receipt is posted on the account of the line that made it, without one on the main account.
    left join lateral (select b.account_id from bank_matches made join bank_lines b on b.id = made.line_id
      where made.receipt_id = m.receipt_id and made.kind = 'made' limit 1) made on true
    join bank_accounts posted on posted.id = made.account_id or posted.is_main and made.account_id is null
    -- A transfer moves from that account to the account of its line: two postings on one account of the ledger.
    cross join lateral (values (jsonb_build_object('bank', m.amount_cents)), (jsonb_build_object(r.paid_into, -m.amount_cents))) side (amounts)
    where m.kind = 'linked' and (r.paid_into = 'undeposited' or posted.id <> l.account_id)
  ), signed as (
    select source, policy_id, amounts, 1 as sign from legs
    union all
    select source || ':reversed', policy_id, amounts, -1 from legs where undone
  )
  select source, account, policy_id, sign * cents::bigint as cents
  from signed cross join jsonb_each_text(amounts) as leg (account, cents)
  where cents::bigint <> 0`

const postedSql = sql`
  select e.source, p.account, p.policy_id, p.amount_cents as cents
  from ledger_postings p join ledger_entries e on e.id = p.entry_id`

/** One row per balance that changed after its month was closed. */
export const changedClosedMonthsSql = sql`
  select 'a closed month moved: ' || month || ' ' || account as fault
  from (
    select c.month, b.key as account, b.value::bigint as cents
    from closed_months c cross join lateral jsonb_each_text(c.balances) b where c.reopened_at is null
    union all
    select c.month, m.account, m.credit_cents - m.debit_cents
    from closed_months c join ledger_months m on m.month <= c.month where c.reopened_at is null
  ) moved group by month, account having sum(cents) <> 0`

/** Each query returns one text per fault. */
const ledgerChecks: SQL[] = [
  sql`select 'not posted: ' || source || ' ' || account || ' ' || cents as fault
      from ((${requiredPostings}) except all (${postedSql})) missing`,
  sql`select 'posted without a record: ' || source || ' ' || account || ' ' || cents as fault
      from ((${postedSql}) except all (${requiredPostings})) surplus`,
  ...premiumChecks,
  sql`select 'does not balance: ' || e.source as fault
      from ledger_entries e left join ledger_postings p on p.entry_id = e.id
      group by e.id having coalesce(sum(p.amount_cents), 0) <> 0 or count(p.entry_id) < 2`,
  sql`select 'carries something else than its entry: ' || e.source || ' ' || p.line as fault
      from ledger_entries e join ledger_postings p on p.entry_id = e.id
      where (p.effective_on, p.seq, p.words) <> (e.effective_on, e.seq, lower(e.description))`,
  sql`select 'stored is not what is recomputed: ' || i.number as fault
      from invoices i
      cross join lateral (
        select coalesce(sum(cents), 0) as subtotal, coalesce(sum(lines), 0) as lines, coalesce(sum(round(cents * vat_percent / 100)), 0) as vat
        from (select vat_percent, sum(quantity * unit_cents) as cents, count(*) as lines
          from invoice_lines where invoice_id = i.id group by vat_percent) rate) l
      where l.lines = 0 or i.subtotal_cents <> l.subtotal or i.vat_cents <> l.vat
        or i.total_cents <> i.subtotal_cents + i.vat_cents - i.discount_cents`,
  sql`select 'allocated, credited or written off beyond its total: ' || i.number as fault
      from invoices i
      where (select coalesce(sum(total_cents), 0) from credit_notes where invoice_id = i.id)
        + (select coalesce(sum(amount_cents), 0) from receipt_allocations where invoice_id = i.id and released_at is null)
        + (select coalesce(sum(total_cents), 0) from write_offs where invoice_id = i.id and written_off_on is not null and reversed_on is null)
        > case when i.status = 'sent' then i.total_cents else 0 end`,
  sql`select 'corrected as a whole, or not, against its mark: ' || i.number as fault
      from invoices i
      where i.status = 'sent' and (i.credited_whole_at is not null)
        <> not exists (select from invoice_lines l where l.invoice_id = i.id and l.total_cents <> (
          select coalesce(sum(c.net_cents), 0) from credit_note_lines c join credit_notes n on n.id = c.credit_note_id
          where c.invoice_line_id = l.id and n.kind = 'correction'))`,
  sql`select 'paid, or not, against what its payments come to: ' || c.number as fault
      from claims c where c.status in ('approved', 'paid') and (c.status = 'paid') <> (c.approved_amount_cents
        = (select coalesce(sum(amount_cents), 0) from payouts where subject_kind = 'claim' and subject_id = c.id and status = 'completed'))`,
  sql`select 'allocated beyond its amount: ' || r.number as fault
      from receipts r
      where (select coalesce(sum(amount_cents), 0) from receipt_allocations where receipt_id = r.id and released_at is null)
        > case when r.reversed_at is null then r.amount_cents else 0 end`,
  sql`select 'kept is not what was posted: ' || coalesce(kept.account, posted.account) || ' ' || coalesce(kept.month, posted.month) as fault
      from ledger_months kept full join (
        select p.account, p.policy_id, date_trunc('month', e.effective_on)::date as month, sum(p.amount_cents) as cents, count(*) as postings
        from ledger_postings p join ledger_entries e on e.id = p.entry_id group by 1, 2, 3
      ) posted on posted.account = kept.account and posted.month = kept.month
        and coalesce(posted.policy_id, '00000000-0000-0000-0000-000000000000') = coalesce(kept.policy_id, '00000000-0000-0000-0000-000000000000')
      where kept.debit_cents - kept.credit_cents is distinct from posted.cents or kept.postings is distinct from posted.postings`,
  sql`select 'kept is not what its credit notes, allocations and write-offs add up to: ' || i.number as fault
      from invoices i
      where i.credited_cents <> (select coalesce(sum(total_cents), 0) from credit_notes where invoice_id = i.id)
        or i.allocated_cents
          <> (select coalesce(sum(amount_cents), 0) from receipt_allocations where invoice_id = i.id and released_at is null)
        or i.written_off_cents <> (select coalesce(sum(total_cents), 0) from write_offs
          where invoice_id = i.id and written_off_on is not null and reversed_on is null)`,
  sql`select 'kept is not what its lines add up to by their VAT: ' || i.number as fault
      from invoices i
      where i.status = 'sent' and exists (
        (select vat_class, vat_percent, sum(total_cents), min(position) from invoice_lines where invoice_id = i.id group by 1, 2
          except select vat_class, vat_percent, net_cents, position from invoice_vat where invoice_id = i.id)
        union all
        (select vat_class, vat_percent, net_cents, position from invoice_vat where invoice_id = i.id
          except select vat_class, vat_percent, sum(total_cents), min(position) from invoice_lines where invoice_id = i.id group by 1, 2))`,
  sql`select 'kept is not what its lines are counted and added up to: ' || i.number as fault
      from invoices i
      cross join lateral (
        select count(*) as line_count, count(distinct member_id) as member_count,
          coalesce(sum(total_cents) filter (where billed_month < date_trunc('month', i.period_start_on)), 0) as earlier_cents
        from invoice_lines where invoice_id = i.id
      ) l
      where i.status = 'sent'
        and (i.line_count, i.member_count, i.earlier_cents) is distinct from (l.line_count, l.member_count, l.earlier_cents)`,
  sql`select 'kept is not what its allocations add up to: ' || r.number as fault
      from receipts r
      where r.allocated_cents
        <> (select coalesce(sum(amount_cents), 0) from receipt_allocations where receipt_id = r.id and released_at is null)`,
  sql`select 'posted into a closed month: ' || e.source || ' on ' || e.effective_on as fault
      from ledger_entries e join closed_months c on e.effective_on < (c.month + interval '1 month')::date
        and e.seq > c.last_seq and (c.reopened_seq is null or e.seq <= c.reopened_seq)`,
  changedClosedMonthsSql,
  sql`select 'counts before what it corrects: ' || e.source as fault
      from ledger_entries e join ledger_entries original on original.id = e.reverses_id
      where e.effective_on < original.effective_on`,
  sql`select 'kept is not what refunds hold of it: ' || r.number as fault
      from receipts r
      where r.refunded_cents
        <> (select coalesce(sum(amount_cents), 0) from refund_parts where receipt_id = r.id and released_at is null)`,
  sql`select 'the ledger has another credit than its receipts less its refunds: ' || p.number as fault
      from policies p
      where (select coalesce(-sum(amount_cents), 0) from ledger_postings
          where account = 'unallocated_receipts' and policy_id = p.id)
        <> (select coalesce(sum(amount_cents - allocated_cents) filter (where reversed_at is null), 0) from receipts
          where policy_id = p.id)
        - (select coalesce(sum(amount_cents), 0) from payouts
          where policy_id = p.id and subject_kind = 'refund' and status in ('processing', 'completed'))`,
  sql`select 'a gap in the numbers of ' || kind || ' ' || year || ': ' || last || ' given, ' || kept || ' kept' as fault
      from (
        select c.kind, c.year, c.last,
          (select count(*) from (
            select number from invoices where c.kind = 'invoice' union all select number from credit_notes where c.kind = 'credit_note') n
            where split_part(number, '-', 2)::integer = c.year and split_part(number, '-', 3)::bigint between 1 and c.last) as kept
        from number_counters c where c.kind in ('invoice', 'credit_note')
      ) counted where kept <> last`,
]

/**
 * Recomputes the ledger from the records and returns the faults: missing or extra postings, unbalanced entries, wrong
 * invoice totals, over-allocation, and gaps in numbers.
 */
export async function verifyLedger(tx: Tx): Promise<string[]> {
  const faults: string[] = []
  for (const check of ledgerChecks) faults.push(...(await tx.rows<{ fault: string }>(check)).map((row) => row.fault))
  return faults
}
