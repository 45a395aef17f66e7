import { highlightOverDays } from "@milkwood/domain/claims/claim-priority"
import { type NeedKey, needsOf, queueOf, type Waiting } from "@milkwood/domain/reports/needs"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { capturedBy, waitsFor } from "../claims/claim-lists.queries.ts"
import { claimsToPay } from "../claims/payable-claims.queries.ts"
import { standingsOn } from "../collection/promises.queries.ts"
import { waitsForRelease } from "../payouts/payouts.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"

/** What waits, as a select (count, late, cents); each counts what its list shows. */
type Counting = (cx: Cx) => SQL

const nothingLate = sql`0 as late`
const noMoney = sql`null::bigint as cents`

/** Claims by where they stand; late is what the pending list highlights. */
const claims =
  (where: (cx: Cx) => SQL): Counting =>
  (cx) =>
    sql`
    select count(*) as count,
      count(*) filter (where ${cx.today}::date - (c.submitted_at at time zone ${cx.timezone})::date > ${highlightOverDays}) as late,
      coalesce(sum(c.requested_amount_cents), 0)::bigint as cents
    from claims c where ${where(cx)}`

const released = (kind: "claim" | "refund"): Counting => {
  return ({ actor }) => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(o.amount_cents), 0)::bigint as cents
    from payouts o where o.subject_kind = ${kind} and ${waitsForRelease(actor)}`
}

const invoices = (status: "draft" | "pending"): Counting => {
  return () => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(i.total_cents), 0)::bigint as cents
    from invoices i where i.status = ${status}`
}

/** The one that waits longest. */
const nextToDecide = ({ actor }: Cx): SQL => sql`
  (select '/claims/' || c.id || '/approve' from claims c where ${waitsFor(actor)} order by c.submitted_at, c.id limit 1)`

const counting: Record<NeedKey, Counting> = {
  claimsToDecide: claims(({ actor }) => waitsFor(actor)),
  claimsToReview: claims(() => sql`c.status = 'submitted' and cardinality(c.requested_documents) = 0`),
  claimsToRoute: claims(() => sql`c.status = 'under_review'`),
  claimsToComplete: claims(
    () => sql`c.status in ('submitted', 'under_review') and cardinality(c.requested_documents) > 0`,
  ),
  claimDrafts: claims(({ actor }) => sql`c.status = 'draft' and ${capturedBy(actor)}`),
  invoicesOverdue: ({ today }) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(${openCents}), 0)::bigint as cents
    from invoices i where ${isOpen} and i.due_on < ${today}::date`,
  claimsToPay: () => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(c.amount_cents), 0)::bigint as cents from (${sql.raw(claimsToPay)}) c`,
  paymentsToRelease: released("claim"),
  batchesToRelease: () => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(amount_cents), 0)::bigint as cents
    from payout_batches where status = 'open'`,
  refundsToRelease: released("refund"),
  paymentsFailed: () => sql`
    select count(*) as count, count(*) as late, coalesce(sum(amount_cents), 0)::bigint as cents
    from payouts where subject_kind = 'claim' and status = 'failed'`,
  writeOffsToConfirm: ({ actor }) => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(total_cents), 0)::bigint as cents
    from write_offs where written_off_on is null and declined_at is null and asked_by <> ${ruleActor(actor).userId}`,
  promisesBroken: ({ today, timezone }) => sql`
    select count(*) as count, count(*) as late, coalesce(sum(promised_cents), 0)::bigint as cents
    from (${standingsOn(today, timezone)}) said where standing = 'broken'`,
  linesToMatch: () => sql`
    select count(*) as count, ${nothingLate}, coalesce(sum(abs(l.amount_cents)), 0)::bigint as cents from bank_lines l
    where not exists (select from bank_placements p where p.line_id = l.id and p.undone_at is null)`,
  invoicesToApprove: invoices("draft"),
  invoicesToSend: invoices("pending"),
  staffListsToImport: () => sql`
    select count(*) as count, ${nothingLate}, ${noMoney} from staff_lists where status = 'ready'`,
  membersToComplete: () => sql`
    select count(*) as count, ${nothingLate}, ${noMoney} from members where to_complete <> '{}' and status <> 'Terminated'`,
  policyDrafts: () => sql`select count(*) as count, ${nothingLate}, ${noMoney} from policies where status = 'Draft'`,
  mailsFailed: () => sql`select count(*) as count, count(*) as late, ${noMoney} from mails where state = 'failed'`,
}

/** What waits for this person, in one statement; row-level security keeps a group's people to their groups. */
export const needsYou = query(
  reportsContract.needsYou,
  async (cx) => {
    const keys = needsOf(ruleActor(cx.actor).role)
    const counts = keys.map((key) => {
      const next = key === "claimsToDecide" ? nextToDecide(cx) : sql`null`
      return sql`select ${key}::text as key, count, late::int, cents, ${next}::text as next from (${counting[key](cx)}) n`
    })
    return queueOf(await cx.tx.rows<Waiting>(sql.join(counts, sql` union all `)))
  },
  { heavy: true },
)
