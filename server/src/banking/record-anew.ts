import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { lockReceipt } from "../receipts/receipt-record.ts"
import { takeReceipt } from "../receipts/record-receipt.ts"
import { placedLines } from "./bank-lines.queries.ts"
import { lessonsOf } from "./confirm-line.ts"
import { learn } from "./learn-payers.ts"
import { type NewMatch, place } from "./place-lines.ts"
import { letGo } from "./undo-placement.ts"

interface KeptMatch extends NewMatch {
  lineId: string
  isReversed: boolean
  byItself: boolean
}

/**
 * The bank did not take a receipt back after all. What is reversed stays so: it is recorded anew, set against the same
 * invoices as far as they still ask for it, and its lines are the new one.
 */
export async function recordAnew(cx: Cx, receiptId: string): Promise<void> {
  const { tx } = cx
  const { receipt, open } = await lockReceipt(cx, receiptId)
  const paid = await tx.rows<{ invoiceId: string; amountCents: Cents }>(sql`
    select invoice_id as "invoiceId", sum(amount_cents)::bigint as "amountCents" from receipt_allocations
    where receipt_id = ${receiptId} and released_at = ${receipt.reversedAt} group by invoice_id order by invoice_id`)
  const allocations = paid.flatMap(({ invoiceId, amountCents }) => {
    const wanted = open.find(({ id }) => id === invoiceId)?.outstandingCents ?? 0
    return wanted > 0 ? [{ invoiceId, amountCents: Math.min(amountCents, wanted) }] : []
  })
  const { policyId, amountCents, method, receivedOn, reference, number } = receipt
  const notes = `Replaces ${number}, which the bank was said to have taken back.`
  const of = { policyId, amountCents, method, receivedOn, reference, notes }
  const anew = await takeReceipt(cx, { ...of, number: "", allocations })

  const lines = await placedLines(
    tx,
    sql`p.id in (select placement_id from bank_matches where receipt_id = ${receiptId} and undone_at is null)`,
  )
  if (lines.length === 0) return
  const kept = await tx.rows<KeptMatch>(sql`
    select m.line_id as "lineId", m.kind, m.receipt_id as id, m.group_id as "groupId", m.amount_cents as "amountCents", r.number,
      p.by_itself as "byItself", r.reversed_at is not null as "isReversed"
    from bank_matches m join bank_placements p on p.id = m.placement_id join receipts r on r.id = m.receipt_id
    where m.line_id = any (${sql.param(lines.map(({ id }) => id))}::uuid[]) and m.undone_at is null`)
  const gone = kept.find(({ id, isReversed }) => isReversed && id !== receiptId)
  if (gone)
    throw refused("RETURNED", `The bank took back ${gone.number} of the same line too: record ${number} anew by hand.`)
  await letGo(cx, lines, `${number} is recorded anew as ${anew.number}`, receiptId)
  const placings = lines.map((line) => {
    const own = kept.filter(({ lineId }) => lineId === line.id)
    const matches = own.map(({ kind, id, groupId, amountCents, number }) =>
      id === receiptId ? { kind, ...anew, amountCents } : { kind, id, groupId, amountCents, number },
    )
    return { line, kind: "receipt" as const, matches, byItself: own.some(({ byItself }) => byItself) }
  })
  const placed = await place(cx, placings)
  for (const { line, matches, byItself } of placings) {
    if (!byItself) await learn(cx, placed, await lessonsOf(cx, [line], matches))
  }
}
