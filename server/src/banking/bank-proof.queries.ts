import type { ProofFacts, ProofItem } from "@milkwood/domain/banking/bank-proof"
import { statedBalanceAt } from "@milkwood/domain/banking/statement-chain"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { isPaymentInOpening, receiptCentsInOpening } from "./bank-accounts.queries.ts"
import { loadChain } from "./statement-chain.queries.ts"

interface Account {
  accountId: string
  name: string
  bank: string
  accountNumber: string
  openedOn: Day | null
  ledgerCents: Cents
  linesCents: Cents
}

/** All bank accounts with reconciling items on a day. The statement balance is read from the files only. */
export async function bankProofFacts({ tx }: Pick<Cx, "tx">, day: Day): Promise<ProofFacts[]> {
  const accounts = await tx.rows<Account>(sql`
    select a.id as "accountId", a.name, a.bank, a.account_number as "accountNumber", a.opened_on as "openedOn",
      (case when a.is_main
        then (select coalesce(sum(debit_cents - credit_cents), 0) from ledger_months where account = 'bank' and month <= ${day}::date)
          - (select coalesce(sum(p.amount_cents), 0) from ledger_postings p
              where p.bank_account_id <> a.id and p.effective_on <= ${day}::date)
        else (select coalesce(sum(p.amount_cents), 0) from ledger_postings p
          where p.bank_account_id = a.id and p.effective_on <= ${day}::date) end)::bigint as "ledgerCents",
      (coalesce(a.opening_cents, 0) + (select coalesce(sum(amount_cents), 0) from bank_lines l
        where l.account_id = a.id and l.day <= ${day}::date))::bigint as "linesCents"
    from bank_accounts a order by a.is_main desc, lower(a.name), a.id`)
  const facts: ProofFacts[] = []
  for (const { openedOn, linesCents, ...account } of accounts) {
    const isOpen = openedOn !== null && openedOn <= day
    const stated = isOpen ? statedBalanceAt(await loadChain(tx, account.accountId, { from: day, to: day }), day) : null
    const statement = {
      cents: stated?.cents ?? linesCents,
      lastLineOn: stated?.lastLineOn ?? null,
      number: stated?.cents == null ? null : stated.number,
    }
    const items = isOpen ? await loadProofItems(tx, account.accountId, day) : []
    facts.push({ ...account, statement: isOpen ? statement : null, items })
  }
  return facts
}

