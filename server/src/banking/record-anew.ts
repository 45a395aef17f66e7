import type { Cents } from "@milkwood/domain/kernel/money"
import type { Receipt } from "@milkwood/domain/receipts/receipt"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { lockReceipt } from "../receipts/receipt-record.ts"
import { readDepositDetail } from "../receipts/receipts.queries.ts"
import { type RecordedReceipt, recordPartsOfDeposit, recordSingleReceipt } from "../receipts/record-receipt.ts"
import { placedLines } from "./bank-lines.queries.ts"
import { lessonsOf } from "./confirm-line.ts"
import { learn } from "./learn-payers.ts"
import { type NewMatch, placeLines } from "./place-lines.ts"
import { releaseLines } from "./undo-placement.ts"

interface StoredMatch extends NewMatch {
  lineId: string
  isReversed: boolean
  isAutomatic: boolean
}

/**
 * Undoes a mistaken bank return: keeps the reversals and records the receipts again. Their old allocations are restored
 * up to the unpaid invoice amounts.
 */
export async function recordReceiptsAgain(cx: Cx, receiptIds: readonly string[]): Promise<void> {
  const { tx } = cx
  const old = await tx.rows<{ id: string; number: string; policyId: string; depositId: string | null }>(sql`
    select id, number, policy_id as "policyId", deposit_id as "depositId" from receipts
    where id = any (${sql.param([...receiptIds])}::uuid[]) order by policy_id, id`)
  const reached = await loadAccountsByReceipt(cx, receiptIds)
  const anew = new Map<string, RecordedReceipt>()
  for (const those of Map.groupBy(old, ({ id, depositId }) => depositId ?? id).values()) {
    const bankAccountId = reached.get(those[0]!.id) ?? null
    const taken =
      those.length > 1
        ? await recordDepositAgain(cx, those, bankAccountId)
        : [await recordReceiptAgain(cx, those[0]!.id, bankAccountId)]
    for (const [at, { id }] of those.entries()) anew.set(id, taken[at]!)
  }

  const ids = old.map(({ id }) => id)
  const lines = await placedLines(
    tx,
    sql`p.id in (select placement_id from bank_matches where receipt_id = any (${sql.param(ids)}::uuid[]) and undone_at is null)`,
  )
  if (lines.length === 0) return
  const kept = await tx.rows<StoredMatch>(sql`
    select m.line_id as "lineId", m.kind, m.receipt_id as id, m.group_id as "groupId", m.amount_cents as "amountCents", r.number,
      p.is_automatic as "isAutomatic", r.reversed_at is not null as "isReversed"
    from bank_matches m join bank_placements p on p.id = m.placement_id join receipts r on r.id = m.receipt_id
    where m.line_id = any (${sql.param(lines.map(({ id }) => id))}::uuid[]) and m.undone_at is null`)
  const gone = kept.find(({ id, isReversed }) => isReversed && !anew.has(id))
  if (gone) {
    const numbers = abbreviateNumbers(old.map(({ number }) => number))
    throw refused(
      "RETURNED",
      `The bank also returned ${gone.number} on the same line. Record ${numbers} again by hand.`,
    )
  }
  const placings = lines.map((line) => {
    const own = kept.filter(({ lineId }) => lineId === line.id)
    const matches = own.map(({ kind, id, groupId, amountCents, number }) => {
      const instead = anew.get(id)
      return instead ? { kind, ...instead, amountCents } : { kind, id, groupId, amountCents, number }
    })
    const replaced = own.filter(({ id }) => anew.has(id))
    return {
      line,
      kind: "receipt" as const,
      matches,
      isAutomatic: own.some(({ isAutomatic }) => isAutomatic),
      replaced,
    }
  })
  for (const { line, replaced } of placings) {
    const was = abbreviateNumbers(replaced.map(({ number }) => number))
    const is = abbreviateNumbers(replaced.map(({ id }) => anew.get(id)!.number))
    await releaseLines(cx, [line], `${was} ${replaced.length === 1 ? "is" : "are"} recorded again as ${is}`, ids)
  }
  const placed = await placeLines(cx, placings)
  for (const { line, matches, isAutomatic } of placings) {
    if (!isAutomatic) await learn(cx, placed, await lessonsOf(cx, [line], matches))
  }
}

const abbreviateNumbers = (numbers: readonly string[]): string =>
  numbers.length > 3 ? `${numbers[0]} and ${numbers.length - 1} more` : numbers.join(", ")

const replacementNoteOf = (number: string): string =>
  `Replaces ${number}, which was wrongly marked as returned by the bank.`

async function loadAccountsByReceipt({ tx }: Cx, receiptIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.rows<{ id: string; accountId: string }>(sql`
    select distinct m.receipt_id as id, a.id as "accountId"
    from bank_matches m join bank_lines l on l.id = m.line_id join bank_accounts a on a.id = l.account_id
    where m.receipt_id = any (${sql.param([...receiptIds])}::uuid[]) and m.kind = 'made' and m.undone_at is null and not a.is_main`)
  return new Map(rows.map(({ id, accountId }) => [id, accountId]))
}

async function recordReceiptAgain(cx: Cx, receiptId: string, bankAccountId: string | null): Promise<RecordedReceipt> {
  const { receipt, part } = await lockPart(cx, receiptId)
  const { method, receivedOn, reference, number } = receipt
  const notes = replacementNoteOf(number)
  return recordSingleReceipt(cx, { ...part, method, receivedOn, reference, notes, number: "", bankAccountId })
}

async function recordDepositAgain(
  cx: Cx,
  those: readonly { id: string; depositId: string | null }[],
  bankAccountId: string | null,
): Promise<RecordedReceipt[]> {
  const parts = []
  for (const { id } of those) parts.push((await lockPart(cx, id)).part)
  const { method, receivedOn, reference, number } = await readDepositDetail(cx.tx, those[0]!.depositId!)
  const amountCents = parts.reduce((sum, part) => sum + part.amountCents, 0)
  const said = { method, receivedOn, reference, notes: replacementNoteOf(number), bankAccountId }
  return (await recordPartsOfDeposit(cx, { ...said, amountCents, parts })).receipts
}

async function lockPart(cx: Cx, receiptId: string): Promise<{ receipt: Receipt; part: Part }> {
  const { receipt, open } = await lockReceipt(cx, receiptId)
  const paid = await cx.tx.rows<{ invoiceId: string; amountCents: Cents }>(sql`
    select invoice_id as "invoiceId", sum(amount_cents)::bigint as "amountCents" from receipt_allocations
    where receipt_id = ${receiptId} and released_at = ${receipt.reversedAt} group by invoice_id order by invoice_id`)
  const allocations = paid.flatMap(({ invoiceId, amountCents }) => {
    const wanted = open.find(({ id }) => id === invoiceId)?.outstandingCents ?? 0
    return wanted > 0 ? [{ invoiceId, amountCents: Math.min(amountCents, wanted) }] : []
  })
  const { policyId, amountCents } = receipt
  return { receipt, part: { policyId, amountCents, allocations } }
}

interface Part {
  policyId: string
  amountCents: Cents
  allocations: { invoiceId: string; amountCents: Cents }[]
}
