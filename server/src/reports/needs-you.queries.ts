import { highlightOverDays } from "@milkwood/domain/claims/claim-priority"
import { noticeDays } from "@milkwood/domain/collection/grace"
import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { type NeedKey, needsOf, queueOf, type Waiting } from "@milkwood/domain/reports/needs"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { isStatementDue } from "../banking/bank-accounts.queries.ts"
import { undelivered } from "../billing/delivery.queries.ts"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { capturedBy, unusuallyCovered, waitsFor } from "../claims/claim-lists.queries.ts"
import { claimsToPay } from "../claims/payable-claims.queries.ts"
import { brokenPromises, policiesWith } from "../collection/in-default.queries.ts"
import { policiesOf } from "../month-end/month-policies.queries.ts"
import { batchWaitsForRelease } from "../payouts/batches.queries.ts"
import { waitsForRelease } from "../payouts/payouts.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { mailDelivery } from "../platform/work/mail-server.ts"
import { expiresSoon } from "../policies/policy-list.queries.ts"
import { writeOffWaitsFor } from "../receipts/write-offs.queries.ts"
import { hasFailed } from "./schedules.queries.ts"

/** A select (count, late, cents, due = earliest deadline) over the same rows as its list. */
type Counting = (cx: Cx, facts: Facts) => SQL

interface Facts {
  hasMailServer: boolean
}

const nothingLate = sql`0 as late`
const noMoney = sql`null::bigint as cents`
const noDeadline = sql`null::date as due`
const first = (column: string) => sql`min(${sql.raw(column)}) as due`

const missing = (isMissing: SQL): SQL => sql`
  select case when ${isMissing} then 1 else 0 end as count, ${nothingLate}, ${noMoney}, ${noDeadline}`

const claims =
  (where: (cx: Cx) => SQL): Counting =>
  (cx) =>
    sql`
    select count(*) as count,
      count(*) filter (where ${cx.today}::date - (c.submitted_at at time zone ${cx.timezone})::date > ${highlightOverDays}) as late,
      coalesce(sum(c.requested_amount_cents), 0)::bigint as cents,
      (min(c.submitted_at) at time zone ${cx.timezone})::date + ${highlightOverDays}::int as due
    from claims c where ${where(cx)}`

const released = (kind: "claim" | "refund"): Counting => {
  return ({ actor }) => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(o.amount_cents), 0)::bigint as cents, ${noDeadline}
    from payouts o where o.subject_kind = ${kind} and ${waitsForRelease(actor)}`
}

const invoices = (status: "draft" | "pending"): Counting => {
  return () => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(i.total_cents), 0)::bigint as cents, ${noDeadline}
    from invoices i where i.status = ${status}`
}

const nextToDecide = ({ actor, today }: Cx): SQL => sql`
  (select '/claims/' || c.id || '/approve' from claims c where ${waitsFor(actor, today)} order by c.submitted_at, c.id limit 1)`

const nextOf: Partial<Record<NeedKey, Counting>> = {
  claimsToDecide: nextToDecide,
  graceOver: (cx) => oldest(policiesWith.grace_over(cx)),
  noticesDue: (cx) => oldest(policiesWith.notice(cx)),
  // Their lists only show the items; the action is elsewhere.
  monthToBill: () => sql`'/invoices/run'`,
  statementsDue: () => sql`'/invoices/reconciliation/lines'`,
}

const oldest = (policies: SQL): SQL =>
  sql`(select '/policies/' || d.id from (${policies}) d order by d.due_on, d.id limit 1)`

