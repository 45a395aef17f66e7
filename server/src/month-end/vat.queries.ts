import { vatClasses } from "@milkwood/domain/benefits/vat"
import { type Day, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { monthEndContract, type VatDocumentRow, type VatReturnRow } from "@milkwood/domain/month-end/month-end.contract"
import { vatKinds } from "@milkwood/domain/month-end/vat-return"
import { vatDocumentsList, vatReturnList } from "@milkwood/domain/month-end/vat-return.list"
import { type SQL, sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { idOf } from "../platform/lists/list-rows.ts"
import { requestedMonth } from "./month-policies.queries.ts"

/** VAT-relevant ledger entries effective in a month (or until `to`), with their document ids. */
const vatEntriesSql = (month: Day, to: Day = lastOfMonth(month)): SQL => sql`
  select e.kind, e.effective_on, split_part(e.source, ':', 2)::uuid as document_id from ledger_entries e
  where e.effective_on between ${month}::date and ${to}::date
    and (e.kind in ('invoice_sent', 'credit_note', 'write_off') or e.kind = 'reversal' and e.source like 'write-off:%')`

/**
 * Documents effective in a month (or until `to`), one row for each class and rate: `kind, document_id, invoice_id,
 * credit_note_id, counts_on, document_on, number, policy_id, group_id, vat_class, vat_percent, net, vat`.
 *
 * Cents; `net` is without VAT and before discount. Amounts that reduce VAT are negative. VAT is rounded once for each
 * document and rate. A write-off is divided among its invoice's classes, so that the parts add up exactly.
 */
export const vatSumsSql = (month: Day, to?: Day): SQL => sql`
  with entries as materialized (${vatEntriesSql(month, to)}), given_up as (
    select e.kind, e.effective_on, w.id, w.invoice_id, w.net_cents, w.vat_cents,
      case e.kind when 'reversal' then w.reversed_on else w.written_off_on end as document_on,
      l.vat_class, l.vat_percent, sum(l.net) over shares as net_to, sum(l.net) over whole as net_all,
      sum(l.vat) over shares as vat_to, sum(l.vat) over whole as vat_all, l.net as net_of, l.vat as vat_of
    from entries e join write_offs w on w.id = e.document_id
    cross join lateral (
      select vat_class, vat_percent, net_cents as net, round(net_cents * vat_percent / 100) as vat
      from invoice_vat where invoice_id = w.invoice_id
    ) l
    where e.kind in ('write_off', 'reversal')
    window whole as (partition by w.id, e.kind), shares as (partition by w.id, e.kind order by l.vat_percent desc, l.vat_class)
  ), rows as (
    select 'invoice' as kind, i.id as document_id, i.id as invoice_id, null::uuid as credit_note_id, e.effective_on as counts_on,
      i.invoice_on as document_on, i.number, i.policy_id, i.group_id, l.vat_class, l.vat_percent, l.net_cents as net,
      round(l.net_cents * l.vat_percent / 100) as vat
    from entries e join invoices i on i.id = e.document_id join invoice_vat l on l.invoice_id = i.id
    where e.kind = 'invoice_sent'
    union all
    select 'credit_note', c.id, c.invoice_id, c.id, e.effective_on, c.credited_on, c.number, c.policy_id, c.group_id,
      l.vat_class, l.vat_percent, -l.net, -l.vat
    from entries e join credit_notes c on c.id = e.document_id
    cross join lateral (select vat_class, vat_percent, sum(net_cents) as net, sum(vat_cents) as vat
      from credit_note_lines where credit_note_id = c.id group by 1, 2) l
    where e.kind = 'credit_note'
    union all
    select case w.kind when 'reversal' then 'relief_back' else 'relief' end, w.id, w.invoice_id, null, w.effective_on, w.document_on,
      i.number, i.policy_id, i.group_id, w.vat_class, w.vat_percent,
      case w.kind when 'reversal' then 1 else -1 end
        * coalesce(trunc(w.net_cents * w.net_to / nullif(w.net_all, 0)) - trunc(w.net_cents * (w.net_to - w.net_of) / nullif(w.net_all, 0)), 0),
      case w.kind when 'reversal' then 1 else -1 end
        * coalesce(trunc(w.vat_cents * w.vat_to / nullif(w.vat_all, 0)) - trunc(w.vat_cents * (w.vat_to - w.vat_of) / nullif(w.vat_all, 0)), 0)
    from given_up w join invoices i on i.id = w.invoice_id
  )
  select * from rows`

/** Such as "15,5%"; empty without VAT. */
export const vatRateSql = sql`case when vat_percent > 0 then replace(trim_scale(vat_percent)::text, '.', ',') || '%' else '' end`

const positionIn = (values: readonly string[], column: string) =>
  sql`array_position(${sql.param([...values])}::text[], ${sql.raw(column)})`

const vatLinesSql = (month: Day): SQL => sql`
  select ${idOf(sql`kind || vat_class || vat_percent`)} as id, kind, vat_class as "vatClass", ${vatRateSql} as rate,
    count(distinct document_id)::int as documents, sum(net)::bigint as "netCents", sum(vat)::bigint as "vatCents",
    (${positionIn(vatClasses, "vat_class")} * 1000000 - vat_percent * 100 + ${positionIn(vatKinds, "kind")})::int as place
  from (${vatSumsSql(month)}) v group by kind, vat_class, vat_percent`

export const vatLinesOf = (tx: Tx, month: Day): Promise<VatReturnRow[]> =>
  tx.rows<VatReturnRow>(sql`${vatLinesSql(month)} order by place`)

export const vatReturn = new List<typeof vatReturnList, VatReturnRow>(vatReturnList, {
  select: ({ today }, { month }) => vatLinesSql(requestedMonth(month, today)),
  materialized: true,
  filters: { month: () => sql`true` },
  present: ({ place: _, ...row }: VatReturnRow & { place: number }) => row,
})

export const vatDocuments = new List<typeof vatDocumentsList, VatDocumentRow>(vatDocumentsList, {
  select: ({ today }, { month }) => sql`
    select ${idOf(sql`v.kind || v.document_id || v.vat_class || v.vat_percent || v.counts_on`)} as id, v.kind,
      v.vat_class as "vatClass", ${vatRateSql} as rate, v.net::bigint as "netCents", v.vat::bigint as "vatCents", v.number,
      jsonb_build_object('kind', case when v.credit_note_id is null then 'invoice' else 'credit_note' end,
        'id', coalesce(v.credit_note_id, v.invoice_id)) as record,
      g.name as "groupName", p.number as "policyNumber", v.document_on as "documentOn", v.counts_on as "countsOn",
      lower(v.number) as _number, lower(g.name) as _group, lower(p.number) as _policy
    from (${vatSumsSql(requestedMonth(month, today))}) v
    left join policies p on p.id = v.policy_id
    left join employer_groups g on g.id = v.group_id`,
  materialized: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._number`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  sortColumns: { countsOn: ["countsOn", "_number"], number: ["_number"], groupName: ["_group", "_number"] },
  filters: { month: () => sql`true` },
  present: (row: VatDocumentRow) => row,
})

/** VAT owed to the revenue service by the ledger, in cents. */
export async function sumLedgerVat(tx: Tx, month: Day): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    select coalesce(sum(credit_cents - debit_cents), 0)::bigint as cents from ledger_months
    where account = 'vat_output' and month = ${month}::date`)
  return found!.cents
}

/** VAT owed to the revenue service by the documents' VAT totals, in cents. */
export async function sumDocumentsVat(tx: Tx, month: Day): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    with entries as materialized (${vatEntriesSql(month)})
    select ((select coalesce(sum(i.vat_cents), 0) from entries e join invoices i on i.id = e.document_id where e.kind = 'invoice_sent')
      - (select coalesce(sum(c.vat_cents), 0) from entries e join credit_notes c on c.id = e.document_id where e.kind = 'credit_note')
      + (select coalesce(sum(case e.kind when 'reversal' then w.vat_cents else -w.vat_cents end), 0)
          from entries e join write_offs w on w.id = e.document_id where e.kind in ('write_off', 'reversal')))::bigint as cents`)
  return found!.cents
}

export const readVatReturn = query(
  monthEndContract.vatReturn,
  async (cx) => {
    const month = requestedMonth(cx.input.month, cx.today)
    const answer = await vatReturn.page(cx, cx.input)
    const ledgerCents = await sumLedgerVat(cx.tx, month)
    return { ...answer, month, ledgerCents, agrees: answer.sums?.vatCents === ledgerCents }
  },
  { heavy: true },
)

export const listVatDocuments = query(monthEndContract.vatDocuments, (cx) => vatDocuments.page(cx, cx.input), {
  heavy: true,
})
