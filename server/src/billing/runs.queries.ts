import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { billingRunActionsOf, parkedReasons, runMarks } from "@milkwood/domain/billing/billing-run"
import { lastMonthToRun } from "@milkwood/domain/billing/billing-run-steps"
import type { BillingRunDetail, BillingRunRow, RunPolicyRow } from "@milkwood/domain/billing/billing-runs.contract"
import { billLines } from "@milkwood/domain/billing/run-bill"
import { runPoliciesList } from "@milkwood/domain/billing/run-policies.list"
import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { readSettings } from "../platform/settings/store.ts"
import { jobOf } from "../platform/work/jobs.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { owedByMonth } from "../premiums/owed.queries.ts"
import { addRates } from "./bill-policy.ts"
import { differenceOf } from "./difference.queries.ts"
import { countRunPolicies, unmailedNotes } from "./run-record.ts"

const runRow = sql.raw(`
  select r.id, r.number, r.month, r.status, r.outcome, r.created_at as "createdAt", r.made_at as "madeAt", r.version,
    coalesce((select name from users u where u.id = r.created_by), 'A former user') as "createdByName", r.job_id as "jobId"
  from billing_runs r`)

export const listRuns = query(billingContract.runs.list, async ({ tx, today }) => {
  const rows = await tx.rows<BillingRunRow & { jobId: unknown }>(
    sql`${runRow} where r.status <> 'cancelled' order by r.created_at desc, r.id limit 24`,
  )
  const month = firstOfMonth(today)
  // Policies without any line for this month, also no adjustment. Looks for one line per policy first, to avoid
  // scanning all lines.
  const unbilled = await tx.row(sql`
    with unbilled as materialized (
      select p.id from policies p where p.status = 'Active' and (
        select i.id from invoices i
        where i.policy_id = p.id and i.status <> 'cancelled' and i.credited_whole_at is null and i.period_end_on >= ${month}::date
          and (select l.id from invoice_lines l where l.invoice_id = i.id and l.billed_month = ${month}::date limit 1) is not null
        limit 1) is null
    )
    select from (${owedByMonth({ policies: sql`select id from unbilled`, from: month, month })}) o where o.cents > 0 limit 1`)
  const lastMonth = lastMonthToRun(today)
  return { rows: rows.map(({ jobId: _, ...row }) => row), nextMonth: unbilled ? month : lastMonth, lastMonth }
})

export async function runDetail(cx: Pick<Cx, "app" | "tx" | "actor">, runId: string): Promise<BillingRunDetail> {
  const { tx, actor } = cx
  const found = await tx.row<BillingRunRow & { jobId: string | null }>(sql`${runRow} where r.id = ${runId}`)
  if (!found) throw refused("NOT_FOUND", "This premium run does not exist.")
  const { jobId, ...run } = found
  const counts = await countRunPolicies(tx, runId)
  const totals = await tx.row<BillingRunDetail["totals"]>(sql`
    select coalesce(sum(base_cents + adjustment_cents), 0)::bigint as "netCents", coalesce(sum(vat_cents), 0)::bigint as "vatCents",
      coalesce(sum(total_cents), 0)::bigint as "totalCents"
    from billing_run_policies where run_id = ${runId} and state in ('waiting', 'made')`)
  const { role } = ruleActor(actor)
  return {
    ...run,
    counts,
    totals: totals!,
    earlier: await loadEarlierMonths(tx, run),
    isMailed: await isMailEnabled(cx),
    job: (jobId && (await jobOf(cx, jobId))) || null,
    allowedActions: billingRunActionsOf(run, counts, role),
  }
}

const maxListedMonths = 5

async function loadEarlierMonths(
  tx: Tx,
  { id, month }: Pick<BillingRunRow, "id" | "month">,
): Promise<BillingRunDetail["earlier"]> {
  const rows = await tx.rows<BillingRunDetail["earlier"]["largest"][number] & { policies: number; all: Cents }>(sql`
    select p.id as "policyId", p.number as "policyNumber", g.name as "groupName", r.adjustment_cents as cents,
      (extract(year from apart) * 12 + extract(month from apart))::int as months,
      count(*) over ()::int as policies, sum(r.adjustment_cents) over ()::bigint as all
    from billing_run_policies r
    join policies p on p.id = r.policy_id join employer_groups g on g.id = p.group_id
    left join policy_billed_from b on b.policy_id = p.id and b.superseded_at is null
    cross join lateral (select age(${month}::date, coalesce(b.month, date_trunc('month', p.start_on)::date)) as apart) months
    where r.run_id = ${id} and r.state = 'waiting' and 'first_invoice' = any (r.marks) and r.adjustment_cents > 0
    order by r.adjustment_cents desc, p.number limit ${maxListedMonths}`)
  return {
    policies: rows[0]?.policies ?? 0,
    cents: rows[0]?.all ?? 0,
    largest: rows.map(({ policies: _, all: __, ...row }) => row),
  }
}

