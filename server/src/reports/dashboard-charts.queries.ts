import { claimTabs } from "@milkwood/domain/claims/claim"
import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { chartsOfRole, type DashboardChart, monthEndsBefore, monthsUpTo } from "@milkwood/domain/reports/dashboard"
import { type DashboardCharts, reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { allocatedCents, openCents } from "../billing/invoice-money.ts"
import { activeToday } from "../members/member-counts.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { experienceByMonth } from "./catalogue/report-list.ts"
import { owedByAge } from "./debtors-ageing.queries.ts"

type ChartRows<C extends DashboardChart> = NonNullable<DashboardCharts[C]>

const statusListSql = (names: readonly string[]): SQL => sql.raw(names.map((status) => `'${status}'`).join(", "))

const joinMonthsSql = (months: readonly Day[], found: SQL, figures: readonly string[]): SQL => sql`
  select m.month, ${sql.join(
    figures.map((name) => sql`coalesce(f.${sql.identifier(name)}, 0)::bigint as ${sql.identifier(name)}`),
    sql`, `,
  )}
  from unnest(${sql.param([...months])}::date[]) m (month) left join (${found}) f on f.month = m.month order by m.month`

const monthSql = (day: string): SQL => sql`date_trunc('month', ${sql.raw(day)})::date`

const readMoney = async ({ tx, today }: Cx): Promise<ChartRows<"money">> => {
  const months = monthsUpTo(today)
  return tx.rows<ChartRows<"money">[number]>(
    joinMonthsSql(
      months,
      sql`select month, sum(billed) as "billedCents", sum(collected) as "collectedCents" from (
        select ${monthSql("invoice_on")} as month, sum(total_cents) as billed, 0::bigint as collected from invoices
          where status = 'sent' and invoice_on >= ${months[0]}::date and invoice_on <= ${today}::date group by 1
        union all
        select ${monthSql("credited_on")}, -sum(total_cents), 0 from credit_notes
          where credited_on >= ${months[0]}::date and credited_on <= ${today}::date group by 1
        union all
        select ${monthSql("received_on")}, 0, sum(amount_cents) from receipts
          where reversed_at is null and received_on >= ${months[0]}::date and received_on <= ${today}::date group by 1
      ) moved group by month`,
      ["billedCents", "collectedCents"],
    ),
  )
}

const readInvoiced = async ({ tx, today }: Cx): Promise<ChartRows<"invoiced">> => {
  const months = monthsUpTo(today)
  return tx.rows<ChartRows<"invoiced">[number]>(
    joinMonthsSql(
      months,
      sql`select ${monthSql("i.invoice_on")} as month, sum(${allocatedCents}) as "paidCents", sum(${openCents}) as "openCents"
        from invoices i where i.status = 'sent' and i.invoice_on >= ${months[0]}::date and i.invoice_on <= ${today}::date group by 1`,
      ["paidCents", "openCents"],
    ),
  )
}

/** A range of instants, so that PostgreSQL reads the index only. */
const readClaims = async ({ tx, today, timezone }: Cx): Promise<ChartRows<"claims">> => {
  return tx.rows<ChartRows<"claims">[number]>(sql`
    select m.month, f.pending, f.approved, f.rejected,
      round((extract(epoch from f.taken) / 86400)::numeric, 1)::float8 as "averageDays"
    from unnest(${sql.param(monthsUpTo(today))}::date[]) m (month)
    cross join lateral (
      select count(*) filter (where c.status in (${statusListSql(claimTabs.pending)})) as pending,
        count(*) filter (where c.status in (${statusListSql(claimTabs.approved)})) as approved,
        count(*) filter (where c.status in (${statusListSql(claimTabs.rejected)})) as rejected,
        avg(coalesce(c.final_approval_at, c.rejected_at) - c.submitted_at) as taken
      from claims c where c.status <> 'draft' and c.submitted_at >= (m.month::timestamp at time zone ${timezone})
        and c.submitted_at < ((m.month + interval '1 month') at time zone ${timezone})
    ) f order by m.month`)
}

const readExperience = async ({ tx, today }: Cx): Promise<ChartRows<"experience">> => {
  const months = monthsUpTo(today)
  return tx.rows<ChartRows<"experience">[number]>(
    joinMonthsSql(
      months,
      sql`select month, sum(earned)::bigint as "earnedCents", sum(incurred)::bigint as "incurredCents", sum(ledger)::bigint as "ledgerCents"
        from (${experienceByMonth(sql`${months[0]}::date`, sql`${firstOfMonth(today)}::date`)}) policies group by month`,
      ["earnedCents", "incurredCents", "ledgerCents"],
    ),
  )
}

const readMembers = async ({ tx, today }: Cx): Promise<ChartRows<"members">> => {
  const ends = monthEndsBefore(today)
  const found = await tx.rows<{ monthEnd: Day | null; active: number }>(sql`
    select month_end as "monthEnd", sum(total_members)::bigint as active from dashboard_month_ends
    where month_end = any (${sql.param(ends)}::date[]) group by month_end
    union all select null, ${activeToday}`)
  const active = new Map(found.map((row) => [row.monthEnd, row.active]))
  return monthsUpTo(today).map((month, place) => ({ month, active: active.get(ends[place] ?? null) ?? null }))
}

const readAgeing = ({ tx, today }: Cx): Promise<ChartRows<"ageing">> =>
  tx.row<ChartRows<"ageing">>(owedByAge(today)) as Promise<ChartRows<"ageing">>

const chartReaders: { [C in DashboardChart]: (cx: Cx) => Promise<ChartRows<C>> } = {
  money: readMoney,
  invoiced: readInvoiced,
  claims: readClaims,
  experience: readExperience,
  members: readMembers,
  ageing: readAgeing,
}

/** Row-level security limits the figures to the caller's groups. */
export const dashboardCharts = query(
  reportsContract.dashboardCharts,
  async (cx) => {
    const { role } = ruleActor(cx.actor)
    const answer: Record<DashboardChart, unknown> = {
      ...{ money: null, invoiced: null, claims: null, experience: null, members: null, ageing: null },
    }
    for (const chart of role ? chartsOfRole[role] : []) answer[chart] = await chartReaders[chart](cx)
    return answer as DashboardCharts
  },
  { heavy: true },
)
