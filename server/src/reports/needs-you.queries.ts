import { highlightOverDays } from "@milkwood/domain/claims/claim-priority"
import { noticeDays } from "@milkwood/domain/collection/grace"
import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { type NeedKey, sortWaiting, type WaitingItem, workItemKeysOf } from "@milkwood/domain/reports/needs"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { isStatementDue } from "../banking/bank-accounts.queries.ts"
import { hasUndeliveredMail } from "../billing/delivery.queries.ts"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { isCapturedByActor, isDue, isUnusuallyCovered, isWaitingFor } from "../claims/claim-lists.queries.ts"
import { followUpDays } from "../claims/follow-ups.queries.ts"
import { claimsToPay } from "../claims/payable-claims.queries.ts"
import { brokenPromises, policiesByTask } from "../collection/in-default.queries.ts"
import { monthPoliciesSql } from "../month-end/month-policies.queries.ts"
import { isBatchWaitingForRelease } from "../payouts/batches.queries.ts"
import { isWaitingForRelease } from "../payouts/payouts.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { readMailDelivery } from "../platform/work/mail-server.ts"
import { expiresSoon } from "../policies/policy-list.queries.ts"
import { isWriteOffAwaiting } from "../receipts/write-offs.queries.ts"
import { outstandingListsSql } from "../staff-lists/outstanding-lists.queries.ts"
import { hasFailed } from "./schedules.queries.ts"

/** A select (count, late, cents, due = earliest deadline) over the same rows as its list. */
type NeedCount = (cx: Cx, facts: InstallationState) => SQL

interface InstallationState {
  hasMailServer: boolean
}

const zeroLateColumn = sql`0 as late`
const nullCentsColumn = sql`null::bigint as cents`
const nullDueColumn = sql`null::date as due`
const earliestDueColumn = (column: string) => sql`min(${sql.raw(column)}) as due`

const countMissing = (isMissing: SQL): SQL => sql`
  select case when ${isMissing} then 1 else 0 end as count, ${zeroLateColumn}, ${nullCentsColumn}, ${nullDueColumn}`

const countClaims =
  (where: (cx: Cx) => SQL): NeedCount =>
  (cx) =>
    sql`
    select count(*) as count,
      count(*) filter (where ${cx.today}::date - (c.submitted_at at time zone ${cx.timezone})::date > ${highlightOverDays}) as late,
      coalesce(sum(c.requested_amount_cents), 0)::bigint as cents,
      (min(c.submitted_at) at time zone ${cx.timezone})::date + ${highlightOverDays}::int as due
    from claims c where ${where(cx)}`

const countReleasablePayouts = (kind: "claim" | "refund"): NeedCount => {
  return ({ actor }) => sql`
    select count(*) as count, ${zeroLateColumn}, coalesce(sum(o.amount_cents), 0)::bigint as cents, ${nullDueColumn}
    from payouts o where o.subject_kind = ${kind} and ${isWaitingForRelease(actor)}`
}

const countInvoices = (status: "draft" | "pending"): NeedCount => {
  return () => sql`
    select count(*) as count, ${zeroLateColumn}, coalesce(sum(i.total_cents), 0)::bigint as cents, ${nullDueColumn}
    from invoices i where i.status = ${status}`
}

const nextClaimPath = ({ actor, today }: Cx): SQL => sql`
  (select '/claims/' || c.id || '/approve' from claims c where ${isWaitingFor(actor, today)} order by c.submitted_at, c.id limit 1)`

const nextPathByNeed: Partial<Record<NeedKey, NeedCount>> = {
  claimsToDecide: nextClaimPath,
  graceOver: (cx) => oldestPolicyPath(policiesByTask.grace_over(cx)),
  noticesDue: (cx) => oldestPolicyPath(policiesByTask.notice(cx)),
  // The lists of these items only show them, so the action has its own page.
  // With one list to send, the upload page preselects its policy.
  staffListsToSend: () => sql`case when count = 1 then '/members/import' end`,
  monthToBill: () => sql`'/invoices/run'`,
  statementsDue: () => sql`'/invoices/reconciliation/lines'`,
}

const oldestPolicyPath = (policies: SQL): SQL =>
  sql`(select '/policies/' || d.id from (${policies}) d order by d.due_on, d.id limit 1)`