export const readRun = query(billingContract.runs.detail, (cx) => runDetail(cx, cx.input.runId))

const hasMark = Object.fromEntries(runMarks.map((mark) => [mark, sql`s.marks @> array[${mark}]::text[]`]))

export const runPolicies = new List<typeof runPoliciesList, RunPolicyRow>(runPoliciesList, {
  select: () => sql`
    select r.id, r.run_id as "runId", r.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName", r.state,
      r.reason_kind as "reasonKind", coalesce(r.reason, r.send_failure) as reason, r.mend_invoice_id as "mendInvoiceId",
      m.number as "mendInvoiceNumber", r.members, r.base_cents as "baseCents", r.adjustment_cents as "adjustmentCents",
      r.vat_cents as "vatCents", r.total_cents as "totalCents", r.last_cents as "lastCents",
      r.base_cents + r.adjustment_cents - r.last_cents as "changeCents",
      case when r.last_cents <> 0 then round((r.base_cents + r.adjustment_cents - r.last_cents) * 100.0 / r.last_cents)::int end as percent,
      r.joiners_cents as "joinersCents", r.leavers_cents as "leaversCents", r.premium_cents as "premiumCents",
      r.other_cents as "otherCents", r.marks, r.invoice_id as "invoiceId", i.number as "invoiceNumber",
      cardinality(r.credit_note_ids) as "creditNotes",
      case when r.credit_note_ids = '{}' then 0 else (select count(*) from (${unmailedNotes}) note)::int end as unmailed,
      r.run_id as "_runId", lower(g.name) as "_group", lower(p.number) as "_policy", p.number as "_policyNumber"
    from billing_run_policies r
    left join policies p on p.id = r.policy_id
    left join employer_groups g on g.id = r.group_id
    left join invoices i on i.id = r.invoice_id
    left join invoices m on m.id = r.mend_invoice_id`,
  search: (pattern) => [
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  sortColumns: { groupName: ["_group"], policyNumber: ["_policyNumber"] },
  filters: { mark: (mark: string) => hasMark[mark as keyof typeof hasMark]! },
  present: (row: RunPolicyRow) => ({
    ...row,
    reason: row.reason ?? (row.reasonKind && parkedReasons[row.reasonKind]),
  }),
})

export const listRunPolicies = query(billingContract.runs.policies, (cx) => runPolicies.answer(cx, cx.input))

const maxRunLines = 500

export const readRunLines = query(billingContract.runs.lines, async (cx) => {
  const { runId, policyId } = cx.input
  const run = await cx.tx.row<{ month: Day }>(sql`
    select r.month from billing_runs r join billing_run_policies p on p.run_id = r.id
    where r.id = ${runId} and p.policy_id = ${policyId}`)
  if (!run) throw refused("NOT_FOUND")
  const { dateFormat, timezone } = await readSettings(cx.tx, platformSettings)
  const found = await differenceOf(cx.tx, policyId, run.month, cx.now)
  const names = new Map(found.map(({ memberId, firstName, lastName }) => [memberId, `${firstName} ${lastName}`]))
  // Adjustments first: they are what users check.
  const lines = billLines(await addRates(cx, policyId, found), run.month, {
    dateFormat,
    timezone,
    currency: cx.currency,
  }).sort((one, other) => Number(other.isAdjustment) - Number(one.isAdjustment))
  return {
    total: lines.length,
    lines: lines.slice(0, maxRunLines).map(({ memberId, billedMonth, unitCents, description, isAdjustment }) => ({
      memberId,
      memberName: names.get(memberId)!,
      month: billedMonth,
      cents: unitCents,
      description,
      isAdjustment,
    })),
  }
})
