import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { effectiveDay } from "@milkwood/domain/ledger/closed-months"
import { isBalanced, type LedgerEntry, reversalOf } from "@milkwood/domain/ledger/entry"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { firstOpenDayOfBooks } from "./closed-months.ts"
import { ledgerEntries, ledgerPostings } from "./ledger.tables.ts"

type PostingCx = Pick<Cx, "tx" | "now" | "today">

/**
 * Posts entries built by the domain's posting rules and returns their ids. A duplicate source fails the transaction.
 * `on` is the document's day; in a closed month the entry takes effect on the first open day. The scoped role cannot
 * see the ledger.
 *
 *     await post(cx, receiptTaken({ receiptId, number, amountCents, on: receivedOn, policy: { policyId, groupId } }))
 */
export async function post(cx: PostingCx, ...entries: LedgerEntry[]): Promise<string[]> {
  return insertEntries(
    cx,
    entries.map((entry) => ({ entry, reverses: null })),
  )
}

/**
 * Reverses entries by source, each at most once. The reversal takes effect on `on`, or later if that month is closed or
 * the entry itself takes effect later. Returns ids in order.
 *
 *     await reverse(cx, [{ source: `allocation:${id}`, on: today, reason: "receipt REC-2026-000001 was reversed" }])
 */
export async function reverse(
  cx: PostingCx,
  undoing: readonly { source: string; on: Day; reason: string }[],
): Promise<string[]> {
  const posted = await cx.tx.rows<LedgerEntry & { id: string }>(sql`
    select id, source, kind, effective_on as "effectiveOn", description,
      jsonb_build_object('kind', record_kind, 'id', record_id) as record,
      (select jsonb_agg(jsonb_build_object(
          'account', account,
          'amountCents', amount_cents,
          'bankAccountId', bank_account_id,
          'policy', case when policy_id is null then null
                         else jsonb_build_object('policyId', policy_id, 'groupId', group_id) end) order by line)
        from ledger_postings where entry_id = ledger_entries.id) as postings
    from ledger_entries where source = any (${sql.param(undoing.map(({ source }) => source))}::text[])`)
  const bySource = new Map(posted.map((entry) => [entry.source, entry]))
  return insertEntries(
    cx,
    undoing.map(({ source, on, reason }) => {
      const original = bySource.get(source)
      if (!original) throw new Error(`nothing was posted for ${source}`)
      return { entry: reversalOf(original, on, reason), reverses: original }
    }),
  )
}

async function insertEntries(
  cx: PostingCx,
  entries: { entry: LedgerEntry; reverses: (LedgerEntry & { id: string }) | null }[],
): Promise<string[]> {
  if (entries.length === 0) return []
  const firstOpen = await firstOpenDayOfBooks(cx)
  const rows = entries.map(({ entry, reverses }): Row => {
    if (!isBalanced(entry)) throw new Error(`the entry ${entry.source} does not balance`)
    const effectiveOn = effectiveDay(entry.effectiveOn, firstOpen, reverses?.effectiveOn)
    return { id: randomUUID(), entry, effectiveOn, reversesId: reverses?.id ?? null }
  })
  for (let from = 0; from < rows.length; from += entriesPerInsert) {
    await insertRows(cx, rows.slice(from, from + entriesPerInsert))
  }
  return rows.map(({ id }) => id)
}

const entriesPerInsert = 500

interface Row {
  id: string
  entry: LedgerEntry
  effectiveOn: Day
  reversesId: string | null
}

async function insertRows({ tx, now }: PostingCx, rows: readonly Row[]): Promise<void> {
  await tx.insert(ledgerEntries).values(
    rows.map(({ id, entry, effectiveOn, reversesId }) => ({
      id,
      source: entry.source,
      kind: entry.kind,
      reversesId,
      effectiveOn,
      postedAt: now,
      description: entry.description,
      recordKind: entry.record.kind,
      recordId: entry.record.id,
    })),
  )
  await tx.insert(ledgerPostings).values(
    rows.flatMap(({ id, entry }) =>
      entry.postings.map((posting, line) => ({
        entryId: id,
        line,
        account: posting.account,
        policyId: posting.policy?.policyId ?? null,
        groupId: posting.policy?.groupId ?? null,
        amountCents: posting.amountCents,
        bankAccountId: posting.bankAccountId ?? null,
      })),
    ),
  )
}
