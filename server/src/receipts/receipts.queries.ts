import { type Day, yearOf } from "@milkwood/domain/kernel/calendar"
import { hasPermission } from "@milkwood/domain/platform/permission"
import type { OpenInvoice } from "@milkwood/domain/receipts/receipt"
import { receiptActionsFor } from "@milkwood/domain/receipts/receipt"
import type { DepositDetail, ReceiptDetail } from "@milkwood/domain/receipts/receipts.contract"
import { sql } from "drizzle-orm"
import { loadMails } from "../billing/delivery.queries.ts"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { formatNumber } from "../platform/database/numbering.ts"
import { timeline } from "../platform/trail/facts.ts"
import { creditOf } from "./credit.queries.ts"
import { refundsOfReceipt, wasMatchedToBankLine, wasRefunded } from "./receipts.ports.ts"

/** The domain's `receiptStatus`, over `receipts r`. */
export const receiptStatus = sql`case when r.reversed_at is not null then 'Reversed' when r.allocated_cents + r.refunded_cents = r.amount_cents then 'Allocated' else 'Pending' end`

const fromReceipts = sql`
  from receipts r
  join policies p on p.id = r.policy_id
  join employer_groups g on g.id = r.group_id`

const receiptRowSql = sql`
  r.id, r.number, r.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
  r.amount_cents as "amountCents", r.allocated_cents as "allocatedCents", r.refunded_cents as "refundedCents", r.method,
  r.received_on as "receivedOn", r.reference, ${receiptStatus} as status, r.version,
  (select d.number from deposits d where d.id = r.deposit_id) as "depositNumber"`

export async function readReceiptDetail(cx: Cx, receiptId: string): Promise<ReceiptDetail> {
  const found = await cx.tx.row<
    Omit<ReceiptDetail, "timeline" | "allowedActions" | "deposit" | "mails" | "refunds"> & { depositId: string | null }
  >(sql`
    select ${receiptRowSql}, r.notes, r.created_at as "createdAt", u.name as "createdByName", r.reversed_on as "reversedOn",
      r.reverse_reason as "reverseReason", r.deposit_id as "depositId",
      coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'invoiceId', l.invoice_id, 'invoiceNumber', i.number,
          'amountCents', l.amount_cents, 'allocatedOn', l.allocated_on, 'releasedOn', l.released_on,
          'releaseReason', l.release_reason) order by l.created_at, i.number)
        from receipt_allocations l join invoices i on i.id = l.invoice_id where l.receipt_id = r.id), '[]') as allocations
    ${fromReceipts}
    left join users u on u.id = r.created_by
    where r.id = ${receiptId}`)
  if (!found) throw refused("NOT_FOUND")
  const mayWrite = hasPermission(ruleActor(cx.actor).role, "receipts.write")
  const { depositId, ...shown } = found
  return {
    ...shown,
    refunds: await cx.tx.rows<ReceiptDetail["refunds"][number]>(refundsOfReceipt(sql`${receiptId}`)),
    deposit: depositId === null ? null : await readDepositDetail(cx.tx, depositId),
    mails: await loadMails(cx, "receipt", receiptId),
    timeline: await timeline(cx, "receipt", receiptId),
    allowedActions: receiptActionsFor(found, mayWrite),
  }
}

export async function readDepositDetail(tx: Tx, depositId: string): Promise<DepositDetail> {
  const found = await tx.row<DepositDetail>(sql`
    select d.id, d.number, d.amount_cents as "amountCents", d.method, d.received_on as "receivedOn", d.reference,
      coalesce(sum(r.amount_cents) filter (where r.reversed_at is null), 0)::bigint as "receiptedCents",
      jsonb_agg(jsonb_build_object('id', r.id, 'number', r.number, 'policyId', r.policy_id, 'policyNumber', p.number,
        'groupName', g.name, 'amountCents', r.amount_cents, 'status', ${receiptStatus}) order by r.number) as receipts
    from deposits d
    join receipts r on r.deposit_id = d.id
    join policies p on p.id = r.policy_id
    join employer_groups g on g.id = r.group_id
    where d.id = ${depositId} group by d.id`)
  if (!found) throw refused("NOT_FOUND", "This deposit does not exist.")
  return found
}

/** Earlier uses of a receipt's money: the deposit number, past allocations, bank lines. */
export async function readEarlierUses(tx: Tx, receiptId: string) {
  const found = await tx.row<{ deposit: string | null; wasUsed: boolean; wasLinked: boolean }>(sql`
    select (select d.number from deposits d where d.id = r.deposit_id) as deposit, ${wasMatchedToBankLine(receiptId)} as "wasLinked",
      exists (select from receipt_allocations where receipt_id = r.id) or ${wasRefunded(sql`r.id`)} as "wasUsed"
    from receipts r where r.id = ${receiptId}`)
  return found!
}

export function readOpenInvoices(tx: Tx, policyId: string): Promise<(OpenInvoice & { totalCents: number })[]> {
  return tx.rows(sql`
    select i.id, i.number, i.due_on as "dueOn", i.total_cents as "totalCents",
      ${openCents} as "outstandingCents"
    from invoices i
    where i.policy_id = ${policyId} and ${isOpen}
    order by i.due_on, i.number`)
}

export async function readPolicyCredit(tx: Tx, policyId: string): Promise<number> {
  const found = await tx.row<{ cents: number }>(creditOf(sql`${policyId}`))
  return found!.cents
}

export async function readNextReceiptNumber(tx: Tx, on: Day): Promise<string> {
  const found = await tx.row<{ last: number }>(
    sql`select last from number_counters where kind = 'receipt' and year = ${yearOf(on)}`,
  )
  return formatNumber("receipt", on, (found?.last ?? 0) + 1)
}
