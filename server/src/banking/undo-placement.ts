import { type PlacementKind, postedOn } from "@milkwood/domain/banking/bank-placement"
import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import type { BankingFact } from "@milkwood/domain/banking/banking-facts"
import type { MatchKind } from "@milkwood/domain/banking/matching"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { reverse } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { takeReceiptBack } from "../receipts/reverse-receipt.ts"
import { bankLineRowsOf, type PlacedLine, placedLines } from "./bank-lines.queries.ts"
import { reverseDeposits } from "./deposits.ts"
import { unlearn } from "./learn-payers.ts"
import { linesOf, newsOf } from "./place-lines.ts"

interface LiveMatch {
  lineId: string
  kind: MatchKind
  receiptId: string | null
  payoutId: string | null
}

const liveMatches = ({ tx }: Pick<Cx, "tx">, lineIds: readonly string[]) =>
  tx.rows<LiveMatch>(sql`
    select line_id as "lineId", kind, receipt_id as "receiptId", payout_id as "payoutId" from bank_matches
    where line_id = any (${sql.param([...lineIds])}::uuid[]) and undone_at is null order by receipt_id, payout_id`)

/** Takes lines from where they are; what was posted for them alone is reversed. */
async function letGo(cx: Cx, lines: readonly PlacedLine[], why: string): Promise<void> {
  const { tx, now, actor, today } = cx
  const ids = lines.map(({ id }) => id)
  const undone = await tx.rows<{ id: string; kind: PlacementKind; lineId: string }>(sql`
    update bank_placements set undone_at = ${now}, undone_by = ${actorUserId(actor)}
    where line_id = any (${sql.param(ids)}::uuid[]) and undone_at is null returning id, kind, line_id as "lineId"`)
  if (undone.length < ids.length) throw refused("NOT_PLACED")
  await unlearn(
    cx,
    undone.map(({ id }) => id),
  )
  const dayOf = (lineId: string): Day => lines.find(({ id }) => id === lineId)!.day
  const posted = undone.filter(({ kind }) => kind === "charge" || kind === "interest")
  await reverse(
    cx,
    posted.map(({ id, lineId }) => ({
      source: `bank-placement:${id}`,
      on: postedOn(dayOf(lineId), today),
      reason: why,
    })),
  )
  await reverseDeposits(
    cx,
    undone.map(({ id }) => id),
    why,
  )
  await record(
    cx,
    lines.map((line): BankingFact => ({ ...newsOf(line), type: "BankLineUndone", why })),
  )
}

export const undoPlacement = command(bankingContract.undo, async (cx) => {
  const { lineIds } = cx.input
  const lines = await linesOf(cx, lineIds)
  if (lines.some(({ state }) => state === "open")) throw refused("NOT_PLACED")
  const made = new Set(
    (await liveMatches(cx, lineIds)).flatMap(({ kind, receiptId }) => (kind === "made" ? receiptId! : [])),
  )
  // A receipt that was made for lines is reversed, and lets go of them.
  for (const receiptId of made) await takeReceiptBack(cx, receiptId, "what the line was is undone")
  const left = await placedLines(cx.tx, sql`l.id = any (${sql.param(lineIds)}::uuid[]) and p.id is not null`)
  if (left.length > 0) await letGo(cx, left, "it was undone")
  return bankLineRowsOf(cx, lineIds)
})

/** A receipt was reversed: its lines are to be matched again, unless it is the bank that took it back. */
export async function releaseLinesOf(cx: Cx, receiptId: string, number: string): Promise<void> {
  const returned = await cx.tx.row(sql`
    select from bank_matches where receipt_id = ${receiptId} and kind = 'returned' and undone_at is null`)
  if (returned) return
  const lines = await placedLines(
    cx.tx,
    sql`p.id in (select placement_id from bank_matches where receipt_id = ${receiptId} and undone_at is null)`,
  )
  if (lines.length > 0) await letGo(cx, lines, `receipt ${number} was reversed`)
}
