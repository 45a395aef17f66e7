import { bankAccountActionsOf } from "@milkwood/domain/banking/bank-account"
import { type BankAccountRow, bankingContract } from "@milkwood/domain/banking/banking.contract"
import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"

/** Postings without an account are on the main one. */
export const ledgerCentsBefore = (day: SQL): SQL => sql`(
  select coalesce(sum(p.amount_cents), 0)::bigint from ledger_postings p
  where p.account = 'bank' and (p.bank_account_id = a.id or a.is_main and p.bank_account_id is null)
    and p.effective_on < ${day})`

/** The main account's balance is the monthly totals without postings on other accounts. */
const ledgerCents = sql.raw(`(
  select case when a.is_main
    then (select coalesce(sum(debit_cents - credit_cents), 0) from ledger_months where account = 'bank')
      - coalesce(sum(amount_cents) filter (where bank_account_id <> a.id), 0)
    else coalesce(sum(amount_cents) filter (where bank_account_id = a.id), 0) end::bigint
  from ledger_postings where bank_account_id is not null)`)

/**
 * The amount of receipt `r` in the opening balance of bank account `a`: its ledger postings before the first day. A
 * receipt posted later, because its month was closed, is not included.
 */
export const receiptCentsInOpening = sql`case when r.received_on < a.opened_on and r.created_at <= a.opened_at then coalesce((
  select sum(p.amount_cents) from ledger_entries e join ledger_postings p on p.entry_id = e.id
  where e.record_kind = 'receipt' and e.record_id = r.id and p.account = 'bank' and e.effective_on < a.opened_on
    and e.posted_at <= a.opened_at and (p.bank_account_id = a.id or a.is_main and p.bank_account_id is null)), 0) else 0 end`

export const isPaymentInOpening = sql`(o.completed_on < a.opened_on and o.completed_at <= a.opened_at and exists (
  select from ledger_entries e where e.record_kind = 'payout' and e.record_id = o.id
    and e.kind in ('claim_payout_completed', 'refund_completed') and e.effective_on < a.opened_on))`

/**
 * A receipt is on the account of the line that created it or is matched to it, even after the line was released;
 * otherwise on the main account.
 */
const receiptsOn = (of: string) =>
  sql.raw(`(
    (select coalesce(sum(p.amount_cents), 0) from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where p.bank_account_id = ${of}.id and e.record_kind = 'receipt')
    - (select coalesce(sum(m.amount_cents), 0) from bank_matches m join bank_lines l on l.id = m.line_id
      where l.account_id = ${of}.id and m.receipt_id is not null and m.undone_at is null))::bigint`)

/**
 * Unmatched receipts of account `a`: ledger minus opening balance minus lines, without "undeposited" money. Negative if
 * the ledger has more reversals than receipts.
 */
const receiptsToCome = sql`case when a.opened_on is null then null when not a.is_main then ${receiptsOn("a")} else (
  select coalesce(sum(
    case when r.reversed_at is null then r.amount_cents else 0 end
    - ${receiptCentsInOpening}), 0)::bigint
    - (select coalesce(sum(m.amount_cents), 0)::bigint from bank_matches m join receipts r on r.id = m.receipt_id
        where m.undone_at is null and r.paid_into = 'bank')
    - (select coalesce(sum(${receiptsOn("other")}), 0)::bigint from bank_accounts other where not other.is_main)
  from receipts r where r.paid_into = 'bank') end`

/**
 * Payments not matched to a line yet, calculated like the receipts. Payments without an account are on the main one.
 */
const paymentsToCome = sql`case when a.opened_on is null then null else (
  select coalesce(sum(
    case when o.status = 'completed' then o.amount_cents else 0 end
    - case when ${isPaymentInOpening} and coalesce(o.returned_on >= a.opened_on, true)
        then o.amount_cents else 0 end
    + coalesce((select sum(m.amount_cents) from bank_matches m where m.payout_id = o.id and m.undone_at is null), 0)), 0)::bigint
  from payouts o where o.status in ('completed', 'returned') and (o.bank_account_id = a.id or a.is_main and o.bank_account_id is null)) end`

const corrections = sql`coalesce((
    select jsonb_agg(jsonb_build_object('beforeCents', c.before_cents, 'afterCents', c.after_cents, 'reason', c.reason,
      'correctedAt', to_char(c.corrected_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'correctedByName', u.name) order by c.nth desc)
    from bank_opening_corrections c left join users u on u.id = c.corrected_by where c.account_id = a.id), '[]') as corrections`

export const accountRows = (where: SQL): SQL => sql`
  select a.id, a.name, a.bank, a.account_number as "accountNumber", a.branch_code as "branchCode", a.is_main as "isMain",
    a.opened_on as "openedOn", a.opening_cents as "openingCents", ${corrections}, (a.opening_cents + l.cents)::bigint as "statementCents",
    l.last as "lastLineOn", l.count as "lineCount", l."openCount", case when a.opened_on is not null then l."notPosted" end as "notPostedCents",
    ${receiptsToCome} as "receiptsToComeCents", ${paymentsToCome} as "paymentsToComeCents", ${ledgerCents} as "ledgerCents", a.version
  from bank_accounts a
  cross join lateral (select coalesce(sum(b.amount_cents), 0) as cents, max(b.day) as last, count(*) as count,
    count(*) filter (where p.id is null) as "openCount",
    coalesce(sum(b.amount_cents) filter (where p.id is null or p.kind in ('transfer', 'unknown')), 0)::bigint as "notPosted"
    from bank_lines b left join bank_placements p on p.line_id = b.id and p.undone_at is null where b.account_id = a.id) l
  where ${where} order by a.is_main desc, lower(a.name), a.id`

async function loadAccountRows({ tx, actor }: Pick<Cx, "tx" | "actor">, where: SQL): Promise<BankAccountRow[]> {
  const rows = await tx.rows<Omit<BankAccountRow, "allowedActions">>(accountRows(where))
  const { role } = ruleActor(actor)
  return rows.map((row) => ({ ...row, allowedActions: bankAccountActionsOf(row, role) }))
}

export async function bankAccountRowOf(cx: Pick<Cx, "tx" | "actor">, accountId: string): Promise<BankAccountRow> {
  const [row] = await loadAccountRows(cx, sql`a.id = ${accountId}`)
  return row!
}

export const isStatementDue = (today: Day): SQL => sql`
  not exists (select from bank_statements s
    where s.account_id = a.id and s.undone_at is null and s.to_on >= ${firstOfMonth(today)}::date - 1)`

export const listBankAccounts = query(bankingContract.accounts, (cx) =>
  loadAccountRows(cx, cx.input.statementDue ? isStatementDue(cx.today) : sql`true`),
)
