import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import { lineWordsOf } from "@milkwood/domain/banking/line-words"
import { rank } from "@milkwood/domain/banking/match-rank"
import { scorePolicy } from "@milkwood/domain/banking/match-score"
import { scoreNotOurs, scoreRecord } from "@milkwood/domain/banking/match-score-records"
import { scoreSplit } from "@milkwood/domain/banking/match-score-splits"
import type { Candidate } from "@milkwood/domain/banking/matching"
import type { LineSuggestions } from "@milkwood/domain/banking/matching.contract"
import type { Currency } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { containsPattern } from "../platform/database/like.ts"
import type { JudgedLine, PlacedLine } from "./bank-lines.queries.ts"
import { collectEvidence, type SearchHits } from "./evidence.queries.ts"
import { loadLines } from "./place-lines.ts"
import type { PolicyBook } from "./policy-book.queries.ts"

/**
 * Reads the evidence of open lines and returns a function that ranks each line's candidates. `asked` limits the
 * candidates to a search; `book` is the cache of `evidenceOf`.
 */
export async function candidateRanker(
  tx: Tx,
  lines: readonly Omit<JudgedLine, "line">[],
  currency: Currency,
  { asked, book }: { asked?: SearchHits; book?: PolicyBook } = {},
): Promise<(line: Pick<JudgedLine, "id">) => Candidate[]> {
  const scored = new Map(lines.map((line) => [line.id, { ...line, words: lineWordsOf(line) }]))
  const evidence = await collectEvidence(tx, [...scored.values()], { asked, book })
  const declined = await tx.rows<{ lineId: string; key: string }>(sql`
    select line_id as "lineId", key from bank_declines where line_id = any (${sql.param([...scored.keys()])}::uuid[])`)
  const declines = Map.groupBy(declined, ({ lineId }) => lineId)
  const wanted = asked && new Set([...asked.policyIds, ...asked.recordIds])
  return ({ id }) => {
    const line = scored.get(id)!
    const { policies, siblings, records, notOurs, isOwnAccount } = evidence(line)
    const split = scoreSplit(line, siblings.length > 0 ? [...policies, ...siblings] : policies)
    const candidates = [
      ...policies.map((policy) => scorePolicy(line, policy, currency)),
      ...(split ? [split] : []),
      ...records.map((record) => scoreRecord(line, record, currency)),
      ...scoreNotOurs(line, notOurs, isOwnAccount),
    ]
    if (wanted) {
      const those = candidates.filter(({ parts }) => parts.length === 1 && wanted.has(parts[0]!.id))
      return rank(those, { least: Number.NEGATIVE_INFINITY, most: those.length })
    }
    return rank(candidates, { declined: new Set(declines.get(id)?.map(({ key }) => key)) })
  }
}

export async function candidatesOf(
  tx: Tx,
  lines: readonly PlacedLine[],
  currency: Currency,
  asked?: SearchHits,
): Promise<Map<string, Candidate[]>> {
  const open = lines.filter(({ state }) => state === "open")
  const judge = await candidateRanker(tx, open, currency, { asked })
  return new Map(open.map((line) => [line.id, judge(line)]))
}

export const suggestForLines = query(bankingContract.suggestions, async (cx): Promise<LineSuggestions[]> => {
  const { lineIds, search } = cx.input
  const lines = await loadLines(cx, lineIds)
  const asked = search === "" ? undefined : await findSearchHits(cx.tx, search)
  const found = await candidatesOf(cx.tx, lines, cx.currency, asked)
  const byId = new Map(lines.map((line) => [line.id, line]))
  return lineIds.map((lineId) => suggestionsOf(byId.get(lineId)!, found.get(lineId) ?? []))
})

const maxSearchHits = 8

async function findSearchHits(tx: Tx, search: string): Promise<SearchHits> {
  const pattern = containsPattern(search)
  const rows = await tx.rows<{ kind: string; id: string }>(sql`
    (select 'policy' as kind, p.id from policies p join employer_groups g on g.id = p.group_id
      where p.status <> 'Draft' and (lower(p.number) like ${pattern} or lower(g.name) like ${pattern}) order by p.number limit ${maxSearchHits})
    union all
    (select 'receipt', r.id from receipts r where lower(r.number) like ${pattern} or lower(r.reference) like ${pattern}
      order by r.received_on desc, r.id limit ${maxSearchHits})
    union all
    (select 'deposit', d.id from deposits d where lower(d.number) like ${pattern} or lower(d.reference) like ${pattern}
      order by d.received_on desc, d.id limit ${maxSearchHits})
    union all
    (select 'payout', o.id from payouts o where lower(o.number) like ${pattern} or lower(o.reference) like ${pattern}
      or lower(o.payee_name) like ${pattern} order by o.created_at desc, o.id limit ${maxSearchHits})
    union all
    (select 'batch', b.id from payout_batches b where lower(b.number) like ${pattern} order by b.created_at desc, b.id limit ${maxSearchHits})`)
  const ids = (kind: string) => rows.flatMap((row) => (row.kind === kind ? [row.id] : []))
  return { policyIds: ids("policy"), recordIds: ["receipt", "deposit", "payout", "batch"].flatMap(ids) }
}

export const suggestionsOf = (line: PlacedLine, candidates: Candidate[]): LineSuggestions => ({
  lineId: line.id,
  payer: lineWordsOf(line).payer,
  candidates: candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.map((part) => ({ ...part, allocations: part.allocations && [...part.allocations] })),
  })),
})