const counting: Record<NeedKey, Counting> = {
  claimsToDecide: claims(({ actor, today }) => waitsFor(actor, today)),
  unusualCovers: claims(
    ({ actor, today }) =>
      sql`${waitsFor(actor, today)} and ${unusuallyCovered({
        incidentOn: sql`c.incident_on`,
        startOn: sql`c.member_start_on`,
        endOn: sql`c.member_end_on`,
      })}`,
  ),
  claimsToReview: claims(() => sql`c.status = 'submitted' and cardinality(c.requested_documents) = 0`),
  claimsToRoute: claims(() => sql`c.status = 'under_review'`),
  claimsToComplete: claims(
    () => sql`c.status in ('submitted', 'under_review') and cardinality(c.requested_documents) > 0`,
  ),
  claimDrafts: claims(({ actor }) => sql`c.status = 'draft' and ${capturedBy(actor)}`),
  invoicesOverdue: ({ today }) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(${openCents}), 0)::bigint as cents, ${first("i.due_on")}
    from invoices i where ${isOpen} and i.due_on < ${today}::date`,
  claimsToPay: () => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(c.amount_cents), 0)::bigint as cents, ${noDeadline}
    from (${claimsToPay}) c`,
  paymentsToRelease: released("claim"),
  batchesToRelease: ({ actor }) => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(b.amount_cents), 0)::bigint as cents, ${noDeadline}
    from payout_batches b where ${batchWaitsForRelease(actor)}`,
  refundsToRelease: released("refund"),
  refundsFailed: () => sql`
    select count(*) as count, count(*) as late, coalesce(sum(amount_cents), 0)::bigint as cents, ${noDeadline}
    from payouts where subject_kind = 'refund' and status = 'failed'`,
  paymentsFailed: () => sql`
    select count(*) as count, count(*) as late, coalesce(sum(amount_cents), 0)::bigint as cents, ${noDeadline}
    from payouts where subject_kind = 'claim' and status = 'failed'`,
  writeOffsToConfirm: ({ actor }) => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(total_cents), 0)::bigint as cents, ${noDeadline}
    from write_offs w where ${writeOffWaitsFor(actor)}`,
  promisesBroken: (cx) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(cents), 0)::bigint as cents, ${first("promised_on")}
    from (${brokenPromises(cx)}) said`,
  graceOver: (cx) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(cents), 0)::bigint as cents, ${noDeadline}
    from (${policiesWith.grace_over(cx)}) d`,
  noticesDue: (cx) => sql`
    select count(*) as count, count(*) filter (where due_on + ${noticeDays}::int < ${cx.today}::date) as late,
      coalesce(sum(cents), 0)::bigint as cents, min(due_on) + ${noticeDays}::int as due
    from (${policiesWith.notice(cx)}) d`,
  groupsToCall: (cx) => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(d.cents), 0)::bigint as cents, ${noDeadline}
    from (${policiesWith.call(cx)}) d`,
  monthToBill: ({ today }) => sql`
    select count(*) as count, ${nothingLate}, ${noMoney}, ${noDeadline}
    from (${policiesOf(firstOfMonth(today))}) o where o.state = 'open'`,
  monthToClose: ({ today }) => sql`
    select count, greatest(count - 1, 0) as late, ${noMoney}, ${noDeadline} from (
      select coalesce(
        (select (extract(year from age(${firstOfMonth(today)}::date, m.month)) * 12
            + extract(month from age(${firstOfMonth(today)}::date, m.month)))::int - 1
          from closed_months m where m.reopened_at is null order by m.month desc limit 1),
        case when exists (select from ledger_entries where effective_on < ${firstOfMonth(today)}::date) then 1 else 0 end
      ) as count) open_months`,
  statementsDue: ({ today }) => sql`
    select count(*) as count, ${nothingLate}, ${noMoney}, ${noDeadline} from bank_accounts a where ${isStatementDue(today)}`,
  linesToMatch: () => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(abs(l.amount_cents)), 0)::bigint as cents, ${noDeadline}
    from bank_lines l
    where not exists (select from bank_placements p where p.line_id = l.id and p.undone_at is null)`,
  invoicesToApprove: invoices("draft"),
  invoicesToSend: invoices("pending"),
  invoicesUndelivered: ({ actor, today }) => sql`
    select count(*) as count, count(*) filter (where i.due_on < ${today}::date) as late,
      coalesce(sum(${openCents}), 0)::bigint as cents, ${first("i.due_on")}
    from invoices i where ${isOpen} and i.id in (select s.id from invoices s where ${undelivered(actor, "invoice")})`,
  policiesExpiring: ({ today }) => sql`
    select count(*) as count, count(*) filter (where p.end_on < ${today}::date + 14) as late,
      coalesce(sum(p.premium_cents * c.active) filter (where p.rate_table_id is null), 0)::bigint as cents, ${first("p.end_on")}
    from policies p left join member_counts c on c.policy_id = p.id
    where ${expiresSoon("p.status", "p.end_on", today)}`,
  staffListsToImport: () => sql`
    select count(*) as count, ${nothingLate}, ${noMoney}, ${noDeadline} from staff_lists where status = 'ready'`,
  membersToComplete: () => sql`
    select count(*) as count, ${nothingLate}, ${noMoney}, ${noDeadline} from members where to_complete <> '{}' and status <> 'Terminated'`,
  policyDrafts: () =>
    sql`select count(*) as count, ${nothingLate}, ${noMoney}, ${noDeadline} from policies where status = 'Draft'`,
  schedulesFailed: ({ actor }) => sql`
    select count(*) as count, count(*) as late, ${noMoney}, ${noDeadline} from report_schedules s where ${hasFailed(actor)}`,
  mailServerMissing: (_, { hasMailServer }) => missing(sql`${!hasMailServer}::boolean`),
  backupKeyMissing: () => missing(sql`not exists (select from backup_keys where replaced_at is null)`),
  mailsFailed: () =>
    sql`select count(*) as count, count(*) as late, ${noMoney}, ${noDeadline} from mails where state = 'failed'`,
}

/** Row-level security limits it to the caller's groups. */
export const needsYou = query(
  reportsContract.needsYou,
  async (cx) => {
    const keys = needsOf(ruleActor(cx.actor).role)
    const facts = { hasMailServer: (await mailDelivery(cx)) !== "outbox" }
    const counts = keys.map((key) => {
      const next = nextOf[key]?.(cx, facts) ?? sql`null`
      return sql`select ${key}::text as key, count, late::int, cents, due as "dueOn", ${next}::text as next from (${counting[key](cx, facts)}) n`
    })
    return queueOf(await cx.tx.rows<Waiting>(sql.join(counts, sql` union all `)))
  },
  { heavy: true },
)