async function loadProofItems(tx: Tx, accountId: string, day: Day): Promise<ProofItem[]> {
  const items = await tx.rows<ProofItem>(sql`
    with a as materialized (select * from bank_accounts where id = ${accountId}),
    since as materialized (
      -- Records of which either side has something after the day.
      select e.record_kind as kind, e.record_id as id from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where p.account = 'bank' and p.effective_on > ${day}::date and e.record_kind in ('receipt', 'payout')
      union
      select case when m.receipt_id is null then 'payout' else 'receipt' end, coalesce(m.receipt_id, m.payout_id)
      from bank_lines l join bank_matches m on m.line_id = l.id and m.undone_at is null where l.day > ${day}::date
    ),
    matched as materialized (
      select receipt_id, payout_id, sum(amount_cents) as cents from bank_matches where undone_at is null group by 1, 2
    ),
    candidates (kind, id, held) as (
      select 'receipt', r.id, case when a.is_main and r.paid_into = 'bank' then ${receiptCentsInOpening} else 0 end
      from receipts r cross join a left join matched m on m.receipt_id = r.id
      where r.id in (select id from since where kind = 'receipt') or a.is_main and r.paid_into = 'bank'
        and (coalesce(m.cents, 0) <> case when r.reversed_at is null then r.amount_cents else 0 end
          or r.reversed_at is not null and r.received_on < a.opened_on)
      union
      -- Of another account than the main one: receipts of which the ledger has more, or less, than its lines show.
      select 'receipt', e.record_id, 0 from a join ledger_postings p on p.bank_account_id = a.id
      join ledger_entries e on e.id = p.entry_id and e.record_kind = 'receipt' where not a.is_main group by e.record_id, a.id
      having sum(p.amount_cents) <> coalesce((select sum(m.amount_cents) from bank_matches m join bank_lines l on l.id = m.line_id
        where m.receipt_id = e.record_id and l.account_id = a.id and m.undone_at is null), 0)
      union all
      select 'payout', o.id, case when (o.bank_account_id = a.id or a.is_main and o.bank_account_id is null) and ${isPaymentInOpening}
          and coalesce(o.returned_on >= a.opened_on, true) then -o.amount_cents else 0 end
      from payouts o cross join a left join matched m on m.payout_id = o.id
      where o.id in (select id from since where kind = 'payout')
        or o.status in ('completed', 'returned') and (o.bank_account_id = a.id or a.is_main and o.bank_account_id is null)
          and (coalesce(m.cents, 0) <> case o.status when 'completed' then -o.amount_cents else 0 end
            or o.status = 'returned' and o.completed_on < a.opened_on)
    ),
    records as (
      select c.kind, c.id, ledger.later, coalesce(ledger.cents, 0) - c.held - coalesce((
        select sum(m.amount_cents) from bank_matches m join bank_lines l on l.id = m.line_id
        where m.undone_at is null and l.account_id = ${accountId} and l.day <= ${day}::date
          and case c.kind when 'receipt' then m.receipt_id = c.id else m.payout_id = c.id end), 0) as cents
      from candidates c cross join lateral (
        select sum(p.amount_cents) filter (where p.effective_on <= ${day}::date) as cents,
          min(p.effective_on) filter (where p.effective_on > ${day}::date) as later
        from a cross join ledger_entries e join ledger_postings p on p.entry_id = e.id
        where e.record_kind = c.kind and e.record_id = c.id and p.account = 'bank' and ${isOfAccount}
      ) ledger
    )
    select case when x.kind = 'receipt' and x.cents > 0 then 'deposit' when x.kind = 'payout' and x.cents < 0 then 'payment'
        when x.later is not null then 'later' when x.cents > 0 then 'deposit' else 'payment' end as kind,
      x.kind as record, x.id, x.id as "recordId", coalesce(r.number, o.number) as number, coalesce(g.name, o.payee_name) as name,
      coalesce(r.received_on, o.completed_on, ${day}::date) as on,
      case when (x.kind = 'receipt') = (x.cents < 0) then x.later end as "countsOn", x.cents::bigint as "amountCents"
    from records x left join receipts r on x.kind = 'receipt' and r.id = x.id left join employer_groups g on g.id = r.group_id
    left join payouts o on x.kind = 'payout' and o.id = x.id
    where x.cents <> 0
    union all
    select 'unposted', 'bank_statement', l.id, l.statement_id, s.number, coalesce(nullif(l.text, ''), l.reference), l.day, null, -l.amount_cents
    from bank_lines l join bank_statements s on s.id = l.statement_id
    left join bank_placements p on p.line_id = l.id and p.undone_at is null
    where l.account_id = ${accountId} and l.day <= ${day}::date and (p.id is null or p.kind in ('transfer', 'unknown'))
    union all
    ${lateLines(accountId, day)}
    union all
    select 'later', 'bank_account', e.id, a.id, '', e.description, a.opened_on, e.effective_on, -p.amount_cents
    from a join ledger_entries e on e.record_kind = 'bank_account' and e.record_id = a.id and e.kind = 'bank_opening'
    join ledger_postings p on p.entry_id = e.id and p.account = 'bank' where e.effective_on > ${day}::date`)
  return items.sort((one, other) => compareTexts(one.on, other.on) || compareTexts(one.number, other.number))
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const isOfAccount = sql`(p.bank_account_id = a.id or a.is_main and p.bank_account_id is null)`

const lateLines = (accountId: string, day: Day): SQL => sql`
  select 'later', 'bank_statement', l.id, l.statement_id, s.number, coalesce(nullif(l.text, ''), l.reference), l.day, late.on,
    (late.cents - case when p.undone_at is null and l.day <= ${day}::date then l.amount_cents else 0 end)::bigint
  from (
    select placement.id, coalesce(sum(q.amount_cents) filter (where q.effective_on <= ${day}::date), 0) as cents,
      min(q.effective_on) filter (where q.effective_on > ${day}::date) as on
    from (
      select distinct split_part(e.source, ':', 2)::uuid as id from ledger_entries e
      where e.effective_on > ${day}::date and e.source like 'bank-placement:%' and e.kind in ('bank_charge', 'bank_interest', 'reversal')
    ) placement
    join ledger_entries e on e.source in ('bank-placement:' || placement.id, 'bank-placement:' || placement.id || ':reversed')
    join ledger_postings q on q.entry_id = e.id and q.account = 'bank'
    group by placement.id
  ) late
  join bank_placements p on p.id = late.id join bank_lines l on l.id = p.line_id join bank_statements s on s.id = l.statement_id
  where l.account_id = ${accountId}
    and late.cents <> case when p.undone_at is null and l.day <= ${day}::date then l.amount_cents else 0 end`
