import { type Account, accountNames, accounts, debitCreditOf } from "@milkwood/domain/ledger/account"
import type { EntryKind } from "@milkwood/domain/ledger/entry"
import { ledgerContract } from "@milkwood/domain/ledger/ledger.contract"
import { sql } from "drizzle-orm"
import { query, refused } from "../platform/calls/commands.ts"
import { postedSumsSql } from "./posted.queries.ts"

export const trialBalance = query(ledgerContract.trialBalance, async ({ tx, today, input }) => {
  const asOf = input.asOf ?? today
  const sums = await tx.rows<{ account: Account; cents: number; postings: number }>(sql`
    select account, sum(debit - credit)::bigint as cents, sum(postings)::integer as postings
    from ${postedSumsSql(asOf)} posted group by account`)
  const rows = accountNames.map((account) => {
    const found = sums.find((sum) => sum.account === account)
    const { title, kind } = accounts[account]
    return { account, title, kind, postings: found?.postings ?? 0, ...debitCreditOf(found?.cents ?? 0) }
  })
  const debitCents = rows.reduce((sum, row) => sum + row.debitCents, 0)
  const creditCents = rows.reduce((sum, row) => sum + row.creditCents, 0)
  return { asOf, accounts: rows, debitCents, creditCents, balanced: debitCents === creditCents }
})

interface EntryRow {
  id: string
  source: string
  kind: EntryKind
  effectiveOn: string
  postedAt: string
  description: string
  record: { kind: string; id: string }
  reversesId: string | null
  reversedById: string | null
  postings: { account: Account; policyId: string | null; policyNumber: string | null; cents: number }[]
}

export const ledgerEntry = query(ledgerContract.entry, async ({ tx, input }) => {
  const entry = await tx.row<EntryRow>(sql`
    select e.id, e.source, e.kind, e.effective_on as "effectiveOn", e.posted_at as "postedAt", e.description,
      jsonb_build_object('kind', e.record_kind, 'id', e.record_id) as record, e.reverses_id as "reversesId",
      (select id from ledger_entries where reverses_id = e.id) as "reversedById",
      (select jsonb_agg(jsonb_build_object('account', p.account, 'policyId', p.policy_id, 'policyNumber', y.number, 'cents', p.amount_cents) order by p.line)
        from ledger_postings p left join policies y on y.id = p.policy_id where p.entry_id = e.id) as postings
    from ledger_entries e where e.id = ${input.entryId}`)
  if (!entry) throw refused("NOT_FOUND")
  return {
    ...entry,
    postings: entry.postings.map(({ cents, ...posting }) => ({ ...posting, ...debitCreditOf(cents) })),
  }
})
