import { addMonths, type Day, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { vatOn } from "../benefits/vat.queries.ts"
import { storedSetting } from "../platform/settings/store.ts"
import { policyRecipients } from "../policies/policy-recipients.ts"
import { comparedMonthsSql } from "./difference.queries.ts"

/** Empty if the organisation has no VAT number. */
export const organisationVatNumber = sql`coalesce(${storedSetting("organisation")} ->> 'vatNumber', '')`

interface PreviewQuery {
  /** Selects policy ids. */
  policies: SQL
  /** First day of the billed month. */
  month: Day
  knownAt: Temporal.Instant
}

/**
 * Obstacles to billing a month, apart from a missing premium: rows `policy_id, place, kind, invoice_id`. The first by
 * `place` applies.
 */
export function obstaclesSql({ policies, month }: Omit<PreviewQuery, "knownAt">): SQL {
  return sql`
    select p.id as policy_id, 2 as place, 'no_contact' as kind, null::uuid as invoice_id
    from policies p where p.id in (${policies}) and p.contact_email = '' and ${policyRecipients("invoices").to} = ''
    union all
    select i.policy_id, 3, 'typed_lines', i.id from invoices i
    left join policy_billed_from b on b.policy_id = i.policy_id and b.superseded_at is null
    where i.policy_id in (${policies}) and i.kind = 'premium' and i.status <> 'cancelled' and i.credited_whole_at is null
      and i.period_start_on <= ${lastOfMonth(month)}::date and (b.month is null or i.period_end_on >= b.month)
      and not exists (select from invoice_lines l where l.invoice_id = i.id and l.billed_month is not null)`
}

/**
 * One row per policy: `policy_id, group_id, obstacle, invoice_id, differs, members, base, net, vat, is_credited, last,
 * joiners, leavers, premium, is_first, is_active`. Cents without VAT. `last` is null if the bill excludes the month.
 */
export function previewSql({ policies, month, knownAt }: PreviewQuery): SQL {
  const before = addMonths(month, -1)
  const asked = sql`select id from asked`
  return sql`
    with asked as materialized (select id from policies where id in (${policies})),
    laid as materialized (
      select policy_id, member_id, month, owed_cents, billed_cents, is_owed, billed_at
      from (${comparedMonthsSql({ policies: asked, month, knownAt, alsoFrom: before })}) d),
    compared as (select * from laid where owed_cents is distinct from billed_cents),
    differing as (select * from compared where owed_cents is not null),
    months as materialized (
      select d.policy_id, d.month, v.class, v.percent
      from (select distinct policy_id, month from differing) d
      join policies p on p.id = d.policy_id
      cross join lateral (${vatOn(sql`p.product_type_id`, sql`d.month`, knownAt)}) v
    ),
    billed as (select distinct policy_id from laid where month = ${month}::date and billed_at is not null),
    nets as (
      select d.policy_id, m.class, m.percent, sum(d.owed_cents - d.billed_cents) as net,
        coalesce(sum(d.owed_cents) filter (where d.month = ${month}::date and b.policy_id is null and d.billed_cents = 0), 0) as base
      from differing d join months m on m.policy_id = d.policy_id and m.month = d.month
      left join billed b on b.policy_id = d.policy_id
      group by d.policy_id, m.class, m.percent
    ),
    bills as (
      select policy_id, sum(net)::bigint as net, sum(base)::bigint as base, sum(round(net * percent / 100))::bigint as vat,
        min(net) < 0 or sum(net) <= 0 as is_credited
      from nets group by policy_id
    ),
    -- Of each member who owes this month or the one before: how many rows, and what they come to.
    members as (
      select policy_id, member_id,
        count(*) filter (where month = ${month}::date) as now, sum(owed_cents) filter (where month = ${month}::date) as cents,
        count(*) filter (where month = ${before}::date) as was, sum(owed_cents) filter (where month = ${before}::date) as cents_before
      from laid where is_owed and month >= ${before}::date group by policy_id, member_id
    ),
    moves as (
      select policy_id, count(*) filter (where now > 0 and cents > 0) as members,
        coalesce(sum(cents) filter (where was = 0), 0)::bigint as joiners,
        coalesce(-sum(cents_before) filter (where now = 0), 0)::bigint as leavers,
        coalesce(sum(cents - cents_before), 0)::bigint as premium
      from members group by policy_id
    ),
    unsent as (
      select distinct on (d.policy_id) d.policy_id, 4 as place, 'draft' as kind, i.id as invoice_id
      from differing d join bills b on b.policy_id = d.policy_id and b.is_credited
      join invoices i on i.policy_id = d.policy_id and i.status in ('draft', 'pending')
      where d.owed_cents < d.billed_cents and exists (select from invoice_lines l
        where l.invoice_id = i.id and l.member_id = d.member_id and l.billed_month = d.month)
      order by d.policy_id, i.created_at
    ),
    unregistered as (
      select policy_id, 5 as place, 'no_vat_number' as kind, null::uuid as invoice_id from bills
      where vat > 0 and ${organisationVatNumber} = ''
    ),
    obstacle as (
      select distinct on (policy_id) policy_id, kind, invoice_id
      from (
        select policy_id, 1 as place, 'no_premium' as kind, null::uuid as invoice_id from compared where owed_cents is null
        union all ${obstaclesSql({ policies: asked, month })}
        union all select policy_id, place, kind, invoice_id from unsent
        union all select * from unregistered) o
      order by policy_id, place
    )
    select p.id as policy_id, p.group_id, o.kind as obstacle, o.invoice_id, b.policy_id is not null as differs,
      coalesce(m.members, 0)::int as members, coalesce(b.base, 0) as base, coalesce(b.net, 0) as net, coalesce(b.vat, 0) as vat,
      coalesce(b.is_credited, false) as is_credited,
      case when this.taken then null else (
        select i.subtotal_cents from invoices i
        where i.policy_id = p.id and i.kind = 'premium' and i.status <> 'cancelled' and i.credited_whole_at is null
          and daterange(i.period_start_on, i.period_end_on, '[]') @> ${before}::date) end as last,
      coalesce(m.joiners, 0) as joiners, coalesce(m.leavers, 0) as leavers, coalesce(m.premium, 0) as premium,
      not exists (select from invoices i where i.policy_id = p.id and i.status <> 'cancelled') as is_first,
      p.status = 'Active' as is_active
    from asked a join policies p on p.id = a.id
    left join bills b on b.policy_id = p.id
    left join moves m on m.policy_id = p.id
    left join obstacle o on o.policy_id = p.id
    cross join lateral (select exists (select from invoices i
      where i.policy_id = p.id and i.kind = 'premium' and i.status <> 'cancelled' and i.credited_whole_at is null
        and daterange(i.period_start_on, i.period_end_on, '[]') @> ${month}::date) as taken) this
    where p.status = 'Active' or b.policy_id is not null or o.kind = 'no_premium'`
}
