import type { PlacementKind } from "@milkwood/domain/banking/bank-placement"
import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import type { BankingFact } from "@milkwood/domain/banking/banking-facts"
import type { MatchKind } from "@milkwood/domain/banking/matching"
import { sql } from "drizzle-orm"
import { reverse } from "../ledger/post.ts"
import { undoBankUpdates } from "../payouts/step-payout.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { holdLock } from "../platform/database/locks.ts"
import { record } from "../platform/trail/facts.ts"
import { reverseOneReceipt } from "../receipts/reverse-receipt.ts"
import { bankLineRowsOf, type PlacedLine, placedLines } from "./bank-lines.queries.ts"
import { reverseDeposits } from "./deposits.ts"
import { unlearn } from "./learn-payers.ts"
import { lineFactHead, loadLines } from "./place-lines.ts"
import { recordReceiptsAgain } from "./record-anew.ts"

/** Releases lines and reverses what was posted only for them. `except` as for `reverseDeposits`. */
export async function releaseLines(
  cx: Cx,
  lines: readonly PlacedLine[],
  why: string,
  except: readonly string[] = [],
): Promise<void> {
  const { tx, now, actor } = cx
  const ids = lines.map(({ id }) => id)
  const undone = await tx.rows<{ id: string; kind: PlacementKind; lineId: string }>(sql`
    update bank_placements set undone_at = ${now}, undone_by = ${actorUserId(actor)}
    where line_id = any (${sql.param(ids)}::uuid[]) and undone_at is null returning id, kind, line_id as "lineId"`)
  if (undone.length < ids.length) throw refused("NOT_PLACED")
  const placementIds = undone.map(({ id }) => id)
  await unlearn(cx, placementIds)
  const days = new Map(lines.map(({ id, day }) => [id, day]))
  const posted = undone.filter(({ kind }) => kind === "charge" || kind === "interest")
  await reverse(
    cx,
    posted.map(({ id, lineId }) => {
      return { source: `bank-placement:${id}`, on: days.get(lineId)!, reason: why }
    }),
  )
  await reverseDeposits(cx, placementIds, why, except)
  await record(
    cx,
    lines.map((line): BankingFact => ({ ...lineFactHead(line), type: "BankLineUndone", why })),
  )
}

interface LiveMatch {
  lineId: string
  kind: MatchKind
  receiptId: string | null
  payoutId: string | null
  /** Another line has since returned the receipt or payment. */
  isBack: boolean
}

const liveMatches = ({ tx }: Pick<Cx, "tx">, lineIds: readonly string[]) =>
  tx.rows<LiveMatch>(sql`
    select m.line_id as "lineId", m.kind, m.receipt_id as "receiptId", m.payout_id as "payoutId", exists (
        select from bank_matches b where b.undone_at is null and b.line_id <> all (${sql.param([...lineIds])}::uuid[])
          and (b.receipt_id = m.receipt_id and b.kind = 'returned' and m.kind in ('made', 'linked')
            or b.payout_id = m.payout_id and b.kind in ('came_back', 'back') and m.kind in ('completed', 'paid'))
      ) as "isBack"
    from bank_matches m where m.line_id = any (${sql.param([...lineIds])}::uuid[]) and m.undone_at is null
    order by m.receipt_id, m.payout_id`)

export const undoPlacement = command(bankingContract.undo, async (cx) => {
  const lineIds = [...new Set(cx.input.lineIds)].sort()
  for (const id of lineIds) await holdLock(cx.tx, "bankLine", id)
  const lines = await loadLines(cx, lineIds)
  if (lines.some(({ state }) => state === "open")) throw refused("NOT_PLACED")
  const why = "the match of the bank line was undone"
  const matches = await liveMatches(cx, lineIds)
  if (matches.some(({ isBack }) => isBack)) throw refused("RETURNED")
  // Returns are undone first: undoing one restores its receipt, whose own line may be in the same undo.
  const back = lines.filter(({ id }) => matches.some(({ lineId, kind }) => lineId === id && isReturn(kind)))
  if (back.length > 0) await releaseLines(cx, back, "undone by hand")
  const payoutsThat = (of: MatchKind) => matches.flatMap(({ kind, payoutId }) => (kind === of ? [payoutId!] : []))
  await undoBankUpdates(cx, payoutsThat("came_back"), why)
  const returned = matches.flatMap(({ kind, receiptId }) => (kind === "returned" ? [receiptId!] : []))
  if (returned.length > 0) await recordReceiptsAgain(cx, returned)
  const left = lines.filter((line) => !back.includes(line))
  // Reversing a receipt made for lines releases them.
  const made = (await liveMatches(cx, lineIds)).flatMap(({ kind, receiptId }) => (kind === "made" ? [receiptId!] : []))
  for (const receiptId of new Set(made)) await reverseOneReceipt(cx, receiptId, why)
  const ids = left.map(({ id }) => id)
  const still = await placedLines(cx.tx, sql`l.id = any (${sql.param(ids)}::uuid[]) and p.id is not null`)
  if (still.length > 0) await releaseLines(cx, still, "undone by hand")
  await undoBankUpdates(cx, payoutsThat("completed"), why)
  return bankLineRowsOf(cx, lineIds)
})

const isReturn = (kind: MatchKind): boolean => kind === "returned" || kind === "came_back" || kind === "back"

/**
 * Opens the lines of a reversed receipt again, unless the bank returned the receipt. RETURNED if such a line also has a
 * receipt or payment that has since been returned.
 */
export async function releaseLinesOf(cx: Cx, receiptId: string, number: string): Promise<void> {
  const returned = await cx.tx.row(sql`
    select from bank_matches where receipt_id = ${receiptId} and kind = 'returned' and undone_at is null`)
  if (returned) return
  const lines = await placedLines(
    cx.tx,
    sql`p.id in (select placement_id from bank_matches where receipt_id = ${receiptId} and undone_at is null)`,
  )
  if (lines.length === 0) return
  const matches = await liveMatches(
    cx,
    lines.map(({ id }) => id),
  )
  if (matches.some(({ isBack }) => isBack)) throw refused("RETURNED")
  await releaseLines(cx, lines, `receipt ${number} was reversed`)
}