const needCounts: Record<NeedKey, NeedCount> = {
  claimsToDecide: countClaims(({ actor, today }) => isWaitingFor(actor, today)),
  unusualCovers: countClaims(
    ({ actor, today }) =>
      sql`${isWaitingFor(actor, today)} and ${isUnusuallyCovered({
        incidentOn: sql`c.incident_on`,
        startOn: sql`c.member_start_on`,
        endOn: sql`c.member_end_on`,
      })}`,
  ),
  claimsDue: ({ today }) => sql`
    select count(*) as count, count(*) filter (where c.due_on < ${today}::date) as late,
      coalesce(sum(c.requested_amount_cents), 0)::bigint as cents, min(c.due_on) as due
    from claims c where ${isDue(today)}`,
  claimsToReview: countClaims(() => sql`c.status = 'submitted' and cardinality(c.requested_documents) = 0`),
  claimsToRoute: countClaims(() => sql`c.status = 'under_review'`),
  claimsToComplete: countClaims(
    () => sql`c.status in ('submitted', 'under_review') and cardinality(c.requested_documents) > 0`,
  ),
  claimDrafts: countClaims(({ actor }) => sql`c.status = 'draft' and ${isCapturedByActor(actor)}`),
  followUps: ({ actor, today }) => sql`
    select count(*) as count, count(*) filter (where f.follow_up_on < ${today}::date) as late, ${nullCentsColumn},
      min(f.follow_up_on) as due
    from (${followUpDays(actor)}) f where f.follow_up_on <= ${today}::date`,
  invoicesOverdue: ({ today }) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(${openCents}), 0)::bigint as cents, ${earliestDueColumn("i.due_on")}
    from invoices i where ${isOpen} and i.due_on < ${today}::date`,
  claimsToPay: () => sql`
    select count(*) as count, ${zeroLateColumn}, coalesce(sum(c.amount_cents), 0)::bigint as cents, ${nullDueColumn}
    from (${claimsToPay}) c`,
  paymentsToRelease: countReleasablePayouts("claim"),
  batchesToRelease: ({ actor }) => sql`
    select count(*) as count, ${zeroLateColumn}, coalesce(sum(b.amount_cents), 0)::bigint as cents, ${nullDueColumn}
    from payout_batches b where ${isBatchWaitingForRelease(actor)}`,
  refundsToRelease: countReleasablePayouts("refund"),
  refundsFailed: () => sql`
    select count(*) as count, count(*) as late, coalesce(sum(amount_cents), 0)::bigint as cents, ${nullDueColumn}
    from payouts where subject_kind = 'refund' and status = 'failed'`,
  paymentsFailed: () => sql`
    select count(*) as count, count(*) as late, coalesce(sum(amount_cents), 0)::bigint as cents, ${nullDueColumn}
    from payouts where subject_kind = 'claim' and status = 'failed'`,
  writeOffsToConfirm: ({ actor }) => sql`
    select count(*) as count, ${zeroLateColumn}, coalesce(sum(total_cents), 0)::bigint as cents, ${nullDueColumn}
    from write_offs w where ${isWriteOffAwaiting(actor)}`,
  promisesBroken: (cx) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(cents), 0)::bigint as cents, ${earliestDueColumn("promised_on")}
    from (${brokenPromises(cx)}) said`,
  graceOver: (cx) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(cents), 0)::bigint as cents, ${nullDueColumn}
    from (${policiesByTask.grace_over(cx)}) d`,
  noticesDue: (cx) => sql`
    select count(*) as count, count(*) filter (where due_on + ${noticeDays}::int < ${cx.today}::date) as late,
      coalesce(sum(cents), 0)::bigint as cents, min(due_on) + ${noticeDays}::int as due
    from (${policiesByTask.notice(cx)}) d`,
  groupsToCall: (cx) => sql`
    select count(*) as count, ${zeroLateColumn}, coalesce(sum(d.cents), 0)::bigint as cents, ${nullDueColumn}
    from (${policiesByTask.call(cx)}) d`,
  monthToBill: ({ today }) => sql`
    select count(*) as count, ${zeroLateColumn}, ${nullCentsColumn}, ${nullDueColumn}
    from (${monthPoliciesSql(firstOfMonth(today))}) o where o.state = 'open'`,
  monthToClose: ({ today }) => sql`
    select count, greatest(count - 1, 0) as late, ${nullCentsColumn}, ${nullDueColumn} from (
      select coalesce(
        (select (extract(year from age(${firstOfMonth(today)}::date, m.month)) * 12
            + extract(month from age(${firstOfMonth(today)}::date, m.month)))::int - 1
          from closed_months m where m.reopened_at is null order by m.month desc limit 1),
        case when exists (select from ledger_entries where effective_on < ${firstOfMonth(today)}::date) then 1 else 0 end
      ) as count) open_months`,
  statementsDue: ({ today }) => sql`
    select count(*) as count, ${zeroLateColumn}, ${nullCentsColumn}, ${nullDueColumn} from bank_accounts a where ${isStatementDue(today)}`,
  linesToMatch: () => sql`
    select count(*) as count, ${zeroLateColumn}, coalesce(sum(abs(l.amount_cents)), 0)::bigint as cents, ${nullDueColumn}
    from bank_lines l
    where not exists (select from bank_placements p where p.line_id = l.id and p.undone_at is null)`,
  invoicesToApprove: countInvoices("draft"),
  invoicesToSend: countInvoices("pending"),
  invoicesUndelivered: ({ actor, today }) => sql`
    select count(*) as count, count(*) filter (where i.due_on < ${today}::date) as late,
      coalesce(sum(${openCents}), 0)::bigint as cents, ${earliestDueColumn("i.due_on")}
    from invoices i where ${isOpen} and i.id in (select s.id from invoices s where ${hasUndeliveredMail(actor, "invoice")})`,
  policiesExpiring: ({ today }) => sql`
    select count(*) as count, count(*) filter (where p.end_on < ${today}::date + 14) as late,
      coalesce(sum(p.premium_cents * c.active) filter (where p.rate_table_id is null), 0)::bigint as cents, ${earliestDueColumn("p.end_on")}
    from policies p left join member_counts c on c.policy_id = p.id
    where ${expiresSoon("p.status", "p.end_on", today)}`,
  staffListsToImport: () => sql`
    select count(*) as count, ${zeroLateColumn}, ${nullCentsColumn}, ${nullDueColumn} from staff_lists where status = 'ready'`,
  staffListsLate: (cx) => sql`
    select count(*) as count, count(*) as late, ${nullCentsColumn}, ${earliestDueColumn("o.due_on")}
    from (${outstandingListsSql(cx)}) o where o.state = 'late'`,
  staffListsToSend: (cx) => sql`
    select count(*) as count, count(*) filter (where o.state = 'late') as late, ${nullCentsColumn}, ${earliestDueColumn("o.due_on")}
    from (${outstandingListsSql(cx)}) o`,
  membersToComplete: () => sql`
    select count(*) as count, ${zeroLateColumn}, ${nullCentsColumn}, ${nullDueColumn} from members where to_complete <> '{}' and status <> 'Terminated'`,
  policyDrafts: () =>
    sql`select count(*) as count, ${zeroLateColumn}, ${nullCentsColumn}, ${nullDueColumn} from policies where status = 'Draft'`,
  schedulesFailed: ({ actor }) => sql`
    select count(*) as count, count(*) as late, ${nullCentsColumn}, ${nullDueColumn} from report_schedules s where ${hasFailed(actor)}`,
  mailServerMissing: (_, { hasMailServer }) => countMissing(sql`${!hasMailServer}::boolean`),
  backupKeyMissing: () => countMissing(sql`not exists (select from backup_keys where replaced_at is null)`),
  mailsFailed: () =>
    sql`select count(*) as count, count(*) as late, ${nullCentsColumn}, ${nullDueColumn} from mails where state = 'failed'`,
}

/** Row-level security limits the figures to the caller's groups. */
export const needsYou = query(
  reportsContract.needsYou,
  async (cx) => {
    const keys = workItemKeysOf(ruleActor(cx.actor).role)
    const facts = { hasMailServer: (await readMailDelivery(cx)) !== "outbox" }
    const counts = keys.map((key) => {
      const next = nextPathByNeed[key]?.(cx, facts) ?? sql`null`
      return sql`select ${key}::text as key, count, late::int, cents, due as "dueOn", ${next}::text as next from (${needCounts[key](cx, facts)}) n`
    })
    return sortWaiting(await cx.tx.rows<WaitingItem>(sql.join(counts, sql` union all `)))
  },
  { heavy: true },
)
