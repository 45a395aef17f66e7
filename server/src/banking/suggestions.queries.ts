import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { wordsOf } from "@milkwood/domain/banking/line-words"
import { rank, scoreNotOurs, scorePolicy, scoreReceipt } from "@milkwood/domain/banking/match-score"
import type { Candidate } from "@milkwood/domain/banking/matching"
import type { LineSuggestions } from "@milkwood/domain/banking/matching.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import type { PlacedLine } from "./bank-lines.queries.ts"
import { evidenceOf } from "./evidence.queries.ts"
import { linesOf } from "./place-lines.ts"

/** What each of these lines may be, ranked, by line. */
export async function candidatesOf(tx: Tx, lines: readonly PlacedLine[]): Promise<Map<string, Candidate[]>> {
  const scored = lines
    .filter(({ state }) => state === "open")
    .map((line) => ({
      id: line.id,
      isMain: line.isMain,
      day: line.day,
      amountCents: line.amountCents,
      words: wordsOf(line),
    }))
  const evidence = await evidenceOf(tx, scored)
  const declined = await tx.rows<{ lineId: string; key: string }>(sql`
    select line_id as "lineId", key from bank_declines where line_id = any (${sql.param(scored.map(({ id }) => id))}::uuid[])`)
  return new Map(
    scored.map((line) => {
      const { policies, receipts, notOurs } = evidence.get(line.id)!
      const candidates = [
        ...(line.isMain ? policies.flatMap((policy) => scorePolicy(line, policy) ?? []) : []),
        ...(line.isMain ? receipts.map((receipt) => scoreReceipt(line, receipt)) : []),
        ...notOurs.map((learnt) => scoreNotOurs(line, learnt)),
      ]
      const no = new Set(declined.flatMap(({ lineId, key }) => (lineId === line.id ? [key] : [])))
      return [line.id, rank(candidates, no)]
    }),
  )
}

export const suggestForLines = query(bankingContract.suggestions, async (cx): Promise<LineSuggestions[]> => {
  const { lineIds } = cx.input
  const lines = await linesOf(cx, lineIds)
  const found = await candidatesOf(cx.tx, lines)
  const byId = new Map(lines.map((line) => [line.id, line]))
  return lineIds.map((lineId) => suggestionsOf(byId.get(lineId)!, found.get(lineId) ?? []))
})

export const suggestionsOf = (line: PlacedLine, candidates: Candidate[]): LineSuggestions => ({
  lineId: line.id,
  payer: wordsOf(line).payer,
  candidates: candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.map((part) => ({ ...part, allocations: part.allocations && [...part.allocations] })),
  })),
})
