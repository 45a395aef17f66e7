import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database.ts"

/**
 * What must hold whatever happened: the journal balances, and each of its balances is what the documents say.
 * Answers a sentence for every fault; none is the good answer. Reads as the owner or as staff.
 */
export async function verifyBooks(tx: Tx): Promise<string[]> {
  const faults = await tx.rows<{ fault: string }>(sql`
    with balances as (
      select account, policy_id, sum(amount_cents) as cents from ledger_postings group by account, policy_id
    ),
    sent as (
      select policy_id, sum(total_cents) as total, sum(vat_cents) as vat from invoices where status = 'sent' group by policy_id
    ),
    credited as (select policy_id, sum(total_cents) as total, sum(vat_cents) as vat from credit_notes group by policy_id),
    received as (select policy_id, sum(amount_cents) as total from receipts where reversed_at is null group by policy_id),
    allocated as (select policy_id, sum(amount_cents) as total from receipt_allocations where released_at is null group by policy_id),
    expected as (
      select id as policy_id,
        coalesce(s.total, 0) - coalesce(c.total, 0) - coalesce(a.total, 0) as premium_debtors,
        coalesce(a.total, 0) - coalesce(r.total, 0) as unallocated_receipts
      from policies p
      left join sent s on s.policy_id = p.id left join credited c on c.policy_id = p.id
      left join received r on r.policy_id = p.id left join allocated a on a.policy_id = p.id
    ),
    account_totals as (select account, sum(cents) as cents from balances group by account),
    whole as (
      select 'bank' as account,
        (select coalesce(sum(total), 0) from received)
        - (select coalesce(sum(amount_cents), 0) from payouts where status = 'completed') as cents
      union all select 'vat_output', -(select coalesce(sum(vat), 0) from sent) + (select coalesce(sum(vat), 0) from credited)
      union all select 'claims_payable',
        (select coalesce(sum(amount_cents), 0) from payouts where status = 'completed')
        - (select coalesce(sum(approved_amount_cents), 0) from claims where status in ('approved', 'paid'))
      union all select 'claims_expense', (select coalesce(sum(approved_amount_cents), 0) from claims where status in ('approved', 'paid'))
    )
    select 'Entry ' || entry_id || ' does not balance.' as fault
      from ledger_postings group by entry_id having sum(amount_cents) <> 0
    union all select 'The journal does not balance.' where (select coalesce(sum(amount_cents), 0) from ledger_postings) <> 0
    union all select 'Policy ' || e.policy_id || ' has ' || name || ' of ' || coalesce(b.cents, 0) || ' cents in the ledger and ' || wanted || ' by its documents.'
      from expected e
      cross join lateral (values ('premium_debtors', e.premium_debtors), ('unallocated_receipts', e.unallocated_receipts)) as v (name, wanted)
      left join balances b on b.policy_id = e.policy_id and b.account = v.name
      where coalesce(b.cents, 0) <> wanted
    union all select w.account || ' is ' || coalesce(t.cents, 0) || ' cents in the ledger and ' || w.cents || ' by the documents.'
      from whole w left join account_totals t on t.account = w.account where coalesce(t.cents, 0) <> w.cents
    union all select 'Receipt ' || r.number || ' is allocated beyond its amount.'
      from receipts r where (select coalesce(sum(amount_cents), 0) from receipt_allocations a where a.receipt_id = r.id and a.released_at is null)
        > case when r.reversed_at is null then r.amount_cents else 0 end
    union all select 'Invoice ' || i.number || ' is allocated beyond what it asks for.'
      from invoices i where (select coalesce(sum(amount_cents), 0) from receipt_allocations a where a.invoice_id = i.id and a.released_at is null)
        > i.total_cents - (select coalesce(sum(c.total_cents), 0) from credit_notes c where c.invoice_id = i.id)`)
  return faults.map(({ fault }) => fault)
}
