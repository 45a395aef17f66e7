import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { allocation as allocationEntry } from "@milkwood/domain/ledger/posting-rules"
import type { LiveAllocation, OpenInvoice, Receipt } from "@milkwood/domain/receipts/receipt"
import { releaseAllocationsDownTo } from "@milkwood/domain/receipts/receipt"
import type { AllocationInput } from "@milkwood/domain/receipts/receipt-shape"
import { allocatedFact, allocationReleasedFact } from "@milkwood/domain/receipts/receipt-steps"
import { sql } from "drizzle-orm"
import { addAllocated } from "../billing/settled-amounts.ts"
import { post, reverse } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { receiptAllocations } from "./receipts.tables.ts"

/**
 * Inserts checked allocations of a locked receipt, posts and records them. An allocation takes effect today, but never
 * before its invoice's date; until then the money is credit.
 */
export async function insertAllocations(
  cx: Cx,
  receipt: Pick<Receipt, "id" | "number" | "groupId" | "policyId">,
  allocations: readonly AllocationInput[],
  open: readonly Pick<OpenInvoice, "id" | "number">[],
): Promise<void> {
  if (allocations.length === 0) return
  const numbers = new Map(open.map((invoice) => [invoice.id, invoice.number]))
  const ahead = await cx.tx.rows<{ id: string; invoiceOn: Day }>(sql`
    select id, invoice_on as "invoiceOn" from invoices
    where id = any (${sql.param(allocations.map(({ invoiceId }) => invoiceId))}::uuid[]) and invoice_on > ${cx.today}`)
  const countsFrom = new Map(ahead.map(({ id, invoiceOn }) => [id, invoiceOn]))
  const rows = allocations.map((allocation) => ({
    id: randomUUID(),
    groupId: receipt.groupId,
    policyId: receipt.policyId,
    receiptId: receipt.id,
    invoiceId: allocation.invoiceId,
    amountCents: allocation.amountCents,
    allocatedOn: countsFrom.get(allocation.invoiceId) ?? cx.today,
    createdBy: actorUserId(cx.actor),
    createdAt: cx.now,
  }))
  await cx.tx.insert(receiptAllocations).values(rows)
  await addAllocated(cx.tx, allocations)
  await post(
    cx,
    ...rows.map((row) =>
      allocationEntry({
        allocationId: row.id,
        receiptId: receipt.id,
        receiptNumber: receipt.number,
        invoiceNumber: numbers.get(row.invoiceId) ?? "",
        amountCents: row.amountCents,
        on: row.allocatedOn,
        policy: { policyId: receipt.policyId, groupId: receipt.groupId },
      }),
    ),
  )
  await record(cx, [allocatedFact(receipt, allocations, open)])
}

/** Releases allocations and reverses their postings, today or on their effective date if later. */
export async function releaseAllocations(cx: Cx, ids: readonly string[], reason: string): Promise<void> {
  if (ids.length === 0) return
  const rows = await cx.tx.rows<{ id: string; releasedOn: Day; invoiceId: string; amountCents: Cents }>(sql`
    update receipt_allocations set released_on = greatest(allocated_on, ${cx.today}::date), released_at = ${cx.now}, release_reason = ${reason}
    where id = any (${sql.param(ids)}::uuid[]) and released_at is null
    returning id, released_on as "releasedOn", invoice_id as "invoiceId", amount_cents as "amountCents"`)
  await addAllocated(
    cx.tx,
    rows.map(({ invoiceId, amountCents }) => ({ invoiceId, amountCents: -amountCents })),
  )
  await reverse(
    cx,
    rows.map(({ id, releasedOn: on }) => ({ source: `allocation:${id}`, on, reason })),
  )
}

/**
 * After a credit note, the excess allocation becomes policy credit. Runs in billing's transaction, which has locked the
 * invoice.
 */
export async function releaseExcessAllocations(
  cx: Cx,
  invoice: { id: string; number: string; allowedCents: number; reason: string },
): Promise<void> {
  const live = await cx.tx.rows<LiveAllocation & { receiptNumber: string; groupId: string; policyId: string }>(sql`
    select a.id, a.receipt_id as "receiptId", a.amount_cents as "amountCents", r.number as "receiptNumber",
      a.group_id as "groupId", a.policy_id as "policyId"
    from receipt_allocations a join receipts r on r.id = a.receipt_id
    where a.invoice_id = ${invoice.id} and a.released_at is null order by a.created_at, a.id for update of a`)
  const { release, again } = releaseAllocationsDownTo(invoice.allowedCents, live)
  for (const allocation of release) {
    const { receiptNumber, groupId, policyId } = live.find((row) => row.id === allocation.id)!
    const receipt = { id: allocation.receiptId, number: receiptNumber, groupId, policyId }
    await releaseAllocations(cx, [allocation.id], invoice.reason)
    await record(cx, [allocationReleasedFact(receipt, invoice.id, allocation.amountCents, invoice.reason)])
    if (again?.receiptId === allocation.receiptId && allocation === release.at(-1)) {
      await insertAllocations(cx, receipt, [{ invoiceId: invoice.id, amountCents: again.amountCents }], [invoice])
    }
  }
}
