import { vatClassNames } from "@milkwood/domain/benefits/vat"
import { accountNames } from "@milkwood/domain/ledger/account"
import {
  cashBook as cashBookReport,
  premiumBilling as premiumBillingReport,
  vatAndTrialBalance as vatAndTrialBalanceReport,
} from "@milkwood/domain/reports/catalogue/financial"
import { sql } from "drizzle-orm"
import { vatRateSql, vatSumsSql } from "../../month-end/vat.queries.ts"
import { idOf } from "../../platform/lists/list-rows.ts"
import { recordLinkSql, reportList } from "./report-list.ts"

export const premiumBilling = reportList(
  premiumBillingReport.list,
  ({ from, to }) => sql`
    select ${idOf(sql`d.policy_id::text || d.month`)} as id, d.*, d."totalCents" - d."creditedCents" as "remainingCents",
      g.name as "groupName", p.number as "policyNumber", ${recordLinkSql("policy", "p.id")} as opens, p.group_id as "_groupId",
      lower(g.name) as _group
    from (
      select policy_id, month, count(*) filter (where is_invoice)::int as invoices, sum(billed)::bigint as "billedCents",
        sum(earlier)::bigint as "earlierCents", sum(discount)::bigint as "discountCents", sum(vat)::bigint as "vatCents",
        sum(total)::bigint as "totalCents", sum(credited)::bigint as "creditedCents"
      from (
        select i.policy_id, date_trunc('month', i.invoice_on)::date as month, true as is_invoice, i.subtotal_cents as billed,
          i.earlier_cents as earlier, i.discount_cents as discount, i.vat_cents as vat, i.total_cents as total, 0 as credited
        from invoices i where i.status = 'sent' and i.invoice_on between ${from}::date and ${to}::date
        union all
        select n.policy_id, date_trunc('month', n.credited_on)::date, false, 0, 0, 0, 0, 0, n.total_cents
        from credit_notes n where n.credited_on between ${from}::date and ${to}::date
      ) documents group by policy_id, month
    ) d
    join policies p on p.id = d.policy_id join employer_groups g on g.id = p.group_id`,
  { sortColumns: { groupName: ["_group", "policyNumber", "month"], policyNumber: ["policyNumber", "month"] } },
)

export const cashBook = reportList(
  cashBookReport.list,
  ({ from, to }) => sql`
    select ${idOf(sql`on_day || movement || coalesce(method, '')`)} as id, on_day as "on", movement,
      method, count(*)::int as entries,
      sum(greatest(cash, 0))::bigint as "inCents", sum(greatest(-cash, 0))::bigint as "outCents", sum(allocated)::bigint as "allocatedCents"
    from (
      select e.effective_on as on_day, coalesce(o.kind || '_reversed', e.kind) as movement, coalesce(r.method, p.method) as method,
        sum(l.amount_cents) filter (where l.account in ('bank', 'undeposited')) as cash,
        coalesce(sum(-l.amount_cents) filter (where l.account = 'premium_debtors' and coalesce(o.kind, e.kind) = 'allocation'), 0) as allocated
      from ledger_entries e
      join ledger_postings l on l.entry_id = e.id
      left join ledger_entries o on o.id = e.reverses_id
      left join receipts r on e.record_kind = 'receipt' and r.id = e.record_id
      left join payouts p on e.record_kind = 'payout' and p.id = e.record_id
      where e.effective_on between ${from}::date and ${to}::date
      group by e.id, o.kind, r.method, p.method
      having coalesce(sum(l.amount_cents) filter (where l.account in ('bank', 'undeposited')), 0) <> 0
        or coalesce(o.kind, e.kind) = 'allocation'
    ) moved group by on_day, movement, method`,
  { sortColumns: { on: ["on", "movement", "method"] } },
)

export const vatAndTrialBalance = reportList(
  vatAndTrialBalanceReport.list,
  ({ from, to }) => sql`
    select ${idOf(sql`place::text`)} as id, place, account, part, "openingCents", "debitCents", "creditCents", "closingCents", "outputVatCents"
    from (
      select (array_position(${sql.param([...accountNames])}::text[], account) * 1000)::int as place, account, null::text as part,
        opening as "openingCents", debit as "debitCents", credit as "creditCents", opening + debit - credit as "closingCents",
        null::bigint as "outputVatCents"
      from (
        select account, coalesce(sum(before), 0)::bigint as opening, coalesce(sum(debit), 0)::bigint as debit,
          coalesce(sum(credit), 0)::bigint as credit
        from (
          select account, debit_cents - credit_cents as before, 0 as debit, 0 as credit
          from ledger_months where month < date_trunc('month', ${from}::date)
          union all
          select account, amount_cents, 0, 0 from ledger_postings
          where effective_on >= date_trunc('month', ${from}::date) and effective_on < ${from}::date
          union all
          select account, 0, greatest(amount_cents, 0), greatest(-amount_cents, 0) from ledger_postings
          where effective_on between ${from}::date and ${to}::date
        ) moved group by account
      ) balances
      union all
      select (array_position(${sql.param([...accountNames])}::text[], 'vat_output') * 1000
          + row_number() over (order by vat_class, vat_percent))::int,
        'vat_output', trim((${sql.param(JSON.stringify(vatClassNames))}::jsonb ->> vat_class) || ' ' || ${vatRateSql}),
        null, null, null, null, sum(vat)::bigint
      from (${vatSumsSql(from, to)}) v group by vat_class, vat_percent
    ) lines`,
)
