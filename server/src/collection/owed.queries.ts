import { ageBucketDays, ageBuckets } from "@milkwood/domain/billing/ageing"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { allocatedCents, creditedCents, isOpen, openCents, writtenOffCents } from "../billing/invoice-money.ts"
import { isUnallocatedSql, unallocatedCents } from "../receipts/credit.queries.ts"

const isLate = (today: Day) => sql`i.due_on < ${today}::date`

const ageSumsOn = (today: Day): SQL[] => {
  const days = sql`(${today}::date - i.due_on)`
  return ageBuckets.map((bucket) => {
    const { from, to } = ageBucketDays[bucket]
    const lower = from === null ? sql`true` : sql`${days} >= ${from}::int`
    const upper = to === null ? sql`true` : sql`${days} <= ${to}::int`
    return sql`case when ${lower} and ${upper} then ${openCents} else 0 end`
  })
}

const periodFigures = ["expectedCents", "collectedCents", "outstandingCents", "writtenOffCents", "creditCents"] as const
const currentFigures = ["openCents", "overdueCents", "paidOfOverdueCents", "allCreditCents", ...ageBuckets] as const

type Figure = (typeof periodFigures)[number] | (typeof currentFigures)[number]

function figuresSelect(
  source: SQL,
  own: { [F in Figure]?: SQL },
  { isInPeriod, since }: { isInPeriod: SQL; since?: SQL },
) {
  const columns = [...periodFigures, ...currentFigures].map(
    (name) => sql`${own[name] ?? sql`0`} as ${sql.identifier(name)}`,
  )
  return sql`select policy_id, ${sql.join(columns, sql`, `)}, ${isInPeriod} as in_period,
    ${since ?? sql`null::date`} as since ${source}`
}

/**
 * Figures per policy billed or paid in a month (its first day) or in all months. Open, overdue, total credit and ages
 * are of the whole policy today. Uses the stored sums of invoices and receipts.
 */
export function figuresSql(month: Day | "all", today: Day): SQL {
  const within = (day: SQL) =>
    month === "all" ? sql`true` : sql`(${day} >= ${month}::date and ${day} < (${month}::date + interval '1 month'))`
  const billed = figuresSelect(
    sql`from invoices i where i.status = 'sent' and ${within(sql`i.period_start_on`)}`,
    {
      expectedCents: sql`i.total_cents - ${creditedCents} - ${writtenOffCents}`,
      collectedCents: allocatedCents,
      outstandingCents: openCents,
      writtenOffCents,
    },
    { isInPeriod: sql`true` },
  )
  const ages = Object.fromEntries(ageSumsOn(today).map((cents, at) => [ageBuckets[at]!, cents]))
  const open = figuresSelect(
    sql`from invoices i where ${isOpen}`,
    {
      openCents,
      overdueCents: sql`case when ${isLate(today)} then ${openCents} else 0 end`,
      paidOfOverdueCents: sql`case when ${isLate(today)} then ${allocatedCents} else 0 end`,
      ...ages,
    },
    { isInPeriod: sql`false`, since: sql`case when ${isLate(today)} then i.due_on end` },
  )
  const isReceived = within(sql`r.received_on`)
  const credit = figuresSelect(
    sql`from receipts r where ${isUnallocatedSql}`,
    { creditCents: sql`case when ${isReceived} then ${unallocatedCents} else 0 end`, allCreditCents: unallocatedCents },
    { isInPeriod: isReceived },
  )
  const sums = [...periodFigures, ...currentFigures].map(
    (name) => sql`sum(${sql.identifier(name)})::bigint as ${sql.identifier(name)}`,
  )
  return sql`
    select policy_id, ${sql.join(sums, sql`, `)}, min(since) as "overdueSince"
    from (${billed} union all ${open} union all ${credit}) moved
    group by policy_id having bool_or(in_period)`
}

/** Columns: policy_id and open, overdue and credit cents. */
export const debtSql = (today: Day): SQL => sql`
  select policy_id, sum(open)::bigint as "openCents", sum(overdue)::bigint as "overdueCents",
    sum(credit)::bigint as "creditCents"
  from (
    select i.policy_id, ${openCents} as open, case when ${isLate(today)} then ${openCents} else 0 end as overdue, 0 as credit
    from invoices i where ${isOpen}
    union all
    select r.policy_id, 0, 0, ${unallocatedCents} from receipts r where ${isUnallocatedSql}
  ) moved group by policy_id`
