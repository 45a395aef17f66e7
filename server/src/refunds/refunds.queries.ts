import { hasPermission } from "@milkwood/domain/platform/permission"
import { refundActionsFor } from "@milkwood/domain/refunds/refund"
import type { RefundDetail, RefundOffer } from "@milkwood/domain/refunds/refunds.contract"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { timeline } from "../platform/trail/facts.ts"

export async function readRefundDetail(cx: Cx, refundId: string): Promise<RefundDetail> {
  const found = await cx.tx.row<Omit<RefundDetail, "timeline" | "allowedActions">>(sql`
    select f.id, f.number, f.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      f.member_id as "memberId", m.first_name || ' ' || m.last_name as "memberName", f.amount_cents as "amountCents", f.method,
      f.reason, f.period_from_on as "periodFromOn", f.period_to_on as "periodToOn", f.reference, f.status,
      f.refunded_on as "refundedOn", o.id as "payoutId", f.version, f.notes, f.status_reason as "statusReason",
      f.created_at as "createdAt", u.name as "createdByName", o.number as "payoutNumber", f.corrected_cents as "correctedCents",
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'receiptId', t.receipt_id, 'receiptNumber', r.number,
          'amountCents', t.amount_cents, 'invoiceId', t.invoice_id, 'invoiceNumber', i.number,
          'isGivenBack', t.released_at is not null and t.invoice_id is null) order by t.taken_at, r.number, t.id)
        from refund_parts t join receipts r on r.id = t.receipt_id left join invoices i on i.id = t.invoice_id
        where t.refund_id = f.id and not t.is_split), '[]') as parts
    from refunds f
    join policies p on p.id = f.policy_id
    join employer_groups g on g.id = f.group_id
    left join members m on m.id = f.member_id
    left join payouts o on o.subject_kind = 'refund' and o.subject_id = f.id
    left join users u on u.id = f.created_by
    where f.id = ${refundId}`)
  if (!found) throw refused("NOT_FOUND")
  return {
    ...found,
    allowedActions: refundActionsFor(found, hasPermission(ruleActor(cx.actor).role, "payouts.write")),
    timeline: await timeline(cx, "refund", refundId),
  }
}

/** The payee of the last refund, otherwise the employer without an account. */
export async function readPayee(tx: Tx, policyId: string): Promise<RefundOffer["payee"]> {
  const found = await tx.row<RefundOffer["payee"]>(sql`
    select payee_name as "payeeName", payee_bank as "payeeBank", payee_branch_code as "payeeBranchCode",
      payee_account_number as "payeeAccountNumber", true as "isKnown"
    from payouts where policy_id = ${policyId} and subject_kind = 'refund' and status in ('processing', 'completed')
      and payee_account_number <> ''
    order by released_at desc limit 1`)
  if (found) return found
  const employer = await tx.row<{ name: string }>(sql`
    select g.name from policies p join employer_groups g on g.id = p.group_id where p.id = ${policyId}`)
  if (!employer) throw refused("NOT_FOUND")
  return { payeeName: employer.name, payeeBank: "", payeeBranchCode: "", payeeAccountNumber: "", isKnown: false }
}

export const wasRefunded = (receiptId: SQL): SQL =>
  sql`exists (select from refund_parts where receipt_id = ${receiptId})`

export const refundsOfReceipt = (receiptId: SQL): SQL => sql`
  select f.id as "refundId", f.number as "refundNumber", f.status, sum(t.amount_cents)::bigint as "amountCents"
  from refund_parts t join refunds f on f.id = t.refund_id
  where t.receipt_id = ${receiptId} and t.released_at is null group by f.id`
