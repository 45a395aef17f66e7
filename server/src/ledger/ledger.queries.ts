import type { Day } from "@milkwood/domain/kernel/calendar"
import { type Account, accountNames, accounts, sides } from "@milkwood/domain/ledger/account"
import type { EntryKind } from "@milkwood/domain/ledger/entry"
import { ledgerContract, type PostingRow } from "@milkwood/domain/ledger/ledger.contract"
import { postingsList } from "@milkwood/domain/ledger/postings.list"
import { type SQL, sql } from "drizzle-orm"
import { query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { containing } from "../platform/database/like.ts"
import { answerOf } from "../platform/lists/answer.ts"

/**
 * What was posted up to the end of a day, by account: the months up to its own, less what of that month came later.
 * Answers a subquery (account, policy_id, debit, credit, postings) of cents, to be summed.
 */
const postedBy = (asOf: Day): SQL => sql`(
  select account, policy_id, debit_cents as debit, credit_cents as credit, postings
    from ledger_months where month <= ${asOf}::date
  union all
  select p.account, p.policy_id, -greatest(p.amount_cents, 0), -greatest(-p.amount_cents, 0), -1
    from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where e.effective_on > ${asOf}::date and e.effective_on < (date_trunc('month', ${asOf}::date) + interval '1 month')::date
)`

/** Every account with its balance at the end of a day. */
export const trialBalance = query(ledgerContract.trialBalance, async ({ tx, today, input }) => {
  const asOf = input.asOf ?? today
  const sums = await tx.rows<{ account: Account; cents: number; postings: number }>(sql`
    select account, sum(debit - credit)::bigint as cents, sum(postings)::integer as postings
    from ${postedBy(asOf)} posted group by account`)
  const rows = accountNames.map((account) => {
    const found = sums.find((sum) => sum.account === account)
    const { title, kind } = accounts[account]
    return { account, title, kind, postings: found?.postings ?? 0, ...sides(found?.cents ?? 0) }
  })
  const debitCents = rows.reduce((sum, row) => sum + row.debitCents, 0)
  const creditCents = rows.reduce((sum, row) => sum + row.creditCents, 0)
  return { asOf, accounts: rows, debitCents, creditCents, balanced: debitCents === creditCents }
})

/**
 * The postings of an account, each with the balance after it. Unsearched, the page is walked to from the near end of the
 * journal, and the totals are what is kept; an account with few postings is looked at whole, as a search is.
 */
export const accountPostings = query(ledgerContract.postings, async ({ tx, today, input }) => {
  const asOf = input.asOf ?? today
  if (input.search === "" && !input.policyId) {
    const totals = (await tx.row<Omit<Postings, "rows">>(sql`
      select coalesce(sum(postings), 0)::integer as total, coalesce(sum(debit), 0)::bigint as "debitCents",
        coalesce(sum(credit), 0)::bigint as "creditCents"
      from ${postedBy(asOf)} posted where account = ${input.account}`))!
    if (totals.total > fewPostings) return withSides({ ...totals, rows: await walkedPostings(tx, input, asOf, totals) })
  }
  const like = containing(input.search)
  const direction = sql.raw(input.dir)
  const found = await tx.row<Postings>(sql`
    with all_postings as (
      select p.entry_id as "entryId", p.line, e.effective_on as "effectiveOn",
        to_char(e.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "postedAt", e.kind, e.description,
        jsonb_build_object('kind', e.record_kind, 'id', e.record_id) as record,
        p.policy_id as "policyId", y.number as "policyNumber", g.name as "groupName", p.amount_cents as cents,
        row_number() over account_order as place,
        sum(p.amount_cents) over account_order as "balanceCents"
      from ledger_postings p
      join ledger_entries e on e.id = p.entry_id
      left join policies y on y.id = p.policy_id
      left join employer_groups g on g.id = p.group_id
      where p.account = ${input.account} and e.effective_on <= ${asOf}
        and ${input.policyId ? sql`p.policy_id = ${input.policyId}` : sql`true`}
      window account_order as (order by e.effective_on, e.seq, p.line)
    ), matching as (
      select * from all_postings
      where ${input.search === "" ? sql`true` : sql`(lower(description) like ${like} or lower("policyNumber") like ${like} or lower("groupName") like ${like})`}
    )
    select
      coalesce((select jsonb_agg(to_jsonb(page) - 'place' order by place ${direction}) from (
        select * from matching order by place ${direction} limit ${input.pageSize} offset ${(input.page - 1) * input.pageSize}) page), '[]') as rows,
      (select count(*) from matching) as total,
      (select coalesce(sum(cents) filter (where cents > 0), 0)::bigint from matching) as "debitCents",
      (select coalesce(-sum(cents) filter (where cents < 0), 0)::bigint from matching) as "creditCents"`)
  return withSides(found!)
})

/** Up to so many postings of an account are looked at whole. */
const fewPostings = 20_000

interface Postings {
  rows: (Omit<PostingRow, "debitCents" | "creditCents"> & { cents: number })[]
  total: number
  debitCents: number
  creditCents: number
}

const withSides = ({ rows, total, debitCents, creditCents }: Postings) => ({
  ...answerOf(postingsList, { rows: rows.map(({ cents, ...row }) => ({ ...row, ...sides(cents) })), total }),
  debitCents,
  creditCents,
  balanceCents: debitCents - creditCents,
})

/** A page along the journal's order; the balance after a posting is what was walked, or the end's less what was. */
export function walkedPostings(
  tx: Tx,
  { account, dir, page, pageSize }: { account: Account; dir: "asc" | "desc"; page: number; pageSize: number },
  asOf: Day,
  { debitCents, creditCents }: Omit<Postings, "rows">,
): Promise<Postings["rows"]> {
  const direction = sql.raw(dir)
  const order = sql`e.effective_on ${direction}, e.seq ${direction}, p.line ${direction}`
  const balance = dir === "asc" ? sql`walked` : sql`${debitCents - creditCents}::bigint - walked + cents`
  return tx.rows(sql`
    with journal as (
      select e.id, p.line, p.policy_id, p.group_id, p.amount_cents as cents, e.effective_on, e.seq
      from ledger_entries e join ledger_postings p on p.entry_id = e.id and p.account = ${account}
      where e.effective_on <= ${asOf}::date order by ${order} limit ${page * pageSize}
    ), page as materialized (
      select *, row_number() over in_order as place, sum(cents) over in_order as walked from journal
      window in_order as (order by effective_on ${direction}, seq ${direction}, line ${direction} rows unbounded preceding)
      order by place offset ${(page - 1) * pageSize}
    )
    select e.id as "entryId", page.line, e.effective_on as "effectiveOn", to_char(e.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "postedAt", e.kind, e.description,
      jsonb_build_object('kind', e.record_kind, 'id', e.record_id) as record, page.policy_id as "policyId",
      y.number as "policyNumber", g.name as "groupName", page.cents, (${balance})::bigint as "balanceCents"
    from page join ledger_entries e using (id)
    left join policies y on y.id = page.policy_id left join employer_groups g on g.id = page.group_id
    order by place`)
}

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

/** An entry with both its sides, and what it reverses or was reversed by. */
export const ledgerEntry = query(ledgerContract.entry, async ({ tx, input }) => {
  const entry = await tx.row<EntryRow>(sql`
    select e.id, e.source, e.kind, e.effective_on as "effectiveOn", e.posted_at as "postedAt", e.description,
      jsonb_build_object('kind', e.record_kind, 'id', e.record_id) as record, e.reverses_id as "reversesId",
      (select id from ledger_entries where reverses_id = e.id) as "reversedById",
      (select jsonb_agg(jsonb_build_object('account', p.account, 'policyId', p.policy_id, 'policyNumber', y.number, 'cents', p.amount_cents) order by p.line)
        from ledger_postings p left join policies y on y.id = p.policy_id where p.entry_id = e.id) as postings
    from ledger_entries e where e.id = ${input.entryId}`)
  if (!entry) throw refused("NOT_FOUND")
  return { ...entry, postings: entry.postings.map(({ cents, ...posting }) => ({ ...posting, ...sides(cents) })) }
})
