import { billingSettings } from "@milkwood/domain/billing/billing-settings"
import { highlightOverDays } from "@milkwood/domain/claims/claim-priority"
import { noticeDays } from "@milkwood/domain/collection/grace"
import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { type NeedKey, needsOf, queueOf, type Waiting } from "@milkwood/domain/reports/needs"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { undelivered } from "../billing/delivery.queries.ts"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { capturedBy, unusuallyCovered, waitsFor } from "../claims/claim-lists.queries.ts"
import { claimsToPay } from "../claims/payable-claims.queries.ts"
import { standingsOn } from "../collection/promises.queries.ts"
import { policiesOf } from "../month-end/month-policies.queries.ts"
import { waitsForRelease } from "../payouts/payouts.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { mailDelivery } from "../platform/work/mail-server.ts"
import { expiresSoon } from "../policies/policy-list.queries.ts"
import { hasFailed } from "./schedules.queries.ts"

/** What waits, as a select (count, late, cents, due, which is the first deadline); each counts what its list shows. */
type Counting = (cx: Cx, facts: Facts) => SQL

/** What the counting statements need besides the database. */
interface Facts {
  graceDays: number
  hasMailServer: boolean
}

const nothingLate = sql`0 as late`
const noMoney = sql`null::bigint as cents`
const noDeadline = sql`null::date as due`
/** The first of the days that a column has. */
const first = (column: string) => sql`min(${sql.raw(column)}) as due`

/** One missing thing of the installation. */
const missing = (isMissing: SQL): SQL => sql`
  select case when ${isMissing} then 1 else 0 end as count, ${nothingLate}, ${noMoney}, ${noDeadline}`

/** Active policies with an unpaid premium past its due day: the oldest due day, and what is open of them. */
const inDefault = (today: Day): SQL => sql`
  select p.id, p.group_id, min(i.due_on) as due_on, sum(${openCents})::bigint as cents
  from invoices i join policies p on p.id = i.policy_id and p.status = 'Active'
  where ${isOpen} and i.kind = 'premium' and i.due_on < ${today}::date group by p.id`

/** Policies in default whose notice of non-payment has not been sent since (`graceOf` of the domain). */
const withoutNotice = (today: Day): SQL => sql`
  select * from (${inDefault(today)}) d
  where not exists (select from premium_contacts c
    where c.policy_id = d.id and c.kind = 'notice' and c.made_at >= d.due_on + 1)`

/** Policies in default whose grace period is over. */
const pastGrace = (today: Day, graceDays: number): SQL => sql`
  select * from (${inDefault(today)}) d where d.due_on + ${graceDays}::int < ${today}::date`

/** Days after which an employer with an overdue premium is called again. */
const callAgainDays = 7

/** Claims by where they stand; late is what the pending list highlights. */
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

/** The one that waits longest. */
const nextToDecide = ({ actor, today }: Cx): SQL => sql`
  (select '/claims/' || c.id || '/approve' from claims c where ${waitsFor(actor, today)} order by c.submitted_at, c.id limit 1)`

/** The page of the first record, where one is worked through after the other. */
const nextOf: Partial<Record<NeedKey, Counting>> = {
  claimsToDecide: nextToDecide,
  graceOver: ({ today }, { graceDays }) => oldest(pastGrace(today, graceDays)),
  noticesDue: ({ today }) => oldest(withoutNotice(today)),
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
    from (${sql.raw(claimsToPay)}) c`,
  paymentsToRelease: released("claim"),
  batchesToRelease: ({ actor }) => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(b.amount_cents), 0)::bigint as cents, ${noDeadline}
    from payout_batches b where b.status = 'open' and not exists (
      select from payout_batch_payments i join payouts o on o.id = i.payout_id
      where i.batch_id = b.id and i.left_at is null
        and (${ruleActor(actor).userId}::uuid = any (o.prepared_by) or o.payee_changed_by = ${ruleActor(actor).userId}::uuid))`,
  refundsToRelease: released("refund"),
  refundsFailed: () => sql`
    select count(*) as count, count(*) as late, coalesce(sum(amount_cents), 0)::bigint as cents, ${noDeadline}
    from payouts where subject_kind = 'refund' and status = 'failed'`,
  paymentsFailed: () => sql`
    select count(*) as count, count(*) as late, coalesce(sum(amount_cents), 0)::bigint as cents, ${noDeadline}
    from payouts where subject_kind = 'claim' and status = 'failed'`,
  writeOffsToConfirm: ({ actor }) => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(total_cents), 0)::bigint as cents, ${noDeadline}
    from write_offs where written_off_on is null and declined_at is null and asked_by <> ${ruleActor(actor).userId}`,
  promisesBroken: ({ today, timezone }) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(promised_cents), 0)::bigint as cents, ${first("promised_on")}
    from (${standingsOn(today, timezone)}) said where standing = 'broken'`,
  graceOver: ({ today }, { graceDays }) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(cents), 0)::bigint as cents, ${noDeadline}
    from (${pastGrace(today, graceDays)}) d`,
  noticesDue: ({ today }) => sql`
    select count(*) as count, count(*) filter (where due_on + ${noticeDays}::int < ${today}::date) as late,
      coalesce(sum(cents), 0)::bigint as cents, min(due_on) + ${noticeDays}::int as due
    from (${withoutNotice(today)}) d`,
  groupsToCall: ({ today, now, timezone }) => sql`
    select count(distinct d.group_id) as count, ${nothingLate}, coalesce(sum(d.cents), 0)::bigint as cents, ${noDeadline}
    from (${inDefault(today)}) d
    where not exists (select from premium_contacts c where c.policy_id = d.id and c.kind = 'call'
        and c.made_at > ${now.subtract({ hours: 24 * callAgainDays }).toString()}::timestamptz)
      and not exists (select from (${standingsOn(today, timezone)}) said
        where said.policy_id = d.id and said.standing in ('promised', 'broken', 'disputed'))`,
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
    select count(*) as count, ${nothingLate}, ${noMoney}, ${noDeadline} from bank_accounts a
    where not exists (select from bank_statements s
      where s.account_id = a.id and s.undone_at is null and s.to_on >= ${firstOfMonth(today)}::date - 1)`,
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

/** What waits for this person, in one statement; row-level security keeps a group's people to their groups. */
export const needsYou = query(
  reportsContract.needsYou,
  async (cx) => {
    const keys = needsOf(ruleActor(cx.actor).role)
    const { premiumGraceDays: graceDays } = await readSettings(cx.tx, billingSettings)
    const facts = { graceDays, hasMailServer: (await mailDelivery(cx)) !== "outbox" }
    const counts = keys.map((key) => {
      const next = nextOf[key]?.(cx, facts) ?? sql`null`
      return sql`select ${key}::text as key, count, late::int, cents, due as "dueOn", ${next}::text as next from (${counting[key](cx, facts)}) n`
    })
    return queueOf(await cx.tx.rows<Waiting>(sql.join(counts, sql` union all `)))
  },
  { heavy: true },
)
