import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListInput } from "@milkwood/domain/kernel/list"
import { type Account, debitCreditOf } from "@milkwood/domain/ledger/account"
import { ledgerContract, type PostingRow } from "@milkwood/domain/ledger/ledger.contract"
import { postingsList } from "@milkwood/domain/ledger/postings.list"
import { type SQL, sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import type { ListRequest as AskedPage } from "../platform/lists/place.ts"
import { SelectStatements } from "../platform/lists/select-statements.ts"
import type { ListSource, SourceCx } from "../platform/lists/source.ts"
import { postedSumsSql } from "./posted.queries.ts"

interface AccountSelection {
  account: Account
  asOf?: Day | undefined
  policyId?: string | undefined
}
type PostingsQuery = ListInput<typeof postingsList> & AccountSelection
type StoredRow = Omit<PostingRow, "debitCents" | "creditCents" | "balanceCents"> & { _cents: number }

const isOfAccount = ({ account, policyId }: AccountSelection): SQL =>
  policyId ? sql`account = ${account} and policy_id = ${policyId}` : sql`account = ${account}`

function postingsSql({ today }: SourceCx, asked: ListInput<typeof postingsList>, balance: SQL = sql``): SQL {
  const { asOf = today, ...whose } = asked as PostingsQuery
  return sql`
    select p.id, p.entry_id as "entryId", p.line, p.effective_on as "effectiveOn", e.posted_at as "postedAt", e.kind, e.description,
      jsonb_build_object('kind', e.record_kind, 'id', e.record_id) as record, p.policy_id as "policyId",
      y.number as "policyNumber", g.name as "groupName", greatest(p.amount_cents, 0) as "debitCents",
      greatest(-p.amount_cents, 0) as "creditCents", p.amount_cents as _cents, p.seq as _seq, p.line as _line,
      p.words as _words, lower(y.number) as _policy, lower(g.name) as _group${balance}
    from (select * from ledger_postings where ${isOfAccount(whose)} and effective_on <= ${asOf}::date) p
    left join ledger_entries e on e.id = p.entry_id
    left join policies y on y.id = p.policy_id
    left join employer_groups g on g.id = p.group_id`
}

const source: ListSource<typeof postingsList, Omit<PostingRow, "balanceCents">> = {
  select: postingsSql,
  search: (pattern) => [
    { like: matchesPattern(sql`s._words`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
  ],
  sortColumns: { effectiveOn: ["effectiveOn", "_seq", "_line"] },
  present: ({ _cents, ...row }: StoredRow) => ({ ...row, ...debitCreditOf(_cents) }),
}

/** Counts are read from the journal's monthly totals; an export also has each row's running balance. */
class PostingStatements extends SelectStatements<typeof postingsList, Omit<PostingRow, "balanceCents">> {
  protected override figuresOf(asked: AskedPage, cx: SourceCx): SQL {
    if (asked.search) return super.figuresOf(asked, cx)
    const { asOf = cx.today, ...whose } = asked as unknown as AccountSelection
    return sql`
    select '' as value, jsonb_build_object('count', coalesce(sum(postings), 0), 'debitCents', coalesce(sum(debit), 0),
      'creditCents', coalesce(sum(credit), 0)) as figures
    from ${postedSumsSql(asOf)} posted where ${isOfAccount(whose)}`
  }

  protected override exportSelect(cx: SourceCx, asked: ListInput<typeof postingsList>): SQL {
    const balance = sql`(sum(p.amount_cents) over (order by p.effective_on, p.seq, p.line rows unbounded preceding))::bigint`
    return postingsSql(cx, asked, sql`, ${balance} as "balanceCents"`)
  }
}

export const postings = new List(postingsList, source, new PostingStatements(postingsList, source))

export const accountPostings = query(ledgerContract.postings, async (cx) => {
  const { rows, sums, ...answer } = await postings.page(cx, cx.input)
  const balances = await loadBalancesAfter(
    cx.tx,
    cx.input,
    rows.map(({ id }) => id),
  )
  return {
    ...answer,
    rows: rows.map((row) => ({ ...row, balanceCents: balances.get(row.id)! })),
    sums,
    balanceCents: sums && sums.debitCents - sums.creditCents,
  }
})

/** Earlier months from totals, plus a running sum within the month. */
async function loadBalancesAfter(tx: Tx, whose: AccountSelection, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ id: string; balance: number }>(sql`
    with page as (
      select id, effective_on, seq, line, date_trunc('month', effective_on)::date as month,
        lag(effective_on) over in_order as after_on, lag(seq) over in_order as after_seq, lag(line) over in_order as after_line
      from ledger_postings where id = any (${sql.param(ids)}::uuid[])
      window in_order as (partition by date_trunc('month', effective_on) order by effective_on, seq, line)
    ), months as (
      select month, sum(sum(debit_cents - credit_cents)) over (order by month) - sum(debit_cents - credit_cents) as before
      from ledger_months where ${isOfAccount(whose)} group by month
    )
    select page.id, (months.before + sum(since.cents) over (partition by month order by effective_on, seq, line))::bigint as balance
    from page join months using (month)
    cross join lateral (
      select coalesce(sum(amount_cents), 0) as cents from ledger_postings p
      where ${isOfAccount(whose)}
        and (p.effective_on, p.seq, p.line) > (coalesce(after_on, month), coalesce(after_seq, 0), coalesce(after_line, -1))
        and (p.effective_on, p.seq, p.line) <= (page.effective_on, page.seq, page.line)
    ) since`)
  return new Map(rows.map(({ id, balance }) => [id, balance]))
}
