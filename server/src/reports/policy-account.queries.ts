import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { type PolicyAccount, reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { openCents } from "../billing/invoice-money.ts"
import { findNextMonthToBill } from "../billing/next-period.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { isUnallocatedSql, unallocatedCents } from "../receipts/credit.queries.ts"

type ReceivedPart = Pick<PolicyAccount, "receipts" | "creditCents">
type AccountFigures = Omit<PolicyAccount, "paidUpTo" | "nextInvoiceFor" | "refunds" | keyof ReceivedPart> & {
  firstOpen: Day | null
  billedFrom: Day | null
}

/** The users of an employer, by name. */
export const peopleOf = (groupId: string): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('userId', u.id, 'name', u.name, 'role', u.role) order by u.name, u.id), '[]')
  from users u join user_groups g on g.user_id = u.id
  where g.group_id = ${groupId} and u.disabled_at is null and u.email_verified and u.role in ('group_admin', 'policy_holder'))`

export const policyAccount = query(reportsContract.policyAccount, async (cx): Promise<PolicyAccount> => {
  const { tx, today } = cx
  const { id, startOn, billedFromOn, groupId, status } = await readPolicy(tx, cx.input.policyId)
  const { firstOpen, billedFrom, ...figures } = (await tx.row<AccountFigures>(sql`
    select debt.*,
      (select count(*)::int from credit_notes n where n.policy_id = ${id}) as "creditNotes",
      (select count(*)::int from claims c where c.policy_id = ${id}) as claims,
      ${peopleOf(groupId)} as people
    from (
      select count(*)::int as invoices,
        coalesce(sum(${openCents}), 0)::bigint as "owedCents",
        coalesce(sum(${openCents}) filter (where i.due_on < ${today}::date), 0)::bigint as "overdueCents",
        min(i.period_start_on) filter (where i.kind = 'premium'
          and (${openCents} > 0 or i.status in ('draft', 'pending'))) as "firstOpen",
        min(i.period_start_on) filter (where i.kind = 'premium' and i.status = 'sent') as "billedFrom"
      from invoices i where i.policy_id = ${id}
    ) debt`))!
  const unbilledFrom =
    startOn && status !== "Draft" ? await findNextMonthToBill(tx, { id, startOn, billedFromOn }, today) : null
  const gap = [firstOpen, unbilledFrom].filter((day) => day !== null).sort()[0]
  const received = hasPermission(ruleActor(cx.actor).role, "receipts.read")
    ? await tx.row<ReceivedPart>(sql`
        select count(*)::int as receipts,
          coalesce(sum(${unallocatedCents}) filter (where ${isUnallocatedSql}), 0)::bigint as "creditCents"
        from receipts r where policy_id = ${id}`)
    : undefined
  const refunds = hasPermission(ruleActor(cx.actor).role, "payouts.read")
    ? await tx.row<{ count: number }>(sql`select count(*)::int as count from refunds where policy_id = ${id}`)
    : undefined
  return {
    ...figures,
    ...(received ?? { receipts: null, creditCents: null }),
    refunds: refunds?.count ?? null,
    paidUpTo: gap && billedFrom && gap > billedFrom ? addDays(gap, -1) : null,
    nextInvoiceFor: status === "Active" || status === "Suspended" ? unbilledFrom : null,
  }
})
