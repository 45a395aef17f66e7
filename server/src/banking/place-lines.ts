import { randomUUID } from "node:crypto"
import type { PlacementKind } from "@milkwood/domain/banking/bank-placement"
import type { BankingFact } from "@milkwood/domain/banking/banking-facts"
import { isOfReceipt, type MatchKind } from "@milkwood/domain/banking/matching"
import type { Cents } from "@milkwood/domain/kernel/money"
import { bankLineConfirmed } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { post } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { sqlState, violatedConstraint } from "../platform/database/database.ts"
import { holdLock } from "../platform/database/locks.ts"
import { record } from "../platform/trail/facts.ts"
import { lockReceipts } from "../receipts/receipt-record.ts"
import { type PlacedLine, placedLines } from "./bank-lines.queries.ts"
import { bankMatches, bankPlacements } from "./banking.tables.ts"
import { postDeposits } from "./deposits.ts"

export interface NewMatch {
  kind: MatchKind
  id: string
  groupId: string
  amountCents: Cents
  number: string
}

export interface NewPlacement {
  line: PlacedLine
  kind: PlacementKind
  note?: string
  matches?: readonly NewMatch[]
  isAutomatic?: boolean
}

const placementsPerInsert = 1_000

export type PlacementIdsByLine = ReadonlyMap<string, string>

/**
 * Places lines and returns their placements. The database allows one placement per line, so the later of two users is
 * refused.
 */
export async function placeLines(cx: Cx, placings: readonly NewPlacement[]): Promise<PlacementIdsByLine> {
  const { tx, now, actor } = cx
  const rows = placings.map((placing) => ({ ...placing, id: randomUUID() }))
  const written = await tx
    .insert(bankPlacements)
    .values(
      rows.map(({ id, line, kind, note = "", isAutomatic = false }) => {
        return { id, lineId: line.id, kind, note, isAutomatic, placedBy: actorUserId(actor), placedAt: now }
      }),
    )
    .onConflictDoNothing()
    .returning({ id: bankPlacements.id })
    .catch((error: unknown) => {
      // The import was undone while this transaction waited.
      throw sqlState(error) === "23503" ? refused("NOT_FOUND", "This line does not exist.") : error
    })
  if (written.length < rows.length) throw refused("PLACED")
  const matches = rows.flatMap(({ id: placementId, line, matches = [] }) =>
    matches.map(({ kind, id, groupId, amountCents }) => {
      const of: { receiptId?: string; payoutId?: string } = isOfReceipt(kind) ? { receiptId: id } : { payoutId: id }
      return { id: randomUUID(), placementId, lineId: line.id, kind, groupId, amountCents, ...of }
    }),
  )
  await lockReceipts(
    tx,
    matches.flatMap(({ receiptId }) => receiptId ?? []),
  )
  for (let from = 0; from < matches.length; from += placementsPerInsert) {
    await tx
      .insert(bankMatches)
      .values(matches.slice(from, from + placementsPerInsert))
      .catch((error: unknown) => {
        // The receipt or payment changed after it was read.
        throw violatedConstraint(error) === "bank_matches_fit" ? refused("CONFLICT") : error
      })
  }
  const posted = rows.flatMap(({ id, line, kind }) => {
    if (kind !== "charge" && kind !== "interest") return []
    const { accountId, day, text, amountCents } = line
    return [bankLineConfirmed({ placementId: id, accountId, kind, on: day, text, amountCents })]
  })
  await post(cx, ...posted)
  await postDeposits(
    cx,
    rows.map(({ id }) => id),
  )
  const facts = rows.map(({ line, kind, note = "", matches = [], isAutomatic = false }): BankingFact => {
    const few = matches.length > 10 ? matches.slice(0, 3) : matches
    const more = matches.length > few.length ? ` and ${matches.length - few.length} more` : ""
    const records = few.map(({ number }) => number).join(", ") + more
    return { ...lineFactHead(line), type: "BankLinePlaced", kind, note, records, isAutomatic }
  })
  await record(cx, facts)
  return new Map(rows.map(({ id, line }) => [line.id, id]))
}

export const lineFactHead = ({ statementId, statementNumber, text, amountCents }: PlacedLine) => ({
  record: { kind: "bank_statement" as const, id: statementId, label: statementNumber },
  groupId: null,
  ...{ text, amountCents },
})

/** NOT_FOUND if a line does not exist. */
export async function loadLines({ tx }: Pick<Cx, "tx">, ids: readonly string[]): Promise<PlacedLine[]> {
  const wanted = [...new Set(ids)]
  const lines = await placedLines(tx, sql`l.id = any (${sql.param(wanted)}::uuid[])`)
  if (lines.length < wanted.length) throw refused("NOT_FOUND", "This line does not exist.")
  return lines
}

/**
 * Locks the lines before any other lock, so that a concurrent match waits and is then refused. PLACED if a line is
 * already matched.
 */
export async function lockOpenLines(cx: Cx, ids: readonly string[]): Promise<PlacedLine[]> {
  for (const id of [...new Set(ids)].sort()) await holdLock(cx.tx, "bankLine", id)
  const lines = await loadLines(cx, ids)
  if (lines.some(({ state }) => state !== "open")) throw refused("PLACED")
  return lines
}
